"""Measures the service over HTTP: submissions beside their floor, submit to result, and slow clients.

    python -m bench.http submissions|latency|slow [--seconds S] [--clients N]

``submissions``: full submissions a second of a match record of 20 KB, and the same server doing nothing but
keep and queue. ``latency``: from sending a match of 7 points to having its result, on an idle service.
``slow``: how long others wait while so many clients send a byte a second.
"""

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from adjudicator.cli.demo import DemoService, running_service
from adjudicator.client import Client
from adjudicator.logs.conversion import TARGETS, convert_log
from adjudicator.logs.reading import read_log
from adjudicator.processes.web import web_command

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
RECORD_BYTES = 20_000
SLOW_CLIENTS = 2_000


def a_record() -> dict[str, Any]:
    """A match record of some 20 KB: the longest example."""
    longest = max(EXAMPLES.glob("*.mat"), key=lambda path: path.stat().st_size)
    record: dict[str, Any] = json.loads(convert_log(read_log(longest.read_bytes()), TARGETS["json"]).content)
    missing = RECORD_BYTES - len(json.dumps(record))
    record["metadata"]["note"] = "x" * max(0, missing)
    return record


def numbered(record: dict[str, Any], name: str) -> bytes:
    """The record as another match."""
    record["metadata"]["match_id"] = name
    return json.dumps(record).encode()


def send_on(address: str, key: str, name: str, seconds: float, counts: Any) -> None:
    """Sends new matches over one connection for so long; the count goes into the queue."""
    place, record = urlsplit(address), a_record()
    connection = http.client.HTTPConnection(place.hostname or "", place.port)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    count, deadline = 0, time.monotonic() + seconds
    while time.monotonic() < deadline:
        connection.request("POST", "/v1/matches", numbered(record, f"{name}-{count}"), headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 202:
            raise SystemExit(f"{answer.status}: {body[:500]!r}")
        count += 1
    counts.put(count)


def rate(address: str, key: str, clients: int, seconds: float) -> float:
    """Submissions a second by so many clients, each with a connection of its own in a process of its own."""
    context = get_context("spawn")
    counts = context.Queue()
    arguments = [
        (address, key, f"{os.getpid()}-{time.monotonic_ns()}-{n}", seconds, counts) for n in range(clients)
    ]
    senders = [context.Process(target=send_on, args=each) for each in arguments]
    for sender in senders:
        sender.start()
    total: int = sum(counts.get(timeout=seconds + 60) for _ in senders)
    for sender in senders:
        sender.join()
    return total / seconds


@contextmanager
def floor_server(service: DemoService) -> Iterator[str]:
    """The floor's server beside the service, with its settings, database and queue."""
    environment = dict(
        word.split("=", 1)
        for word in Path(f"/proc/{service.process.pid}/environ").read_text().split("\0")
        if word.startswith("ADJUDICATOR_")
    )
    port = int(environment["ADJUDICATOR_PORT"]) + 1
    command = web_command(
        "127.0.0.1",
        port,
        processes=int(environment["ADJUDICATOR_WEB_PROCESSES"]),
        threads=int(environment["ADJUDICATOR_THREADS"]),
        stop_grace_s=1,
        log_level="warning",
    )
    words = [word.replace("adjudicator.api.app:", "bench.http_floor:") for word in command]
    process = subprocess.Popen(words, env={**os.environ, **environment})
    try:
        await_port(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def await_port(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the floor's server did not start")


def submissions(seconds: float, clients: int) -> None:
    with running_service(workers=0, rate_limit="off", log_level="warning") as service:
        address = service.client.address
        with floor_server(service) as floor:
            rate(floor, service.key, clients, 2.0)
            rate(address, service.key, clients, 2.0)
            pairs = [
                (rate(address, service.key, clients, seconds), rate(floor, service.key, clients, seconds))
                for _ in range(3)
            ]
    for full, least in pairs:
        print(f"full {full:.0f}/s, floor {least:.0f}/s, ratio {full / least:.2f}")


def latency(seconds: float, _clients: int) -> None:
    with running_service(workers=1, rate_limit="off", log_level="warning") as service:
        record = a_record()
        sender = Client(service.client.address, key=service.key)
        sender.submit(numbered(record, "first"), media_type="application/json", wait_s=30)
        times: list[float] = []
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            content = numbered(record, f"n{len(times)}")
            began = time.perf_counter()
            result = sender.submit(content, media_type="application/json", wait_s=30)
            times.append(time.perf_counter() - began)
            assert result["status"] == "done"
            time.sleep(0.05)
    print(f"{len(times)} matches: {told(times)}")


def slow(seconds: float, clients: int) -> None:
    with running_service(workers=0, rate_limit="off", log_level="error") as service:
        place, over = urlsplit(service.client.address), threading.Event()
        probe(service, 2.0)
        before = probe(service, seconds)
        trickling = threading.Thread(target=trickle, args=(place.hostname, place.port, clients, over))
        trickling.start()
        time.sleep(3.0)
        during = probe(service, seconds)
        over.set()
        trickling.join()
    print(f"alone: {told(before)}\nbeside {clients} slow clients: {told(during)}")


def probe(service: DemoService, seconds: float) -> list[float]:
    """How long each of one caller's requests takes."""
    caller = Client(service.client.address, key=service.key)
    times, deadline = [], time.monotonic() + seconds
    while time.monotonic() < deadline:
        began = time.perf_counter()
        list(caller.adjudications(limit="1"))
        times.append(time.perf_counter() - began)
        time.sleep(0.02)
    return times


def trickle(host: str, port: int, clients: int, over: threading.Event) -> None:
    """Keeps so many requests on their way, a byte a second each; who is thrown out comes again."""
    request = b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nX-Padding: " + b"x" * 10_000
    open_ones: dict[socket.socket, int] = {}
    while not over.is_set():
        began = time.monotonic()
        while len(open_ones) < clients:
            open_ones[socket.create_connection((host, port))] = 0
        for connection, count in list(open_ones.items()):
            try:
                connection.send(request[count : count + 1])
                open_ones[connection] = count + 1
            except OSError:
                connection.close()
                del open_ones[connection]
        over.wait(max(0.0, 1.0 - (time.monotonic() - began)))
    for connection in open_ones:
        connection.close()


def told(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return f"median {cuts[49] * 1000:.0f} ms, 99 of 100 {cuts[98] * 1000:.0f} ms ({len(times)} requests)"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("submissions", "latency", "slow"))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--clients", type=int)
    given = parser.parse_args()
    measures = {"submissions": (submissions, 4), "latency": (latency, 1), "slow": (slow, SLOW_CLIENTS)}
    measure, usual_clients = measures[given.what]
    measure(given.seconds, given.clients or usual_clients)


if __name__ == "__main__":
    main()
