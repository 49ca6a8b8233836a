"""DELETE /v1/players/{name}."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from adjudicator.happy_end.ruleset import Finish
from adjudicator.service.values import LOCAL_OWNER, FailureReason
from adjudicator.service.verification import verify_result
from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import MAT, match_record
from tests.solved import solved_estimator


def submit(client: CheckedClient, record: dict[str, Any]) -> tuple[str, str]:
    state = client.post("/v1/matches", json=record).get_json()
    return state["match"]["id"], f"/v1/adjudications/{state['id']}"


def erase(client: CheckedClient, name: str) -> Any:
    answer = client.request("DELETE", f"/v1/players/{name}")
    assert answer.status_code == 200
    return answer.get_json()


def test_the_name_is_gone_from_match_record_and_result(client: CheckedClient, house: House) -> None:
    record = match_record(metadata={"site": "Ann's club", "event": "Open", "transcriber": "a friend"})
    match_id, address = submit(client, record)
    house.work()
    assert erase(client, "Ann") == {"redacted": 1, "deleted": 0, "left": 0}
    for path in (f"/v1/matches/{match_id}", f"/v1/matches/{match_id}/record", address):
        answer = client.get(path)
        assert b"Ann" not in answer.data
        assert b"Bea" in answer.data
    assert client.get(address).get_json()["match"]["metadata"] == {"event": "Open"}
    assert client.get("/v1/adjudications?player=Ann").get_json()["adjudications"] == []


def test_the_result_is_the_same_but_for_the_name_and_the_hash(client: CheckedClient, house: House) -> None:
    _, address = submit(client, match_record())
    house.work()
    before = client.get(address).get_json()
    erase(client, "Ann")
    after = client.get(address).get_json()
    assert after["match"]["players"] == {"white": "erased white", "black": "Bea"}
    assert after["match"]["original_sha256"] == before["match"]["sha256"]
    assert {**after, "match": None} == {**before, "match": None}


def test_the_result_is_verified_by_the_redacted_record(client: CheckedClient, house: House) -> None:
    for content, kind in ((MAT, "text/plain"), (json.dumps(match_record()).encode(), "application/json")):
        state = client.post("/v1/matches", data=content, content_type=kind).get_json()
        house.work()
        for name in ("white", "Ann"):
            erase(client, name)
        redacted = client.get(f"/v1/matches/{state['match']['id']}/record").data
        result = client.get(f"/v1/adjudications/{state['id']}").get_json()
        assert result["match"]["sha256"] == hashlib.sha256(redacted).hexdigest()
        assert result["match"]["original_sha256"] == hashlib.sha256(content).hexdigest()
        estimator = solved_estimator(Finish.EXACT)
        assert verify_result(result, redacted, owner=LOCAL_OWNER, estimator=estimator) == []
        result["match"]["original_sha256"] = "0" * 64
        assert verify_result(result, redacted, owner=LOCAL_OWNER, estimator=estimator) != []


def test_both_names_are_erased_one_after_the_other(client: CheckedClient, house: House) -> None:
    match_id, address = submit(client, match_record())
    house.work()
    first = client.get(f"/v1/matches/{match_id}").get_json()["sha256"]
    erase(client, "Ann")
    erase(client, "Bea")
    match = client.get(f"/v1/matches/{match_id}").get_json()
    assert match["players"] == {"white": "erased white", "black": "erased black"}
    assert match["original_sha256"] == first
    assert client.get(address).get_json()["match"]["original_sha256"] == first


def test_what_is_under_way_begins_again_with_the_redacted_record(client: CheckedClient, house: House) -> None:
    _, address = submit(client, match_record())
    ticket = house.queue.tickets[0]
    house.start_only()
    erase(client, "Ann")
    assert client.get(address).get_json()["attempt"] == 2
    house.service.run(*ticket.successor)
    result = client.get(address).get_json()
    assert result["match"]["players"]["white"] == "erased white"
    assert result["match"]["original_sha256"] != result["match"]["sha256"]


def test_what_waits_is_adjudicated_as_redacted(client: CheckedClient, house: House) -> None:
    _, address = submit(client, match_record())
    erase(client, "Ann")
    house.work()
    assert client.get(address).get_json()["match"]["players"]["white"] == "erased white"


def test_another_adjudication_is_of_the_redacted_record(client: CheckedClient, house: House) -> None:
    match_id, _ = submit(client, match_record())
    erase(client, "Ann")
    state = client.post(
        f"/v1/matches/{match_id}/adjudications", json={"finish": "exact_or_double"}
    ).get_json()
    house.work()
    result = client.get(f"/v1/adjudications/{state['id']}").get_json()
    assert result["match"]["players"]["white"] == "erased white"
    assert "original_sha256" in result["match"]


def test_a_record_that_cannot_be_told_without_the_name_is_deleted(
    client: CheckedClient, house: House
) -> None:
    broken = MAT.replace(b"31: 8/5 6/5 ", b"3x: 8/5 6/5 ")
    state = client.post("/v1/matches", data=broken, content_type="text/plain").get_json()
    house.work()
    assert erase(client, "white") == {"redacted": 0, "deleted": 1, "left": 0}
    assert client.get(f"/v1/matches/{state['match']['id']}").status_code == 404
    assert client.get(f"/v1/adjudications/{state['id']}").status_code == 404
    assert house.kept() == (0, 0)


def test_a_name_is_exact_and_may_hold_anything(client: CheckedClient) -> None:
    odd = match_record(players={"white": {"name": "a/b ?#%Ж"}, "black": {"name": "Ann"}})
    submit(client, odd)
    assert erase(client, "a%2Fb")["redacted"] == 0
    assert erase(client, "ann")["redacted"] == 0
    assert erase(client, "a%2Fb%20%3F%23%25%D0%96")["redacted"] == 1


def test_the_stand_ins_are_no_names(client: CheckedClient) -> None:
    submit(client, match_record())
    for name in ("Ann", "Bea"):
        assert erase(client, name)["redacted"] == 1
    for name in ("erased%20white", "erased%20black"):
        assert erase(client, name) == {"redacted": 0, "deleted": 0, "left": 0}


def test_a_name_is_looked_for_as_it_is_kept(client: CheckedClient, house: House) -> None:
    players = {"white": {"name": "A\N{REPLACEMENT CHARACTER}nn"}, "black": {"name": "Bea"}}
    match_id, _ = submit(client, match_record(players=players))
    house.work()
    assert erase(client, "A%00nn") == {"redacted": 1, "deleted": 0, "left": 0}
    assert client.get(f"/v1/matches/{match_id}").get_json()["players"]["white"] == "erased white"


def test_an_answer_that_is_kept_for_a_key_is_given_no_more(client: CheckedClient, house: House) -> None:
    submit(client, match_record())
    house.work()
    sent = {"json": match_record(), "headers": {"Idempotency-Key": "k", "Prefer": "wait=1"}}
    assert b"Ann" in client.post("/v1/matches", **sent).data
    erase(client, "Ann")
    again = client.post("/v1/matches", **sent)
    assert again.status_code == 200
    assert b"erased white" in again.data
    assert b"Ann" not in again.data


def test_a_failure_is_told_without_the_name(client: CheckedClient, house: House) -> None:
    _, address = submit(client, match_record())
    reason = FailureReason("engine_failure", "ANN, Ann and Bea broke it")
    assert house.store.fail(house.queue.tickets.pop(0), reason=reason, at=datetime.now(UTC))
    erase(client, "Ann")
    told = client.get(address).data
    assert b"erased white, erased white and Bea broke it" in told


def test_no_name_is_no_address(client: CheckedClient) -> None:
    assert client.request("DELETE", "/v1/players/").status_code == 404
