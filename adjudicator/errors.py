"""The exception family: what stops us from working. What breaks a rule of the game is a remark instead.

Every class has a fixed public ``code`` and says whether trying the same again can help (``transient``).
There is one class per different reaction of the caller; three tables say what each means outside: the HTTP
status (``adjudicator.api.problems``), the exit code (``adjudicator.cli.exit_codes``) and whether a job is
tried again (``adjudicator.service.retry``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple


class Place(NamedTuple):
    """Where in what was sent something stands; what is not known is ``None``.

    A tuple, as the records are (``rules.record``): a log holds one for every line.

    ``line`` counts from 1; ``pointer`` is a JSON pointer, ``""`` that of the whole document; ``game`` is the
    number the record gives; ``turn`` counts the rolls of the game from 1; ``parameter`` names an option that
    the caller chose.
    """

    file: str | None = None
    line: int | None = None
    pointer: str | None = None
    game: int | None = None
    turn: int | None = None
    parameter: str | None = None

    def __str__(self) -> str:
        """One phrase for people, ``""`` where nothing is known, or the whole document is meant.

        >>> str(Place(file="a.mat", line=3, game=1)), str(Place(pointer=""))
        ('a.mat, line 3, game 1', '')
        """
        named = (
            ("line", self.line),
            ("at", self.pointer or None),
            ("game", self.game),
            ("turn", self.turn),
            ("option", self.parameter),
        )
        parts = [] if self.file is None else [self.file]
        parts += [f"{name} {value}" for name, value in named if value is not None]
        return ", ".join(parts)


NOWHERE = Place()

MOST_FAULTS = 100
"""More faults of one document than this are counted, not listed: what is said of it stays small."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with what was sent: the reason, and the place where it stands."""

    reason: str
    place: Place = NOWHERE

    def __str__(self) -> str:
        where = str(self.place)
        return f"{where}: {self.reason}" if where else self.reason


class AdjudicatorError(Exception):
    """The base of all errors of this project.

    ``detail`` is a sentence for people; ``faults`` lists all single faults found at once, may be empty.
    """

    code: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"
    transient: ClassVar[bool] = False

    def __init__(self, detail: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "; ".join([self.detail, *map(str, self.faults)])


class RecordError(AdjudicatorError):
    """A record in a known format that cannot be read; the sender has to mend it."""

    code = "unreadable_record"
    title = "The record cannot be read"


class UnknownFormatError(AdjudicatorError):
    """Content that is no match record in any format known here."""

    code = "unknown_format"
    title = "Not a match record in any known format"


class UnsupportedVariantError(AdjudicatorError):
    """A record of a game whose rules are not known here."""

    code = "unsupported_variant"
    title = "This variant is not supported"


class TooLargeError(AdjudicatorError):
    """A record, or something in it, beyond the configured limits."""

    code = "too_large"
    title = "Beyond the limits of this service"


class RequestError(AdjudicatorError):
    """An option or argument that the caller chose is wrong: unknown engine, ruleset, option value."""

    code = "bad_request"
    title = "The request is wrong"


class AddressRefusedError(AdjudicatorError):
    """A URL that leads where this service does not call: the caller has to name a public address."""

    code = "address_refused"
    title = "This address is not called from here"


class ConflictError(AdjudicatorError):
    """Something that is well said but not possible as things stand; it may be later."""

    code = "conflict"
    title = "Not possible as things stand"


class UnsupportedMediaTypeError(AdjudicatorError):
    """A content type that no way in takes."""

    code = "unsupported_media_type"
    title = "This content type is not taken"


class NotFoundError(AdjudicatorError):
    """Nothing is kept under that id."""

    code = "not_found"
    title = "Not found"


class UnauthenticatedError(AdjudicatorError):
    """No key, or none that counts: unknown, revoked, expired, badly written. All are told alike.

    ``key_was_sent``: whether there was something to judge at all.
    """

    code = "unauthenticated"
    title = "A valid key is needed"

    def __init__(self, detail: str, faults: Sequence[Fault] = (), *, key_was_sent: bool = False) -> None:
        super().__init__(detail, faults)
        self.key_was_sent = key_was_sent


class InsufficientScopeError(AdjudicatorError):
    """A valid key that does not allow this; ``scope`` is the one that it lacks."""

    code = "insufficient_scope"
    title = "The key does not allow this"

    def __init__(self, detail: str, faults: Sequence[Fault] = (), *, scope: str = "") -> None:
        super().__init__(detail, faults)
        self.scope = scope


class RateLimitedError(AdjudicatorError):
    """More requests than are taken in this time; from ``retry_after_s`` on they are taken again."""

    code = "rate_limited"
    title = "Too many requests"
    transient = True

    def __init__(self, detail: str, faults: Sequence[Fault] = (), *, retry_after_s: int = 1) -> None:
        super().__init__(detail, faults)
        self.retry_after_s = retry_after_s


class AnswerPendingError(AdjudicatorError):
    """The first request with this Idempotency-Key is still being answered."""

    code = "answer_pending"
    title = "The first of these requests is still being answered"
    transient = True


class IdempotencyKeyReusedError(AdjudicatorError):
    """An Idempotency-Key that stands for another request already."""

    code = "idempotency_key_reused"
    title = "This Idempotency-Key stands for another request"


class InputUnavailableError(AdjudicatorError):
    """A file, folder or archive that was named and cannot be read, or holds nothing to work on."""

    code = "input_unavailable"
    title = "The input cannot be had"


class RulesetUnavailableError(AdjudicatorError):
    """A version of a ruleset that this program cannot follow; it can be asked for the one there is now."""

    code = "ruleset_unavailable"
    title = "The ruleset is not available here"


class EngineUnavailableError(AdjudicatorError):
    """An engine that cannot run on this machine at all: package or program missing."""

    code = "engine_unavailable"
    title = "The engine is not available here"


class EngineFailureError(AdjudicatorError):
    """An engine that crashed, hung past its deadline, or answered nonsense; another try may succeed.

    ``rest_s``: for how long it is left alone, so that the question was not put to it; 0 where it was.
    """

    code = "engine_failure"
    title = "The engine failed"
    transient = True

    def __init__(self, detail: str, faults: Sequence[Fault] = (), *, rest_s: float = 0.0) -> None:
        super().__init__(detail, faults)
        self.rest_s = rest_s


class StoreUnavailableError(AdjudicatorError):
    """The database cannot be reached or refused the write; nothing was half done."""

    code = "store_unavailable"
    title = "The database is unavailable"
    transient = True


class QueueUnavailableError(AdjudicatorError):
    """The job queue cannot be reached. What was committed is queued later by the reconciler."""

    code = "queue_unavailable"
    title = "The job queue is unavailable"
    transient = True


class BusyError(AdjudicatorError):
    """As many long transfers as this service makes at once are under way already."""

    code = "busy"
    title = "Too many transfers at once"
    transient = True


class ConfigurationError(AdjudicatorError):
    """A setting that cannot work: the operator has to change it."""

    code = "bad_configuration"
    title = "The configuration cannot work"
