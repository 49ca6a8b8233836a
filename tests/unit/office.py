"""The service over a real SQLite database, with a clock, a queue and an adjudicator that tests command."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from threading import Event

from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.logs.archives.limits import ArchiveLimits
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.batches import Batches
from adjudicator.service.choice import Choice
from adjudicator.service.lease import let_go_on
from adjudicator.service.meter import UNMETERED, Meter
from adjudicator.service.retry import RunPolicy
from adjudicator.service.values import LOCAL_OWNER, Adjudication, Order, Result, Ticket
from adjudicator.store.batch_store import BatchStore
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from tests.contract.records import MAT
from tests.listed_queue import ListedQueue
from tests.offers import scripted_offer

POLICY = RunPolicy(
    attempt_limit=2,
    lease=timedelta(seconds=30),
    run_limit=timedelta(seconds=300),
    queue_grace=timedelta(seconds=5),
)
DEFAULTS = Choice()
LIMITS = ArchiveLimits(members=1000, member_bytes=100_000, total_bytes=10_000_000, archive_bytes=1_000_000)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


class HandSetClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


class CommandedAdjudicator:
    """Keeps the ``Adjudicator`` port: does what the test says, and lists what it was asked."""

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self.prepared: list[Ruleset] = []
        self.act: Callable[[Order], bytes] = lambda order: b'{"id":"' + order.adjudication_id.encode() + b'"}'

    def prepare(self, ruleset: Ruleset) -> None:
        self.prepared.append(ruleset)

    def adjudicate(self, order: Order) -> Result:
        self.orders.append(order)
        return Result(self.act(order), changed=True)


class Office:
    """One process of the service; ``colleague`` is another one over the same database and queue."""

    def __init__(self, folder: Path, policy: RunPolicy = POLICY, meter: Meter = UNMETERED) -> None:
        self.url = f"sqlite:///{folder / 'office.db'}"
        upgrade(self.url)
        self.clock = HandSetClock()
        self.queue = ListedQueue()
        self.adjudicator = CommandedAdjudicator()
        self.policy = policy
        self.meter = meter
        self.overrun: list[Ticket] = []
        self.overran = Event()
        self.service = self.colleague(self._note_overrun)
        self.batch_store = BatchStore(Database(self.url))
        self.batches = self.batches_of(self.service)

    def colleague(self, on_overrun: Callable[[Ticket], None] = let_go_on) -> AdjudicationService:
        return AdjudicationService(
            MatchStore(Database(self.url)),
            self.queue,
            self.adjudicator,
            scripted_offer(),
            policy=self.policy,
            clock=self.clock,
            worker="test:1",
            on_overrun=on_overrun,
            meter=self.meter,
        )

    def batches_of(
        self, service: AdjudicationService, store: BatchStore | None = None, limits: ArchiveLimits = LIMITS
    ) -> Batches:
        return Batches(
            store or self.batch_store,
            self.queue,
            service.submit,
            scripted_offer(),
            open_scratch=BytesIO,
            limits=limits,
            clock=self.clock,
        )

    def _note_overrun(self, ticket: Ticket) -> None:
        self.overrun.append(ticket)
        self.overran.set()

    def submit(
        self, content: bytes = MAT, choice: Choice = DEFAULTS, owner: str = LOCAL_OWNER
    ) -> Adjudication:
        return self.service.submit(content, choice=choice, owner=owner)

    def adjudicate_again(self, match_id: str, choice: Choice = DEFAULTS) -> Adjudication:
        return self.service.adjudicate_again(match_id, choice=choice, owner=LOCAL_OWNER)

    def adjudication(self, adjudication_id: str) -> Adjudication:
        return self.service.adjudication(adjudication_id, LOCAL_OWNER)

    def result(self, adjudication_id: str) -> bytes:
        return self.service.result(adjudication_id, LOCAL_OWNER)

    def run_next(self) -> None:
        self.service.run(*self.queue.tickets.pop(0))

    def act(self, *actions: Callable[[], object] | Exception) -> None:
        """Has the adjudicator do these in turn, one an order, then as ever."""
        usual, left = self.adjudicator.act, list(actions)

        def act(order: Order) -> bytes:
            action = left.pop(0) if left else None
            if isinstance(action, Exception):
                raise action
            if action is not None:
                action()
            return usual(order)

        self.adjudicator.act = act
