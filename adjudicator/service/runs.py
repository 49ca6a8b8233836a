"""Attempts at adjudications: run one, try again, and make good what was lost.

The database decides, never the queue: an attempt counts as long as its row says so, and whoever comes late
with a result finds the row changed (a fence). So tickets may be lost, doubled or late without harm.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from adjudicator.errors import AdjudicatorError, QueueUnavailableError, StoreUnavailableError
from adjudicator.service.clock import Clock
from adjudicator.service.lease import Heartbeat
from adjudicator.service.log_fields import logged_with
from adjudicator.service.meter import Ending, Meter
from adjudicator.service.ports import Adjudicator, Queue, Store
from adjudicator.service.retry import (
    INTERNAL_ERROR,
    WORKER_LOST,
    RunPolicy,
    failure_reason,
    may_try_again,
    rest_of,
    run_too_long,
)
from adjudicator.service.trace import parse_trace_context
from adjudicator.service.values import FailureReason, Order, Ticket

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 200
"""Lost attempts that one step makes good; the next step is a second away."""

AT_ONCE = timedelta()


class Runs:
    """The attempts of one process: ``worker`` names it, ``on_overrun`` ends it when one never ends.

    Native code cannot be interrupted from within: to end the process is all that helps then.
    """

    def __init__(
        self,
        store: Store,
        queue: Queue,
        adjudicator: Adjudicator,
        *,
        policy: RunPolicy,
        clock: Clock,
        worker: str,
        on_overrun: Callable[[Ticket], None],
        meter: Meter,
    ) -> None:
        self._store = store
        self._queue = queue
        self._adjudicator = adjudicator
        self._policy = policy
        self._clock = clock
        self._worker = worker
        self._on_overrun = on_overrun
        self._meter = meter
        self._missing: frozenset[Ticket] = frozenset()
        self._running: dict[Ticket, datetime] = {}
        self._lock = threading.Lock()

    def enqueue(self, ticket: Ticket) -> None:
        """Queues what is committed already; where the queue is down ``requeue_lost`` does it later."""
        try:
            self._queue.put(ticket)
        except QueueUnavailableError as error:
            logger.warning("%s is to be queued later: %s", ticket, error)

    def run(self, ticket: Ticket) -> None:
        """Runs one attempt if it still counts; see ``AdjudicationService.run``."""
        now = self._clock()
        with logged_with(adjudication_id=ticket.adjudication_id), self._listed(ticket, now):
            order = self._store.start(
                ticket, worker=self._worker, at=now, lease_until=now + self._policy.lease
            )
            if order is None:
                logger.info("%s does not count any more", ticket)
            else:
                self._carry_out(ticket, order)

    def hand_back(self) -> None:
        """Gives back what this process is running, for others to run at once; it will not be kept here."""
        with self._lock:
            running = tuple(self._running)
        for ticket in running:
            successor = self._store.hand_back(ticket, at=self._clock())
            if successor is not None:
                self._count(ticket, Ending.HANDED_BACK)
                self.enqueue(successor)

    def requeue_lost(self) -> int:
        """See ``AdjudicationService.requeue_lost``."""
        return self._replace_expired() + self._enqueue_forgotten()

    def _carry_out(self, ticket: Ticket, order: Order) -> None:
        with logged_with(**_trace_of(order)):
            self._adjudicate(ticket, order)

    def _adjudicate(self, ticket: Ticket, order: Order) -> None:
        try:
            with Heartbeat(ticket, self._store, self._policy, self._clock, self._end_overrun):
                result = self._adjudicator.adjudicate(order)
        except AdjudicatorError as error:
            self._settle(ticket, error)
        except Exception:
            logger.exception("%s failed", ticket)
            self._fail(ticket, INTERNAL_ERROR)
        else:
            if self._store.finish(ticket, result=result, at=self._clock()):
                self._count(ticket, Ending.DONE)
            else:
                self._count(ticket, Ending.SUPERSEDED)
                logger.warning("%s was taken over; its result is not kept", ticket)

    def _end_overrun(self, ticket: Ticket) -> None:
        """Says so before the process ends: what dies without a word counts as lost and is tried again."""
        reason = run_too_long(self._policy.run_limit)
        logger.error("%s failed: %s", ticket, reason.detail)
        try:
            self._fail(ticket, reason)
        except StoreUnavailableError as error:
            logger.warning("%s is left to the reconciler: %s", ticket, error)
        self._on_overrun(ticket)

    @contextmanager
    def _listed(self, ticket: Ticket, since: datetime) -> Iterator[None]:
        with self._lock:
            self._running[ticket] = since
            self._meter.running(len(self._running))
        try:
            yield
        finally:
            with self._lock:
                self._running.pop(ticket, None)
                self._meter.running(len(self._running))

    def _count(self, ticket: Ticket, ending: Ending, code: str = "") -> None:
        since = self._running.get(ticket)
        took_s = None if since is None else max(0.0, (self._clock() - since).total_seconds())
        self._meter.attempt_ended(ending, took_s=took_s, code=code)

    def _fail(self, ticket: Ticket, reason: FailureReason) -> bool:
        """Ends the adjudication without a result; whether the attempt still counted."""
        counted = self._store.fail(ticket, reason=reason, at=self._clock())
        self._count(ticket, Ending.FAILED if counted else Ending.SUPERSEDED, reason.code)
        return counted

    def _settle(self, ticket: Ticket, error: AdjudicatorError) -> None:
        """Ends a failed attempt; one that no engine was asked in is handed back until there is use in it.

        What is due later is not queued here: ``requeue_lost`` finds it when its time has come.
        """
        logger.warning("%s failed: %s", ticket, error)
        reason = failure_reason(error)
        if rest := rest_of(error):
            if self._store.hand_back(ticket, at=self._clock() + rest) is not None:
                self._count(ticket, Ending.HANDED_BACK, reason.code)
        elif may_try_again(error):
            self._next_or_end(ticket, reason, Ending.RETRIED, self._policy.retry_pause)
        else:
            self._fail(ticket, reason)

    def _next_or_end(
        self, ticket: Ticket, reason: FailureReason, ending: Ending, pause: timedelta = AT_ONCE
    ) -> bool:
        successor = self._store.next_attempt(ticket, at=self._clock() + pause)
        if successor is None:
            return self._fail(ticket, reason)
        self._count(ticket, ending, reason.code)
        if not pause:
            self.enqueue(successor)
        return True

    def _replace_expired(self) -> int:
        expired = self._store.expired(at=self._clock(), limit=MOST_AT_ONCE)
        return sum([self._replace(ticket) for ticket in expired])

    def _replace(self, ticket: Ticket) -> bool:
        """Queues the successor of an attempt whose worker is gone; if that fails, no other's does."""
        with logged_with(adjudication_id=ticket.adjudication_id):
            try:
                is_replaced = self._next_or_end(ticket, WORKER_LOST, Ending.LOST)
            except StoreUnavailableError as error:
                logger.warning("%s, lost with its worker, has to wait: %s", ticket, error)
                return False
            if is_replaced:
                logger.warning("%s was lost with its worker", ticket)
            return is_replaced

    def _enqueue_forgotten(self) -> int:
        """Queues what two steps in a row find queued in the database and not in the queue.

        One step is not enough: it may look in the very moment between a worker's taking a ticket off the
        queue and its saying so in the database.
        """
        before = self._clock() - self._policy.queue_grace
        queued = self._store.queued(before=before, limit=MOST_AT_ONCE)
        missing = self._queue.missing(queued) if queued else frozenset()
        forgotten, self._missing = missing & self._missing, missing
        for ticket in forgotten:
            logger.info("%s was not in the queue and is queued again", ticket)
            self._queue.put(ticket)
        return len(forgotten)


def _trace_of(order: Order) -> dict[str, str]:
    """What the log says of the trace that an order belongs to; nothing where it belongs to none."""
    context = parse_trace_context(order.traceparent or "")
    return {} if context is None else {"trace_id": context.trace_id}
