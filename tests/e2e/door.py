"""The web door over real HTTP: the service and its door under gunicorn, in a process of its own."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import requests
from flask import Flask

from adjudicator.happy_end.ruleset import Finish
from adjudicator.processes.web import WORKER_CLASS
from adjudicator.service.values import Ticket
from tests.contract.harness import FIRST_KEY, House
from tests.listed_queue import ListedQueue
from tests.solved import solved_estimator

ROOT = Path(__file__).parents[2]
LARGE = {"most_archive_members": 100_000, "most_archive_bytes": 400_000_000, "rate_limit": "off"}
START_LIMIT_S = 60
THREADS = 4
AUTHORIZATION = {"Authorization": f"Bearer {FIRST_KEY}"}


class WorkingQueue(ListedQueue):
    """A queue with its worker: whatever is put is run at once, beside the request."""

    house: House

    def put(self, ticket: Ticket) -> None:
        super().put(ticket)
        Thread(target=self.house.work, daemon=True).start()


def make(folder: str) -> Flask:
    """The application that gunicorn serves."""
    solved_estimator(Finish.EXACT)
    queue = WorkingQueue()
    queue.house = House(Path(folder), queue, **LARGE)
    return queue.house.app


@dataclass(frozen=True)
class Door:
    """Where the service listens, and the folder of its database."""

    address: str
    folder: Path
    pid: int

    def post(self, content: bytes, content_type: str, **headers: str) -> requests.Response:
        sent = {
            **AUTHORIZATION,
            "Content-Type": content_type,
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        return requests.post(f"{self.address}/v1/matches", data=content, headers=sent, timeout=60)

    def post_batch(self, content: bytes | Iterator[bytes], content_type: str) -> requests.Response:
        address = f"{self.address}/v1/batches"
        sent = {**AUTHORIZATION, "Content-Type": content_type}
        return requests.post(address, data=content, headers=sent, timeout=300)

    def send_raw(self, request: bytes) -> bytes:
        """Sends these bytes, then nothing more, and reads until the service closes."""
        with self.connect() as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return received(connection)

    def connect(self) -> socket.socket:
        host, port = self.address.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=60)

    def get(self, path: str) -> requests.Response:
        return requests.get(self.address + path, headers=AUTHORIZATION, timeout=60)


def received(connection: socket.socket) -> bytes:
    """Everything that comes until the service closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


@contextmanager
def open_door(folder: Path) -> Iterator[Door]:
    """Serves until the block is left."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        descriptor = listener.fileno()
        command = [sys.executable, "-m", "gunicorn", "--bind", f"fd://{descriptor}"]
        command += ["--worker-class", WORKER_CLASS, "--threads", str(THREADS)]
        server = subprocess.Popen(
            [*command, f"tests.e2e.door:make({str(folder)!r})"], pass_fds=[descriptor], cwd=ROOT
        )
        door = Door(f"http://127.0.0.1:{listener.getsockname()[1]}", folder, server.pid)
        try:
            _await(door, server)
            yield door
        finally:
            server.terminate()
            server.wait(START_LIMIT_S)


def _await(door: Door, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while True:
        assert server.poll() is None, "the server ended"
        try:
            assert door.get("/livez").status_code == 200
        except requests.ConnectionError:
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.1)
        else:
            return
