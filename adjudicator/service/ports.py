"""What the service asks of the outside: a database, a queue, and the pure part that makes results."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.service.values import (
    Adjudication,
    FailureReason,
    Kept,
    Match,
    Order,
    Record,
    Result,
    Ticket,
)


class Store(Protocol):
    """Keeps matches and adjudications. Every method is one transaction: done wholly or not at all.

    Writes about a running attempt are fenced: they say by their answer whether that attempt was still the
    one that counts, and change nothing where it was not.

    Raises everywhere: StoreUnavailableError.
    """

    def keep(self, match: Match, content: bytes, adjudication: Adjudication, last_attempt: int) -> Kept:
        """Keeps what of the two is not kept yet, and gives the adjudication as it then stands.

        What already is under these ids stays as it is, but for when the match was last sent.
        """

    def keep_adjudication(self, adjudication: Adjudication, last_attempt: int) -> Kept:
        """As ``keep``, for another adjudication of a match that is kept already."""

    def match(self, match_id: str, owner: str) -> Match | None:
        """The match of that owner, ``None`` where there is none."""

    def record(self, match_id: str, owner: str) -> Record | None:
        """The record of that match as it came, ``None`` where there is none."""

    def adjudication(self, adjudication_id: str, owner: str) -> Adjudication | None:
        """The adjudication of that owner, ``None`` where there is none."""

    def result(self, adjudication_id: str, owner: str) -> bytes | None:
        """The bytes of that owner's result, ``None`` where there is none (yet)."""

    def reopen(self, ticket: Ticket, *, attempts: int, at: datetime) -> bool:
        """Queues a failed adjudication again, under the next attempt and with so many more allowed."""

    def start(self, ticket: Ticket, *, worker: str, at: datetime, lease_until: datetime) -> Order | None:
        """Lets that worker run a queued attempt; ``None`` where it is not (or no longer) queued."""

    def renew(self, ticket: Ticket, *, lease_until: datetime) -> bool:
        """Prolongs the lease of a running attempt."""

    def finish(self, ticket: Ticket, *, result: Result, at: datetime) -> bool:
        """Keeps the result of a running attempt."""

    def fail(self, ticket: Ticket, *, reason: FailureReason, at: datetime) -> bool:
        """Ends an adjudication whose attempt is queued or running without a result."""

    def next_attempt(self, ticket: Ticket, *, at: datetime) -> Ticket | None:
        """Queues a running attempt's successor; ``None`` where no more are allowed or it is fenced off.

        ``at`` may lie ahead: from then on it counts as queued (``queued``).
        """

    def hand_back(self, ticket: Ticket, *, at: datetime) -> Ticket | None:
        """As ``next_attempt``, but the attempt given back does not count against the limit."""

    def expired(self, *, at: datetime, limit: int) -> Sequence[Ticket]:
        """Running attempts whose lease has run out, oldest lease first."""

    def queued(self, *, before: datetime, limit: int) -> Sequence[Ticket]:
        """Attempts that have been queued since before that moment, oldest first."""

    def oldest_queued(self) -> datetime | None:
        """Since when the first of all that is queued has counted as such, ``None`` where nothing is.

        It may lie ahead.
        """

    def require_ready(self) -> None:
        """Lets pass a database that answers and has the tables of this program.

        Raises: StoreUnavailableError with what is wrong.
        """

    def close(self) -> None:
        """Lets go of all connections; may be called twice."""


class Queue(Protocol):
    """Carries tickets to workers, at least once. It may lose everything: the reconciler makes good.

    Raises everywhere: QueueUnavailableError.
    """

    def put(self, ticket: Ticket) -> None:
        """Queues a ticket; one that is already waiting stays where it is."""

    def missing(self, tickets: Collection[Ticket]) -> frozenset[Ticket]:
        """Those of some hundred tickets at most that are not waiting for a worker (any more).

        Those that have waited for long are found the soonest, whatever else is in the queue.
        """

    def length(self) -> int:
        """How many tickets are waiting for a worker."""

    def announce(self, worker: str) -> None:
        """Says that a worker is alive; it counts as such for some seconds."""

    def count_workers(self) -> int:
        """How many workers are alive."""

    def close(self) -> None:
        """Lets go of all connections; may be called twice."""


class Adjudicator(Protocol):
    """The pure part: makes the result of one order."""

    def prepare(self, ruleset: Ruleset) -> None:
        """Loads what orders by that ruleset need, so that the first one does not wait for it."""

    def adjudicate(self, order: Order) -> Result:
        """The result of an order: equal orders give equal bytes.

        Raises: RecordError and its kin, EngineFailureError, EngineUnavailableError.
        """
