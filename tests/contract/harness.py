"""The real service on a database of its own, with a queue that a test empties when it likes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast

import sqlalchemy as sa

from adjudicator.api.app import create_app
from adjudicator.bootstrap import archive_limits, open_meter
from adjudicator.config import load_settings, variable
from adjudicator.engines.metered import metered
from adjudicator.engines.scripted import NAME
from adjudicator.jobs.rate_counter import WindowCounter
from adjudicator.outgoing.sender import WebhookSender
from adjudicator.service.access import Scope
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.answers import AnswerService
from adjudicator.service.batches import Batches
from adjudicator.service.erasure import Erasure
from adjudicator.service.keys import KeyService
from adjudicator.service.listing import Listing
from adjudicator.service.rate_limits import RateLimits, parse_rate
from adjudicator.service.services import Services
from adjudicator.service.values import LOCAL_OWNER, FailureReason
from adjudicator.service.webhooks.addresses import AddressPolicy
from adjudicator.service.webhooks.service import WebhookService
from adjudicator.store.answer_store import AnswerTable
from adjudicator.store.batch_store import BatchStore
from adjudicator.store.database import Database
from adjudicator.store.delivery_store import DeliveryStore
from adjudicator.store.erasure_store import ErasureStore
from adjudicator.store.key_store import KeyTable
from adjudicator.store.listing_store import ListingStore
from adjudicator.store.match_store import MatchStore
from adjudicator.store.outbox import tell_of_batch
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import adjudications, matches
from tests.listed_queue import ListedQueue
from tests.offers import scripted_offer
from tests.solved import solved_estimator

ENGINE = NAME
OWN_NETWORK = "127.0.0.1/32"

FIRST_KEY = "adj_k" + 25 * "a" + "_" + 43 * "A"
"""The key of every house, with all scopes: made of zeros, so that other processes know it too."""

ARCHIVE_SETTINGS = {"most_archive_bytes": 3_000_000, "most_archive_members": 1_000}


class House:
    """Everything behind the web door, and the door."""

    longest_record = 200_000

    def __init__(self, folder: Path, queue: ListedQueue | None = None, **wishes: Any) -> None:
        self.folder = folder
        upgrade(database_url(folder))
        database = Database(database_url(folder))
        self.store = MatchStore(database)
        self.batch_store = BatchStore(database, on_end=tell_of_batch)
        self.queue = queue or ListedQueue()
        meter = open_meter()
        offer = metered(scripted_offer(), meter)
        self.service = AdjudicationService(
            self.store,
            self.queue,
            RecordAdjudicator(offer, solved_estimator),
            offer,
            meter=meter,
        )
        wishes = {"most_record_bytes": self.longest_record, **ARCHIVE_SETTINGS, **wishes}
        settings = load_settings({variable(name): str(value) for name, value in wishes.items()})
        self.keys = KeyService(KeyTable(database), run=lambda write: write())
        KeyService(KeyTable(database), randomness=bytes).create_first()
        self.key = FIRST_KEY
        self.counter = WindowCounter.in_process()
        self.batches = Batches(
            self.batch_store,
            self.queue,
            self.service.submit,
            offer,
            open_scratch=open_scratch,
            limits=archive_limits(settings),
        )
        self.webhooks = WebhookService(
            DeliveryStore(database), AddressPolicy.of(OWN_NETWORK, "443,1024-65535")
        )
        answers = AnswerTable(database)
        self.services = Services(
            self.service,
            self.batches,
            Listing(ListingStore(database)),
            Erasure(ErasureStore(database), solved_estimator, answers.forget),
            self.webhooks,
            self.keys,
            AnswerService(answers),
            RateLimits(self.counter, parse_rate(settings.rate_limit)),
        )
        self.app = create_app(self.services, settings, meter)

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

    def new_key(self, *scopes: Scope, owner: str = LOCAL_OWNER, **wishes: Any) -> str:
        """The text of a key made for a test."""
        return self.keys.create(owner, label="test", scopes=scopes, **wishes).text

    def send(self) -> None:
        """Sends, as a worker would, the webhooks that are due, to their end."""
        dispatcher = self.webhooks.open_dispatcher(WebhookSender(AddressPolicy.of(OWN_NETWORK, "443")))
        dispatcher.step()
        dispatcher.close()

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
