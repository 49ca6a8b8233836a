"""Requests on their way: none holds a thread before it is there, so that slow clients keep nobody waiting.

The bytes stay with the system meanwhile. They are peeked at, and the socket is told after how many more of
them to wake this process (``SO_RCVLOWAT``), so that thousands of connections cost next to nothing.
"""

import re
import selectors
import socket
import time
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

LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
HEAD_END = b"\r\n\r\n"


def missing_bytes(start: bytes) -> int:
    r"""How many bytes have to come at least before a request that begins like this gets a thread.

    >>> missing_bytes(b"GET / HTTP/1.1\r\n\r\n"), missing_bytes(b"GET / HT")
    (0, 1)
    >>> missing_bytes(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab")
    3
    """
    head_end = start.find(HEAD_END)
    if head_end < 0:
        return 0 if len(start) >= MOST_HEAD_BYTES else 1
    head = start[: head_end + 2]
    length = LENGTH.search(head)
    if length is None or NOTHING_TO_COME.search(head):
        return 0
    whole = min(head_end + len(HEAD_END) + int(length[1]), MOST_AWAITED_BYTES)
    return max(0, whole - len(start))


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

    ``give`` takes a connection whose request is there, or whose client has gone. ``limit_s`` is how long a
    request may take to arrive, ``silence_s`` for how long nothing may come of it.
    """

    def __init__(
        self,
        poller: selectors.BaseSelector,
        give: Callable[[Any], None],
        *,
        limit_s: float,
        silence_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._poller = poller
        self._give = give
        self._limit_s = limit_s
        self._silence_s = silence_s
        self._clock = clock
        self._arrivals: dict[socket.socket, _Arrival] = {}

    def __len__(self) -> int:
        return len(self._arrivals)

    def add(self, connection: Connection) -> None:
        """Waits for the next request of a connection, which may be there already."""
        now = self._clock()
        self._look(_Arrival(connection, now, now), was_woken=False)

    def late(self) -> Iterator[tuple[Any, bytes]]:
        """Connections whose time is over, no longer waited on; with each, what has come of its request."""
        now = self._clock()
        for sock, arrival in list(self._arrivals.items()):
            is_silent = now - arrival.heard > self._silence_s
            if is_silent and (count := len(_peek(sock))) > arrival.count:
                arrival.heard, arrival.count, is_silent = now, count, False
            if is_silent or now - arrival.began > self._limit_s:
                self._forget(sock)
                yield arrival.connection, _peek(sock)

    def _look(self, arrival: _Arrival, *, was_woken: bool) -> None:
        """Gives the connection on if its request is there, else waits for more.

        If it is woken and nothing new is there, the client has gone.
        """
        sock: socket.socket = arrival.connection.sock
        sock.settimeout(0)
        start = _peek(sock)
        missing = missing_bytes(start)
        has_gone = was_woken and len(start) <= arrival.count
        if missing and not has_gone:
            arrival.count = len(start)
            self._await(arrival, len(start) + missing)
        else:
            _wake_after(sock, 1)
            self._give(arrival.connection)

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
