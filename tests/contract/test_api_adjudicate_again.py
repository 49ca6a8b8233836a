"""POST /v1/matches/{match_id}/adjudications."""

import gzip
import json

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import match_record


@pytest.fixture
def address(client: CheckedClient) -> str:
    submitted = client.post("/v1/matches", json=match_record()).get_json()
    return f"/v1/matches/{submitted['match']['id']}/adjudications"


def test_options_in_the_query_and_in_the_body_mean_the_same(client: CheckedClient, address: str) -> None:
    by_query = client.post(f"{address}?finish=exact_or_double")
    by_body = client.post(address, json={"finish": "exact_or_double"})
    assert (by_query.status_code, by_body.status_code) == (202, 202)
    assert by_query.headers["Location"] == by_body.headers["Location"]
    assert by_query.get_json()["ruleset"]["finish"] == "exact_or_double"


def test_options_may_be_gzipped(client: CheckedClient, address: str) -> None:
    answer = client.post(
        address,
        data=gzip.compress(json.dumps({"finish": "exact_or_double"}).encode()),
        headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
    )
    assert answer.get_json()["ruleset"]["finish"] == "exact_or_double"
    damaged = client.post(
        address, data=b"{}", headers={"Content-Type": "application/json", "Content-Encoding": "gzip"}
    )
    assert (damaged.status_code, damaged.get_json()["code"]) == (400, "bad_request")


def test_without_options_it_is_the_adjudication_that_is_there(client: CheckedClient, address: str) -> None:
    kept = client.get(address.removesuffix("/adjudications")).get_json()["adjudications"]
    assert client.post(address).get_json()["id"] == kept[0]
    client.post(f"{address}?numbering=move")
    assert len(client.get(address.removesuffix("/adjudications")).get_json()["adjudications"]) == 2


def test_a_caller_that_waits_gets_the_result(client: CheckedClient, house: House, address: str) -> None:
    client.post(address, json={"numbering": "move"})
    house.work()
    answer = client.post(address, json={"numbering": "move"}, headers={"Prefer": "wait=5"})
    assert (answer.status_code, answer.get_json()["ruleset"]["numbering"]) == (200, "move")


def test_a_caller_that_does_not_wait_is_told_that_the_result_is_there(
    client: CheckedClient, house: House, address: str
) -> None:
    house.work()
    answer = client.post(address)
    assert (answer.status_code, answer.get_json()["status"]) == (202, "done")
    assert "Preference-Applied" not in answer.headers


def test_a_number_in_a_body_is_a_number_and_minus_zero_is_zero(client: CheckedClient, address: str) -> None:
    text = client.post(address, json={"indifference": "0.5"})
    assert (text.status_code, text.get_json()["errors"][0]["pointer"]) == (400, "/indifference")
    zeros = [
        client.post(address, data=f'{{"indifference": {zero}}}', content_type="application/json")
        for zero in ("0", "-0", "-0.0")
    ]
    assert len({answer.headers["Location"] for answer in zeros}) == 1


def test_an_option_given_twice_in_a_body_is_pointed_at(client: CheckedClient, address: str) -> None:
    twice = b'{"finish": "exact", "finish": "exact_or_double"}'
    answer = client.post(address, data=twice, content_type="application/json")
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (400, "/finish")


def test_an_option_given_in_both_places_is_refused(client: CheckedClient, address: str) -> None:
    answer = client.post(f"{address}?finish=exact", json={"finish": "exact"})
    assert answer.status_code == 400
    assert [fault["parameter"] for fault in answer.get_json()["errors"]] == ["finish"]


def test_every_wrong_member_of_the_body_is_pointed_at(client: CheckedClient, address: str) -> None:
    answer = client.post(address, json={"finish": 3, "indifference": True, "a/b~c": 1})
    assert answer.status_code == 400
    pointers = {fault["pointer"] for fault in answer.get_json()["errors"]}
    assert pointers == {"/finish", "/indifference", "/a~1b~0c"}


@pytest.mark.parametrize(
    "body", [b"[]", b"{", b'"finish"', b"\xff", b"[" * 100_000, b'{"indifference": NaN}']
)
def test_a_body_that_is_no_json_object_is_refused(client: CheckedClient, address: str, body: bytes) -> None:
    answer = client.post(address, data=body, content_type="application/json")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")


def test_another_content_type_is_refused(client: CheckedClient, address: str) -> None:
    answer = client.post(address, data=b"finish=exact", content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer.get_json()["code"]) == (415, "unsupported_media_type")


def test_a_body_beyond_the_limit_is_refused(client: CheckedClient, house: House, address: str) -> None:
    body = b" " * (2 * house.longest_record)
    assert client.post(address, data=body, content_type="application/json").status_code == 413


def test_a_match_that_is_not_kept_is_not_found(client: CheckedClient) -> None:
    assert client.post(f"/v1/matches/m{'a' * 25}/adjudications").status_code == 404
