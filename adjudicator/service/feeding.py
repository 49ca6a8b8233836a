"""Feeding batches: their members are submitted for their owners at the pace at which the queue is worked off.

The queue never holds more than a few jobs of batches for each worker. So a single submission waits behind
those few at most, whatever the size of a batch, and nothing is lost with the queue.
"""

import logging
from datetime import timedelta
from typing import Protocol

from adjudicator.errors import AdjudicatorError, EngineUnavailableError, QueueUnavailableError
from adjudicator.service.batch_ports import BatchStore
from adjudicator.service.batch_values import Batch, Refusal, Settlement, Turn, WaitingMember
from adjudicator.service.choice import Choice
from adjudicator.service.clock import Clock
from adjudicator.service.ports import Queue
from adjudicator.service.retry import INTERNAL_ERROR
from adjudicator.service.values import Adjudication

logger = logging.getLogger(__name__)

FEWEST_TICKETS = 2
"""For each worker that is alive: with fewer in the queue it is fed."""

MOST_TICKETS = 6
"""For each worker: so many are in the queue once it was fed."""

LEASE = timedelta(seconds=30)
"""For so long the members taken are left to whoever took them. Should it run out, they are submitted twice,
which comes to the same."""

PAUSE = timedelta(seconds=10)
"""For so long a batch is left alone that met an engine or a database that was away."""


class Submit(Protocol):
    """``AdjudicationService.submit``."""

    def __call__(
        self,
        content: bytes,
        *,
        choice: Choice,
        owner: str,
        file_name: str | None,
        format_name: str | None,
        traceparent: str | None,
    ) -> Adjudication:
        """See ``AdjudicationService.submit``."""


class Feeder:
    """Submits members of running batches; any number of processes and threads may do so at once."""

    def __init__(self, store: BatchStore, queue: Queue, submit: Submit, clock: Clock) -> None:
        self._store = store
        self._queue = queue
        self._submit = submit
        self._clock = clock

    def feed(self, *, turns: int) -> int:
        """Gives batches so many turns at most, while there is room in the queue; how many members had theirs.

        Raises: StoreUnavailableError. A queue that is away is fed again when it is back.
        """
        fed = 0
        for _ in range(turns):
            room = self._room()
            turn = self._take(room) if room else None
            if turn is None:
                break
            fed += self._give(turn)
        return fed

    def _room(self) -> int:
        """How many tickets the queue is to be given, 0 while it has enough."""
        try:
            waiting = self._queue.length()
            workers = max(1, self._queue.count_workers())
        except QueueUnavailableError as error:
            logger.warning("Batches wait for the queue: %s", error)
            return 0
        return MOST_TICKETS * workers - waiting if waiting < FEWEST_TICKETS * workers else 0

    def _take(self, limit: int) -> Turn | None:
        now = self._clock()
        return self._store.take(at=now, lease_until=now + LEASE, limit=limit)

    def _give(self, turn: Turn) -> int:
        """Submits the members of one turn; what is away meanwhile lets the rest of them wait."""
        settlements: list[Settlement] = []
        due_at = self._clock()
        try:
            for member in turn.members:
                settlements.append(self._settle(turn.batch, member))  # noqa: PERF401 - those before an error count
        except AdjudicatorError as error:
            logger.warning("Batch %s waits: %s", turn.batch.id, error)
            due_at += PAUSE
        self._store.settle(turn.batch.id, settlements, due_at=due_at)
        return len(settlements)

    def _settle(self, batch: Batch, member: WaitingMember) -> Settlement:
        """What comes of submitting a member.

        Raises: AdjudicatorError where that is not its fault, and may be another later.
        """
        if member.content is None:
            return Settlement(member.number)
        try:
            adjudication = self._submit(
                member.content,
                choice=batch.choice,
                owner=batch.owner,
                file_name=member.name,
                format_name=batch.format_name,
                traceparent=batch.traceparent,
            )
        except AdjudicatorError as error:
            if error.transient or isinstance(error, EngineUnavailableError):
                raise
            return Settlement(member.number, refusal=Refusal.of(error))
        except Exception:
            logger.exception("Member %d of batch %s failed", member.number, batch.id)
            return Settlement(member.number, refusal=Refusal(*INTERNAL_ERROR))
        return Settlement(member.number, adjudication.id)
