"""A real HTTP server that speaks the interface of wildbg, for tests: its own program is not to be had here.

It is written from the interface's description, apart from the adapter, and answers with the numbers of
gnubg-nn. It misbehaves when it is told to.
"""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from adjudicator.engines import wildbg
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.board import Position

Evaluate = Callable[[Position], Outcomes]
"""The chances of the side that just played, the other one being on roll."""

NAMES = ("win", "winG", "winBg", "loseG", "loseBg")


class WildbgServer(ThreadingHTTPServer):
    """Answers ``/eval``; ``script`` names what it does over the first questions (``Handler.do_...``)."""

    daemon_threads = True

    def __init__(self, evaluate: Evaluate, version: str | None = "0.3.0") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.evaluate = evaluate
        self.version = version
        self.script: list[str] = []
        self.paths: list[str] = []
        self.connections = 0
        self.over = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def questions(self) -> int:
        return sum(path.startswith("/eval") for path in self.paths)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: WildbgServer

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def do_GET(self) -> None:
        with self.server.lock:
            self.server.paths.append(self.path)
            behaviour = self.server.script.pop(0) if self.server.script else "answer"
        getattr(self, behaviour)()

    def answer(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/api-docs/openapi.json" and self.server.version:
            self._send(200, {"openapi": "3.1.0", "info": {"title": "wildbg", "version": self.server.version}})
        elif parts.path == "/eval":
            self._evaluate(dict(parse_qsl(parts.query)))
        else:
            self._send(404, {"message": "no such page"})

    def _evaluate(self, query: dict[str, str]) -> None:
        pips = [int(query.get(f"p{number}", 0)) for number in range(26)]
        mine = [max(0, count) for count in pips]
        others = [max(0, -count) for count in pips]
        if mine[0] or others[25] or sum(mine) > 15 or sum(others) > 15:
            self._send(400, {"message": "Player x has more than 15 checkers on the board."})
            return
        on_roll = (15 - sum(mine), *mine[1:])
        other = (15 - sum(others), *reversed(others[:25]))
        with self.server.lock:
            chances = self.server.evaluate(Position(other, on_roll))
        lose, lose_gammon, lose_backgammon, win_gammon, win_backgammon = chances
        values = (1 - lose, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
        self._send(200, {"cube": {}, "probabilities": dict(zip(NAMES, values, strict=True))})

    def _send(self, status: int, content: Any, kind: str = "application/json") -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hang(self) -> None:
        self.server.over.wait(60)

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def drip(self) -> None:
        """A body of which one byte comes at a time, for longer than anybody would wait."""
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.server.over.wait(0.02):
            self.wfile.write(b" ")

    def drip_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.server.over.wait(0.02):
            self.wfile.write(b"x")

    def endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        while not self.server.over.is_set():
            self.wfile.write(b" " * 65536)

    def cut(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"probabilities": ')
        self.close_connection = True

    def packed(self) -> None:
        """A body in an encoding that was not asked for."""
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"\x1f\x8b\x08\x00")

    def redirect(self) -> None:
        self.send_response(302)
        self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def page(self) -> None:
        self._send(200, b"<html><body>It works!</body></html>", "text/html")

    def deep(self) -> None:
        self._send(200, b"[" * 60000)

    def broken(self) -> None:
        self._send(500, {"message": "Neural net could not be constructed."})

    def busy(self) -> None:
        self._send(503, b"busy", "text/plain")

    def refuse(self) -> None:
        self._send(400, {"message": "Player x has more than 15 checkers on the board."})

    def not_a_number(self) -> None:
        self._send(200, b'{"probabilities": {"win": NaN, "winG": 0, "winBg": 0, "loseG": 0, "loseBg": 0}}')

    def no_chances(self) -> None:
        self._send(200, {"probabilities": {"win": 0.5}})

    def words(self) -> None:
        self._send(200, {"probabilities": dict.fromkeys(NAMES, "0.1")})

    def too_much(self) -> None:
        self._send(200, {"probabilities": {**dict.fromkeys(NAMES, 0.1), "winG": 0.9}})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Says nothing."""


@contextlib.contextmanager
def running(server: WildbgServer) -> Iterator[WildbgServer]:
    """The server at work; nothing is remembered of another one that had its port."""
    wildbg._KNOWN._known.clear()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
