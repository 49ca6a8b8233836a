"""GET /v1/adjudications/{adjudication_id}."""

import hashlib

from adjudicator.service.values import LOCAL_OWNER
from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import MAT, match_record


def test_a_queued_adjudication_tells_its_state_and_when_to_ask_again(client: CheckedClient) -> None:
    address = client.post("/v1/matches", json=match_record()).headers["Location"]
    answer = client.get(address)
    assert (answer.status_code, answer.get_json()["status"]) == (200, "queued")
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_a_running_adjudication_says_so(client: CheckedClient, house: House) -> None:
    address = client.post("/v1/matches", json=match_record()).headers["Location"]
    house.start_only()
    answer = client.get(address).get_json()
    assert answer["status"] == "running"
    assert "started_at" in answer


def test_a_finished_adjudication_is_its_result(client: CheckedClient, house: House) -> None:
    address = client.post("/v1/matches", json=match_record()).headers["Location"]
    house.work()
    result = client.get(address).get_json()
    game = result["games"][0]
    assert (game["status"], game["changed"], game["clause"]) == ("played_out", True, "HE-2.2")
    assert game["adjudicated"] == {"winner": "black", "win": "single", "points": 1}
    assert (game["playout"]["roll_number"], game["playout"]["last_roll"]) == (11, [6, 5])
    assert (game["playout"]["start"]["side"], game["playout"]["start"]["point"]) == ("white", 3)
    assert result["match_result"]["adjudicated"]["winner"] == "black"
    assert result["match_result"]["changed"] is True


def test_a_game_without_a_last_checker_stands(client: CheckedClient, house: House) -> None:
    address = client.post("/v1/matches", data=MAT, content_type="text/plain").headers["Location"]
    house.work()
    game = client.get(address).get_json()["games"][0]
    assert (game["status"], game["changed"]) == ("stands", False)
    assert game["adjudicated"]["winner"] == "white"
    assert "playout" not in game


def test_the_stored_bytes_pass_through_under_a_strong_tag(client: CheckedClient, house: House) -> None:
    submitted = client.post("/v1/matches", json=match_record())
    house.work()
    answer = client.get(submitted.headers["Location"])
    stored = house.service.result(submitted.get_json()["id"], LOCAL_OWNER)
    assert answer.data == stored
    assert answer.headers["ETag"] == f'"{hashlib.sha256(answer.data).hexdigest()}"'


def test_a_caller_that_has_the_result_gets_304(client: CheckedClient, house: House) -> None:
    address = client.post("/v1/matches", json=match_record()).headers["Location"]
    house.work()
    tag = client.get(address).headers["ETag"]
    for sent in (tag, f'"other", {tag}', "*", f"W/{tag}"):
        answer = client.get(address, headers={"If-None-Match": sent})
        assert (answer.status_code, answer.data, answer.headers["ETag"]) == (304, b"", tag)
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_other_preconditions_are_not_looked_at(client: CheckedClient, house: House) -> None:
    address = client.post("/v1/matches", json=match_record()).headers["Location"]
    house.work()
    plain = client.get(address)
    for headers in ({"If-Match": '"zz"'}, {"If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"}):
        answer = client.get(address, headers=headers)
        assert (answer.status_code, answer.data) == (200, plain.data)
    both = client.get(address, headers={"If-Match": '"zz"', "If-None-Match": plain.headers["ETag"]})
    assert both.status_code == 304


def test_a_failed_adjudication_says_why(client: CheckedClient, house: House) -> None:
    address = client.post("/v1/matches", json=match_record()).headers["Location"]
    house.fail_next()
    answer = client.get(address)
    assert answer.get_json()["status"] == "failed"
    assert answer.get_json()["error"] == {"code": "engine_failure", "detail": "it broke"}
    assert "Retry-After" not in answer.headers


def test_an_adjudication_that_is_not_there_is_not_found(client: CheckedClient) -> None:
    answer = client.get("/v1/adjudications/a" + "b" * 25)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
    assert client.get("/v1/adjudications/%00").status_code == 404
