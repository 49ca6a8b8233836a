"""Sending what is due: claimed, sent beside one another, and noted.

The database decides, as with attempts at adjudications: whoever claims a delivery has it for a while, and a
process that dies in between leaves it due again. So a delivery is sent at least once, always under its id.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus

from adjudicator.errors import AdjudicatorError
from adjudicator.service.clock import Clock
from adjudicator.service.identifiers import canonical_json
from adjudicator.service.meter import UNMETERED, Meter
from adjudicator.service.meter import Delivery as Attempt
from adjudicator.service.webhooks.addresses import host_of
from adjudicator.service.webhooks.ports import DeliveryStore, Room, Sender
from adjudicator.service.webhooks.schedule import next_pause
from adjudicator.service.webhooks.values import (
    Answer,
    Claim,
    Delivery,
    DeliveryStatus,
    Message,
    Outcome,
    Secret,
)

logger = logging.getLogger(__name__)

GONE = "The receiver answered 410: it does not want to be told any more."


COUNTED_AS = {
    DeliveryStatus.DELIVERED: Attempt.DELIVERED,
    DeliveryStatus.PENDING: Attempt.RETRIED,
    DeliveryStatus.FAILED: Attempt.GIVEN_UP,
}


@dataclass(frozen=True, slots=True)
class DispatchPolicy:
    """How much one process sends at once: so many to a host and of an owner, that one holds up no others.

    ``lease``: how long a delivery may be silent before it counts as not sent; far longer than sending takes.
    """

    most: int = 16
    a_host: int = 4
    an_owner: int = 8
    lease: timedelta = timedelta(seconds=90)


DEFAULT_DISPATCH = DispatchPolicy()


class Dispatcher:
    """Sends for one process; ``new_secret`` makes one for an owner that has none. Safe to share."""

    def __init__(
        self,
        store: DeliveryStore,
        sender: Sender,
        *,
        clock: Clock,
        new_secret: Callable[[str], Secret],
        policy: DispatchPolicy = DEFAULT_DISPATCH,
        meter: Meter = UNMETERED,
    ) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._new_secret = new_secret
        self._policy = policy
        self._meter = meter
        self._pool = ThreadPoolExecutor(policy.most, thread_name_prefix="webhook")
        self._lock = threading.Lock()
        self._hosts: Counter[str] = Counter()
        self._owners: Counter[str] = Counter()
        self._is_closed = False

    def step(self) -> int:
        """Begins to send what is due, as far as there is room, and tells how much that is.

        What comes to its end makes such a step too, so that a backlog does not wait for the next one.

        Raises: StoreUnavailableError.
        """
        begun = 0
        with self._lock:
            while not self._is_closed and (claims := self._claim()):
                for claim in claims:
                    self._count(claim.delivery, 1)
                    self._pool.submit(self._send, claim)
                begun += len(claims)
        return begun

    def close(self) -> None:
        """Begins nothing more, and waits for what is under way; may be called twice."""
        with self._lock:
            self._is_closed = True
        self._pool.shutdown()

    def _claim(self) -> list[Claim]:
        policy = self._policy
        left = policy.most - self._owners.total()
        if left <= 0:
            return []
        now = self._clock()
        room = Room(left, policy.a_host, policy.an_owner, dict(self._hosts), dict(self._owners))
        return list(self._store.claim(room, at=now, until=now + policy.lease, new_secret=self._new_secret))

    def _count(self, delivery: Delivery, by: int) -> None:
        for counter, name in ((self._hosts, host_of(delivery.url)), (self._owners, delivery.owner)):
            counter[name] += by
            if not counter[name]:
                del counter[name]

    def _send(self, claim: Claim) -> None:
        """Sends one and goes on to the next; what is not noted is sent again when its lease is over."""
        delivery = claim.delivery
        try:
            self._deliver(claim)
        except AdjudicatorError as error:
            logger.warning("What came of %s could not be noted: %s", delivery.id, error)
        except Exception:
            logger.exception("%s could not be sent", delivery.id)
        with self._lock:
            self._count(delivery, -1)
        try:
            self.step()
        except AdjudicatorError as error:
            logger.warning("Nothing more could be sent for now: %s", error)

    def _deliver(self, claim: Claim) -> None:
        delivery, now = claim.delivery, self._clock()
        answer = self._sender.send(
            Message(
                id=delivery.id,
                url=delivery.url,
                body=canonical_json(delivery.payload),
                sent_at=now,
                secrets=claim.secrets,
                traceparent=delivery.traceparent,
            )
        )
        now = self._clock()
        outcome = outcome_of(delivery, answer, now)
        self._meter.delivered(_counted_as(outcome))
        if answer.status == HTTPStatus.GONE:
            noted = self._store.give_up_endpoint(delivery, outcome, at=now)
        else:
            noted = self._store.settle(delivery, outcome, at=now)
        if outcome.status is not DeliveryStatus.DELIVERED:
            logger.info(
                "%s was not delivered at attempt %d: %s", delivery.id, delivery.attempt, outcome.error
            )
        if not noted:
            logger.warning("%s was sent by another process too", delivery.id)


def _counted_as(outcome: Outcome) -> Attempt:
    """What an attempt is counted as; one whose receiver wants to be told no more (410) as refused."""
    if outcome.answered == HTTPStatus.GONE:
        return Attempt.REFUSED
    return COUNTED_AS[outcome.status]


def outcome_of(delivery: Delivery, answer: Answer, now: datetime) -> Outcome:
    """What follows from an answer to an attempt: it is delivered, tried again later, or given up."""
    if answer.status is not None and HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(DeliveryStatus.DELIVERED, answer.status)
    if answer.status == HTTPStatus.GONE:
        return Outcome(DeliveryStatus.FAILED, answer.status, GONE)
    error = answer.error or _explain(answer.status or 0)
    pause = next_pause(delivery.id, delivery.tries, answer.retry_after_s)
    if pause is None:
        return Outcome(DeliveryStatus.FAILED, answer.status, error)
    return Outcome(DeliveryStatus.PENDING, answer.status, error, now + pause)


def _explain(status: int) -> str:
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return f"The receiver answered {status}; redirects are not followed."
    return f"The receiver answered {status}."
