"""GET /v1/webhooks/deliveries."""

from collections.abc import Iterator

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import match_record
from tests.receiver import Receiver, answer, open_receiver

ADDRESS = "/v1/webhooks/deliveries"
ENDPOINT = "/v1/webhooks/endpoint"


def ping(client: CheckedClient) -> str:
    delivery_id: str = client.post("/v1/webhooks/test").get_json()["id"]
    return delivery_id


@pytest.fixture
def receiver(client: CheckedClient) -> Iterator[Receiver]:
    with open_receiver() as receiver:
        client.request("PUT", ENDPOINT, json={"url": receiver.url})
        yield receiver


def test_at_first_there_are_none(client: CheckedClient) -> None:
    assert client.get(ADDRESS).get_json() == {"deliveries": [], "next_cursor": None}


def test_pages_hold_all_of_them_once_the_newest_first(client: CheckedClient, receiver: Receiver) -> None:
    pinged = [ping(client) for _ in range(5)]
    seen, address = [], f"{ADDRESS}?limit=2"
    for _ in range(3):
        page = client.get(address).get_json()
        seen += [entry["id"] for entry in page["deliveries"]]
        address = f"{ADDRESS}?limit=2&cursor={page['next_cursor']}"
    assert page["next_cursor"] is None
    assert seen == pinged[::-1]


def test_they_are_told_apart_by_status(client: CheckedClient, house: House, receiver: Receiver) -> None:
    delivered = ping(client)
    house.send()
    receiver.script = answer(410)
    failed = ping(client)
    house.send()
    client.request("PUT", ENDPOINT, json={"url": receiver.url})
    pending = ping(client)
    for status, expected in (("delivered", delivered), ("failed", failed), ("pending", pending)):
        (entry,) = client.get(f"{ADDRESS}?status={status}").get_json()["deliveries"]
        assert (entry["id"], entry["status"]) == (expected, status)


def test_the_end_of_an_adjudication_is_among_them(
    client: CheckedClient, house: House, receiver: Receiver
) -> None:
    submitted = client.post("/v1/matches", json=match_record()).get_json()
    assert client.get(ADDRESS).get_json() == {"deliveries": [], "next_cursor": None}
    house.work()
    (entry,) = client.get(ADDRESS).get_json()["deliveries"]
    assert entry["event"] == "adjudication.done"
    assert entry["payload"]["data"]["id"] == submitted["id"]
    assert client.get(entry["payload"]["data"]["location"]).get_json()["status"] == "done"


def test_a_failed_adjudication_is_told_as_the_contract_says(
    client: CheckedClient, house: House, receiver: Receiver
) -> None:
    client.post("/v1/matches", json=match_record())
    house.fail_next()
    (entry,) = client.get(ADDRESS).get_json()["deliveries"]
    assert entry["event"] == "adjudication.failed"
    assert entry["payload"]["data"]["error"] == {"code": "engine_failure"}


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("status=lost", "status"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=many", "limit"),
        ("limit=%D9%A2", "limit"),
        ("limit=+2", "limit"),
        ("cursor=", "cursor"),
        ("cursor=x", "cursor"),
        ("cursor=MjAyNi0xMS0yOVQxMDowMDowMCBtc2c", "cursor"),
        ("cursor=" + "A" * 3000, "cursor"),
        ("cursor=%00", "cursor"),
        ("page=2", "page"),
        ("status=failed&status=failed", "status"),
    ],
)
def test_a_wrong_parameter_is_named(client: CheckedClient, query: str, parameter: str) -> None:
    refused = client.get(f"{ADDRESS}?{query}")
    assert refused.status_code == 400
    assert [fault["parameter"] for fault in refused.get_json()["errors"]] == [parameter]


def test_others_deliveries_are_not_there(client: CheckedClient, house: House) -> None:
    house.webhooks.put_endpoint("somebody", "https://hooks.example/")
    others = house.webhooks.ping("somebody")
    assert client.get(ADDRESS).get_json() == {"deliveries": [], "next_cursor": None}
    assert client.get(f"{ADDRESS}/{others.id}").status_code == 404
