"""A request gets a thread when it is there, and not before."""

import selectors
import socket
import sys
from collections.abc import Iterator

import pytest

from adjudicator.api.arrivals import MOST_AWAITED_BYTES, MOST_HEAD_BYTES, Arrivals, is_whole, missing_bytes

HEAD = b"POST /v1/matches HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n"

CHUNKED = HEAD.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked")
LONG = HEAD.replace(b": 10", b": 65000")
PLACES = 2


class Connection:
    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock


class Hall:
    """Connections that come in, and those that were given on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.poller = selectors.DefaultSelector()
        self.given: list[Connection] = []
        self.ahead: dict[Connection, bytes] = {}
        self.arrivals = Arrivals(
            self.poller,
            self.given.append,
            limit_s=20.0,
            silence_s=3.0,
            places=PLACES,
            ahead=lambda connection: self.ahead.get(connection, b""),
            clock=lambda: self.now,
        )
        self.clients: list[socket.socket] = []
        self.connections: list[Connection] = []

    def connect(self, start: bytes = b"", *, ahead: bytes = b"") -> socket.socket:
        client = socket.create_connection(self.listener.getsockname())
        server, _ = self.listener.accept()
        client.sendall(start)
        if start:
            server.recv(len(start), socket.MSG_PEEK | socket.MSG_WAITALL)
        self.clients.append(client)
        self.connections.append(Connection(server))
        self.ahead[self.connections[-1]] = ahead
        self.arrivals.add(self.connections[-1])
        return client

    def turn(self) -> int:
        """What the main loop does: how often it was woken."""
        events = self.poller.select(0.05)
        for key, _ in events:
            key.data(key.fileobj)
        return len(events)

    def late(self) -> list[bytes]:
        return [start for _, start in self.arrivals.late()]

    def close(self) -> None:
        for sock in (*self.clients, *(connection.sock for connection in self.connections)):
            sock.close()
        self.listener.close()
        self.poller.close()


@pytest.fixture
def hall() -> Iterator[Hall]:
    hall = Hall()
    yield hall
    hall.close()


def test_what_is_there_is_given_on_at_once_and_nothing_of_it_is_read(hall: Hall) -> None:
    hall.connect(HEAD + b"0123456789")
    assert hall.given == hall.connections
    assert hall.given[0].sock.recv(1000) == HEAD + b"0123456789"


def test_head_and_body_are_waited_for_however_they_are_cut(hall: Hall) -> None:
    whole = HEAD + b"0123456789"
    client = hall.connect()
    for place in range(len(whole)):
        assert hall.given == []
        client.sendall(whole[place : place + 1])
        hall.turn()
    assert len(hall.given) == 1
    assert len(hall.arrivals) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the poller may wake sooner")
def test_nobody_is_woken_before_the_body_is_there(hall: Hall) -> None:
    client = hall.connect(HEAD)
    client.sendall(b"012345678")
    assert sum(hall.turn() for _ in range(5)) == 0
    client.sendall(b"9")
    assert hall.turn() == 1
    assert len(hall.given) == 1


def test_a_client_that_goes_is_given_on_and_not_waited_for(hall: Hall) -> None:
    for start in (b"", b"POST", HEAD + b"01"):
        hall.connect(start).close()
        hall.turn()
        hall.turn()
    assert len(hall.given) == 3
    assert len(hall.arrivals) == 0


def test_the_silent_and_the_slow_are_late_each_in_its_time(hall: Hall) -> None:
    hall.connect()
    steady = hall.connect(b"P")
    hall.now = 2.9
    assert hall.late() == []
    steady.sendall(b"O")
    hall.turn()
    hall.now = 3.1
    assert hall.late() == [b""]
    for _ in range(7):
        steady.sendall(b"S")
        hall.turn()
        hall.now += 2.5
    assert hall.late() == [b"POSSSSSSS"]
    assert len(hall.arrivals) == 0


def test_a_body_that_keeps_coming_is_not_silent(hall: Hall) -> None:
    client = hall.connect(HEAD)
    for count in range(1, 5):
        client.sendall(b"x")
        hall.now = 3.2 * count
        assert hall.late() == []
    hall.now += 3.2
    assert hall.late() == [HEAD + b"xxxx"]


@pytest.mark.parametrize("start", [CHUNKED, LONG + b"x" * MOST_AWAITED_BYTES, b"x" * MOST_HEAD_BYTES])
def test_of_those_not_wholly_there_so_many_have_a_thread_and_the_others_stand_in_line(
    hall: Hall, start: bytes
) -> None:
    for _ in range(PLACES + 2):
        hall.connect(start)
    assert hall.given == hall.connections[:PLACES]
    assert len(hall.arrivals) == 2
    assert [hall.turn() for _ in range(3)] == [0, 0, 0]  # whoever stands in line wakes nobody
    hall.connect(HEAD + b"0123456789")
    assert hall.given[PLACES:] == [hall.connections[-1]]
    hall.arrivals.leave(hall.connections[-1])
    assert len(hall.given) == PLACES + 1
    hall.arrivals.leave(hall.connections[0])
    assert hall.given[PLACES + 1 :] == [hall.connections[PLACES]]


def test_whoever_stands_in_line_too_long_is_late_and_comes_before_the_others(hall: Hall) -> None:
    for _ in range(PLACES + 1):
        hall.connect(CHUNKED)
    hall.now = 15.0
    assert hall.late() == []  # nothing is expected of those that stand in line
    hall.connect(CHUNKED)
    hall.now = 20.5
    late = list(hall.arrivals.late())
    assert late == [(hall.connections[PLACES], CHUNKED)]
    hall.arrivals.add_late(late[0][0])
    assert hall.late() == []
    assert len(hall.given) == PLACES
    hall.arrivals.leave(hall.connections[0])
    assert hall.given[PLACES:] == [hall.connections[PLACES]]
    assert len(hall.arrivals) == 1


def test_what_was_read_ahead_is_part_of_the_request(hall: Hall) -> None:
    client = hall.connect(ahead=HEAD[:30])
    assert hall.given == []
    client.sendall(HEAD[30:] + b"0123456789")
    hall.turn()
    assert hall.given == hall.connections
    for _ in range(PLACES + 1):
        hall.connect(ahead=CHUNKED)
    assert len(hall.given) == 1 + PLACES


@pytest.mark.parametrize(
    ("start", "whole"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", True),
        (HEAD + b"012345678", False),
        (HEAD + b"0123456789", True),
        (HEAD.replace(b"10", b"0" * 30 + b"10"), False),
        (HEAD.replace(b"10", b"ten"), False),
        (HEAD.replace(b"\r\n\r\n", b"\r\nexpect: 100-continue\r\n\r\n") + b"0123456789", False),
        (CHUNKED + b"0\r\n\r\n", False),
        (b"GET / HTTP/1.1\r\n", False),
    ],
)
def test_a_request_is_whole_when_nothing_more_has_to_come(start: bytes, whole: bool) -> None:
    assert is_whole(start) is whole


@pytest.mark.parametrize(
    ("start", "missing"),
    [
        (b"", 1),
        (b"GET / HTTP/1.1\r\n", 1),
        (b"GET / HTTP/1.1\r\n\r\n", 0),
        (HEAD, 10),
        (HEAD + b"0123456789GET", 0),
        (HEAD.replace(b"Length: 10", b"length:\t10 ") + b"01", 8),
        (HEAD.replace(b": 10", b": 9999999"), MOST_AWAITED_BYTES - len(HEAD) - 5),
        (HEAD.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"), 0),
        (HEAD.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked"), 0),
        (HEAD.replace(b"10", b"ten"), 0),
        (b"x" * MOST_HEAD_BYTES, 0),
        (b"X-Content-Length: 3\r\nContent-Lengthy: 3\r\n\r\n", 0),
    ],
)
def test_how_much_is_missing_is_told_by_the_head(start: bytes, missing: int) -> None:
    assert missing_bytes(start) == missing
