"""POST /v1/webhooks/test."""

import json

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.receiver import answer, open_receiver

ADDRESS = "/v1/webhooks/test"
ENDPOINT = "/v1/webhooks/endpoint"


def test_without_an_endpoint_there_is_nothing_to_try_out(client: CheckedClient) -> None:
    assert client.post(ADDRESS).status_code == 404


def test_a_ping_arrives_at_the_endpoint(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        client.request("PUT", ENDPOINT, json={"url": receiver.url})
        pinged = client.post(ADDRESS)
        assert (pinged.status_code, pinged.get_json()["status"]) == (202, "pending")
        assert client.get(pinged.headers["Location"]).get_json() == pinged.get_json()
        house.send()
        request = receiver.next()
        assert request.headers["webhook-id"] == pinged.get_json()["id"]
        assert json.loads(request.body) == pinged.get_json()["payload"]
        assert json.loads(request.body)["type"] == "ping"
        assert client.get(pinged.headers["Location"]).get_json()["status"] == "delivered"


def test_every_ping_is_another(client: CheckedClient) -> None:
    client.request("PUT", ENDPOINT, json={"url": "https://hooks.example/"})
    assert client.post(ADDRESS).get_json()["id"] != client.post(ADDRESS).get_json()["id"]


def test_a_disabled_endpoint_is_not_pinged(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        receiver.script = answer(410)
        client.request("PUT", ENDPOINT, json={"url": receiver.url})
        client.post(ADDRESS)
        house.send()
        refused = client.post(ADDRESS)
        assert (refused.status_code, refused.get_json()["code"]) == (409, "conflict")
        assert "410" in refused.get_json()["detail"]
