"""The queue port over RQ: carries tickets to workers, nothing else.

RQ's results, retries and timeouts are not used: the database has the results, and the reconciler does what
RQ does not (of seven jobs of dead workers it recovered none in 200 s). Arguments are JSON, never pickle.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.exceptions import DuplicateJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from adjudicator.errors import ConfigurationError, QueueUnavailableError
from adjudicator.service.values import Ticket

QUEUE_NAME = "adjudications"
"""One queue only: a worker that listens on two can lose a job."""

TASK = "worker.tasks.adjudicate"
"""The task by its dotted name: who enqueues does not import the worker."""

ANSWER_S = 2.0
"""How long one answer of the queue may take; a submission does not wait longer for it."""

WORKERS = "adjudicator:workers"
"""The sorted set of workers by the time at which they were last heard of."""

ALIVE_S = 10
"""A worker that was not heard of for longer does not count as alive."""

NO_LIMIT = -1
KEEP_NOTHING_S = 0
KEEP_FAILED_S = 3600


class TicketQueue:
    """Keeps the ``Queue`` port; see there for what each method promises. Safe to share between threads."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url, answer_s=ANSWER_S)
        self._queue = rq.Queue(QUEUE_NAME, connection=self._redis, serializer=JSONSerializer)

    def put(self, ticket: Ticket) -> None:
        """See ``Queue.put``.

        The job of a ticket may be there without waiting: RQ keeps a dead worker's as started. It is made anew
        and waits once more; should its worker live after all, the database sees to it that only one counts.
        """
        with _translated_errors():
            try:
                self._enqueue(ticket, is_new=True)
            except DuplicateJobError:
                if self.missing([ticket]):
                    self._enqueue(ticket, is_new=False)

    def missing(self, tickets: Collection[Ticket]) -> frozenset[Ticket]:
        """See ``Queue.missing``.

        A job says of itself that it waits; whether it still does (its worker may have died with it in the
        hand) is looked up from the head of the list, where those queued longest are: 200 take 25 ms out of
        100,000 (all ids together 560 ms).
        """
        with _translated_errors():
            states = self._ask_about(tickets, lambda ask, job_id: ask.hget(Job.key_for(job_id), "status"))
            waiting = [ticket for ticket in tickets if states[ticket] == JobStatus.QUEUED.value.encode()]
            places = self._ask_about(waiting, lambda ask, job_id: ask.lpos(self._queue.key, job_id))
        return frozenset(ticket for ticket in tickets if places.get(ticket) is None)

    def length(self) -> int:
        """See ``Queue.length``."""
        with _translated_errors():
            return int(self._redis.llen(self._queue.key))

    def announce(self, worker: str) -> None:
        """See ``Queue.announce``. Times are the server's, so that machines need not agree."""
        with _translated_errors():
            now = self._now()
            with self._redis.pipeline() as pipeline:
                pipeline.zadd(WORKERS, {worker: now})
                pipeline.zremrangebyscore(WORKERS, "-inf", now - ALIVE_S)
                pipeline.execute()

    def count_workers(self) -> int:
        """See ``Queue.count_workers``. Not by RQ's register: it has killed workers for 7 minutes."""
        with _translated_errors():
            return int(self._redis.zcount(WORKERS, self._now() - ALIVE_S, "+inf"))

    def close(self) -> None:
        """See ``Queue.close``."""
        self._redis.close()

    def _now(self) -> int:
        seconds, _ = self._redis.time()
        return int(seconds)

    def _ask_about(
        self, tickets: Collection[Ticket], ask: Callable[[redis.client.Pipeline, str], object]
    ) -> dict[Ticket, Any]:
        """The answers to one question about each, in one round trip."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for ticket in tickets:
                ask(pipeline, _job_id(ticket))
            return dict(zip(tickets, pipeline.execute(), strict=True))

    def _enqueue(self, ticket: Ticket, *, is_new: bool) -> None:
        self._queue.enqueue_call(
            TASK,
            args=[ticket.adjudication_id, ticket.attempt],
            job_id=_job_id(ticket),
            unique=is_new,
            timeout=NO_LIMIT,
            result_ttl=KEEP_NOTHING_S,
            failure_ttl=KEEP_FAILED_S,
        )


def connect(url: str, *, answer_s: float | None = None) -> redis.Redis:
    """A connection to the queue server at a URL; ``answer_s`` is how long an answer may take at most.

    A connection that broke is made anew once; an answer that did not come in time is not waited for again.

    Raises: ConfigurationError for a URL that cannot be read.
    """
    retry = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    try:
        return redis.Redis.from_url(
            url, socket_timeout=answer_s, socket_connect_timeout=ANSWER_S, retry=retry
        )
    except ValueError as error:
        raise ConfigurationError(f"ADJUDICATOR_REDIS_URL cannot be read: {error}") from error


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        raise QueueUnavailableError(f"The queue does not answer: {error}") from error


def _job_id(ticket: Ticket) -> str:
    return f"{ticket.adjudication_id}-{ticket.attempt}"
