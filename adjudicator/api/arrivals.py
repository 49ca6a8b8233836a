"""Requests on their way: none holds a thread before it is there, so that slow clients keep nobody waiting.

What is too long for that, or of a length nobody knows, is read by a thread as it comes. Such requests hold so
many threads at once and no more: the others stand in line.

The bytes stay with the system meanwhile. They are peeked at, and the socket is told after how many more of
them to wake this process (``SO_RCVLOWAT``), so that thousands of connections cost next to nothing.
"""

import re
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

MOST_HEAD_BYTES = 40_000
"""A head longer than this is given on as it is: whoever reads it refuses it."""

MOST_AWAITED_BYTES = 64_000
"""So much of a request is waited for; what is longer is read as it comes, by a thread."""

NOTHING_TO_COME = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.IGNORECASE)
"""Heads whose body has no known length, or is not sent before it is asked for."""

LENGTH = re.compile(rb"\r\ncontent-length:(?:[ \t]*(\d{1,15})[ \t]*\r\n)?", re.IGNORECASE)
HEAD_END = b"\r\n\r\n"


def whole_bytes(start: bytes) -> int | None:
    r"""How long a request is that begins like this, ``None`` where that cannot be told.

    >>> whole_bytes(b"GET / HTTP/1.1\r\n\r\n"), whole_bytes(b"GET / HT")
    (18, None)
    """
    head_end = start.find(HEAD_END)
    head = start[: head_end + 2]
    if head_end < 0 or NOTHING_TO_COME.search(head):
        return None
    length = LENGTH.search(head)
    if length is None:
        return head_end + len(HEAD_END)
    return None if length[1] is None else head_end + len(HEAD_END) + int(length[1])


def missing_bytes(start: bytes) -> int:
    r"""How many bytes have to come at least before a request that begins like this gets a thread.

    >>> missing_bytes(b"GET / HTTP/1.1\r\n\r\n"), missing_bytes(b"GET / HT")
    (0, 1)
    >>> missing_bytes(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab")
    3
    """
    if HEAD_END not in start:
        return 0 if len(start) >= MOST_HEAD_BYTES else 1
    whole = whole_bytes(start)
    return 0 if whole is None else max(0, min(whole, MOST_AWAITED_BYTES) - len(start))


def is_whole(start: bytes) -> bool:
    """Whether nothing more has to come of a request: whoever reads it waits for nobody."""
    whole = whole_bytes(start)
    return whole is not None and len(start) >= whole


def nothing_ahead(_connection: Any) -> bytes:
    """For connections of which nothing is read ahead."""
    return b""


class Connection(Protocol):
    """What is waited on: gunicorn's ``TConn``."""

    sock: socket.socket


@dataclass(slots=True)
class _Arrival:
    """One request on its way. Times are of the monotonic clock; ``count`` bytes have come so far."""

    connection: Any
    began: float
    heard: float
    count: int = 0


class Arrivals:
    """The connections of one process whose next request is on its way; for its main thread only.

    ``give`` takes a connection whose request is there, or whose client has gone, to a thread. Of those that
    are not wholly there it takes so many at once as there are ``places``, until they ``leave``. ``limit_s``
    is how long a request may take to arrive, ``silence_s`` for how long nothing may come of it.
    ``ahead`` tells what was read of a connection's next request with the one before.
    """

    def __init__(
        self,
        poller: selectors.BaseSelector,
        give: Callable[[Any], None],
        *,
        limit_s: float,
        silence_s: float,
        places: int,
        ahead: Callable[[Any], bytes] = nothing_ahead,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._poller = poller
        self._give = give
        self._limit_s = limit_s
        self._silence_s = silence_s
        self._places = places
        self._ahead = ahead
        self._clock = clock
        self._arrivals: dict[socket.socket, _Arrival] = {}
        self._line: dict[socket.socket, _Arrival] = {}
        self._late: deque[Any] = deque()
        self._held: set[Any] = set()

    def __len__(self) -> int:
        return len(self._arrivals) + len(self._line) + len(self._late)

    def add(self, connection: Connection) -> None:
        """Waits for the next request of a connection, which may be there already."""
        now = self._clock()
        self._look(_Arrival(connection, now, now), was_woken=False)

    def late(self) -> Iterator[tuple[Any, bytes]]:
        """Connections whose time is over, no longer waited on; with each, what has come of its request."""
        now = self._clock()
        for sock, arrival in list(self._arrivals.items()):
            is_silent = now - arrival.heard > self._silence_s
            if is_silent and (count := len(self._start(arrival.connection))) > arrival.count:
                arrival.heard, arrival.count, is_silent = now, count, False
            if is_silent or now - arrival.began > self._limit_s:
                self._forget(sock)
                yield arrival.connection, self._start(arrival.connection)
        for sock, arrival in list(self._line.items()):
            if now - arrival.began > self._limit_s:
                del self._line[sock]
                yield arrival.connection, self._start(arrival.connection)

    def add_late(self, connection: Connection) -> None:
        """Gives on a connection that was late as soon as there is a place: before those that have time."""
        _wake_after(connection.sock, 1)
        self._late.append(connection)
        self._fill_places()

    def leave(self, connection: Connection) -> None:
        """Has the place of a connection, if it has one, be free: its thread is done with it."""
        self._held.discard(connection)
        self._fill_places()

    def _look(self, arrival: _Arrival, *, was_woken: bool) -> None:
        """Gives the connection on if its request is there, else waits for more, or for a place.

        If it is woken and nothing new is there, the client has gone.
        """
        sock: socket.socket = arrival.connection.sock
        sock.settimeout(0)
        start = self._start(arrival.connection)
        missing = missing_bytes(start)
        has_gone = was_woken and len(start) <= arrival.count
        if missing and not has_gone:
            arrival.count = len(start)
            self._await(arrival, len(start) + missing - len(self._ahead(arrival.connection)))
            return
        _wake_after(sock, 1)
        if has_gone or is_whole(start):
            self._give(arrival.connection)
        else:
            self._line[sock] = arrival
            self._fill_places()

    def _fill_places(self) -> None:
        while len(self._held) < self._places and (self._late or self._line):
            connection = self._late.popleft() if self._late else self._first_in_line()
            self._held.add(connection)
            self._give(connection)

    def _first_in_line(self) -> Any:
        return self._line.pop(next(iter(self._line))).connection

    def _start(self, connection: Connection) -> bytes:
        return self._ahead(connection) + _peek(connection.sock)

    def _await(self, arrival: _Arrival, count: int) -> None:
        sock = arrival.connection.sock
        _wake_after(sock, count)
        self._arrivals[sock] = arrival
        self._poller.register(sock, selectors.EVENT_READ, partial(self._on_readable, arrival))

    def _on_readable(self, arrival: _Arrival, sock: socket.socket) -> None:
        self._forget(sock)
        arrival.heard = self._clock()
        self._look(arrival, was_woken=True)

    def _forget(self, sock: socket.socket) -> None:
        del self._arrivals[sock]
        self._poller.unregister(sock)


def _peek(sock: socket.socket) -> bytes:
    """What has come and was not read yet, ``b""`` also where nothing has."""
    try:
        return sock.recv(MOST_AWAITED_BYTES, socket.MSG_PEEK)
    except OSError:
        return b""


def _wake_after(sock: socket.socket, count: int) -> None:
    """Have the poller told of a socket when so many bytes are there, or nothing more will come."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)
    except OSError:
        return  # then it is told of each byte
