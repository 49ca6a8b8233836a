"""Time, as an argument: nothing inside calls a clock that was not handed to it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Tells the time, in UTC and aware of it."""


def utc_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


def format_time(moment: datetime) -> str:
    """The moment as ISO 8601 with ``Z``, to the millisecond: how times leave the service.

    >>> format_time(datetime(2026, 11, 29, 10, 0, 0, 250_000, tzinfo=UTC))
    '2026-11-29T10:00:00.250Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
