"""The only place that picks adapters: what the doors and the worker call is put together here."""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from adjudicator.config import Settings
from adjudicator.engines import modifier
from adjudicator.engines.description import EngineDescription
from adjudicator.engines.host import HostLimits
from adjudicator.engines.metered import metered
from adjudicator.engines.registry import engine_descriptions
from adjudicator.errors import ConfigurationError, RequestError, StoreUnavailableError
from adjudicator.happy_end.ports import Estimator
from adjudicator.happy_end.ruleset import DEFAULT_RULESET, Finish
from adjudicator.happy_end.values import IDENTITY, ModifierTables
from adjudicator.jobs.embedded import EmbeddedQueue
from adjudicator.jobs.queue import TicketQueue
from adjudicator.jobs.rate_counter import WindowCounter
from adjudicator.logs.archives.limits import ArchiveLimits
from adjudicator.metrics.folder import FOLDER_VARIABLE, make_empty
from adjudicator.outgoing.sender import WebhookSender
from adjudicator.processes.web import require_free_port, web_command
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.answers import AnswerService
from adjudicator.service.batches import Batches
from adjudicator.service.erasure import Erasure
from adjudicator.service.keys import KeyService
from adjudicator.service.lease import let_go_on
from adjudicator.service.listing import Listing
from adjudicator.service.meter import UNMETERED, Meter, ShownMeter
from adjudicator.service.offer import Offer, OfferedEngine
from adjudicator.service.rate_limits import RateLimits, parse_rate
from adjudicator.service.retry import RunPolicy
from adjudicator.service.services import Services
from adjudicator.service.values import Ticket
from adjudicator.service.webhooks.addresses import AddressPolicy
from adjudicator.service.webhooks.dispatch import Dispatcher
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
from adjudicator.store.value_tables import load_tables

ENGINE_SETTINGS = {"plies": "engine_plies"}
"""Settings of any engine that come from settings of this program, by its name for them."""

OWN_SETTINGS = {"gnubg": {"program": "gnubg_program"}, "wildbg": {"url": "wildbg_url"}}
"""The same, of single engines."""

WORKER_COMMAND = (sys.executable, "-P", "-m", "worker")
"""``-P`` here and in all such commands: what lies in the current folder is never imported."""


def build_services(
    settings: Settings,
    *,
    on_overrun: Callable[[Ticket], None] = let_go_on,
    meter: Meter = UNMETERED,
) -> Services:
    """The use cases over the adapters that the settings name; nothing is connected to or started yet.

    ``on_overrun`` is what a worker does about an attempt beyond the limit for one run, once it is failed.

    Raises: ConfigurationError.
    """
    offer = metered(open_offer(settings), meter)
    database = Database(settings.database_address())
    queue = TicketQueue(queue_address(settings))
    adjudications = AdjudicationService(
        MatchStore(database),
        queue,
        build_adjudicator(settings, offer),
        offer,
        policy=RunPolicy(
            attempt_limit=settings.attempt_limit,
            lease=timedelta(seconds=settings.lease_s),
            run_limit=timedelta(seconds=settings.run_limit_s),
            queue_grace=timedelta(seconds=settings.queue_grace_s),
        ),
        worker=f"{socket.gethostname()}:{os.getpid()}",
        on_overrun=on_overrun,
        meter=meter,
    )
    batches = Batches(
        BatchStore(database, on_end=tell_of_batch),
        queue,
        adjudications.submit,
        offer,
        open_scratch=partial(_open_scratch, settings.scratch_folder()),
        limits=archive_limits(settings),
    )
    answers = AnswerTable(database)
    return Services(
        adjudications,
        batches,
        Listing(ListingStore(database)),
        Erasure(
            ErasureStore(database),
            partial(load_estimator, settings),
            answers.forget,
            retention=timedelta(days=settings.retention_days) or None,
        ),
        WebhookService(DeliveryStore(database), webhook_addresses(settings), meter=meter),
        KeyService(KeyTable(database)),
        AnswerService(answers, kept_for=timedelta(seconds=settings.answers_kept_s)),
        RateLimits(WindowCounter.at(queue_address(settings)), parse_rate(settings.rate_limit)),
    )


def build_keys(settings: Settings) -> KeyService:
    """The use cases around keys alone, over a database of their own; nothing is connected to yet.

    Raises: ConfigurationError.
    """
    return KeyService(KeyTable(Database(settings.database_address())))


def webhook_addresses(settings: Settings) -> AddressPolicy:
    """Where webhooks may be sent."""
    return AddressPolicy.of(settings.webhook_allowed, settings.webhook_ports)


def open_dispatcher(services: Services, settings: Settings) -> Dispatcher:
    """What sends the webhooks that are due; for a worker process."""
    return services.webhooks.open_dispatcher(WebhookSender(webhook_addresses(settings)))


def archive_limits(settings: Settings) -> ArchiveLimits:
    """What an archive sent to the service may hold."""
    return ArchiveLimits(
        members=settings.most_archive_members,
        member_bytes=settings.most_record_bytes,
        total_bytes=settings.most_unpacked_bytes,
        archive_bytes=settings.most_archive_bytes,
    )


