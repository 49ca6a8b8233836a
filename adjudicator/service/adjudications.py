"""The use cases around adjudications: submit, look up, run, and make good what was lost."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from adjudicator.errors import AdjudicatorError, NotFoundError, QueueUnavailableError
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import DEFAULT_RULESET, Ruleset
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.service import identifiers
from adjudicator.service.catalogue import list_engines, list_formats, list_rulesets, list_variants
from adjudicator.service.choice import Choice, choose
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.lease import let_go_on
from adjudicator.service.meter import UNMETERED, Load, Meter
from adjudicator.service.offer import Offer
from adjudicator.service.orders import make_order
from adjudicator.service.ports import Adjudicator, Queue, Store
from adjudicator.service.retry import DEFAULT_POLICY, RunPolicy
from adjudicator.service.runs import Runs
from adjudicator.service.values import Adjudication, Kept, Match, Record, Status, Ticket

logger = logging.getLogger(__name__)

T = TypeVar("T")


class AdjudicationService:
    """What the doors and the worker call; safe to share between threads."""

    def __init__(
        self,
        store: Store,
        queue: Queue,
        adjudicator: Adjudicator,
        offer: Offer,
        *,
        policy: RunPolicy = DEFAULT_POLICY,
        worker: str = "",
        on_overrun: Callable[[Ticket], None] = let_go_on,
        clock: Clock = utc_clock,
        meter: Meter = UNMETERED,
    ) -> None:
        self._store = store
        self._queue = queue
        self._adjudicator = adjudicator
        self._offer = offer
        self._policy = policy
        self._worker = worker
        self._clock = clock
        self._meter = meter
        self._runs = Runs(
            store,
            queue,
            adjudicator,
            policy=policy,
            clock=clock,
            worker=worker,
            on_overrun=on_overrun,
            meter=meter,
        )

    def submit(
        self,
        content: bytes,
        *,
        choice: Choice,
        owner: str,
        file_name: str | None = None,
        format_name: str | None = None,
        traceparent: str | None = None,
    ) -> Adjudication:
        """Keeps a match record and queues its adjudication; the same again gives the one already there.

        The rows are committed before this returns; a queue that is down is no error, the reconciler makes
        good. Nothing is kept of a record that cannot be read or of a wrong choice.

        Raises: RecordError, UnknownFormatError, UnsupportedVariantError, TooLargeError, RequestError,
        EngineUnavailableError, EngineFailureError, StoreUnavailableError.
        """
        log = read_log(content, file_name=file_name, format_name=format_name)
        order = make_order(content, log, choice=choice, offer=self._offer, owner=owner)
        match = Match(
            id=order.match_id,
            owner=owner,
            sha256=order.sha256,
            format=log.format,
            media_type=FORMATS[log.format].media_types[0],
            file_name=file_name,
            variant=log.variant.name,
            match_length=log.match_length,
            white=log.white,
            black=log.black,
            received_at=self._clock(),
        )
        new = self._new(order.adjudication_id, match, order.ruleset, order.engine, traceparent)
        kept = self._store.keep(match, content, new, self._policy.attempt_limit)
        self._meter.submitted(is_new=kept.is_new)
        return self._enqueued(kept)

    def adjudicate_again(
        self, match_id: str, *, choice: Choice, owner: str, traceparent: str | None = None
    ) -> Adjudication:
        """Queues another adjudication of a kept match; a failed one is tried anew, any other is as it is.

        Raises: NotFoundError, RequestError, EngineUnavailableError, EngineFailureError,
        StoreUnavailableError.
        """
        match = self.match(match_id, owner)
        ruleset, engine = choose(choice, self._offer, match.variant)
        new_id = identifiers.adjudication_id(match_id, ruleset, engine)
        new = self._new(new_id, match, ruleset, engine, traceparent)
        adjudication = self._enqueued(self._store.keep_adjudication(new, self._policy.attempt_limit))
        if adjudication.status is not Status.FAILED:
            return adjudication
        failed = Ticket(adjudication.id, adjudication.attempt)
        if self._store.reopen(failed, attempts=self._policy.attempt_limit, at=self._clock()):
            self._runs.enqueue(failed.successor)
        return self.adjudication(adjudication.id, owner)

    def adjudication(self, adjudication_id: str, owner: str) -> Adjudication:
        """The adjudication as it stands.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        return _found(self._store.adjudication(adjudication_id, owner), "adjudication", adjudication_id)

    def result(self, adjudication_id: str, owner: str) -> bytes:
        """The result of an adjudication that is done, as it was made.

        Raises: NotFoundError where there is none, also for those of other owners; StoreUnavailableError.
        """
        return _found(self._store.result(adjudication_id, owner), "result of", adjudication_id)

    def match(self, match_id: str, owner: str) -> Match:
        """What is known of a kept match.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        return _found(self._store.match(match_id, owner), "match", match_id)

    def record(self, match_id: str, owner: str) -> Record:
        """The record of a kept match, as it came.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        return _found(self._store.record(match_id, owner), "match", match_id)

    def engines(self) -> list[dict[str, Any]]:
        """The engines that can be asked for: what they are, and which build there is here.

        Each has ``name``, ``title``, ``licence``, ``variants``, ``version``, ``settings``, ``default``,
        ``available``. One that cannot run here has ``available`` false, no version, and ``detail`` that says
        why.
        """
        return list_engines(self._offer)

    def rulesets(self) -> list[dict[str, Any]]:
        """The rulesets: ``name``, ``version``, ``default``, and ``options`` by name with their values."""
        return list_rulesets()

    def variants(self) -> list[dict[str, Any]]:
        """The variants whose rules are known: ``name``, ``checkers``, ``default``."""
        return list_variants()

    def formats(self) -> list[dict[str, Any]]:
        """The record formats that can be read: ``name``, ``title``, ``media_type``, ``suffixes``."""
        return list_formats()

    def check_ready(self) -> dict[str, str]:
        """Each part this service stands on, ``database`` and ``queue``: ``"ok"`` or ``"away"``.

        ``workers`` is ``"ok"`` where one is alive, ``"none"``, or ``"unknown"`` without the queue: for
        people to see, not what readiness hangs on, since matches are taken and kept without them. What is
        wrong goes to the log, never to whoever asks.
        """
        workers: list[int] = []
        checks = {
            "database": _state("database", self._store.require_ready),
            "queue": _state("queue", lambda: workers.append(self._queue.count_workers())),
        }
        alive = ("ok" if workers[0] else "none") if workers else "unknown"
        return {**checks, "workers": alive}

    def load(self) -> Load:
        """What waits and who works just now, as far as it can be known; nothing that is away is an error."""
        return Load(
            queue_length=_known("queue", self._queue.length),
            workers=_known("queue", self._queue.count_workers),
            oldest_s=_known("database", self._oldest_s),
        )

    def require_database(self) -> None:
        """Lets pass a database that answers and has the tables of this program.

        Raises: StoreUnavailableError with what is wrong.
        """
        self._store.require_ready()

    def announce_worker(self) -> None:
        """Says that the worker that this process is is alive; to be called every second or so."""
        try:
            self._queue.announce(self._worker)
        except QueueUnavailableError as error:
            logger.warning("The queue cannot be told of this worker: %s", error)

    def prepare(self) -> None:
        """Loads what the default ruleset needs (seconds the first time): for a worker, before it listens."""
        self._adjudicator.prepare(DEFAULT_RULESET)

    def run(self, adjudication_id: str, attempt: int) -> None:
        """Runs one attempt, as the worker's task, and keeps what came of it: result, retry or failure.

        An attempt that is not queued any more is left alone. What goes wrong with a record never comes out.

        Raises: StoreUnavailableError; the reconciler then makes good.
        """
        self._runs.run(Ticket(adjudication_id, attempt))

    def requeue_lost(self) -> int:
        """The reconciler's step: queues anew what died or was lost on the way, and tells how many.

        What is missing in the queue it queues at the second step that misses it. Any number of processes may
        do this at once, one thread in each.

        Raises: StoreUnavailableError, QueueUnavailableError.
        """
        return self._runs.requeue_lost()

    def hand_back(self) -> None:
        """Gives back what this process is running, for another to run at once; its result is not kept here.

        For a worker that has to end before its work does.

        Raises: StoreUnavailableError; the reconciler then makes good once the lease has run out.
        """
        self._runs.hand_back()

    def close(self) -> None:
        """Lets go of the database, the queue and the engines; may be called twice."""
        self._queue.close()
        self._store.close()
        self._offer.close()

    def _oldest_s(self) -> float:
        since = self._store.oldest_queued()
        return 0.0 if since is None else max(0.0, (self._clock() - since).total_seconds())

    def _new(
        self,
        new_id: str,
        match: Match,
        ruleset: Ruleset,
        engine: EngineIdentity,
        traceparent: str | None,
    ) -> Adjudication:
        return Adjudication(
            id=new_id,
            match_id=match.id,
            owner=match.owner,
            ruleset=ruleset,
            engine=engine,
            status=Status.QUEUED,
            attempt=1,
            submitted_at=self._clock(),
            traceparent=traceparent,
        )

    def _enqueued(self, kept: Kept) -> Adjudication:
        """Queues what is new; whatever else may be missing in the queue is the reconciler's."""
        adjudication, is_new = kept
        if is_new:
            self._runs.enqueue(Ticket(adjudication.id, adjudication.attempt))
        return adjudication


def _found(value: T | None, kind: str, value_id: str) -> T:
    if value is None:
        raise NotFoundError(f"There is no {kind} {value_id!r}")
    return value


def _state(name: str, check: Callable[[], None]) -> str:
    try:
        check()
    except AdjudicatorError as error:
        logger.warning("Not ready, the %s is away: %s", name, error)
        return "away"
    return "ok"


def _known(name: str, ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except AdjudicatorError as error:
        logger.warning("The load is not known, the %s is away: %s", name, error)
        return None
