"""The counter of requests keeps its port's promises in a process and on a real queue server."""

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.errors import ConfigurationError, QueueUnavailableError
from adjudicator.jobs.embedded import EmbeddedQueue
from adjudicator.jobs.rate_counter import WindowCounter
from tests.queue_server import wait_ready

HOUR_S = 3600


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    embedded = EmbeddedQueue(tmp_path / "queue")
    with embedded.held(), subprocess.Popen(embedded.command()) as process:
        wait_ready(embedded)
        yield embedded.url, process
        process.terminate()


@pytest.fixture(params=["memory", "server"])
def counter(request: pytest.FixtureRequest) -> Iterator[WindowCounter]:
    if request.param == "memory":
        counter = WindowCounter.in_process()
    else:
        counter = WindowCounter.at(request.getfixturevalue("server")[0])
    yield counter
    counter.close()


def test_each_name_is_counted_apart(counter: WindowCounter) -> None:
    names = ["reads/a", "reads/a", "reads/b", "submissions/a", "reads/a"]
    assert [counter.count(name, HOUR_S).number for name in names] == [1, 2, 1, 1, 3]


def test_a_window_begins_with_its_first_and_is_not_prolonged(counter: WindowCounter) -> None:
    lefts = [counter.count("reads/a", HOUR_S).left_s for _ in range(3)]
    assert all(HOUR_S - 60 < left <= HOUR_S + 1 for left in lefts)


def test_a_window_ends_by_itself(counter: WindowCounter) -> None:
    assert [counter.count("reads/a", 1).number for _ in range(2)] == [1, 2]
    deadline = time.monotonic() + 30
    while counter.count("reads/a", 1).number > 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_two_processes_count_together(server: tuple[str, object]) -> None:
    one, two = WindowCounter.at(server[0]), WindowCounter.at(server[0])
    assert [counter.count("reads/a", HOUR_S).number for counter in (one, two, one)] == [1, 2, 3]
    one.close()
    two.close()


def test_a_server_that_hangs_or_is_away_is_said_so(
    server: tuple[str, "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    url, process = server
    counter = WindowCounter.at(url)
    counter.count("reads/a", HOUR_S)
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(QueueUnavailableError):
        counter.count("reads/a", HOUR_S)
    process.send_signal(signal.SIGCONT)
    counter.close()
    away = WindowCounter.at(f"unix://{tmp_path / 'nobody.sock'}")
    with pytest.raises(QueueUnavailableError):
        away.count("reads/a", HOUR_S)
    away.close()


def test_an_address_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="ADJUDICATOR_REDIS_URL"):
        WindowCounter.at("redis://host:port")
