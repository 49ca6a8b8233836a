"""The erasure's port over SQLAlchemy."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from adjudicator.service.batch_values import Refusal
from adjudicator.service.erasure import Held
from adjudicator.service.values import FailureReason, Match, Result, Status
from adjudicator.store.batch_rows import refusal_row
from adjudicator.store.database import Database
from adjudicator.store.rows import match_row, match_value, pack, queued_next, unpack
from adjudicator.store.tables import (
    adjudications,
    batch_members,
    batches,
    callbacks,
    deliveries,
    keepable,
    matches,
    results,
    webhook_secrets,
)


class ErasureStore:
    """Keeps the ``ErasureStore`` port; see there. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def kept(self, name: str) -> str:
        """See the port."""
        return keepable(name)

    def holding(self, owner: str, player: str, *, limit: int) -> Sequence[str]:
        """See the port."""
        found = sa.select(matches.c.id).where(_holds(owner, player)).order_by(matches.c.id).limit(limit)
        with self._database.reading() as connection:
            return connection.execute(found).scalars().all()

    def count_holding(self, owner: str, player: str) -> int:
        """See the port."""
        counted = sa.select(sa.func.count()).select_from(matches).where(_holds(owner, player))
        with self._database.reading() as connection:
            return connection.execute(counted).scalar_one()

    def held(self, match_id: str) -> Held | None:
        """See the port."""
        named = sa.select(matches).where(matches.c.id == match_id)
        with self._database.reading() as connection:
            row = connection.execute(named).mappings().one_or_none()
            if row is None:
                return None
            return Held(match_value(row, ()), unpack(row["record"]), _results_of(connection, match_id))

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
        """See the port."""
        row = match_row(match, content)
        del row["received_at"]  # it may have been sent again
        in_its_place = sa.update(matches).where(matches.c.id == match.id).values(row)
        with self._database.writing() as connection:
            ids = _locked(connection, match.id, matches.c.sha256 == was)
            if ids is None:
                return False
            connection.execute(in_its_place)
            _begin_again(connection, ids, known, at)
            _reword_failures(connection, ids, reword)
            for adjudication_id, result in known.items():
                its_result = sa.update(results).where(results.c.adjudication_id == adjudication_id)
                connection.execute(its_result.values(content=pack(result.content)))
            connection.execute(_members_of(ids).values(name=match.id))
        return True

    def delete(self, match: Match, reason: FailureReason) -> bool:
        """See the port."""
        return self._delete(match.id, reason, matches.c.sha256 == match.sha256)

    def received(self, *, before: datetime, limit: int) -> Sequence[str]:
        """See the port."""
        found = sa.select(matches.c.id).where(_rests_since(before))
        with self._database.reading() as connection:
            return connection.execute(found.order_by(matches.c.received_at).limit(limit)).scalars().all()

    def expire(self, match_id: str, reason: FailureReason, *, before: datetime) -> bool:
        """See the port."""
        return self._delete(match_id, reason, _rests_since(before))

    def clear_batches(self, *, before: datetime, limit: int) -> int:
        """See the port."""
        over = sa.select(batches.c.id).where(batches.c.finished_at < before).order_by(batches.c.finished_at)
        with self._database.reading() as connection:
            batch_id = connection.execute(over.limit(1)).scalar_one_or_none()
        if batch_id is None:
            return 0
        its_members = batch_members.c.batch_id == batch_id
        some = sa.select(batch_members.c.number).where(its_members).limit(limit)
        is_empty = ~sa.exists().where(batch_members.c.batch_id == batches.c.id)
        with self._database.writing() as connection:
            cleared = sa.delete(batch_members).where(its_members, batch_members.c.number.in_(some))
            count = connection.execute(cleared).rowcount
            connection.execute(sa.delete(batches).where(batches.c.id == batch_id, is_empty))
        return count

    def clear_deliveries(self, *, before: datetime, limit: int) -> int:
        """See the port."""
        return self._clear(deliveries, deliveries.c.ended_at < before, limit)

    def clear_secrets(self, *, at: datetime) -> int:
        """See the port."""
        return self._clear(webhook_secrets, webhook_secrets.c.expires_at <= at)

    def _clear(self, table: sa.Table, is_over: sa.ColumnElement[bool], limit: int | None = None) -> int:
        """Deletes rows; looks first, so that writers are not disturbed where there is nothing to do."""
        over = sa.select(table.c.id).where(is_over).limit(limit)
        with self._database.reading() as connection:
            if connection.execute(over.limit(1)).first() is None:
                return 0
        with self._database.writing() as connection:
            return connection.execute(sa.delete(table).where(is_over, table.c.id.in_(over))).rowcount

    def _delete(self, match_id: str, reason: FailureReason, stands: sa.ColumnElement[bool]) -> bool:
        error = refusal_row(Refusal(reason.code, reason.detail))
        with self._database.writing() as connection:
            ids = _locked(connection, match_id, stands)
            if ids is None:
                return False
            connection.execute(_members_of(ids).values(name=match_id, adjudication_id=None, error=error))
            connection.execute(sa.delete(callbacks).where(callbacks.c.adjudication_id.in_(ids)))
            connection.execute(sa.delete(deliveries).where(deliveries.c.subject_id.in_(ids)))
            connection.execute(sa.delete(results).where(results.c.adjudication_id.in_(ids)))
            connection.execute(sa.delete(adjudications).where(adjudications.c.id.in_(ids)))
            connection.execute(sa.delete(matches).where(matches.c.id == match_id))
        return True


