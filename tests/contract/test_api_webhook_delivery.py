"""GET /v1/webhooks/deliveries/{delivery_id}."""

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.receiver import answer, open_receiver

ADDRESS = "/v1/webhooks/deliveries"


def test_what_is_not_there_is_not_found(client: CheckedClient) -> None:
    assert client.get(f"{ADDRESS}/msg_{'a' * 25}").status_code == 404
    assert client.get(f"{ADDRESS}/msg_1").status_code == 404


def test_a_failed_attempt_is_shown_with_what_was_wrong_and_when_the_next_is(
    client: CheckedClient, house: House
) -> None:
    with open_receiver() as receiver:
        receiver.script = answer(500)
        client.request("PUT", "/v1/webhooks/endpoint", json={"url": receiver.url})
        address = client.post("/v1/webhooks/test").headers["Location"]
        house.send()
        shown = client.get(address).get_json()
    assert (shown["status"], shown["attempts"], shown["answered"]) == ("pending", 1, 500)
    assert shown["error"] == "The receiver answered 500."
    assert shown["url"] == receiver.url
    assert shown["due_at"] > shown["tried_at"] >= shown["created_at"]
    assert "ended_at" not in shown


def test_where_nobody_answers_there_is_no_status(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        client.request("PUT", "/v1/webhooks/endpoint", json={"url": receiver.url})
    address = client.post("/v1/webhooks/test").headers["Location"]
    house.send()
    shown = client.get(address).get_json()
    assert "answered" not in shown
    assert shown["error"] == "The connection failed: Connection refused"
