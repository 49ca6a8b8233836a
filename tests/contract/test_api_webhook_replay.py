"""POST /v1/webhooks/deliveries/{delivery_id}/replay."""

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.receiver import open_receiver


def test_what_was_delivered_is_sent_once_more_under_the_same_id(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        client.request("PUT", "/v1/webhooks/endpoint", json={"url": receiver.url})
        address = client.post("/v1/webhooks/test").headers["Location"]
        house.send()
        replayed = client.post(f"{address}/replay")
        assert (replayed.status_code, replayed.get_json()["status"]) == (202, "pending")
        assert replayed.headers["Location"] == address
        house.send()
        first, second = receiver.next(), receiver.next()
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    shown = client.get(address).get_json()
    assert (shown["status"], shown["attempts"]) == ("delivered", 2)


def test_what_is_still_to_be_sent_cannot_be_replayed(client: CheckedClient) -> None:
    client.request("PUT", "/v1/webhooks/endpoint", json={"url": "https://hooks.example/"})
    address = client.post("/v1/webhooks/test").headers["Location"]
    refused = client.post(f"{address}/replay")
    assert (refused.status_code, refused.get_json()["code"]) == (409, "conflict")


def test_what_went_to_an_endpoint_that_is_gone_cannot_be_replayed(client: CheckedClient) -> None:
    client.request("PUT", "/v1/webhooks/endpoint", json={"url": "https://hooks.example/"})
    address = client.post("/v1/webhooks/test").headers["Location"]
    client.request("DELETE", "/v1/webhooks/endpoint")
    assert client.get(address).get_json()["error"] == "The endpoint was deleted."
    assert client.post(f"{address}/replay").status_code == 409


def test_what_is_not_there_is_not_found(client: CheckedClient, house: House) -> None:
    house.webhooks.put_endpoint("somebody", "https://hooks.example/")
    others = house.webhooks.ping("somebody")
    for delivery_id in (f"msg_{'a' * 25}", others.id):
        assert client.post(f"/v1/webhooks/deliveries/{delivery_id}/replay").status_code == 404
