"""``callback_url`` of POST /v1/matches and POST /v1/matches/{match_id}/adjudications."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import match_record
from tests.receiver import open_receiver

DELIVERIES = "/v1/webhooks/deliveries"


def submit(client: CheckedClient, url: str, more: str = "") -> int:
    return client.post(f"/v1/matches?callback_url={quote(url)}{more}", json=match_record()).status_code


def test_whoever_asked_is_told_when_it_has_ended(client: CheckedClient, house: House) -> None:
    with open_receiver() as receiver:
        assert submit(client, f"{receiver.url}?order=17&key=a%20b") == 202
        house.work()
        house.send()
        request = receiver.next()
    assert request.line == "POST /hook?order=17&key=a%20b HTTP/1.1"
    told = json.loads(request.body)
    assert told["type"] == "adjudication.done"
    assert client.get(told["data"]["location"]).get_json()["id"] == told["data"]["id"]


def test_what_has_ended_already_is_told_at_once(client: CheckedClient, house: House) -> None:
    client.post("/v1/matches", json=match_record())
    house.work()
    assert client.get(DELIVERIES).get_json() == {"deliveries": [], "next_cursor": None}
    assert submit(client, "https://hooks.example/") == 202
    (entry,) = client.get(DELIVERIES).get_json()["deliveries"]
    assert (entry["status"], entry["event"], entry["to_endpoint"]) == ("pending", "adjudication.done", False)


def test_another_opinion_is_told_too(client: CheckedClient, house: House) -> None:
    match_id = client.post("/v1/matches", json=match_record()).get_json()["match"]["id"]
    house.work()
    address = f"/v1/matches/{match_id}/adjudications?callback_url=https://hooks.example/"
    asked = client.post(address, json={"finish": "exact_or_double"}).get_json()
    assert client.get(DELIVERIES).get_json() == {"deliveries": [], "next_cursor": None}
    house.work()
    (entry,) = client.get(DELIVERIES).get_json()["deliveries"]
    assert entry["payload"]["data"]["id"] == asked["id"]


def test_a_failed_one_that_is_tried_anew_is_told_of_its_new_end_only(
    client: CheckedClient, house: House
) -> None:
    match_id = client.post("/v1/matches", json=match_record()).get_json()["match"]["id"]
    house.fail_next()
    client.post(f"/v1/matches/{match_id}/adjudications?callback_url=https://hooks.example/")
    assert client.get(DELIVERIES).get_json() == {"deliveries": [], "next_cursor": None}
    house.work()
    (entry,) = client.get(DELIVERIES).get_json()["deliveries"]
    assert entry["event"] == "adjudication.done"


def ask_by_submission(client: CheckedClient, url: str) -> tuple[int, Any]:
    answered = client.post(f"/v1/matches?callback_url={quote(url)}", json=match_record())
    return answered.status_code, answered.get_json()


def ask_again(client: CheckedClient, url: str) -> tuple[int, Any]:
    match_id = client.post("/v1/matches", json=match_record()).get_json()["match"]["id"]
    answered = client.post(f"/v1/matches/{match_id}/adjudications?callback_url={quote(url)}")
    return answered.status_code, answered.get_json()


@pytest.mark.parametrize("ask", [ask_by_submission, ask_again])
@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("https://127.0.0.2/", 422, "address_refused"),
        ("https://169.254.169.254/", 422, "address_refused"),
        ("https://[::ffff:10.0.0.1]/", 422, "address_refused"),
        ("https://2130706434/", 422, "address_refused"),
        ("https://hooks.example:25/", 422, "address_refused"),
        ("http://hooks.example/", 400, "bad_request"),
        ("https://me@hooks.example/", 400, "bad_request"),
        ("https://hooks.example/#x", 400, "bad_request"),
        ("https://hooks.example/\r\nHost: x", 400, "bad_request"),
        ("https://hooks.example/" + "x" * 2000, 400, "bad_request"),
        ("file:///etc/passwd", 400, "bad_request"),
        ("", 400, "bad_request"),
    ],
)
def test_where_nobody_may_be_told_is_refused_with_its_place(
    client: CheckedClient,
    ask: Callable[[CheckedClient, str], tuple[int, Any]],
    url: str,
    status: int,
    code: str,
) -> None:
    answered, document = ask(client, url)
    assert (answered, document["code"]) == (status, code)
    (fault,) = document["errors"]
    assert fault["parameter"] == "callback_url"


def test_of_a_submission_with_a_wrong_url_nothing_is_kept(client: CheckedClient, house: House) -> None:
    assert submit(client, "https://10.0.0.1/") == 422
    assert house.kept() == (0, 0)
