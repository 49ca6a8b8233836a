"""How long a client may take, and what it is told that never reached the application."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http import HTTPStatus
from unittest.mock import Mock

import pytest
from gunicorn.http import errors
from werkzeug.exceptions import RequestTimeout

from adjudicator.api import gunicorn_worker
from adjudicator.api.gunicorn_worker import ProblemWorker, TimedSocket, explain, format_answer
from adjudicator.api.problems import HTTP_PROBLEMS


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, TimedSocket]]:
    """The client's end of a connection, and ours, on which a request has begun."""
    client, server = socket.socketpair()
    with client, server:
        timed = TimedSocket(server)
        timed.begin_request()
        yield client, timed


def test_what_comes_in_time_is_read(ends: tuple[socket.socket, TimedSocket]) -> None:
    client, timed = ends
    client.sendall(b"abc")
    assert timed.recv(2) == b"ab"
    assert timed.recv(2) == b"c"
    client.shutdown(socket.SHUT_WR)
    assert timed.recv(2) == b""


def test_silence_ends_a_request_and_whoever_reads_on_does_not_wait_again(
    ends: tuple[socket.socket, TimedSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, timed = ends
    monkeypatch.setattr(gunicorn_worker, "SILENCE_LIMIT_S", 0.05)
    with pytest.raises(RequestTimeout):
        timed.recv(1)
    monkeypatch.setattr(gunicorn_worker, "SILENCE_LIMIT_S", 60.0)
    with pytest.raises(RequestTimeout):
        timed.recv(1)
    client.sendall(b"next")
    timed.begin_request()
    assert timed.recv(4) == b"next"


def test_of_a_refused_request_only_what_is_there_is_read(ends: tuple[socket.socket, TimedSocket]) -> None:
    client, timed = ends
    client.sendall(b"rest")
    timed.await_nothing()
    timed.limit_time()
    assert timed.recv(10) == b"rest"
    with pytest.raises(RequestTimeout):
        timed.recv(10)
    timed.begin_request()
    client.sendall(b"next")
    assert timed.recv(10) == b"next"


def test_a_header_that_cannot_be_read_is_not_logged(
    ends: tuple[socket.socket, TimedSocket], caplog: pytest.LogCaptureFixture
) -> None:
    client, _ = ends
    error = errors.InvalidHeader("Authorization Bearer adj_kxyz")
    ProblemWorker.handle_error(Mock(), None, client, ("127.0.0.1", 1), error)
    assert "InvalidHeader" in caplog.text
    assert "adj_kxyz" not in caplog.text


def test_a_client_that_trickles_has_limited_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gunicorn_worker, "REQUEST_LIMIT_S", 0.2)
    client, server = socket.socketpair()
    with client, server:
        timed = TimedSocket(server)
        timed.begin_request()
        client.sendall(b" " * 1000)
        assert timed.recv(1) == b" "
        time.sleep(0.3)
        with pytest.raises(RequestTimeout):
            timed.recv(1)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RequestTimeout(), 408),
        (errors.LimitRequestLine(5000, 4094), 414),
        (errors.LimitRequestHeaders("too many"), 431),
        (errors.InvalidRequestLine("x"), 400),
        (errors.InvalidChunkSize(b"zz"), 400),
        (errors.InvalidResponseHeader("ours"), 500),
        (ZeroDivisionError("secret"), 500),
    ],
)
def test_every_error_has_its_status_and_a_whole_answer(error: Exception, status: int) -> None:
    found, detail = explain(error)
    assert found == status
    head, _, body = format_answer(found, detail, "r1").partition(b"\r\n\r\n")
    problem = json.loads(body)
    assert head.startswith(f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode())
    assert f"Content-Length: {len(body)}".encode() in head.split(b"\r\n")
    assert (problem["code"], problem["request_id"]) == (HTTP_PROBLEMS[status][0], "r1")
    assert "secret" not in problem["detail"]


def test_a_long_body_has_the_time_it_needs_as_long_as_it_keeps_coming(
    ends: tuple[socket.socket, TimedSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, timed = ends
    monkeypatch.setattr(gunicorn_worker, "REQUEST_LIMIT_S", 0.3)
    monkeypatch.setattr(gunicorn_worker, "LONG_BODY_BYTES_S", 1000)
    timed.begin_request()
    timed.allow_long_body()
    for _ in range(6):
        time.sleep(0.1)  # what we do meanwhile is not the client's time
        client.sendall(b" " * 500)
        assert timed.recv(500) == b" " * 500
    timed.begin_request()
    client.sendall(b" ")
    time.sleep(0.4)
    with pytest.raises(RequestTimeout):
        timed.recv(1)


def read_on(timed: TimedSocket) -> None:
    for _ in range(1000):
        timed.recv(1)


def test_a_long_body_that_trickles_is_ended_however_fast_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gunicorn_worker, "REQUEST_LIMIT_S", 0.3)
    monkeypatch.setattr(gunicorn_worker, "LONG_BODY_BYTES_S", 1000)
    client, server = socket.socketpair()
    with client, server:
        timed = TimedSocket(server)
        timed.begin_request()
        timed.allow_long_body()
        client.sendall(b" " * 20_000)
        while timed.recv(20_000) != b" ":
            client.sendall(b" ")
        stopped = threading.Event()

        def trickle() -> None:
            while not stopped.wait(0.05):
                client.sendall(b" ")

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            with pytest.raises(RequestTimeout):
                read_on(timed)
        finally:
            stopped.set()
            thread.join()


def test_silence_ends_a_long_body_too(
    ends: tuple[socket.socket, TimedSocket], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, timed = ends
    monkeypatch.setattr(gunicorn_worker, "LONG_SILENCE_LIMIT_S", 0.05)
    timed.allow_long_body()
    for _ in range(2):
        with pytest.raises(RequestTimeout):
            timed.recv(1)
