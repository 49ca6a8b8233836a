"""``GET`` and ``DELETE /v1/batches/{id}``."""

import pytest

from tests.archives import numbered_files, record_lines, tarred
from tests.contract.contract import CheckedClient
from tests.contract.harness import House

LINES = "application/x-ndjson"
UNKNOWN = "/v1/batches/b" + "a" * 25


def send(client: CheckedClient, content: bytes, content_type: str = LINES) -> str:
    answer = client.post("/v1/batches", data=content, content_type=content_type)
    return str(answer.headers["Location"])


def test_a_running_batch_tells_how_its_members_stand(client: CheckedClient, house: House) -> None:
    files = [("../x", b""), *numbered_files(5), ("y.mat", b"no record")]
    address = send(client, tarred(files), "application/gzip")
    answer = client.get(address)
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.get_json()["counts"]["waiting"] == 6
    assert answer.get_json()["counts"]["refused"] == 1
    assert (answer.get_json()["rate_per_s"], "estimated_end" in answer.get_json()) == (0, False)
    house.batches.feed()
    house.service.run(*house.queue.tickets.pop(0))
    house.fail_next()
    house.start_only()
    answer = client.get(address)
    counts = {status: count for status, count in answer.get_json()["counts"].items() if count}
    assert counts == {"refused": 1, "done": 1, "failed": 1, "running": 1, "queued": 2, "waiting": 1}
    assert answer.get_json()["rate_per_s"] > 0
    assert answer.get_json()["estimated_end"] > answer.get_json()["received_at"]


def test_a_batch_that_is_done_says_when(client: CheckedClient, house: House) -> None:
    address = send(client, record_lines(2))
    assert "finished_at" not in client.get(address).get_json()
    house.work_batches()
    answer = client.get(address)
    assert "Retry-After" not in answer.headers
    assert (answer.get_json()["status"], answer.get_json()["counts"]["done"]) == ("done", 2)
    assert answer.get_json()["finished_at"] >= answer.get_json()["received_at"]
    assert (answer.get_json()["rate_per_s"], "estimated_end" in answer.get_json()) == (0, False)


def test_a_cancelled_batch_is_not_worked_off(client: CheckedClient, house: House) -> None:
    address = send(client, record_lines(20))
    house.batches.step()
    queued = len(house.queue.tickets)
    answer = client.delete(address)
    assert (answer.status_code, answer.get_json()["status"]) == (200, "cancelled")
    assert answer.get_json()["counts"]["cancelled"] == 20 - queued
    house.work_batches()
    assert client.delete(address).get_json()["counts"]["done"] == queued
    assert client.get(address).get_json()["finished_at"] == answer.get_json()["finished_at"]
    assert house.kept() == (queued, queued)


def test_a_batch_that_is_done_is_not_cancelled(client: CheckedClient, house: House) -> None:
    address = send(client, record_lines(2))
    house.work_batches()
    assert client.delete(address).get_json()["status"] == "done"


@pytest.mark.parametrize("path", ["", "/members", "/results", "/summary"])
def test_an_unknown_batch_is_not_found(client: CheckedClient, path: str) -> None:
    answer = client.get(UNKNOWN + path)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
    assert client.get(f"/v1/batches/x{path}").status_code == 404
    assert client.delete(UNKNOWN).status_code == 404


def test_what_is_not_possible_is_said(client: CheckedClient) -> None:
    answer = client.request("PUT", send(client, record_lines(2)))
    assert (answer.status_code, answer.get_json()["code"]) == (405, "method_not_allowed")
