"""The queue keeps its port's promises on a real server, and carries nothing but ids as JSON."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from rq.job import Job
from rq.serializers import JSONSerializer

from adjudicator.errors import ConfigurationError, QueueUnavailableError
from adjudicator.jobs.embedded import EmbeddedQueue
from adjudicator.jobs.queue import QUEUE_NAME, TASK, TicketQueue
from adjudicator.service.values import Ticket
from tests.queue_server import wait_ready

FIRST, SECOND, THIRD = Ticket("aone", 1), Ticket("atwo", 3), Ticket("atwo", 4)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedQueue]:
    embedded = EmbeddedQueue(tmp_path / "queue")
    with embedded.held(), subprocess.Popen(embedded.command()) as process:
        wait_ready(embedded)
        yield embedded
        process.terminate()


@pytest.fixture
def queue(server: EmbeddedQueue) -> Iterator[TicketQueue]:
    queue = TicketQueue(server.url)
    yield queue
    queue.close()


@pytest.fixture
def client(server: EmbeddedQueue) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        yield client


def test_tickets_wait_in_order_each_once(queue: TicketQueue, client: redis.Redis) -> None:
    for ticket in (FIRST, SECOND, FIRST):
        queue.put(ticket)
    assert queue.missing([FIRST, SECOND, THIRD]) == {THIRD}
    assert client.lrange(f"rq:queue:{QUEUE_NAME}", 0, -1) == ["aone-1", "atwo-3"]


def test_a_job_is_a_name_and_ids_as_json(queue: TicketQueue, server: EmbeddedQueue) -> None:
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


def test_a_queue_that_lost_everything_takes_tickets_again(queue: TicketQueue, client: redis.Redis) -> None:
    queue.put(FIRST)
    client.flushall()
    queue.put(FIRST)
    assert queue.missing([FIRST]) == frozenset()


def test_the_check_lets_a_queue_that_answers_pass(queue: TicketQueue) -> None:
    queue.require_ready()
    queue.close()
    queue.close()


def test_a_queue_that_cannot_be_reached_is_unavailable(tmp_path: Path) -> None:
    queue = TicketQueue(f"unix://{tmp_path}/nothing.sock")
    for act in (queue.require_ready, lambda: queue.missing([FIRST]), lambda: queue.put(FIRST)):
        with pytest.raises(QueueUnavailableError):
            act()


def test_a_url_that_cannot_work_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="ADJUDICATOR_REDIS_URL"):
        TicketQueue("redis://host:port")