def _locked(connection: sa.Connection, match_id: str, stands: sa.ColumnElement[bool]) -> Sequence[str] | None:
    """Locks the match, then its adjudications, and gives their ids; ``None`` where it does not stand so.

    Until the end of the transaction none is added, starts or ends. The condition is looked at under the
    locks: a statement that has waited for one may still see what was before.
    """
    named = sa.select(matches.c.id).where(matches.c.id == match_id)
    its = sa.select(adjudications.c.id).where(adjudications.c.match_id == match_id)
    connection.execute(named.with_for_update())
    ids = connection.execute(its.order_by(adjudications.c.id).with_for_update()).scalars().all()
    return None if connection.execute(named.where(stands)).first() is None else ids


def _begin_again(
    connection: sa.Connection, ids: Sequence[str], known: Mapping[str, Result], at: datetime
) -> None:
    """Queues anew what has read the old record and whose result was not among those that were redacted."""
    stale = sa.and_(
        adjudications.c.id.in_([each for each in ids if each not in known]),
        adjudications.c.status.in_([Status.RUNNING.value, Status.DONE.value]),
    )
    again = queued_next(at) | {"last_attempt": adjudications.c.last_attempt + 1}
    connection.execute(
        sa.delete(results).where(results.c.adjudication_id.in_(sa.select(adjudications.c.id).where(stale)))
    )
    connection.execute(sa.update(adjudications).where(stale).values(**again, changed=None, finished_at=None))


def _reword_failures(connection: sa.Connection, ids: Sequence[str], reword: Callable[[str], str]) -> None:
    its = adjudications.c.id
    failed = sa.select(its, adjudications.c.error_detail).where(
        its.in_(ids), adjudications.c.error_detail.is_not(None)
    )
    for adjudication_id, detail in connection.execute(failed).all():
        reworded = sa.update(adjudications).where(its == adjudication_id)
        connection.execute(reworded.values(error_detail=reword(detail)))


def _members_of(ids: Sequence[str]) -> sa.Update:
    return sa.update(batch_members).where(batch_members.c.adjudication_id.in_(ids))


def _holds(owner: str, player: str) -> sa.ColumnElement[bool]:
    return (matches.c.owner == owner) & sa.or_(matches.c.white == player, matches.c.black == player)


def _rests_since(before: datetime) -> sa.ColumnElement[bool]:
    """Whether the match came before that moment, and nothing was asked or found out about it since."""
    is_alive = sa.or_(
        adjudications.c.status.in_([Status.QUEUED.value, Status.RUNNING.value]),
        adjudications.c.submitted_at >= before,
        adjudications.c.finished_at >= before,
    )
    its = adjudications.c.match_id == matches.c.id
    return (matches.c.received_at < before) & ~sa.exists().where(its, is_alive)


def _results_of(connection: sa.Connection, match_id: str) -> dict[str, bytes]:
    found = (
        sa.select(results.c.adjudication_id, results.c.content)
        .join_from(results, adjudications)
        .where(adjudications.c.match_id == match_id)
        .order_by(results.c.adjudication_id)
    )
    return {row.adjudication_id: unpack(row.content) for row in connection.execute(found)}
