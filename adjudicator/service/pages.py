"""Pages of long listings, latest first: what is on one, and where the next begins."""

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

MOST_ENTRIES = 200
USUAL_ENTRIES = 50
ID = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)
"""What the id of an entry looks like, whatever it is of."""


class Mark(NamedTuple):
    """Where an entry stands in a listing that is ordered by time, then by id. ``at`` is in UTC."""

    at: datetime
    id: str


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some entries of a listing; ``last`` marks the last of them, ``None`` where nothing comes after it."""

    entries: Sequence[T]
    last: Mark | None


def format_cursor(mark: Mark) -> str:
    """The mark as callers hand it back: text of no meaning to them.

    >>> parse_cursor(format_cursor(Mark(datetime(2026, 11, 29, tzinfo=UTC), "a2"))).id
    'a2'
    """
    text = f"{mark.at.astimezone(UTC).isoformat()} {mark.id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def parse_cursor(text: str) -> Mark:
    """The mark of a cursor.

    Raises: ValueError for what ``format_cursor`` never made.
    """
    try:
        padded = text + "=" * (-len(text) % 4)
        at, _, marked_id = base64.b64decode(padded, b"-_", validate=True).decode("ascii").partition(" ")
        mark = Mark(datetime.fromisoformat(at), marked_id)
        is_ours = bool(ID.fullmatch(marked_id)) and format_cursor(mark) == text
    except (binascii.Error, UnicodeError, OverflowError) as error:
        raise ValueError(text) from error
    if mark.at.tzinfo is None or not is_ours:
        raise ValueError(text)
    return mark


def page_of(found: Sequence[T], most: int, mark_of: Callable[[T], Mark]) -> Page[T]:
    """The page of what was found, which is one more than ``most`` where another page follows."""
    return Page(found[:most], mark_of(found[most - 1]) if len(found) > most else None)
