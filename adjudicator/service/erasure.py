"""The use cases of taking out what was kept: a player's name, and what is too old.

Without a name, what was adjudicated can still be verified. The record becomes a match record of ours with
another name in it and without the free words of its header; results are derived from it again, by the
equities that they hold. Ids stay: they follow from the hash of the record as it was sent, which results state
beside that of the record as it is now.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from adjudicator.errors import AdjudicatorError
from adjudicator.happy_end.ports import Estimator
from adjudicator.happy_end.result import METADATA, format_result
from adjudicator.happy_end.ruleset import Finish, parse_ruleset
from adjudicator.happy_end.verification import derive_again
from adjudicator.logs.conversion import TARGETS, convert_log
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.identifiers import canonical_json, record_digest
from adjudicator.service.values import FailureReason, Match, Result

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 100
"""Matches that one request changes: some ten milliseconds each."""

ERASED_WHITE, ERASED_BLACK = "erased white", "erased black"
"""What stands in the place of an erased name; two names, as a record may need to tell the sides apart."""

RECORD = TARGETS["json"]

ERASED = FailureReason("erased", "A player's name was erased; the record could not be kept without it.")
EXPIRED = FailureReason("expired", "The record was kept for as long as the service keeps any.")


class Held(NamedTuple):
    """A match with its record and its results, by adjudication id."""

    match: Match
    content: bytes
    results: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Erased:
    """What came of an erasure: how many matches were redacted, deleted, and are left for the next request."""

    redacted: int
    deleted: int
    left: int


class ErasureStore(Protocol):
    """Finds and changes what holds a name.

    Raises everywhere: StoreUnavailableError.
    """

    def holding(self, owner: str, player: str, *, limit: int) -> Sequence[Held]:
        """That owner's matches in which either side has exactly that name, by id."""

    def count_holding(self, owner: str, player: str) -> int:
        """How many there are."""

    def redact(self, match: Match, content: bytes, known: Mapping[str, Result], *, at: datetime) -> None:
        """Puts the match, its record and its results in the place of what is kept under their ids.

        What is running, or was done meanwhile with no result among those known, goes on under its next
        attempt: it has read the old record.
        """

    def delete(self, match_id: str, reason: FailureReason) -> None:
        """Deletes the match and everything that came of it; members of batches keep the reason."""

    def received(self, *, before: datetime, limit: int) -> Sequence[str]:
        """Ids of matches of any owner that came before that moment and wait for no result, oldest first."""


class Erasure:
    """Erases names, and matches that were kept for longer than ``retention``; safe to share between threads.

    Without a ``retention`` everything is kept.
    """

    def __init__(
        self,
        store: ErasureStore,
        load_estimator: Callable[[Finish], Estimator],
        *,
        retention: timedelta | None = None,
        clock: Clock = utc_clock,
    ) -> None:
        self._store = store
        self._load_estimator = load_estimator
        self._retention = retention
        self._clock = clock

    def erase(self, player: str, owner: str) -> Erased:
        """Erases a name from some of that owner's matches; to be called again while any are left.

        A record that cannot be told in another format, because part of it could not be read, is deleted with
        all its results.

        Raises: StoreUnavailableError.
        """
        redacted = deleted = 0
        for held in self._store.holding(owner, player, limit=MOST_AT_ONCE):
            content = _redacted_record(held, player)
            if content is None:
                self._store.delete(held.match.id, ERASED)
                deleted += 1
            else:
                self._redact(held, content)
                redacted += 1
        return Erased(redacted, deleted, self._store.count_holding(owner, player))

    def delete_expired(self) -> int:
        """Deletes some of the matches that were kept for long enough, and tells how many.

        One whose result is waited for is left until it is there.

        Raises: StoreUnavailableError.
        """
        if self._retention is None:
            return 0
        ids = self._store.received(before=self._clock() - self._retention, limit=MOST_AT_ONCE)
        for match_id in ids:
            self._store.delete(match_id, EXPIRED)
        return len(ids)

    def _redact(self, held: Held, content: bytes) -> None:
        log = RECORD.read(content)
        match = replace(
            held.match,
            sha256=record_digest(content),
            original_sha256=held.match.original_sha256 or held.match.sha256,
            format=log.format,
            media_type=FORMATS[log.format].media_types[0],
            file_name=None,
            white=log.white,
            black=log.black,
        )
        results = {
            adjudication_id: self._redacted_result(json.loads(result), log, match)
            for adjudication_id, result in held.results.items()
        }
        self._store.redact(match, content, results, at=self._clock())

    def _redacted_result(self, result: dict[str, Any], log: MatchLog, match: Match) -> Result:
        """The result for the redacted record.

        One of rules or values that this program does not have any more stays as it is but for its match.
        """
        ids = {
            "adjudication_id": result["id"],
            "match_id": match.id,
            "record_sha256": match.sha256,
            "original_sha256": match.original_sha256,
        }
        adjudication = derive_again(
            result, log, self._load_estimator(parse_ruleset(result["ruleset"]).finish)
        )
        if adjudication is not None:
            return Result(canonical_json(format_result(adjudication, **ids)), adjudication.changed)
        told = {"sha256": match.sha256, "original_sha256": match.original_sha256, "format": log.format}
        players = {"white": log.white, "black": log.black}
        result["match"] |= {**told, "players": players, "metadata": dict(log.metadata)}
        return Result(canonical_json(result), result["match_result"]["changed"])


def _redacted_record(held: Held, player: str) -> bytes | None:
    """The record without that name, ``None`` where it cannot be told in our format."""
    try:
        log = read_log(held.content, format_name=held.match.format)
        return convert_log(_without(log, player), RECORD).content
    except AdjudicatorError as error:
        logger.warning("%s is deleted, since it cannot be redacted: %s", held.match.id, error)
        return None


def _without(log: MatchLog, player: str) -> MatchLog:
    """The log without that player's name. Of its header only what tells which match it was is kept."""
    kept = {name: log.metadata[name] for name in METADATA if name in log.metadata}
    return replace(
        log,
        white=ERASED_WHITE if log.white == player else log.white,
        black=ERASED_BLACK if log.black == player else log.black,
        metadata={name: text for name, text in kept.items() if player.casefold() not in text.casefold()},
    )
