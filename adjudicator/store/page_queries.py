"""Pages of listings in SQL, latest first; ``service.pages`` says what a page is."""

from typing import Any

import sqlalchemy as sa

from adjudicator.service.pages import Mark


def latest_first(
    query: sa.Select[Any], at: sa.Column[Any], entry_id: sa.Column[Any], *, after: Mark | None, limit: int
) -> sa.Select[Any]:
    """At most so many rows of a query by time and id, latest first, from behind a mark on."""
    if after is not None:
        mark = sa.tuple_(sa.literal(after.at, at.type), sa.literal(after.id, entry_id.type))
        query = query.where(sa.tuple_(at, entry_id) < mark)
    return query.order_by(at.desc(), entry_id.desc()).limit(limit)
