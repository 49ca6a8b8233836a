"""The use case of looking for adjudications."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from adjudicator.service.pages import USUAL_ENTRIES, Mark, Page, page_of
from adjudicator.service.values import Adjudication, Match, Status


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which adjudications a listing has; ``None`` stands for any.

    ``player`` is the exact name of either side. ``since`` and ``until`` bound the time of submission, the
    latter not included. ``changed``: whether the match has another winner; what is not done is neither.
    """

    player: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    changed: bool | None = None
    status: Status | None = None


EVERYTHING = Wanted()


class Entry(NamedTuple):
    """One adjudication of a listing, and its match, without the list of all adjudications of that."""

    adjudication: Adjudication
    match: Match


class ListingStore(Protocol):
    """Finds what is kept.

    Raises everywhere: StoreUnavailableError.
    """

    def entries(self, owner: str, wanted: Wanted, *, after: Mark | None, limit: int) -> Sequence[Entry]:
        """That owner's adjudications that are wanted, latest first, from behind that mark on."""


class Listing:
    """Lists adjudications; safe to share between threads."""

    def __init__(self, store: ListingStore) -> None:
        self._store = store

    def page(
        self, owner: str, wanted: Wanted = EVERYTHING, *, after: Mark | None = None, most: int = USUAL_ENTRIES
    ) -> Page[Entry]:
        """That owner's adjudications that are wanted, latest first: at most so many from behind a mark on.

        Raises: StoreUnavailableError.
        """
        found = self._store.entries(owner, wanted, after=after, limit=most + 1)
        return page_of(
            found, most, lambda entry: Mark(entry.adjudication.submitted_at, entry.adjudication.id)
        )
