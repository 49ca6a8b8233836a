"""Taking an archive in: its members are kept as they come, some hundred at a time."""

from collections.abc import Iterator
from datetime import timedelta
from typing import BinaryIO

from adjudicator.errors import Fault, RecordError, StoreUnavailableError
from adjudicator.logs.archives.limits import ArchiveLimits
from adjudicator.logs.archives.members import BadMember, Member
from adjudicator.logs.archives.reading import read_archive
from adjudicator.logs.archives.sources import CHUNK, Source
from adjudicator.service.batch_ports import BatchStore
from adjudicator.service.batch_values import Batch, BatchStatus, NewMember, Refusal
from adjudicator.service.clock import Clock

MEMBERS_AT_ONCE = 200
BYTES_AT_ONCE = 4_000_000
PAUSE = timedelta(seconds=5)
"""What has come is kept after so many members, bytes, or so much time, whichever is first."""

LEASE = timedelta(minutes=10)
"""A batch of which nothing was kept for so long is given up: its receiver has died."""

GIVEN_UP = "The batch came too slowly and was given up; send it again"


class Intake:
    """One archive that comes in; the batch is there from its first members on."""

    def __init__(self, store: BatchStore, batch: Batch, clock: Clock) -> None:
        self._store = store
        self._batch = batch
        self._clock = clock
        self._pending: list[NewMember] = []
        self._pending_bytes = 0
        self._kept_at = clock()
        self._is_open = False
        self._is_cancelled = False

    def take(
        self, source: Source, limits: ArchiveLimits, scratch: BinaryIO, *, is_lines: bool
    ) -> tuple[Fault, ...]:
        """Keeps all members of the archive, and tells what is wrong with it as a whole.

        It is read to its end in any case, so that one which breaks off under way is never taken for whole.

        Raises: UnknownFormatError; RecordError for an archive without a member; TooLargeError;
        StoreUnavailableError; whatever the source raises.
        """
        archive = read_archive(source, limits, file_name=self._batch.name, scratch=scratch, is_lines=is_lines)
        faults: tuple[Fault, ...] = ()
        try:
            for member in self._while_wanted(archive):
                self._add(member)
        except RecordError as error:
            if not (self._is_open or self._pending):
                raise
            faults = tuple(Fault(f"{error.detail} {fault.reason}", fault.place) for fault in error.faults)
            faults = faults or (Fault(error.detail),)
        while source.read_some(CHUNK):
            pass
        self._keep()
        if not self._is_open:
            raise RecordError("This archive holds no file.")
        return faults

    def _while_wanted(self, archive: Iterator[Member | BadMember]) -> Iterator[Member | BadMember]:
        while not self._is_cancelled and (member := next(archive, None)) is not None:
            yield member

    def _add(self, member: Member | BadMember) -> None:
        if isinstance(member, Member):
            self._pending.append(NewMember(member.name, member.content))
            self._pending_bytes += len(member.content)
        else:
            self._pending.append(NewMember(member.name, None, Refusal.of(member.error)))
        is_much = len(self._pending) >= MEMBERS_AT_ONCE or self._pending_bytes >= BYTES_AT_ONCE
        if is_much or self._clock() - self._kept_at >= PAUSE:
            self._keep()

    def _keep(self) -> None:
        """Keeps what has come.

        Raises: StoreUnavailableError, also where the batch was given up meanwhile.
        """
        self._kept_at = self._clock()
        if not self._pending:
            return
        lease_until = self._kept_at + LEASE
        if not self._is_open:
            self._store.open(self._batch, lease_until=lease_until)
            self._is_open = True
        status = self._store.append(self._batch.id, self._pending, lease_until=lease_until)
        if status is None:
            raise StoreUnavailableError(GIVEN_UP)
        self._is_cancelled = status is not BatchStatus.RECEIVING
        self._pending, self._pending_bytes = [], 0