def _open_scratch(folder: Path) -> BinaryIO:
    """A file without a name, gone when it is closed, on the disk that the data is on.

    Raises: StoreUnavailableError where there is no room for it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return cast("BinaryIO", TemporaryFile(dir=folder))
    except OSError as error:
        raise StoreUnavailableError(f"No file can be made in {folder}: {error.strerror or error}") from error


def build_adjudicator(settings: Settings, offer: Offer) -> RecordAdjudicator:
    """The pure part over what is offered, with solved tables kept in the data folder."""
    return RecordAdjudicator(offer, partial(load_estimator, settings))


@lru_cache(maxsize=len(Finish))
def load_estimator(settings: Settings, finish: Finish) -> Estimator:
    """The estimator for a finish; seconds where its tables are not in the data folder yet."""
    return ModifierTables(load_tables(finish, settings.table_folder()), finish)


def open_offer(settings: Settings) -> Offer:
    """What can be judged with; each engine is to be started in a process of its own at its first question.

    Raises: ConfigurationError where the default is unknown or cannot be set as the settings say.
    """
    engines = {
        name: _offered(description, settings)
        for name, description in engine_descriptions(reserved=(modifier.NAME,)).items()
    }
    values = modifier.ModifierEngine(partial(load_estimator, settings), IDENTITY, DEFAULT_RULESET.finish)
    engines[modifier.NAME] = OfferedEngine(values, modifier.TITLE, modifier.LICENCE, under=values.under)
    if settings.engine not in engines:
        raise ConfigurationError(
            f"ADJUDICATOR_ENGINE is {settings.engine!r}, which is not known here; known: {', '.join(engines)}"
        )
    return Offer(engines, settings.engine, IDENTITY)


def _offered(description: EngineDescription, settings: Settings) -> OfferedEngine:
    """The engine as the settings say. One that cannot be set so is out of order, unless it is the default.

    Raises: ConfigurationError.
    """
    known = {setting.name for setting in description.settings}
    names = ENGINE_SETTINGS | OWN_SETTINGS.get(description.name, {})
    values = {its: getattr(settings, ours) for its, ours in names.items() if its in known}
    limits = HostLimits(question_s=settings.engine_deadline_s)
    try:
        engine = description.open(values, limits)
    except RequestError as error:
        if description.name == settings.engine:
            raise ConfigurationError(
                f"The engine {description.name} cannot work as set", error.faults
            ) from error
        engine = description.out_of_order(str(error)).open()
    return OfferedEngine(engine, description.title, description.licence, description.plies)


def open_meter() -> ShownMeter:
    """What counts in this process, together with the others of its service where it is one of them."""
    # at its import the client looks where to count; and 0.2 s are too much for a command that counts nothing
    from adjudicator.metrics.prometheus import PrometheusMeter  # noqa: PLC0415

    return PrometheusMeter()


def upgrade_database(settings: Settings) -> None:
    """Brings the database to the schema of this program, making it where it is missing.

    Raises: ConfigurationError, StoreUnavailableError.
    """
    upgrade(settings.database_address())


def require_service(settings: Settings) -> None:
    """Lets pass settings under which there is, or may soon be, a service to work for.

    Raises: ConfigurationError where all of it would be in the data folder, and nothing is.
    """
    file = settings.database_file()
    if file is not None and not settings.redis_url and not file.is_file():
        raise ConfigurationError(
            f"There is no service to work for: {file} does not exist. Start `adjudicator serve`, which "
            "makes it, or set ADJUDICATOR_DATA_DIR to the folder of a service, or ADJUDICATOR_DATABASE_URL "
            "and ADJUDICATOR_REDIS_URL to its database and queue"
        )


def queue_address(settings: Settings) -> str:
    """The URL of the queue server: the one set, or the embedded one of the data folder."""
    return settings.redis_url or EmbeddedQueue(settings.queue_folder()).url


def service_environment(settings: Settings) -> dict[str, str]:
    """What the processes of a service need to find in their environment."""
    return {**settings.environment(), FOLDER_VARIABLE: str(settings.metrics_folder())}


@contextmanager
def service_commands(settings: Settings) -> Iterator[dict[str, tuple[str, ...]]]:
    """The processes of a whole service by name, in the order in which they start, ready to be supervised.

    Their environment has to hold ``service_environment(settings)``. While this lasts the data folder is this
    process's own; the database is brought up to date first.

    Raises: ConfigurationError where the port is taken, the data folder is in use, or the door would stand
    open to others; StoreUnavailableError.
    """
    settings.require_guarded_door()
    require_free_port(settings.host, settings.port)
    web = web_command(
        settings.host,
        settings.port,
        processes=settings.web_processes,
        threads=settings.threads,
        stop_grace_s=settings.stop_grace_s,
        log_level=settings.log_level,
    )
    commands = {"web": web}
    commands |= {f"worker {number + 1}": WORKER_COMMAND for number in range(settings.workers)}
    with ExitStack() as held:
        if not settings.redis_url:
            queue = EmbeddedQueue(settings.queue_folder())
            held.enter_context(queue.held())
            commands = {"queue": queue.command(), **commands}
        make_empty(settings.metrics_folder())
        upgrade_database(settings)
        yield commands
