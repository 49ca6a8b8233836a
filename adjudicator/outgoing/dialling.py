"""Connecting to exactly the address that was checked, within a time for everything together.

A name is resolved once, every address it has is checked, and the connection is made to one of these: whoever
answers differently the second time is not asked a second time. The URL stays as it is, so that the Host
header and the certificate are those of the name.
"""

import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Timer
from types import TracebackType
from typing import Any, Self, TypeAlias

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from adjudicator.errors import AddressRefusedError
from adjudicator.service.webhooks.addresses import AddressPolicy

Resolver: TypeAlias = Callable[[str, int], Sequence[str]]
"""The network addresses of a host, in the order in which they are to be tried. Raises: OSError."""

MOST_ADDRESSES = 8
"""A name with more of them is not called: each is tried in turn."""


def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses that this machine finds for a name, each once."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Deadline:
    """The time for one request altogether, from the making of this to the end of its ``with`` block.

    Time limits of single reads do not bound a receiver that sends a byte now and then; so whatever is
    connected when the time is over is cut off, and reading from it ends.
    """

    def __init__(self, limit_s: float) -> None:
        self._ends_at = time.monotonic() + limit_s
        self._lines: list[socket.socket] = []
        self._timer = Timer(limit_s, self._cut)
        self._timer.daemon = True
        self.is_over = False

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self._timer.join()
        for line in self._lines:
            line.close()

    def left_s(self) -> float:
        """The seconds that are left. Raises: TimeoutError where none are."""
        left_s = self._ends_at - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        return left_s

    def watch(self, connection: socket.socket) -> None:
        """Has that connection cut off when the time is over.

        By a line of our own to it: TLS takes the socket's out of its hands.
        """
        self._lines.append(connection.dup())
        if self.is_over:
            self._cut()

    def _cut(self) -> None:
        self.is_over = True
        for line in list(self._lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


class Dialler:
    """Connects one request to checked addresses."""

    def __init__(
        self, policy: AddressPolicy, resolver: Resolver, deadline: Deadline, connect_s: float
    ) -> None:
        self._policy = policy
        self._resolver = resolver
        self._deadline = deadline
        self._connect_s = connect_s

    def dial(self, host: str, port: int) -> socket.socket:
        """A connection to the host, at the first of its addresses that takes it.

        Raises: AddressRefusedError if a single one of them may not be called; OSError.
        """
        addresses = self._resolver(host, port)
        for address in addresses:
            self._policy.check_address(host, port, address)
        if not 1 <= len(addresses) <= MOST_ADDRESSES:
            raise AddressRefusedError(f"The name has {len(addresses)} addresses")
        *others, last = addresses
        for address in others:
            with suppress(OSError):
                return self._connect(address, port)
        return self._connect(last, port)

    def _connect(self, address: str, port: int) -> socket.socket:
        limit_s = min(self._connect_s, self._deadline.left_s())
        connection = socket.create_connection((address, port), limit_s)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._deadline.watch(connection)
        return connection


class _DialledHTTPConnection(HTTPConnection):
    def __init__(self, *arguments: Any, dialler: Dialler, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._dialler = dialler

    def _new_conn(self) -> socket.socket:
        return self._dialler.dial(self.host, self.port)


class _DialledHTTPSConnection(HTTPSConnection):
    def __init__(self, *arguments: Any, dialler: Dialler, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._dialler = dialler

    def _new_conn(self) -> socket.socket:
        return self._dialler.dial(self.host, self.port)


class DialledAdapter(HTTPAdapter):
    """Lets a session of ``requests`` connect in no other way than by ``dialler``."""

    def __init__(self, dialler: Dialler) -> None:
        super().__init__()
        self._dialler = dialler

    def get_connection_with_tls_context(self, *arguments: Any, **options: Any) -> HTTPConnectionPool:
        """The pool for a request, with connections of ours."""
        pool: Any = super().get_connection_with_tls_context(*arguments, **options)
        kind = _DialledHTTPSConnection if pool.scheme == "https" else _DialledHTTPConnection
        pool.ConnectionCls = partial(kind, dialler=self._dialler)
        its: HTTPConnectionPool = pool
        return its
