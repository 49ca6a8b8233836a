"""The use cases around adjudications: submit, look up, run, and make good what was lost."""

from collections.abc import Mapping
from typing import Any

from adjudicator.happy_end.ports import Engine
from adjudicator.service.choice import Choice
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.ports import Adjudicator, Queue, Store
from adjudicator.service.values import Adjudication, Match, Record

LOCAL_OWNER = "local"


class AdjudicationService:
    """What the doors and the worker call; safe to share between threads."""

    def __init__(
        self,
        store: Store,
        queue: Queue,
        adjudicator: Adjudicator,
        engines: Mapping[str, Engine],
        *,
        default_engine: str,
        clock: Clock = utc_clock,
    ) -> None:
        raise NotImplementedError

    def submit(
        self,
        content: bytes,
        *,
        choice: Choice,
        owner: str = LOCAL_OWNER,
        file_name: str | None = None,
        format_name: str | None = None,
    ) -> Adjudication:
        """Keeps a match record and queues its adjudication; the same again gives the one already there.

        The rows are committed before this returns; a queue that is down is no error, the reconciler makes
        good. Nothing is kept of a record that cannot be read or of a wrong choice.

        Raises: RecordError, UnknownFormatError, UnsupportedVariantError, TooLargeError, RequestError,
        EngineUnavailableError, StoreUnavailableError.
        """
        raise NotImplementedError

    def adjudicate_again(self, match_id: str, *, choice: Choice, owner: str = LOCAL_OWNER) -> Adjudication:
        """Queues another adjudication of a kept match; a failed one is tried anew, any other is as it is.

        Raises: NotFoundError, RequestError, EngineUnavailableError, StoreUnavailableError.
        """
        raise NotImplementedError

    def adjudication(self, adjudication_id: str, owner: str = LOCAL_OWNER) -> Adjudication:
        """The adjudication as it stands.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        raise NotImplementedError

    def match(self, match_id: str, owner: str = LOCAL_OWNER) -> Match:
        """What is known of a kept match.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        raise NotImplementedError

    def record(self, match_id: str, owner: str = LOCAL_OWNER) -> Record:
        """The record of a kept match, as it came.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        raise NotImplementedError

    def engines(self) -> list[dict[str, Any]]:
        """The engines that can be asked for: ``name``, ``version``, ``settings``, ``default``, ``available``.

        One that cannot run here has ``available`` false, no version, and ``detail`` that says why.
        """
        raise NotImplementedError

    def rulesets(self) -> list[dict[str, Any]]:
        """The rulesets: ``name``, ``version``, ``default``, and ``options`` by name with their values."""
        raise NotImplementedError

    def variants(self) -> list[dict[str, Any]]:
        """The variants whose rules are known: ``name``, ``checkers``, ``default``."""
        raise NotImplementedError

    def formats(self) -> list[dict[str, Any]]:
        """The record formats that can be read: ``name``, ``title``, ``media_type``, ``suffixes``."""
        raise NotImplementedError

    def check_ready(self) -> dict[str, str]:
        """Each part this service stands on (``database``, ``queue``): ``"ok"`` or what is wrong with it."""
        raise NotImplementedError

    def run(self, adjudication_id: str, attempt: int) -> None:
        """Runs one attempt, as the worker's task, and keeps what came of it: result, retry or failure.

        An attempt that is not queued any more is left alone. What goes wrong with a record never comes out.

        Raises: StoreUnavailableError; the reconciler then makes good.
        """
        raise NotImplementedError

    def requeue_lost(self) -> int:
        """The reconciler's step: queues anew what died or was lost on the way, and tells how many.

        Any number of processes may do this at once.

        Raises: StoreUnavailableError, QueueUnavailableError.
        """
        raise NotImplementedError
