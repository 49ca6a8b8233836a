"""The queue port over RQ: carries tickets to workers, nothing else.

RQ's results, retries and timeouts are not used: the database has the results, and the reconciler does what
RQ does not (of seven jobs of dead workers it recovered none in 200 s). Arguments are JSON, never pickle.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from adjudicator.errors import ConfigurationError, QueueUnavailableError
from adjudicator.service.values import Ticket

QUEUE_NAME = "adjudications"
"""One queue only: a worker that listens on two can lose a job."""

TASK = "worker.tasks.adjudicate"
"""The task by its dotted name: who enqueues does not import the worker."""

ANSWER_S = 2.0
"""How long one answer of the queue may take; a submission does not wait longer for it."""

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

        The job of a ticket may be there without waiting: RQ keeps a dead worker's as started. It is left
        alone, since its worker may live after all, and the ticket gets another; the database sees to it that
        only one of them counts.
        """
        with _translated_errors():
            job_id = f"{ticket.adjudication_id}-{ticket.attempt}"
            try:
                self._enqueue(ticket, job_id)
            except DuplicateJobError:
                if ticket not in self.waiting():
                    self._enqueue(ticket, f"{job_id}-{uuid4().hex}")

    def waiting(self) -> frozenset[Ticket]:
        """See ``Queue.waiting``."""
        with _translated_errors():
            return frozenset(map(_parse_job_id, self._queue.get_job_ids()))

    def check(self) -> None:
        """See ``Queue.check``."""
        with _translated_errors():
            self._redis.ping()

    def close(self) -> None:
        """See ``Queue.close``."""
        self._redis.close()

    def _enqueue(self, ticket: Ticket, job_id: str) -> None:
        self._queue.enqueue_call(
            TASK,
            args=[ticket.adjudication_id, ticket.attempt],
            job_id=job_id,
            unique=True,
            timeout=NO_LIMIT,
            result_ttl=KEEP_NOTHING_S,
            failure_ttl=KEEP_FAILED_S,
        )


def connect(url: str, *, answer_s: float | None = None) -> redis.Redis:
    """A connection to the queue server at a URL; ``answer_s`` is how long an answer may take at most.

    Raises: ConfigurationError for a URL that cannot be read.
    """
    try:
        return redis.Redis.from_url(
            url, socket_timeout=answer_s, socket_connect_timeout=ANSWER_S, retry=Retry(NoBackoff(), 1)
        )
    except ValueError as error:
        raise ConfigurationError(f"ADJUDICATOR_REDIS_URL cannot be read: {error}") from error


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        raise QueueUnavailableError(f"The queue does not answer: {error}") from error


def _parse_job_id(job_id: str) -> Ticket:
    adjudication_id, attempt = job_id.split("-")[:2]
    return Ticket(adjudication_id, int(attempt))
