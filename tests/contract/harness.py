"""The real service on a database of its own, with a queue that a test empties when it likes."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

import sqlalchemy as sa

from adjudicator.api.app import create_app
from adjudicator.bootstrap import archive_limits
from adjudicator.config import load_settings, variable
from adjudicator.engines.scripted import NAME
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.batches import Batches
from adjudicator.service.services import Services
from adjudicator.service.values import FailureReason
from adjudicator.store.batch_store import BatchStore
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import adjudications, matches
from tests.listed_queue import ListedQueue
from tests.offers import scripted_offer
from tests.solved import solved_estimator

ENGINE = NAME
ARCHIVE_SETTINGS = {"most_archive_bytes": 3_000_000, "most_archive_members": 1_000}


class House:
    """Everything behind the web door, and the door."""

    longest_record = 200_000

    def __init__(
        self,
        folder: Path,
        queue: ListedQueue | None = None,
        archive_settings: Mapping[str, int] = ARCHIVE_SETTINGS,
    ) -> None:
        self.folder = folder
        upgrade(database_url(folder))
        database = Database(database_url(folder))
        self.store = MatchStore(database)
        self.batch_store = BatchStore(database)
        self.queue = queue or ListedQueue()
        offer = scripted_offer()
        self.service = AdjudicationService(
            self.store,
            self.queue,
            RecordAdjudicator(offer, solved_estimator),
            offer,
        )
        wishes = {"most_record_bytes": self.longest_record, **archive_settings}
        settings = load_settings({variable(name): str(number) for name, number in wishes.items()})
        self.batches = Batches(
            self.batch_store,
            self.queue,
            self.service.submit,
            offer,
            open_scratch=open_scratch,
            limits=archive_limits(settings),
        )
        self.services = Services(self.service, self.batches)
        self.app = create_app(self.services, settings)

    def close(self) -> None:
        self.services.close()

    def work(self) -> None:
        """Does what a worker would, until the queue is empty."""
        while self.queue.tickets:
            self.service.run(*self.queue.tickets.pop(0))

    def work_batches(self) -> None:
        """Does what workers would with batches, until nothing waits."""
        self.batches.step()
        while self.queue.tickets:
            self.work()
            self.batches.step()

    def start_only(self) -> None:
        """Begins the next attempt as a worker that is still at it."""
        now = datetime.now(UTC)
        ticket = self.queue.tickets.pop(0)
        assert self.store.start(ticket, worker="w", at=now, lease_until=now + timedelta(minutes=1))

    def fail_next(self) -> None:
        """Ends the next attempt as a worker whose engine broke for good."""
        reason = FailureReason("engine_failure", "it broke")
        assert self.store.fail(self.queue.tickets.pop(0), reason=reason, at=datetime.now(UTC))

    def kept(self) -> tuple[int, int]:
        return count_kept(self.folder)


def open_scratch() -> BinaryIO:
    return cast("BinaryIO", TemporaryFile())


def database_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'adjudicator.sqlite'}"


def count_kept(folder: Path) -> tuple[int, int]:
    """How many matches and adjudications the database holds, asked beside the service."""
    engine = sa.create_engine(database_url(folder))
    try:
        with engine.connect() as connection:
            counts = [
                connection.scalar(sa.select(sa.func.count()).select_from(table))
                for table in (matches, adjudications)
            ]
    finally:
        engine.dispose()
    return (counts[0] or 0, counts[1] or 0)
