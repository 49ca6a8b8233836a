"""What the service keeps and hands out of batches: archives of records, and the members they are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from adjudicator.errors import MOST_FAULTS, AdjudicatorError, Fault
from adjudicator.service.choice import Choice


class BatchStatus(Enum):
    """Where a batch stands. It is done once every member has ended, however it did."""

    RECEIVING = "receiving"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


class MemberStatus(Enum):
    """Where a member stands: that of its adjudication once it has one."""

    WAITING = "waiting"
    """For its turn to be queued."""
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    """It cannot be read, or not be taken."""
    CANCELLED = "cancelled"
    """The batch was, before the member's turn came."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come of it by itself."""
        return self not in UNDER_WAY


UNDER_WAY = frozenset({MemberStatus.WAITING, MemberStatus.QUEUED, MemberStatus.RUNNING})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a member has no result: the public code of an error, a sentence, and the single faults."""

    code: str
    detail: str
    faults: tuple[Fault, ...] = ()

    @classmethod
    def of(cls, error: AdjudicatorError) -> "Refusal":
        """How the error is told."""
        return cls(error.code, error.detail, error.faults[:MOST_FAULTS])


@dataclass(frozen=True, slots=True)
class Batch:
    """One archive that was sent. Times are in UTC, ``None`` until they come.

    ``name`` is as the sender gave it, ``None`` where it did not; ``format_name`` the format it said all
    members have. ``members`` counts those that have come so far, ``settled`` those of them, from the first
    one on, that were queued or refused. ``faults`` say what is wrong with the archive as a whole.
    ``callback_url`` is told of its end, ``traceparent`` is that of the request that brought it.
    """

    id: str
    owner: str
    name: str | None
    choice: Choice
    format_name: str | None
    status: BatchStatus
    members: int
    settled: int
    faults: tuple[Fault, ...]
    received_at: datetime
    finished_at: datetime | None = None
    callback_url: str | None = None
    traceparent: str | None = None


class NewMember(NamedTuple):
    """A member as it came: with its bytes, or with the reason why it is not taken."""

    name: str
    content: bytes | None
    refusal: Refusal | None = None


class WaitingMember(NamedTuple):
    """A member whose turn it is. ``content`` is ``None`` where it was refused as it came."""

    number: int
    name: str
    content: bytes | None


class Turn(NamedTuple):
    """The next members of a batch, and the batch."""

    batch: Batch
    members: tuple[WaitingMember, ...]


class Settlement(NamedTuple):
    """What came of a member's turn: an adjudication, or a refusal, or neither where it had one already."""

    number: int
    adjudication_id: str | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class BatchMember:
    """How one member stands. ``error`` is there where it failed or was refused."""

    number: int
    name: str
    status: MemberStatus
    adjudication_id: str | None = None
    error: Refusal | None = None


class Outcome(NamedTuple):
    """A member, with the bytes of its result where it is done."""

    member: BatchMember
    result: bytes | None


@dataclass(frozen=True, slots=True)
class Progress:
    """A batch with its members counted by status.

    ``rate_per_s``: how many ended a second of late. ``estimated_end`` is ``None`` where nobody can tell.
    """

    batch: Batch
    counts: Mapping[MemberStatus, int]
    rate_per_s: float
    estimated_end: datetime | None


@dataclass(frozen=True, slots=True)
class Tally:
    """What many matches came to; the counts of games are those of the matches that are done.

    ``games`` are by the value of their status, ``failures`` by the code of the error, refusals among them.
    """

    members: Mapping[MemberStatus, int]
    changed_matches: int
    games: Mapping[str, int]
    changed_games: int
    failures: Mapping[str, int]
