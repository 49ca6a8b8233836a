"""``GET /v1/batches/{id}/members``."""

import pytest

from tests.archives import numbered_files, record_lines, tarred
from tests.contract.contract import CheckedClient
from tests.contract.harness import House


@pytest.fixture
def address(client: CheckedClient) -> str:
    files = [("../x", b""), *numbered_files(2), ("ü\x1b[31m.mat", b"no record")]
    answer = client.post("/v1/batches", data=tarred(files), content_type="application/gzip")
    return str(answer.headers["Location"]) + "/members"


def test_members_come_in_the_order_of_the_archive_with_their_reasons(
    client: CheckedClient, house: House, address: str
) -> None:
    house.work_batches()
    first, second, third, fourth = client.get(address).get_json()["members"]
    assert (first["member"], first["name"], first["status"]) == (1, "../x", "refused")
    assert first["error"]["code"] == "unreadable_record"
    assert (second["member"], second["name"], second["status"]) == (2, "1.json", "done")
    assert client.get(f"/v1/adjudications/{third['adjudication_id']}").get_json()["status"] == "done"
    assert (fourth["name"], fourth["error"]["code"]) == ("ü\x1b[31m.mat", "unknown_format")
    assert "adjudication_id" not in fourth


def test_those_of_one_status_only(client: CheckedClient, house: House, address: str) -> None:
    waiting = client.get(f"{address}?status=waiting").get_json()["members"]
    assert [member["member"] for member in waiting] == [2, 3, 4]
    house.work_batches()
    refused = client.get(f"{address}?status=refused").get_json()["members"]
    assert [member["member"] for member in refused] == [1, 4]
    assert client.get(f"{address}?status=refused&cursor=1").get_json()["members"] == refused[1:]


def test_a_failed_member_says_why(client: CheckedClient, house: House, address: str) -> None:
    house.batches.step()
    house.fail_next()
    (failed,) = client.get(f"{address}?status=failed").get_json()["members"]
    assert failed["error"] == {"code": "engine_failure", "detail": "it broke"}


def test_they_come_page_by_page(client: CheckedClient) -> None:
    sent = client.post("/v1/batches", data=record_lines(450), content_type="application/x-ndjson")
    address, query, numbers = f"{sent.headers['Location']}/members", "", []
    while True:
        page = client.get(address + query).get_json()
        numbers += [member["member"] for member in page["members"]]
        if page["next_cursor"] is None:
            break
        query = f"?cursor={page['next_cursor']}"
    assert numbers == list(range(1, 451))


@pytest.mark.parametrize("query", ["status=over", "cursor=-1", "cursor=01", "cursor=x", "cursor=", "page=2"])
def test_a_wrong_query_is_refused(client: CheckedClient, address: str, query: str) -> None:
    answer = client.get(f"{address}?{query}")
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (400, query.partition("=")[0])
