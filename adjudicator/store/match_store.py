"""The store port over SQLAlchemy: matches and adjudications in one database."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from adjudicator.service.values import (
    Adjudication,
    FailureReason,
    Kept,
    Match,
    Order,
    Record,
    Result,
    Status,
    Ticket,
)
from adjudicator.store.database import INSERT, Database
from adjudicator.store.outbox import tell_of_end
from adjudicator.store.rows import (
    AT_REST,
    adjudication_row,
    adjudication_value,
    match_row,
    match_value,
    order_value,
    pack,
    queued_next,
    unpack,
)
from adjudicator.store.schema import require_revision
from adjudicator.store.tables import adjudications, matches, results


class MatchStore:
    """Keeps the ``Store`` port; see there for what each method promises. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, match: Match, content: bytes, adjudication: Adjudication, last_attempt: int) -> Kept:
        """See ``Store.keep``."""
        with self._database.writing() as connection:
            connection.execute(_keep_match(connection.dialect.name), match_row(match, content))
            return self._keep_adjudication(connection, adjudication, last_attempt)

    def keep_adjudication(self, adjudication: Adjudication, last_attempt: int) -> Kept:
        """See ``Store.keep_adjudication``."""
        with self._database.writing() as connection:
            return self._keep_adjudication(connection, adjudication, last_attempt)

    def match(self, match_id: str, owner: str) -> Match | None:
        """See ``Store.match``."""
        named = sa.select(*(column for column in matches.c if column is not matches.c.record)).where(
            matches.c.id == match_id, matches.c.owner == owner
        )
        its_adjudications = (
            sa.select(adjudications.c.id)
            .where(adjudications.c.match_id == match_id)
            .order_by(adjudications.c.submitted_at, adjudications.c.id)
        )
        with self._database.reading() as connection:
            row = connection.execute(named).mappings().one_or_none()
            if row is None:
                return None
            return match_value(row, tuple(connection.execute(its_adjudications).scalars()))

    def record(self, match_id: str, owner: str) -> Record | None:
        """See ``Store.record``."""
        named = sa.select(matches.c.record, matches.c.format, matches.c.media_type).where(
            matches.c.id == match_id, matches.c.owner == owner
        )
        with self._database.reading() as connection:
            row = connection.execute(named).one_or_none()
        return None if row is None else Record(unpack(row.record), row.format, row.media_type)

    def adjudication(self, adjudication_id: str, owner: str) -> Adjudication | None:
        """See ``Store.adjudication``."""
        named = sa.select(adjudications).where(
            adjudications.c.id == adjudication_id, adjudications.c.owner == owner
        )
        with self._database.reading() as connection:
            row = connection.execute(named).mappings().one_or_none()
        return None if row is None else adjudication_value(row)

    def result(self, adjudication_id: str, owner: str) -> bytes | None:
        """See ``Store.result``."""
        named = (
            sa.select(results.c.content)
            .join_from(results, adjudications)
            .where(adjudications.c.id == adjudication_id, adjudications.c.owner == owner)
        )
        with self._database.reading() as connection:
            content = connection.execute(named).scalar_one_or_none()
        return None if content is None else unpack(content)

    def reopen(self, ticket: Ticket, *, attempts: int, at: datetime) -> bool:
        """See ``Store.reopen``."""
        return self._change(
            ticket,
            (Status.FAILED,),
            **queued_next(at),
            last_attempt=adjudications.c.attempt + attempts,
            finished_at=None,
            error_code=None,
            error_detail=None,
        )

    def start(self, ticket: Ticket, *, worker: str, at: datetime, lease_until: datetime) -> Order | None:
        """See ``Store.start``."""
        taken = _change(
            ticket,
            (Status.QUEUED,),
            status=Status.RUNNING.value,
            worker=worker,
            started_at=at,
            lease_until=lease_until,
        )
        ordered = (
            sa.select(
                adjudications, matches.c.sha256, matches.c.original_sha256, matches.c.format, matches.c.record
            )
            .join_from(adjudications, matches)
            .where(adjudications.c.id == ticket.adjudication_id)
        )
        with self._database.writing() as connection:
            if connection.execute(taken).rowcount != 1:
                return None
            return order_value(connection.execute(ordered).mappings().one())

    def renew(self, ticket: Ticket, *, lease_until: datetime) -> bool:
        """See ``Store.renew``."""
        return self._change(ticket, (Status.RUNNING,), lease_until=lease_until)

    def finish(self, ticket: Ticket, *, result: Result, at: datetime) -> bool:
        """See ``Store.finish``."""
        done = _change(
            ticket,
            (Status.RUNNING,),
            **AT_REST,
            status=Status.DONE.value,
            changed=result.changed,
            finished_at=at,
        )
        row = {
            "adjudication_id": ticket.adjudication_id,
            "attempt": ticket.attempt,
            "content": pack(result.content),
            "games_by_status": dict(result.games_by_status),
            "changed_games": result.changed_games,
        }
        with self._database.writing() as connection:
            if connection.execute(done).rowcount != 1:
                return False
            connection.execute(sa.insert(results).values(row))
            tell_of_end(connection, ticket.adjudication_id, at=at)
            return True

    def fail(self, ticket: Ticket, *, reason: FailureReason, at: datetime) -> bool:
        """See ``Store.fail``."""
        failed = _change(
            ticket,
            (Status.QUEUED, Status.RUNNING),
            **AT_REST,
            status=Status.FAILED.value,
            error_code=reason.code,
            error_detail=reason.detail,
            finished_at=at,
        )
        with self._database.writing() as connection:
            if connection.execute(failed).rowcount != 1:
                return False
            tell_of_end(connection, ticket.adjudication_id, at=at)
            return True

    def next_attempt(self, ticket: Ticket, *, at: datetime) -> Ticket | None:
        """See ``Store.next_attempt``."""
        allowed = adjudications.c.attempt < adjudications.c.last_attempt
        queued = self._change(ticket, (Status.RUNNING,), allowed, **queued_next(at))
        return ticket.successor if queued else None

    def hand_back(self, ticket: Ticket, *, at: datetime) -> Ticket | None:
        """See ``Store.hand_back``."""
        one_more = adjudications.c.last_attempt + 1
        queued = self._change(ticket, (Status.RUNNING,), **queued_next(at), last_attempt=one_more)
        return ticket.successor if queued else None

    def expired(self, *, at: datetime, limit: int) -> Sequence[Ticket]:
        """See ``Store.expired``."""
        return self._tickets(Status.RUNNING, adjudications.c.lease_until, at, limit)

    def queued(self, *, before: datetime, limit: int) -> Sequence[Ticket]:
        """See ``Store.queued``."""
        return self._tickets(Status.QUEUED, adjudications.c.queued_at, before, limit)

    def oldest_queued(self) -> datetime | None:
        """See ``Store.oldest_queued``."""
        moment = adjudications.c.queued_at
        first = sa.select(moment).where(_stands_as(Status.QUEUED)).order_by(moment).limit(1)
        with self._database.reading() as connection:
            since: datetime | None = connection.execute(first).scalar_one_or_none()
        return since

    def require_ready(self) -> None:
        """See ``Store.require_ready``."""
        with self._database.reading() as connection:
            require_revision(connection)

    def close(self) -> None:
        """See ``Store.close``."""
        self._database.close()

    def _keep_adjudication(
        self, connection: sa.Connection, adjudication: Adjudication, last_attempt: int
    ) -> Kept:
        row = adjudication_row(adjudication, last_attempt)
        is_new = self._database.insert_new(connection, adjudications, row)
        named = sa.select(adjudications).where(adjudications.c.id == adjudication.id)
        return Kept(adjudication_value(connection.execute(named).mappings().one()), is_new)

    def _tickets(
        self, status: Status, moment: sa.Column[datetime], before: datetime, limit: int
    ) -> list[Ticket]:
        found = (
            sa.select(adjudications.c.id, adjudications.c.attempt)
            .where(_stands_as(status), moment < before)
            .order_by(moment)
            .limit(limit)
        )
        with self._database.reading() as connection:
            return [Ticket(row.id, row.attempt) for row in connection.execute(found)]

    def _change(
        self, ticket: Ticket, statuses: tuple[Status, ...], *conditions: sa.ColumnElement[bool], **values: Any
    ) -> bool:
        with self._database.writing() as connection:
            return connection.execute(_change(ticket, statuses, *conditions, **values)).rowcount == 1


@cache
def _keep_match(dialect: str) -> sa.Executable:
    """Keeps a match; one that is there was sent again then, and nothing else about it changes."""
    insert = INSERT[dialect](matches)
    sent = insert.excluded.received_at
    return insert.on_conflict_do_update(
        index_elements=[matches.c.id],
        set_={"received_at": sent},
        where=matches.c.received_at < sent,
    )


def _stands_as(status: Status) -> sa.ColumnElement[bool]:
    """Written out, not bound: else the indexes of that status are not used."""
    return adjudications.c.status == sa.literal_column(f"'{status.value}'")


def _change(
    ticket: Ticket, statuses: tuple[Status, ...], *conditions: sa.ColumnElement[bool], **values: Any
) -> sa.Update:
    """The fence: a change for as long as the attempt is the one that counts, and stands as said."""
    return (
        sa.update(adjudications)
        .where(
            adjudications.c.id == ticket.adjudication_id,
            adjudications.c.attempt == ticket.attempt,
            adjudications.c.status.in_([status.value for status in statuses]),
            *conditions,
        )
        .values(**values)
    )
