"""The client, against the real application and against servers that are none."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask, Response, request
from werkzeug.serving import make_server

from adjudicator.client import Client, ClientError, NotInTimeError, RefusedError, UnreachableError
from tests.archives import numbered_files, record_lines, zipped
from tests.contract.harness import House
from tests.contract.records import MAT


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address of the application, served for real."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def address(house: House) -> Iterator[str]:
    with served(house.app) as address:
        yield address


@pytest.fixture
def client(address: str, house: House) -> Client:
    return Client(address, key=house.key, patience_s=0.0)


def a_server(answer: Callable[[], Response]) -> Flask:
    app = Flask("a server")
    app.before_request(answer)
    return app


def problem(status: int, **headers: str) -> Response:
    body = f'{{"status": {status}, "code": "busy", "detail": "Not now."}}'
    return Response(body, status, headers, content_type="application/problem+json")


def test_a_record_is_sent_awaited_and_fetched(client: Client, house: House) -> None:
    state = client.submit(MAT, finish="exact_or_double")
    assert (state["status"], state["ruleset"]["finish"]) == ("queued", "exact_or_double")
    assert client.adjudication(state["id"])["status"] == "queued"
    house.work()
    content = client.result(state["id"])
    assert client.adjudication(state["id"])["games"][0]["status"] == "stands"
    assert content == house.service.result(state["id"], "local")
    assert client.record(state["match"]["id"]) == MAT
    assert client.match(state["match"]["id"])["adjudications"] == [state["id"]]


def test_another_adjudication_of_a_match_is_asked_for(client: Client) -> None:
    first = client.submit(MAT)
    second = client.adjudicate_again(first["match"]["id"], finish="exact_or_double", indifference=0.5)
    assert second["id"] != first["id"]
    assert second["ruleset"]["indifference"] == 0.5


def test_a_listing_is_followed_to_its_end(client: Client) -> None:
    ids = [client.submit(MAT + b"\n" * number)["id"] for number in range(5)]
    found = client.adjudications(limit="2", status="queued")
    assert [entry["id"] for entry in found] == ids[::-1]


def test_a_batch_is_sent_and_its_results_come_as_they_are_made(client: Client, house: House) -> None:
    batch = client.submit_batch(record_lines(3), media_type="application/x-ndjson", finish="exact_or_double")
    assert (batch["status"], batch["members"]) == ("running", 3)
    results = client.batch_results(batch["id"], limit_s=30.0)
    working = threading.Thread(target=work_on_batches, args=[house, 3])
    working.start()
    lines = list(results)
    working.join()
    assert [(line["member"], line["status"]) for line in lines] == [(1, "done"), (2, "done"), (3, "done")]
    assert all(line["result"]["ruleset"]["finish"] == "exact_or_double" for line in lines)
    assert client.batch(batch["id"])["status"] == "done"
    assert client.batch_summary(batch["id"])["matches"]["by_status"]["done"] == 3


def test_a_file_is_sent_piece_by_piece(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "archive.zip"
    path.write_bytes(zipped(numbered_files(2)))
    with path.open("rb") as file:
        assert client.submit_batch(file)["members"] == 2


def test_results_that_do_not_come_are_not_waited_for_without_end(client: Client) -> None:
    batch = client.submit_batch(record_lines(1), media_type="application/x-ndjson")
    with pytest.raises(NotInTimeError, match="no further result"):
        list(client.batch_results(batch["id"], limit_s=0.0))


def test_a_name_is_erased_in_all_matches(client: Client) -> None:
    state = client.submit(MAT)
    assert client.erase_player("white") == (1, 0)
    assert client.match(state["match"]["id"])["players"]["white"] == "erased white"
    assert client.erase_player("a/b ?") == (0, 0)


def work_on_batches(house: House, members: int) -> None:
    """Feeds and works until so many members have ended, a little at a time."""
    for _ in range(members):
        house.batches.step()
        if house.queue.tickets:
            house.service.run(*house.queue.tickets.pop(0))
    house.work()
    house.batches.step()


def test_a_refusal_tells_code_status_and_every_fault(client: Client) -> None:
    with pytest.raises(RefusedError, match=r"400 bad_request.*\n  parameter \w+: ") as caught:
        client.submit(MAT, finish="somehow", numbering="none")
    assert (caught.value.status, caught.value.code) == (400, "bad_request")
    assert {fault["parameter"] for fault in caught.value.faults} == {"finish", "numbering"}
    with pytest.raises(RefusedError, match="404"):
        client.match("m" + "a" * 25)


def test_a_failed_adjudication_is_no_result(client: Client, house: House) -> None:
    state = client.submit(MAT)
    house.fail_next()
    with pytest.raises(ClientError, match="failed: engine_failure: it broke"):
        client.result(state["id"])


def test_who_waits_too_short_is_told_so(client: Client) -> None:
    state = client.submit(MAT)
    with pytest.raises(NotInTimeError, match="still queued"):
        client.result(state["id"], limit_s=0.0)


def test_readiness_is_asked_for(client: Client) -> None:
    assert client.is_ready()
    assert not Client("http://127.0.0.1:9", patience_s=0.0).is_ready()


def test_a_busy_service_is_asked_again_under_the_same_key() -> None:
    keys: list[str] = []

    def answer() -> Response:
        keys.append(request.headers["Idempotency-Key"])
        return problem(503, **{"Retry-After": "0"}) if len(keys) < 3 else Response('{"id": "a"}')

    with served(a_server(answer)) as address:
        assert Client(address).submit(b"record") == {"id": "a"}
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_what_is_refused_for_good_is_asked_once() -> None:
    asked: list[str] = []

    def answer() -> Response:
        asked.append(request.path)
        return problem(422)

    with served(a_server(answer)) as address, pytest.raises(RefusedError, match="422 busy: Not now"):
        Client(address).submit(b"record")
    assert len(asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        lambda: Response("<html>a proxy</html>", 502),
        lambda: Response("[]", 500, content_type="application/problem+json"),
        lambda: Response("no json"),
        lambda: Response("", 302, {"Location": "http://127.0.0.1:9/"}),
    ],
)
def test_what_is_not_the_service_is_told_from_it(answer: Callable[[], Response]) -> None:
    with served(a_server(answer)) as address, pytest.raises(UnreachableError, match="answered"):
        Client(address, patience_s=0.0).match("m1")


def test_nobody_there_is_unreachable() -> None:
    with pytest.raises(UnreachableError, match="does not answer"):
        Client("http://127.0.0.1:9", patience_s=0.0).match("m1")


def test_the_key_is_sent_as_a_bearer_token() -> None:
    sent: list[str | None] = []

    def answer() -> Response:
        sent.append(request.headers.get("Authorization"))
        return Response("{}")

    with served(a_server(answer)) as address:
        Client(address, key="adj_1_secret").match("m1")
        Client(address).match("m1")
    assert sent == ["Bearer adj_1_secret", None]
