"""Archives over real HTTP: streamed, bounded in memory, and nothing half kept when they break off."""

import gzip
import json
import random
import socket
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.archives import numbered_record, zipped
from tests.e2e.door import Door, open_door

LINES = 20_000
BLANKS = bytes(random.Random(1).choices(b" \t", k=15_000))
"""So many lines with so many blanks each: 300 MB, of which no more than some are in memory.

They are of two kinds in no order, so that they do not look like a bomb when they are packed.
"""

MOST_GROWTH_KB = 60_000


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with open_door(tmp_path) as door:
        yield door


def resident_kb(pid: int, name: str) -> int:
    """What a process keeps in memory (``VmRSS``), or kept at most (``VmHWM``)."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith(name)]
    return int(line.split()[1])


def serving_process(door: Door) -> int:
    """The process that serves: the child of the one that was started."""
    children = Path(f"/proc/{door.pid}/task/{door.pid}/children").read_text().split()
    assert len(children) == 1
    return int(children[0])


def large_lines() -> Iterator[bytes]:
    for number in range(LINES):
        yield numbered_record(number) + BLANKS + b"\n"


def packed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same as gzip, piece by piece."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    for chunk in chunks:
        if data := packer.compress(chunk):
            yield data
    yield packer.flush()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells memory on Linux only")
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_large_archive_takes_little_memory(door: Door, is_packed: bool) -> None:
    pid = serving_process(door)
    small = zipped([("1.json", numbered_record(1))])
    assert door.post_batch(small, "application/zip").status_code == 202
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # what it kept at most is told from here on
    before = resident_kb(pid, "VmRSS")
    chunks = packed(large_lines()) if is_packed else large_lines()
    answer = door.post_batch(chunks, "application/gzip" if is_packed else "application/x-ndjson")
    assert answer.status_code == 202, answer.text
    assert answer.json()["members"] == LINES
    assert resident_kb(pid, "VmHWM") - before < MOST_GROWTH_KB


def no_batch_is_left(door: Door) -> bool:
    deadline = time.monotonic() + 20
    while door.get("/v1/batches").json()["batches"]:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


@pytest.mark.parametrize("is_chunked", [True, False])
def test_of_a_body_that_breaks_off_nothing_is_kept(door: Door, is_chunked: bool) -> None:
    body = b"".join(numbered_record(number) + b"\n" for number in range(500))
    framing = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {len(body)}"
    head = f"POST /v1/batches HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n{framing}\r\n\r\n"
    with door.connect() as connection:
        connection.sendall(head.encode())
        if is_chunked:
            connection.sendall(b"%x\r\n%s\r\n" % (len(body) - 10, body[:-10]))
        else:
            connection.sendall(body[:-10])
        deadline = time.monotonic() + 20
        while not (listed := door.get("/v1/batches").json()["batches"]):
            assert time.monotonic() < deadline
        assert listed[0]["status"] == "receiving"
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert no_batch_is_left(door)


def test_results_come_in_a_stream_of_lines(door: Door) -> None:
    body = gzip.compress(b"".join(numbered_record(number) + b"\n" for number in range(3)))
    address = door.address + door.post_batch(body, "application/gzip").headers["Location"]
    with requests.get(f"{address}/results", stream=True, timeout=60) as answer:
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert answer.headers["Transfer-Encoding"] == "chunked"
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert lines == [{"cursor": "0", "complete": False}]
