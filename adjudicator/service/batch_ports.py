"""What the use cases of batches ask of the database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from adjudicator.errors import Fault
from adjudicator.service.batch_values import (
    Batch,
    BatchMember,
    BatchStatus,
    MemberStatus,
    NewMember,
    Outcome,
    Settlement,
    Tally,
    Turn,
)
from adjudicator.service.pages import Mark


class Counts(NamedTuple):
    """Members by status, and how many adjudications of members ended since some moment."""

    by_status: Mapping[MemberStatus, int]
    ended_lately: int


class BatchStore(Protocol):
    """Keeps batches and their members. Every method is one transaction: done wholly or not at all.

    Raises everywhere: StoreUnavailableError.
    """

    def open(self, batch: Batch, *, lease_until: datetime) -> None:
        """Keeps a new batch that is being received; past the lease it counts as given up."""

    def append(
        self, batch_id: str, members: Sequence[NewMember], *, lease_until: datetime
    ) -> BatchStatus | None:
        """Adds members to a batch that is being received, and tells its status; ``None`` where it is gone.

        Where it is not being received any more nothing is added.
        """

    def complete(self, batch_id: str, *, faults: Sequence[Fault], at: datetime) -> None:
        """Has a batch that was being received run."""

    def discard(self, batch_id: str, *, limit: int) -> bool:
        """Removes so many members of a batch being received, last the batch; whether more is left."""

    def given_up(self, *, at: datetime) -> str | None:
        """A batch that is being received, and whose lease has run out."""

    def batch(self, batch_id: str, owner: str) -> Batch | None:
        """The batch of that owner, ``None`` where there is none."""

    def batches(self, owner: str, *, after: Mark | None, limit: int) -> Sequence[Batch]:
        """That owner's batches, latest first, from behind that mark on."""

    def cancel(self, batch_id: str, *, at: datetime) -> None:
        """Cancels a batch that has not ended."""

    def take(self, *, at: datetime, lease_until: datetime, limit: int) -> Turn | None:
        """The next members of a running batch, which is then left to the caller for the time of the lease.

        Owners take turns, and so do the batches of each. ``None`` where nothing waits that is not left to
        somebody.
        """

    def settle(self, batch_id: str, settlements: Sequence[Settlement], *, due_at: datetime) -> None:
        """Keeps what came of members' turns, once for each; the batch is due again at that time."""

    def drop_contents(self, *, limit: int) -> int:
        """Forgets the bytes of so many members of a cancelled batch; how many."""

    def end(self, *, at: datetime) -> Sequence[str]:
        """Ends the running batches all of whose members have ended; which."""

    def counts(self, batch_id: str, *, since: datetime) -> Counts:
        """The members of a batch by status."""

    def tally(self, batch_id: str) -> Tally:
        """What a batch came to so far, all of one moment."""

    def members(
        self, batch_id: str, *, after: int, limit: int, status: MemberStatus | None
    ) -> Sequence[BatchMember]:
        """The members after that number, in order; of one status only where it is given."""

    def outcomes(self, batch_id: str, *, after: int, limit: int) -> Sequence[Outcome]:
        """The members after that number, in order, with their results."""
