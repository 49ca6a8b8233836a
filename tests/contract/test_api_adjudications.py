"""GET /v1/adjudications."""

import pytest

from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import MAT, match_record

ADDRESS = "/v1/adjudications"


def submit(client: CheckedClient, white: str = "Anna", **query: str) -> str:
    record = match_record()
    record["players"]["white"]["name"] = white
    answer = client.post("/v1/matches", json=record, query_string=query)
    assert answer.status_code == 202
    adjudication_id: str = answer.get_json()["id"]
    return adjudication_id


def listed(client: CheckedClient, **query: str) -> list[str]:
    answer = client.get(ADDRESS, query_string=query)
    assert answer.status_code == 200, answer.get_json()
    return [entry["id"] for entry in answer.get_json()["adjudications"]]


def test_where_nothing_is_the_listing_is_empty(client: CheckedClient) -> None:
    answer = client.get(ADDRESS)
    assert answer.get_json() == {"adjudications": [], "next_cursor": None}
    assert "Link" not in answer.headers


def test_the_latest_come_first_with_their_match_and_what_became_of_them(
    client: CheckedClient, house: House
) -> None:
    first = submit(client)
    client.post("/v1/matches", data=MAT, content_type="text/plain")
    house.work()
    latest, earlier = client.get(ADDRESS).get_json()["adjudications"]
    assert (earlier["id"], earlier["status"], earlier["changed"]) == (first, "done", True)
    assert earlier["match"]["players"]["white"] == "Anna"
    assert (latest["status"], latest["changed"]) == ("done", False)


def test_pages_follow_one_another_and_miss_nothing(client: CheckedClient) -> None:
    ids = [submit(client, f"player {number}") for number in range(5)][::-1]
    address, found = f"{ADDRESS}?limit=2&status=queued", []
    while address:
        answer = client.get(address)
        page = answer.get_json()
        found.append([entry["id"] for entry in page["adjudications"]])
        assert ("Link" in answer.headers) == (page["next_cursor"] is not None)
        link = answer.headers.get("Link", "<>")
        address = link[1 : link.index(">")]
    assert found == [ids[:2], ids[2:4], ids[4:]]


def test_what_comes_later_disturbs_no_page(client: CheckedClient) -> None:
    ids = [submit(client, f"player {number}") for number in range(3)][::-1]
    cursor = client.get(f"{ADDRESS}?limit=2").get_json()["next_cursor"]
    submit(client, "one more")
    assert listed(client, cursor=cursor) == ids[2:]


def test_either_player_is_looked_for_by_the_exact_name(client: CheckedClient) -> None:
    anna, borys = submit(client, "Anna"), submit(client, "Борис")
    black = match_record()["players"]["black"]["name"]
    assert listed(client, player="Борис") == [borys]
    assert listed(client, player=black) == [borys, anna]
    assert listed(client, player="Bor") == []
    assert listed(client, player="a\0b") == []


def test_changed_and_unchanged_are_told_apart_and_what_is_not_done_is_neither(
    client: CheckedClient, house: House
) -> None:
    changed = submit(client)
    stands = client.post("/v1/matches", data=MAT, content_type="text/plain").get_json()["id"]
    house.work()
    queued = submit(client, "waits")
    assert listed(client, changed="true") == [changed]
    assert listed(client, changed="false") == [stands]
    assert listed(client, status="queued") == [queued]
    assert listed(client, status="done", changed="true") == [changed]


def test_the_time_of_submission_bounds_the_listing(client: CheckedClient) -> None:
    first, second = submit(client, "first"), submit(client, "second")
    states = {entry["id"]: entry["submitted_at"] for entry in client.get(ADDRESS).get_json()["adjudications"]}
    assert listed(client, **{"from": "2026-01-01", "to": "9999-12-31"}) == [second, first]
    assert listed(client, **{"from": "9999-12-31T00:00:00+02:00"}) == []
    assert listed(client, to="2026-01-01T00:00Z") == []
    assert first in states
    assert second in listed(client, **{"from": states[second]})


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("from=yesterday", "from"),
        ("from=20261129", "from"),
        ("from=2026-11-29T10:00:00", "from"),
        ("from=2026-13-29", "from"),
        ("from=0001-01-01T00:00:00%2B14:00", "from"),
        ("to=", "to"),
        ("changed=1", "changed"),
        ("changed=", "changed"),
        ("status=late", "status"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=1.5", "limit"),
        ("limit=١", "limit"),
        ("cursor=abc", "cursor"),
        ("cursor=MjAyNi0xMS0yOSBh", "cursor"),
        ("cursor=MDAwMS0wMS0wMVQwMDowMDowMCsxNDowMCBh", "cursor"),
        ("cursor=MjAyNi0xMS0yOVQwMDowMDowMCswMDowMCBhAA", "cursor"),
        ("cursor=%FF", "cursor"),
        ("player=", "player"),
        ("owner=other", "owner"),
        ("limit=1&limit=2", "limit"),
    ],
)
def test_a_wrong_parameter_is_named(client: CheckedClient, query: str, parameter: str) -> None:
    answer = client.get(f"{ADDRESS}?{query}")
    assert (answer.status_code, [fault["parameter"] for fault in answer.get_json()["errors"]]) == (
        400,
        [parameter],
    )


def test_all_faults_are_told_at_once(client: CheckedClient) -> None:
    answer = client.get(f"{ADDRESS}?limit=0&status=late&from=x")
    assert {fault["parameter"] for fault in answer.get_json()["errors"]} == {"limit", "status", "from"}
