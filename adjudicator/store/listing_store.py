"""The listing's port over SQLAlchemy."""

from collections.abc import Sequence

import sqlalchemy as sa

from adjudicator.service.listing import Entry, Wanted
from adjudicator.service.pages import Mark
from adjudicator.store.database import Database
from adjudicator.store.page_queries import latest_first
from adjudicator.store.rows import adjudication_value, match_value
from adjudicator.store.tables import adjudications, matches

OF_MATCH = "its_match_"
"""Before the names of a match's columns where they stand beside those of its adjudication."""


class ListingStore:
    """Keeps the ``ListingStore`` port; see there. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entries(self, owner: str, wanted: Wanted, *, after: Mark | None, limit: int) -> Sequence[Entry]:
        """See the port."""
        of_match = [
            column.label(OF_MATCH + column.name) for column in matches.c if column is not matches.c.record
        ]
        found = (
            sa.select(adjudications, *of_match)
            .join_from(adjudications, matches)
            .where(adjudications.c.owner == owner, *_conditions(wanted))
        )
        at, entry_id = adjudications.c.submitted_at, adjudications.c.id
        page = latest_first(found, at, entry_id, after=after, limit=limit)
        with self._database.reading() as connection:
            return [
                Entry(adjudication_value(row), match_value(row, (), prefix=OF_MATCH))
                for row in connection.execute(page).mappings()
            ]


def _conditions(wanted: Wanted) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = []
    if wanted.player is not None:
        conditions.append(sa.or_(matches.c.white == wanted.player, matches.c.black == wanted.player))
    if wanted.since is not None:
        conditions.append(adjudications.c.submitted_at >= wanted.since)
    if wanted.until is not None:
        conditions.append(adjudications.c.submitted_at < wanted.until)
    if wanted.changed is not None:
        conditions.append(adjudications.c.changed.is_(wanted.changed))
    if wanted.status is not None:
        conditions.append(adjudications.c.status == wanted.status.value)
    return conditions
