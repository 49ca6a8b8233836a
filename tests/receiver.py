"""A receiver of webhooks on a real socket, which answers in whatever way a test wants."""

import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Queue
from socketserver import BaseRequestHandler, TCPServer, ThreadingMixIn
from threading import Event, Thread
from typing import TypeAlias

Script: TypeAlias = Callable[[socket.socket], None]
"""Answers one request on its connection."""

LIMIT_S = 30


@dataclass(frozen=True)
class Received:
    """One request as it came; names of headers in lower case."""

    line: str
    headers: Mapping[str, str]
    body: bytes


def answer(status: int, *headers: str, body: bytes = b"") -> Script:
    """A well-formed answer."""
    lines = [f"HTTP/1.1 {status} Something", f"Content-Length: {len(body)}", *headers, "", ""]
    content = "\r\n".join(lines).encode() + body

    def script(connection: socket.socket) -> None:
        connection.sendall(content)

    return script


class _Server(ThreadingMixIn, TCPServer):
    daemon_threads = True
    allow_reuse_address = True
    block_on_close = False
    request_queue_size = 100


class Receiver:
    """Listens on a port of its own. ``script`` answers; ``over`` is set when the test is."""

    def __init__(self, host: str = "127.0.0.1", context: ssl.SSLContext | None = None) -> None:
        self.script: Script = answer(204)
        self.received: Queue[Received] = Queue()
        self.over = Event()
        receiver = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    receiver._handle(self.request, context)

        _Server.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._server = _Server((host, 0), Handler)
        self.port = int(self._server.server_address[1])
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def next(self) -> Received:
        """The next request, waited for."""
        return self.received.get(timeout=LIMIT_S)

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handle(self, connection: socket.socket, context: ssl.SSLContext | None) -> None:
        connection.settimeout(LIMIT_S)
        if context is None:
            self._answer(connection)
            return
        with context.wrap_socket(connection, server_side=True) as secured:
            self._answer(secured)

    def _answer(self, connection: socket.socket) -> None:
        with connection.makefile("rb") as stream:
            line = stream.readline().decode().strip()
            pairs = (entry.decode("latin-1").partition(":") for entry in iter(stream.readline, b"\r\n"))
            headers = {name.lower(): value.strip() for name, _, value in pairs}
            body = stream.read(int(headers.get("content-length", "0")))
        self.received.put(Received(line, headers, body))
        self.script(connection)


@contextmanager
def open_receiver(host: str = "127.0.0.1", context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    receiver = Receiver(host, context)
    try:
        yield receiver
    finally:
        receiver.close()
