"""What is told, to whom, and what has become of it."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple

from adjudicator.service.clock import format_time


class EventType(Enum):
    """What can be told."""

    ADJUDICATION_DONE = "adjudication.done"
    ADJUDICATION_FAILED = "adjudication.failed"
    BATCH_DONE = "batch.done"
    PING = "ping"


class DeliveryStatus(Enum):
    """``PENDING``: to be sent, perhaps again. ``FAILED``: given up, until it is replayed."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened, once.

    ``occasion`` tells apart what may happen to one subject more than once; ``data`` are plain JSON values,
    ids and states only. ``subject_id`` is ``""`` where the event is about nothing but itself.
    """

    owner: str
    type: EventType
    subject_id: str
    occasion: str
    at: datetime
    data: Mapping[str, Any]
    traceparent: str | None = None

    @property
    def payload(self) -> dict[str, Any]:
        """What is told of it: thin, so that whoever wants more asks, and may."""
        return {"type": self.type.value, "timestamp": format_time(self.at), "data": dict(self.data)}


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event for one receiver. Times are in UTC, ``None`` until they come.

    ``attempt`` counts all attempts from 0 and only ever grows; ``tries`` those since the last replay.
    ``due_at`` is when the next attempt is made, ``None`` once it has ended. ``answered`` is the HTTP status
    of the last attempt, ``None`` where there was none; ``error`` what was wrong with that attempt.
    """

    id: str
    owner: str
    event: EventType
    subject_id: str
    url: str
    to_endpoint: bool
    status: DeliveryStatus
    attempt: int
    tries: int
    created_at: datetime
    due_at: datetime | None
    payload: Mapping[str, Any]
    traceparent: str | None = None
    tried_at: datetime | None = None
    ended_at: datetime | None = None
    answered: int | None = None
    error: str | None = None


class Claim(NamedTuple):
    """A delivery that this process sends now, and the keys that sign it, the newest first."""

    delivery: Delivery
    secrets: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where an owner wants to be told of everything; not called while ``disabled_at`` is set."""

    owner: str
    url: str
    created_at: datetime
    disabled_at: datetime | None = None
    disabled_because: str | None = None


@dataclass(frozen=True, slots=True)
class Secret:
    """What signs an owner's deliveries; counts until ``expires_at``, ``None`` for as long as it is kept."""

    id: str
    owner: str
    key: bytes
    created_at: datetime
    expires_at: datetime | None = None

    @property
    def text(self) -> str:
        """How its owner is shown it, the form of Standard Webhooks.

        >>> Secret("s", "local", bytes(6), datetime(2026, 11, 29)).text
        'whsec_AAAAAAAA'
        """
        return "whsec_" + base64.b64encode(self.key).decode()


@dataclass(frozen=True, slots=True)
class Message:
    """One attempt, ready to be signed and sent."""

    id: str
    url: str
    body: bytes
    sent_at: datetime
    secrets: tuple[bytes, ...]
    traceparent: str | None = None


class Answer(NamedTuple):
    """What came back: the HTTP status, or, where none came, ``None`` and what went wrong instead.

    ``retry_after_s``: how long the receiver wants to be left alone, if it says so.
    """

    status: int | None
    error: str | None = None
    retry_after_s: float | None = None


class Outcome(NamedTuple):
    """What an attempt comes to; a pending one is due again at ``due_at``."""

    status: DeliveryStatus
    answered: int | None
    error: str | None = None
    due_at: datetime | None = None


def adjudication_event(
    *,
    owner: str,
    adjudication_id: str,
    match_id: str,
    attempt: int,
    changed: bool | None,
    error_code: str | None,
    at: datetime,
    traceparent: str | None,
) -> Event:
    """The event of an adjudication that has ended: ids and state, never the record or the result."""
    data: dict[str, Any] = {
        "id": adjudication_id,
        "match": {"id": match_id},
        "status": "done" if error_code is None else "failed",
        "location": f"/v1/adjudications/{adjudication_id}",
    }
    data |= {"changed": changed} if error_code is None else {"error": {"code": error_code}}
    kind = EventType.ADJUDICATION_DONE if error_code is None else EventType.ADJUDICATION_FAILED
    return Event(owner, kind, adjudication_id, str(attempt), at, data, traceparent)
