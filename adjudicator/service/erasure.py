"""The use cases of taking out what was kept: a player's name, and what is too old.

Without a name, what was adjudicated can still be verified. The record becomes a match record of ours with
another name in it and without the free words of its header; results are derived from it again, by the
equities that they hold. Ids stay: they follow from the hash of the record as it was sent, which results state
beside that of the record as it is now.
"""

import json
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
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

MOST_CLEARED = 1_000
"""Rows of what has ended that one step deletes."""

DELIVERIES_KEPT = timedelta(days=30)
"""How long ended deliveries are kept at most: there is one for every event."""

ERASED_WHITE, ERASED_BLACK = "erased white", "erased black"
"""What stands in the place of an erased name; two names, as a record may need to tell the sides apart."""

RECORD = TARGETS["json"]

ERASED = FailureReason("erased", "A player's name was erased; the record could not be kept without it.")
EXPIRED = FailureReason("expired", "The record was kept for as long as the service keeps any.")


class Held(NamedTuple):
    """A match with its record and its results, by adjudication id, as they were read."""

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
    """Finds and changes what holds a name, and what is too old. Every method is one transaction.

    Raises everywhere: StoreUnavailableError.
    """

    def kept(self, name: str) -> str:
        """The name as the store keeps it."""

    def holding(self, owner: str, player: str, *, limit: int) -> Sequence[str]:
        """The ids of that owner's matches in which either side has exactly that name, in order."""

    def count_holding(self, owner: str, player: str) -> int:
        """How many there are."""

    def held(self, match_id: str) -> Held | None:
        """What is kept of that match, ``None`` where it is gone."""

    def redact(
        self,
        match: Match,
        content: bytes,
        known: Mapping[str, Result],
        *,
        was: str,
        reword: Callable[[str], str],
        at: datetime,
    ) -> bool:
        """Puts the match, its record and its results in the place of what is kept under their ids.

        Changes nothing and says so where the record is not the one with the hash ``was`` any more. What is
        running, or was done meanwhile with no result among those known, goes on under its next attempt: it
        has read the old record. What is said of failures is reworded.
        """

    def delete(self, match: Match, reason: FailureReason) -> bool:
        """Deletes the match and everything that came of it; members of batches keep the reason.

        Changes nothing and says so where its record is another one by now.
        """

    def received(self, *, before: datetime, limit: int) -> Sequence[str]:
        """Ids of matches of any owner to which nothing happened since that moment, oldest first.

        They came before it, nothing was asked or found out about them since, and no result is waited for.
        """

    def expire(self, match_id: str, reason: FailureReason, *, before: datetime) -> bool:
        """As ``delete``, for as long as ``received`` would name the match."""

    def clear_batches(self, *, before: datetime, limit: int) -> int:
        """Deletes members of a batch that ended before that moment, and then the batch; how many members."""

    def clear_deliveries(self, *, before: datetime, limit: int) -> int:
        """Deletes deliveries that ended before that moment; how many it were."""

    def clear_secrets(self, *, at: datetime) -> int:
        """Deletes secrets of webhooks that have expired by then; how many it were."""


class Erasure:
    """Erases names, and what was kept for longer than ``retention``; safe to share between threads.

    ``forget`` deletes an owner's kept answers, which may hold the name. Without a ``retention`` all matches
    and batches are kept.
    """

    def __init__(
        self,
        store: ErasureStore,
        load_estimator: Callable[[Finish], Estimator],
        forget: Callable[[str], object],
        *,
        retention: timedelta | None = None,
        clock: Clock = utc_clock,
    ) -> None:
        self._store = store
        self._load_estimator = load_estimator
        self._forget = forget
        self._retention = retention
        self._clock = clock

    def erase(self, player: str, owner: str) -> Erased:
        """Erases a name from some of that owner's matches; to be called again while any are left.

        A record that cannot be told in another format, because part of it could not be read, is deleted with
        all its results. What another one changed meanwhile is left. What stands in the place of names is
        none.

        Raises: StoreUnavailableError.
        """
        if player in (ERASED_WHITE, ERASED_BLACK):
            return Erased(0, 0, 0)
        player = self._store.kept(player)
        redacted = deleted = 0
        for match_id in self._store.holding(owner, player, limit=MOST_AT_ONCE):
            held = self._store.held(match_id)
            if held is None or player not in (held.match.white, held.match.black):
                continue  # another one was quicker
            content = _redacted_record(held, player)
            if content is None:
                deleted += self._store.delete(held.match, ERASED)
            else:
                redacted += self._redact(held, content, player)
        self._forget(owner)
        return Erased(redacted, deleted, self._store.count_holding(owner, player))

    def delete_expired(self) -> int:
        """Deletes some of what was kept for long enough, and tells how many matches.

        One whose result is waited for is left until it is there.

        Raises: StoreUnavailableError.
        """
        now = self._clock()
        self._store.clear_secrets(at=now)
        kept_for = min(self._retention or DELIVERIES_KEPT, DELIVERIES_KEPT)
        self._store.clear_deliveries(before=now - kept_for, limit=MOST_CLEARED)
        if self._retention is None:
            return 0
        before = now - self._retention
        self._store.clear_batches(before=before, limit=MOST_CLEARED)
        ids = self._store.received(before=before, limit=MOST_AT_ONCE)
        return sum(self._store.expire(match_id, EXPIRED, before=before) for match_id in ids)

    def _redact(self, held: Held, content: bytes, player: str) -> bool:
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
        return self._store.redact(
            match,
            content,
            results,
            was=held.match.sha256,
            reword=_without_name(player, ERASED_WHITE if held.match.white == player else ERASED_BLACK),
            at=self._clock(),
        )

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
        return convert_log(_without(log, held.match, player), RECORD).content
    except AdjudicatorError as error:
        logger.warning("%s is deleted, since it cannot be redacted: %s", held.match.id, error.code)
        return None


def _without(log: MatchLog, match: Match, player: str) -> MatchLog:
    """The log of the match without that player's name.

    Which side that is tells the match, as a name in the log may hold what no store keeps. Of the header only
    what tells which match it was is kept.
    """
    is_white, is_black = match.white == player, match.black == player
    names = {player} | ({log.white} if is_white else set()) | ({log.black} if is_black else set())
    kept = {name: log.metadata[name] for name in METADATA if name in log.metadata}
    return replace(
        log,
        white=ERASED_WHITE if is_white else log.white,
        black=ERASED_BLACK if is_black else log.black,
        metadata={name: text for name, text in kept.items() if not _holds(text, names)},
    )


def _holds(text: str, names: Collection[str]) -> bool:
    return any(name.casefold() in text.casefold() for name in names)


def _without_name(player: str, stand_in: str) -> Callable[[str], str]:
    """What puts another word in the place of the name, however it is spelt."""
    name = re.compile(re.escape(player), re.IGNORECASE)
    return lambda text: name.sub(stand_in, text)
