"""``GET /v1/batches/{id}/results``."""

import json
from typing import Any

import pytest

from adjudicator.api.context import begin_transfer
from adjudicator.config import Settings
from adjudicator.errors import StoreUnavailableError
from tests.archives import numbered_files, tarred
from tests.contract.contract import CheckedClient, Contract
from tests.contract.harness import House

FILES = [*numbered_files(3), ("x.mat", b"no record")]


@pytest.fixture
def address(client: CheckedClient) -> str:
    answer = client.post("/v1/batches", data=tarred(FILES), content_type="application/gzip")
    return str(answer.headers["Location"])


def lines(client: CheckedClient, address: str, contract: Contract, query: str = "") -> list[dict[str, Any]]:
    """The lines of the results, each held to the contract."""
    answer = client.get(f"{address}/results{query}")
    assert answer.mimetype == "application/x-ndjson"
    assert answer.data.endswith(b"\n")
    *members, end = [json.loads(line) for line in answer.data.splitlines()]
    for member in members:
        assert contract.faults("/components/schemas/BatchResultLine", member) == []
    assert contract.faults("/components/schemas/BatchResultsEnd", end) == []
    return [*members, end]


def test_every_member_is_a_line_with_its_result_as_it_is_kept(
    client: CheckedClient, house: House, address: str, contract: Contract
) -> None:
    house.work_batches()
    *done, refused, end = lines(client, address, contract)
    assert [line["name"] for line in done] == ["1.json", "2.json", "3.json"]
    raw = client.get(f"{address}/results").data.splitlines()
    for line, text in zip(done, raw, strict=False):
        kept = client.get(f"/v1/adjudications/{line['adjudication_id']}")
        assert text.endswith(b'"result":' + kept.data + b"}")
        assert line["result"]["match_result"]["changed"] is True
    assert (refused["status"], refused["error"]["code"]) == ("refused", "unknown_format")
    assert end == {"cursor": "4", "complete": True}


def test_they_stop_where_a_member_has_not_ended_and_go_on_from_there(
    client: CheckedClient, house: House, address: str, contract: Contract
) -> None:
    assert lines(client, address, contract) == [{"cursor": "0", "complete": False}]
    house.batches.step()
    house.service.run(*house.queue.tickets.pop(0))
    first, end = lines(client, address, contract)
    assert (first["member"], first["cursor"]) == (1, "1")
    assert end == {"cursor": "1", "complete": False}
    house.work_batches()
    rest = lines(client, address, contract, "?cursor=1")
    assert [line.get("member") for line in rest] == [2, 3, 4, None]
    assert rest[-1] == {"cursor": "4", "complete": True}
    assert lines(client, address, contract, "?cursor=999") == [{"cursor": "999", "complete": True}]


def test_of_a_cancelled_batch_the_rest_is_cancelled(
    client: CheckedClient, house: House, address: str, contract: Contract
) -> None:
    client.delete(address)
    found = lines(client, address, contract)
    assert [line.get("status") for line in found] == ["cancelled"] * 4 + [None]
    assert found[-1]["complete"] is True


def test_where_the_database_goes_away_the_last_line_is_missing(
    client: CheckedClient, house: House, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.work_batches()
    monkeypatch.setattr("adjudicator.service.batches.RESULTS_AT_ONCE", 2)
    ask = house.batch_store.outcomes

    def outcomes(batch_id: str, *, after: int, limit: int) -> Any:
        if after:
            raise StoreUnavailableError("away")
        return ask(batch_id, after=after, limit=limit)

    monkeypatch.setattr(house.batch_store, "outcomes", outcomes)
    found = [json.loads(line) for line in client.get(f"{address}/results").data.splitlines()]
    assert [line.get("cursor") for line in found] == ["1", "2"]
    assert all("complete" not in line for line in found)


def test_so_many_transfers_go_on_at_once_and_no_more(
    client: CheckedClient, house: House, address: str
) -> None:
    with house.app.app_context():
        ends = [begin_transfer(f"o{number}") for number in range(Settings().threads // 4)]
    assert client.get(f"{address}/results").get_json()["code"] == "busy"
    ends[0]()
    for _ in range(3):
        answer = client.get(f"{address}/results")
        assert answer.status_code == 200
        answer.close()


@pytest.mark.parametrize("query", ["cursor=x", "cursor=1&cursor=2", "status=done"])
def test_a_wrong_query_is_refused(client: CheckedClient, address: str, query: str) -> None:
    answer = client.get(f"{address}/results?{query}")
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (400, query.partition("=")[0])
