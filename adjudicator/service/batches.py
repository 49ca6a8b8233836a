"""The use cases around batches: take an archive in, feed the queue from it, hand out what came of it."""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import BinaryIO

from adjudicator.errors import NotFoundError, RequestError, StoreUnavailableError
from adjudicator.logs.archives.limits import DEFAULT_LIMITS, ArchiveLimits
from adjudicator.logs.archives.sources import Source
from adjudicator.logs.reading import FORMATS
from adjudicator.service.batch_ports import BatchStore
from adjudicator.service.batch_values import (
    Batch,
    BatchMember,
    BatchStatus,
    MemberStatus,
    Progress,
    Tally,
)
from adjudicator.service.choice import Choice, pin_engine, unknown_value
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.feeding import Feeder, Submit
from adjudicator.service.identifiers import Randomness, random_id
from adjudicator.service.intake import GIVEN_UP, Intake
from adjudicator.service.offer import Offer
from adjudicator.service.pages import USUAL_ENTRIES, Mark, Page, page_of
from adjudicator.service.ports import Queue
from adjudicator.service.result_lines import format_end, format_line

logger = logging.getLogger(__name__)

LATELY = timedelta(seconds=60)
"""The time over which the rate is told."""

TURNS_A_STEP = 50
"""Turns of batches in one step of the reconciler; whoever is between two adjudications gives one."""

ROWS_AT_ONCE = 1_000
"""Members that are removed, or whose bytes are, in one transaction."""

RESULTS_AT_ONCE = 50
"""Results that are read from the database at once while they are handed out."""


