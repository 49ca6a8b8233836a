"""GET, PUT and DELETE /v1/webhooks/endpoint."""

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.receiver import answer, open_receiver

ADDRESS = "/v1/webhooks/endpoint"
HOOK = "https://hooks.example/adjudicated"


def test_an_endpoint_is_set_shown_changed_and_deleted(client: CheckedClient) -> None:
    assert client.get(ADDRESS).status_code == 404
    put = client.request("PUT", ADDRESS, json={"url": HOOK})
    assert (put.status_code, put.get_json()["url"]) == (200, HOOK)
    assert client.get(ADDRESS).get_json() == put.get_json()
    assert client.request("PUT", ADDRESS, json={"url": f"{HOOK}/2"}).get_json()["url"] == f"{HOOK}/2"
    assert client.request("DELETE", ADDRESS).status_code == 204
    assert client.request("DELETE", ADDRESS).status_code == 404
    assert client.get(ADDRESS).status_code == 404


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.2/", "https://169.254.169.254/latest", "https://[::1]/", "https://[::ffff:127.0.0.2]/"],
)
def test_a_private_address_is_refused_with_its_place(client: CheckedClient, url: str) -> None:
    answered = client.request("PUT", ADDRESS, json={"url": url})
    assert (answered.status_code, answered.get_json()["code"]) == (422, "address_refused")
    (fault,) = answered.get_json()["errors"]
    assert fault["pointer"] == "/url"
    assert "is not a public address" in fault["reason"]
    assert client.get(ADDRESS).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"url": 3}, {"url": None}, {"url": "http://hooks.example/"}, {"uri": HOOK}]
)
def test_what_is_no_url_is_pointed_at(client: CheckedClient, body: dict[str, object]) -> None:
    answered = client.request("PUT", ADDRESS, json=body)
    assert (answered.status_code, answered.get_json()["code"]) == (400, "bad_request")
    assert "/url" in {fault["pointer"] for fault in answered.get_json()["errors"]}


def test_a_receiver_that_answers_410_is_shown_as_disabled(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        receiver.script = answer(410)
        client.request("PUT", ADDRESS, json={"url": receiver.url})
        client.post("/v1/webhooks/test")
        house.send()
        shown = client.get(ADDRESS).get_json()
        assert shown["disabled_because"].startswith("The receiver answered 410")
        assert "disabled_at" in shown
        again = client.request("PUT", ADDRESS, json={"url": receiver.url}).get_json()
        assert "disabled_at" not in again
