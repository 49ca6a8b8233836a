"""The erasure's port over SQLAlchemy."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from adjudicator.service.erasure import Held
from adjudicator.service.values import FailureReason, Match, Result, Status
from adjudicator.store.database import Database
from adjudicator.store.rows import match_row, match_value, pack, queued_next, unpack
from adjudicator.store.tables import adjudications, batch_members, callbacks, deliveries, matches, results


class ErasureStore:
    """Keeps the ``ErasureStore`` port; see there. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def holding(self, owner: str, player: str, *, limit: int) -> Sequence[Held]:
        """See the port."""
        found = sa.select(matches).where(_holds(owner, player)).order_by(matches.c.id).limit(limit)
        with self._database.reading() as connection:
            return [
                Held(match_value(row, ()), unpack(row["record"]), _results_of(connection, row["id"]))
                for row in connection.execute(found).mappings().all()
            ]

    def count_holding(self, owner: str, player: str) -> int:
        """See the port."""
        counted = sa.select(sa.func.count()).select_from(matches).where(_holds(owner, player))
        with self._database.reading() as connection:
            return connection.execute(counted).scalar_one()

    def redact(self, match: Match, content: bytes, known: Mapping[str, Result], *, at: datetime) -> None:
        """See the port."""
        in_its_place = sa.update(matches).where(matches.c.id == match.id).values(match_row(match, content))
        with self._database.writing() as connection:
            connection.execute(in_its_place)
            _begin_again(connection, match.id, known, at)
            for adjudication_id, result in known.items():
                its_result = sa.update(results).where(results.c.adjudication_id == adjudication_id)
                connection.execute(its_result.values(content=pack(result.content)))
            connection.execute(_members_of(match.id).values(name=match.id))

    def received(self, *, before: datetime, limit: int) -> Sequence[str]:
        """See the port."""
        waits = sa.exists().where(
            adjudications.c.match_id == matches.c.id,
            adjudications.c.status.in_([Status.QUEUED.value, Status.RUNNING.value]),
        )
        found = sa.select(matches.c.id).where(matches.c.received_at < before, ~waits)
        with self._database.reading() as connection:
            return connection.execute(found.order_by(matches.c.received_at).limit(limit)).scalars().all()

    def delete(self, match_id: str, reason: FailureReason) -> None:
        """See the port."""
        error = {"code": reason.code, "detail": reason.detail}
        ids = _ids_of(match_id)
        with self._database.writing() as connection:
            connection.execute(_members_of(match_id).values(name=match_id, adjudication_id=None, error=error))
            connection.execute(sa.delete(callbacks).where(callbacks.c.adjudication_id.in_(ids)))
            connection.execute(sa.delete(deliveries).where(deliveries.c.subject_id.in_(ids)))
            connection.execute(sa.delete(results).where(results.c.adjudication_id.in_(ids)))
            connection.execute(sa.delete(adjudications).where(adjudications.c.match_id == match_id))
            connection.execute(sa.delete(matches).where(matches.c.id == match_id))


def _begin_again(connection: sa.Connection, match_id: str, known: Mapping[str, Result], at: datetime) -> None:
    """Queues anew what has read the old record and whose result was not among those that were redacted."""
    stale = sa.and_(
        adjudications.c.match_id == match_id,
        adjudications.c.status.in_([Status.RUNNING.value, Status.DONE.value]),
        adjudications.c.id.not_in(list(known)),
    )
    ids = connection.execute(sa.select(adjudications.c.id).where(stale)).scalars().all()
    again = queued_next(at) | {"last_attempt": adjudications.c.last_attempt + 1}
    connection.execute(sa.delete(results).where(results.c.adjudication_id.in_(ids)))
    connection.execute(
        sa.update(adjudications)
        .where(adjudications.c.id.in_(ids))
        .values(**again, changed=None, finished_at=None)
    )


def _members_of(match_id: str) -> sa.Update:
    return sa.update(batch_members).where(batch_members.c.adjudication_id.in_(_ids_of(match_id)))


def _holds(owner: str, player: str) -> sa.ColumnElement[bool]:
    return (matches.c.owner == owner) & sa.or_(matches.c.white == player, matches.c.black == player)


def _ids_of(match_id: str) -> sa.Select[tuple[str]]:
    return sa.select(adjudications.c.id).where(adjudications.c.match_id == match_id)


def _results_of(connection: sa.Connection, match_id: str) -> dict[str, bytes]:
    found = (
        sa.select(results.c.adjudication_id, results.c.content)
        .where(results.c.adjudication_id.in_(_ids_of(match_id)))
        .order_by(results.c.adjudication_id)
    )
    return {row.adjudication_id: unpack(row.content) for row in connection.execute(found)}
