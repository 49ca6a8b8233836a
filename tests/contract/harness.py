"""The real service on a database of its own, with a queue that a test empties when it likes."""

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import sqlalchemy as sa

from adjudicator.api.app import create_app
from adjudicator.config import Settings
from adjudicator.engines.scripted import NAME, ScriptedEngine
from adjudicator.errors import QueueUnavailableError
from adjudicator.happy_end.ports import Estimator
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values import load_estimator
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.values import FailureReason, Ticket
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import adjudications, matches

ENGINE = NAME


class ListQueue:
    """Keeps the ``Queue`` port with a list; ``broken`` says why it does not answer, if it does not."""

    def __init__(self) -> None:
        self.tickets: list[Ticket] = []
        self.broken: str | None = None

    def put(self, ticket: Ticket) -> None:
        self.check()
        if ticket not in self.tickets:
            self.tickets.append(ticket)

    def waiting(self) -> frozenset[Ticket]:
        self.check()
        return frozenset(self.tickets)

    def check(self) -> None:
        if self.broken is not None:
            raise QueueUnavailableError(self.broken)

    def close(self) -> None:
        pass


@cache
def estimator(finish: Finish) -> Estimator:
    """Takes some seconds the first time: a test with a clock in it asks for it beforehand."""
    return load_estimator(finish, None)


class House:
    """Everything behind the web door, and the door."""

    longest_record = 200_000

    def __init__(self, folder: Path, queue: ListQueue | None = None) -> None:
        self.folder = folder
        upgrade(database_url(folder))
        self.store = MatchStore(database_url(folder))
        self.queue = queue or ListQueue()
        engines = {ENGINE: ScriptedEngine()}
        self.service = AdjudicationService(
            self.store,
            self.queue,
            RecordAdjudicator(engines, estimator),
            engines,
            default_engine=ENGINE,
        )
        self.app = create_app(self.service, Settings(most_record_bytes=self.longest_record))

    def close(self) -> None:
        self.service.close()

    def work(self) -> None:
        """Does what a worker would, until the queue is empty."""
        while self.queue.tickets:
            self.service.run(*self.queue.tickets.pop(0))

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