class Batches:
    """What the doors and the worker call about batches; safe to share between threads."""

    def __init__(
        self,
        store: BatchStore,
        queue: Queue,
        submit: Submit,
        offer: Offer,
        *,
        open_scratch: Callable[[], BinaryIO],
        limits: ArchiveLimits = DEFAULT_LIMITS,
        clock: Clock = utc_clock,
        randomness: Randomness = secrets.token_bytes,
    ) -> None:
        self._store = store
        self._offer = offer
        self._open_scratch = open_scratch
        self._limits = limits
        self._clock = clock
        self._randomness = randomness
        self._feeder = Feeder(store, queue, submit, clock)

    @property
    def limits(self) -> ArchiveLimits:
        """What an archive may hold."""
        return self._limits

    def receive(
        self,
        read_some: Callable[[int], bytes],
        *,
        choice: Choice,
        owner: str,
        name: str | None = None,
        format_name: str | None = None,
        is_lines: bool = False,
        callback_url: str | None = None,
        traceparent: str | None = None,
        confirm: Callable[[], None] = lambda: None,
    ) -> Batch:
        """Takes in an archive while it comes; nothing in it is read as a record yet.

        ``read_some`` gives up to so many bytes, ``b""`` at the end. Whatever it raises comes out of here, and
        then nothing is kept; so it is with an archive beyond the limits and with one without a member. Of an
        archive that is broken what came before is kept, and the batch has the fault.
        ``is_lines``: the sender says it is NDJSON. ``callback_url`` (checked) is told of the end.
        ``confirm`` is called when everything has come: what it raises ends as any other failure does.

        Raises: RequestError, EngineUnavailableError, EngineFailureError for the choice; UnknownFormatError,
        RecordError, TooLargeError; StoreUnavailableError.
        """
        batch = Batch(
            id=random_id("b", self._randomness),
            owner=owner,
            name=name,
            choice=pin_engine(choice, self._offer),
            format_name=_known_format(format_name),
            status=BatchStatus.RECEIVING,
            members=0,
            settled=0,
            faults=(),
            received_at=self._clock(),
            callback_url=callback_url,
            traceparent=traceparent,
        )
        intake = Intake(self._store, batch, self._clock)
        try:
            with self._open_scratch() as scratch:
                faults = intake.take(Source(read_some), self._limits, scratch, is_lines=is_lines)
            confirm()
            self._store.complete(batch.id, faults=faults, at=self._clock())
        except BaseException:
            with suppress(StoreUnavailableError):  # the reconciler makes good
                self._discard(batch.id)
            raise
        kept = self._store.batch(batch.id, owner)
        if kept is None:
            raise StoreUnavailableError(GIVEN_UP)
        return kept

    def progress(self, batch_id: str, owner: str) -> Progress:
        """A batch as it stands.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        batch = self._required(batch_id, owner)
        now = self._clock()
        since = max(batch.received_at, now - LATELY)
        counts = self._store.counts(batch_id, since=since)
        rate = 0.0
        if batch.status is BatchStatus.RUNNING:
            rate = counts.ended_lately / max(1.0, (now - since).total_seconds())
        left = sum(count for status, count in counts.by_status.items() if not status.has_ended)
        end = now + timedelta(seconds=left / rate) if rate else None
        return Progress(batch, counts.by_status, rate, end)

    def batches(self, owner: str, *, after: Mark | None = None, most: int = USUAL_ENTRIES) -> Page[Batch]:
        """That owner's batches, latest first: at most so many from behind a mark on.

        Raises: StoreUnavailableError.
        """
        found = self._store.batches(owner, after=after, limit=most + 1)
        return page_of(found, most, lambda batch: Mark(batch.received_at, batch.id))

    def cancel(self, batch_id: str, owner: str) -> Progress:
        """Cancels a batch: what was not queued yet never is, what was runs on. One that has ended stays so.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        self._required(batch_id, owner)
        self._store.cancel(batch_id, at=self._clock())
        return self.progress(batch_id, owner)

    def members(
        self, batch_id: str, owner: str, *, after: int, limit: int, status: MemberStatus | None = None
    ) -> Sequence[BatchMember]:
        """The members of a batch after that number, in order; of one status only where it is given.

        Raises: NotFoundError, also for batches of other owners; StoreUnavailableError.
        """
        self._required(batch_id, owner)
        return self._store.members(batch_id, after=after, limit=limit, status=status)

    def results(self, batch_id: str, owner: str, *, after: int = 0) -> Iterator[bytes]:
        """The lines of the members after that number, up to the first that has not ended, and the last line.

        They are read from the database as they are taken; no transaction is open meanwhile.

        Raises: NotFoundError, also for batches of other owners; StoreUnavailableError, also midway.
        """
        self._required(batch_id, owner)
        return self._lines(batch_id, owner, after)

    def tally(self, batch_id: str, owner: str) -> Tally:
        """What a batch came to so far.

        Raises: NotFoundError, also for batches of other owners; StoreUnavailableError.
        """
        self._required(batch_id, owner)
        return self._store.tally(batch_id)

    def feed(self) -> int:
        """Gives one batch its turn if the queue has room: what a worker does between two adjudications.

        Raises: StoreUnavailableError.
        """
        return self._feeder.feed(turns=1)

    def step(self) -> None:
        """The reconciler's step: feeds the queue, ends what is over, clears away what nobody needs.

        Any number of processes may do this at once.

        Raises: StoreUnavailableError.
        """
        self._feeder.feed(turns=TURNS_A_STEP)
        for batch_id in self._store.end(at=self._clock()):
            logger.info("Batch %s is done", batch_id)
        self._store.drop_contents(limit=ROWS_AT_ONCE)
        given_up = self._store.given_up(at=self._clock())
        if given_up is not None:
            logger.warning("Batch %s was never received to its end and is removed", given_up)
            self._discard(given_up)

    def _required(self, batch_id: str, owner: str) -> Batch:
        batch = self._store.batch(batch_id, owner)
        if batch is None:
            raise NotFoundError(f"There is no batch {batch_id!r}")
        return batch

    def _lines(self, batch_id: str, owner: str, after: int) -> Iterator[bytes]:
        while outcomes := self._store.outcomes(batch_id, after=after, limit=RESULTS_AT_ONCE):
            for member, result in outcomes:
                if not member.status.has_ended:
                    yield format_end(after, is_complete=False)
                    return
                yield format_line(member, result)
                after = member.number
        is_complete = self._required(batch_id, owner).status is not BatchStatus.RECEIVING
        yield format_end(after, is_complete=is_complete)

    def _discard(self, batch_id: str) -> None:
        while self._store.discard(batch_id, limit=ROWS_AT_ONCE):
            pass


def _known_format(name: str | None) -> str | None:
    """Raises: RequestError for a format that is not known."""
    if name is not None and name not in FORMATS:
        raise RequestError("This cannot be asked for", [unknown_value("format", name, FORMATS)])
    return name
