"""The queue keeps its port's promises on a real server, and carries nothing but ids as JSON."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from rq.job import Job
from rq.serializers import JSONSerializer

from adjudicator.errors import ConfigurationError, QueueUnavailableError
from adjudicator.jobs.embedded import EmbeddedQueue
from adjudicator.jobs.queue import ALIVE_S, ANSWER_S, QUEUE_NAME, TASK, WORKERS, TicketQueue
from adjudicator.service.values import Ticket
from tests.queue_server import wait_ready

FIRST, SECOND, THIRD = Ticket("aone", 1), Ticket("atwo", 3), Ticket("atwo", 4)


@dataclass(frozen=True)
class Server:
    """A real queue server."""

    url: str
    process: "subprocess.Popen[bytes]"

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Has it hang while this lasts."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    embedded = EmbeddedQueue(tmp_path / "queue")
    with embedded.held(), subprocess.Popen(embedded.command()) as process:
        wait_ready(embedded)
        yield Server(embedded.url, process)
        process.terminate()


@pytest.fixture
def queue(server: Server) -> Iterator[TicketQueue]:
    queue = TicketQueue(server.url)
    yield queue
    queue.close()


@pytest.fixture
def client(server: Server) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        yield client


def test_tickets_wait_in_order_each_once(queue: TicketQueue, client: redis.Redis) -> None:
    for ticket in (FIRST, SECOND, FIRST):
        queue.put(ticket)
    assert queue.missing([FIRST, SECOND, THIRD]) == {THIRD}
    assert queue.length() == 2
    assert client.lrange(f"rq:queue:{QUEUE_NAME}", 0, -1) == ["aone-1", "atwo-3"]


def test_a_job_is_a_name_and_ids_as_json(queue: TicketQueue, server: Server) -> None:
    queue.put(SECOND)
    with redis.Redis.from_url(server.url) as connection:
        job = Job.fetch("atwo-3", connection=connection, serializer=JSONSerializer)
    assert (job.func_name, list(job.args), job.kwargs) == (TASK, ["atwo", 3], {})
    assert (job.result_ttl, job.timeout, job.retries_left) == (0, -1, None)


def test_a_ticket_whose_job_got_stuck_is_queued_again(queue: TicketQueue, client: redis.Redis) -> None:
    queue.put(FIRST)
    client.lpop(f"rq:queue:{QUEUE_NAME}")
    assert queue.missing([FIRST]) == {FIRST}
    queue.put(FIRST)
    queue.put(FIRST)
    assert queue.missing([FIRST]) == frozenset()
    assert client.llen(f"rq:queue:{QUEUE_NAME}") == 1


def test_a_ticket_in_the_hand_of_a_worker_is_missing_and_can_wait_once_more(
    queue: TicketQueue, client: redis.Redis
) -> None:
    queue.put(FIRST)
    client.lpop(f"rq:queue:{QUEUE_NAME}")
    client.hset("rq:job:aone-1", "status", "started")
    assert queue.missing([FIRST]) == {FIRST}
    queue.put(FIRST)
    assert client.hget("rq:job:aone-1", "status") == "queued"
    assert client.lrange(f"rq:queue:{QUEUE_NAME}", 0, -1) == ["aone-1"]


def test_nothing_asked_is_nothing_missing(queue: TicketQueue) -> None:
    assert queue.missing([]) == frozenset()


def test_the_length_is_that_of_what_waits(queue: TicketQueue, client: redis.Redis) -> None:
    assert queue.length() == 0
    for ticket in (FIRST, SECOND, THIRD):
        queue.put(ticket)
    client.lpop(f"rq:queue:{QUEUE_NAME}")
    assert queue.length() == 2


def test_a_queue_that_lost_everything_takes_tickets_again(queue: TicketQueue, client: redis.Redis) -> None:
    queue.put(FIRST)
    client.flushall()
    queue.put(FIRST)
    assert queue.missing([FIRST]) == frozenset()


def test_workers_count_as_alive_until_they_were_not_heard_of_for_long(
    queue: TicketQueue, client: redis.Redis
) -> None:
    assert queue.count_workers() == 0
    for worker in ("one:1", "two:2", "one:1"):
        queue.announce(worker)
    assert queue.count_workers() == 2
    client.zincrby(WORKERS, -ALIVE_S - 1, "two:2")
    assert queue.count_workers() == 1
    queue.announce("three:3")
    assert client.zrange(WORKERS, 0, -1) == ["one:1", "three:3"]


def test_a_queue_may_be_closed_twice(queue: TicketQueue) -> None:
    queue.close()
    queue.close()


@pytest.mark.parametrize("is_known", [True, False], ids=["connected", "not connected"])
def test_a_queue_that_hangs_is_waited_for_once(server: Server, *, is_known: bool) -> None:
    queue = TicketQueue(server.url)
    if is_known:
        queue.put(FIRST)
    with server.stopped():
        began = time.monotonic()
        with pytest.raises(QueueUnavailableError):
            queue.put(SECOND)
        assert time.monotonic() - began < 1.5 * ANSWER_S
    queue.close()


def test_a_queue_that_cannot_be_reached_is_unavailable(tmp_path: Path) -> None:
    queue = TicketQueue(f"unix://{tmp_path}/nothing.sock")
    acts: list[Callable[[], object]] = [
        queue.count_workers,
        queue.length,
        lambda: queue.announce("w"),
        lambda: queue.missing([FIRST]),
        lambda: queue.put(FIRST),
    ]
    for act in acts:
        with pytest.raises(QueueUnavailableError):
            act()


def test_a_url_that_cannot_work_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="ADJUDICATOR_REDIS_URL"):
        TicketQueue("redis://host:port")
