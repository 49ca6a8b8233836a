"""What the service keeps and hands out: matches, adjudications, and the pieces they are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import Ruleset

LOCAL_OWNER = "local"
"""Whose everything is for as long as nothing tells owners apart."""


class Status(Enum):
    """Where an adjudication stands. Only ``DONE`` has a result, only ``FAILED`` an error."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Ticket(NamedTuple):
    """One attempt at one adjudication: all that travels through the queue. Attempts count from 1."""

    adjudication_id: str
    attempt: int

    @property
    def successor(self) -> "Ticket":
        """The next attempt at the same."""
        return self._replace(attempt=self.attempt + 1)


class FailureReason(NamedTuple):
    """Why an adjudication failed: the public code of an error, and a sentence for people."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Match:
    """What is known of a kept match. ``received_at`` is in UTC.

    ``file_name`` is as the sender gave it, ``None`` where it did not. ``adjudication_ids`` are in the order
    in which they were first asked for. ``match_length`` 0 is a money session. ``original_sha256`` is that of
    the record as it was sent, where a name has been erased from it since; ids follow from that one.
    """

    id: str
    owner: str
    sha256: str
    format: str
    media_type: str
    file_name: str | None
    variant: str
    match_length: int
    white: str
    black: str
    received_at: datetime
    original_sha256: str | None = None
    adjudication_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """The bytes of a match as they came, their format, and the media type to hand them out under."""

    content: bytes
    format: str
    media_type: str


class Result(NamedTuple):
    """What an adjudication comes to: canonical UTF-8 JSON, the same bytes wherever it is made.

    ``changed`` says whether the match has another winner than the recorded one. The rest are counts of its
    games, for statistics of many: by the value of their status, and of those with another result.
    """

    content: bytes
    changed: bool
    games_by_status: Mapping[str, int] = MappingProxyType({})
    changed_games: int = 0


@dataclass(frozen=True, slots=True)
class Adjudication:
    """One match under one ruleset by one engine build. Times are in UTC, ``None`` until they come.

    ``changed`` says whether the match has another winner than the recorded one, ``None`` unless done; the
    whole result is asked for by itself. ``error`` is ``None`` unless failed. ``traceparent`` is that of the
    request that asked for it first (W3C Trace Context). ``attempt`` counts from 1 and
    only ever grows.
    """

    id: str
    match_id: str
    owner: str
    ruleset: Ruleset
    engine: EngineIdentity
    status: Status
    attempt: int
    submitted_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    changed: bool | None = None
    error: FailureReason | None = None
    traceparent: str | None = None


class Kept(NamedTuple):
    """An adjudication as it stands after it was asked for; ``is_new``: nobody had asked for it before."""

    adjudication: Adjudication
    is_new: bool


@dataclass(frozen=True, slots=True)
class Order:
    """All that the pure part needs to adjudicate one kept record; equal orders give equal bytes."""

    adjudication_id: str
    match_id: str
    sha256: str
    format: str
    content: bytes
    ruleset: Ruleset
    engine: EngineIdentity
    original_sha256: str | None = None
    traceparent: str | None = None
