"""The batch store port over SQLAlchemy: archives, their members, and what came of them."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adjudicator.errors import Fault, StoreUnavailableError
from adjudicator.happy_end.game import GameStatus
from adjudicator.service.batch_ports import Counts
from adjudicator.service.batch_values import (
    Batch,
    BatchMember,
    BatchStatus,
    MemberStatus,
    NewMember,
    Outcome,
    Settlement,
    Tally,
    Turn,
    WaitingMember,
)
from adjudicator.service.pages import Mark
from adjudicator.service.values import Status
from adjudicator.store.batch_rows import (
    batch_row,
    batch_value,
    fault_rows,
    member_row,
    member_value,
    refusal_row,
    tally_value,
)
from adjudicator.store.database import Database
from adjudicator.store.page_queries import latest_first
from adjudicator.store.rows import unpack
from adjudicator.store.tables import adjudications, batch_members, batches, results

logger = logging.getLogger(__name__)

OnEnd = Callable[[sa.Connection, Batch], None]
"""Called in the transaction in which a batch becomes done, with the batch as it then is."""

STATE = sa.case(
    (batch_members.c.adjudication_id.is_not(sa.null()), adjudications.c.status),
    (batch_members.c.error.is_not(sa.null()), MemberStatus.REFUSED.value),
    (batches.c.status == BatchStatus.CANCELLED.value, MemberStatus.CANCELLED.value),
    else_=MemberStatus.WAITING.value,
)
"""The status of a member, among the joined rows of ``MEMBERS``."""

MEMBERS = batch_members.join(batches).outerjoin(adjudications)

FAILURE = sa.func.coalesce(adjudications.c.error_code, batch_members.c.error["code"].as_string())


def tell_nobody(_connection: sa.Connection, _batch: Batch) -> None:
    """Does nothing about the end of a batch."""


class BatchStore:
    """Keeps the ``BatchStore`` port; see there for what each method promises. Safe to share between threads.

    ``on_end`` writes what is to be told of a batch's end, in the very transaction of it.
    """

    def __init__(self, database: Database, on_end: OnEnd = tell_nobody) -> None:
        self._database = database
        self._on_end = on_end

    def open(self, batch: Batch, *, lease_until: datetime) -> None:
        """See ``BatchStore.open``."""
        with self._database.writing() as connection:
            connection.execute(sa.insert(batches).values(**batch_row(batch), lease_until=lease_until))

    def append(
        self, batch_id: str, members: Sequence[NewMember], *, lease_until: datetime
    ) -> BatchStatus | None:
        """See ``BatchStore.append``."""
        grown = (
            _change(batch_id, BatchStatus.RECEIVING)
            .values(members=batches.c.members + len(members), lease_until=lease_until)
            .returning(batches.c.members)
        )
        with self._database.writing() as connection:
            count = connection.execute(grown).scalar_one_or_none()
            if count is None:
                found = connection.execute(sa.select(batches.c.status).where(batches.c.id == batch_id))
                status = found.scalar_one_or_none()
                return None if status is None else BatchStatus(status)
            rows = [
                member_row(batch_id, number, member)
                for number, member in enumerate(members, start=count - len(members) + 1)
            ]
            connection.execute(sa.insert(batch_members), rows)
        return BatchStatus.RECEIVING

    def complete(self, batch_id: str, *, faults: Sequence[Fault], at: datetime) -> None:
        """See ``BatchStore.complete``."""
        values = {"status": BatchStatus.RUNNING.value, "faults": fault_rows(faults), "lease_until": at}
        with self._database.writing() as connection:
            connection.execute(_change(batch_id, BatchStatus.RECEIVING).values(**values))

    def discard(self, batch_id: str, *, limit: int) -> bool:
        """See ``BatchStore.discard``. From the last member on, so that the count stays right."""
        shrunk = (
            _change(batch_id, BatchStatus.RECEIVING)
            .values(members=sa.case((batches.c.members > limit, batches.c.members - limit), else_=0))
            .returning(batches.c.members)
        )
        with self._database.writing() as connection:
            left = connection.execute(shrunk).scalar_one_or_none()
            if left is None:
                return False
            mine = batch_members.c.batch_id == batch_id
            connection.execute(sa.delete(batch_members).where(mine, batch_members.c.number > left))
            if not left:
                connection.execute(sa.delete(batches).where(batches.c.id == batch_id))
        return bool(left)

    def given_up(self, *, at: datetime) -> str | None:
        """See ``BatchStore.given_up``."""
        found = (
            sa.select(batches.c.id)
            .where(batches.c.status == BatchStatus.RECEIVING.value, batches.c.lease_until < at)
            .limit(1)
        )
        with self._database.reading() as connection:
            return connection.execute(found).scalar_one_or_none()

    def batch(self, batch_id: str, owner: str) -> Batch | None:
        """See ``BatchStore.batch``."""
        named = sa.select(batches).where(batches.c.id == batch_id, batches.c.owner == owner)
        with self._database.reading() as connection:
            row = connection.execute(named).mappings().one_or_none()
        return None if row is None else batch_value(row)

    def batches(self, owner: str, *, after: Mark | None, limit: int) -> Sequence[Batch]:
        """See ``BatchStore.batches``."""
        owned = sa.select(batches).where(batches.c.owner == owner)
        wanted = latest_first(owned, batches.c.received_at, batches.c.id, after=after, limit=limit)
        with self._database.reading() as connection:
            return [batch_value(row) for row in connection.execute(wanted).mappings()]

    def cancel(self, batch_id: str, *, at: datetime) -> None:
        """See ``BatchStore.cancel``."""
        cancelled = _change(batch_id, BatchStatus.RECEIVING, BatchStatus.RUNNING).values(
            status=BatchStatus.CANCELLED.value, finished_at=at
        )
        with self._database.writing() as connection:
            connection.execute(cancelled)

    def take(self, *, at: datetime, lease_until: datetime, limit: int) -> Turn | None:
        """See ``BatchStore.take``.

        Looks before it begins to write: it is asked after every adjudication, and mostly in vain.
        """
        with self._database.reading() as connection:
            batch_id: str | None = connection.execute(_next_batch(at)).scalar_one_or_none()
        if batch_id is None:
            return None
        leased = (
            _change(batch_id, BatchStatus.RUNNING)
            .where(batches.c.lease_until <= at)
            .values(lease_until=lease_until, fed_at=at)
            .returning(*batches.c)
        )
        with self._database.writing() as connection:
            row = connection.execute(leased).mappings().one_or_none()
            if row is None:
                return None  # another one was quicker
            waiting = (
                sa.select(batch_members.c.number, batch_members.c.name, batch_members.c.content)
                .where(batch_members.c.batch_id == batch_id, batch_members.c.number > row["settled"])
                .order_by(batch_members.c.number)
                .limit(limit)
            )
            members = connection.execute(waiting).all()
        return Turn(batch_value(row), tuple(_waiting_member(*member) for member in members))

    def settle(self, batch_id: str, settlements: Sequence[Settlement], *, due_at: datetime) -> None:
        """See ``BatchStore.settle``. Whoever comes second with a member changes nothing."""
        last = max((settlement.number for settlement in settlements), default=0)
        passed = sa.case((batches.c.settled < last, last), else_=batches.c.settled)
        with self._database.writing() as connection:
            connection.execute(
                sa.update(batches).where(batches.c.id == batch_id).values(settled=passed, lease_until=due_at)
            )
            if settlements:
                rows = [_settled(batch_id, settlement) for settlement in settlements]
                connection.execute(SETTLE, rows)

    def drop_contents(self, *, limit: int) -> int:
        """See ``BatchStore.drop_contents``."""
        found = (
            sa.select(batches.c.id)
            .where(batches.c.status == BatchStatus.CANCELLED.value, batches.c.settled < batches.c.members)
            .limit(1)
        )
        with self._database.reading() as connection:
            batch_id = connection.execute(found).scalar_one_or_none()
        if batch_id is None:
            return 0
        end = batches.c.settled + limit
        passed = (
            _change(batch_id, BatchStatus.CANCELLED)
            .values(settled=sa.case((end < batches.c.members, end), else_=batches.c.members))
            .returning(batches.c.settled)
        )
        with self._database.writing() as connection:
            settled = connection.execute(passed).scalar_one()
            return connection.execute(
                sa.update(batch_members)
                .where(
                    batch_members.c.batch_id == batch_id,
                    batch_members.c.number > settled - limit,
                    batch_members.c.number <= settled,
                )
                .values(content=None)
            ).rowcount

    def end(self, *, at: datetime) -> Sequence[str]:
        """See ``BatchStore.end``."""
        candidates = sa.select(batches.c.id).where(
            batches.c.status == BatchStatus.RUNNING.value, batches.c.settled >= batches.c.members
        )
        with self._database.reading() as connection:
            found = connection.execute(candidates).scalars().all()
            over = [
                batch_id
                for batch_id in found
                if connection.execute(_last_under_way(batch_id)).first() is None
            ]
        return [batch_id for batch_id in over if self._end(batch_id, at)]

    def counts(self, batch_id: str, *, since: datetime) -> Counts:
        """See ``BatchStore.counts``."""
        state = STATE.label("state")
        ended_lately = sa.func.sum(sa.case((adjudications.c.finished_at >= since, 1), else_=0))
        counted = (
            sa.select(state, sa.func.count(), ended_lately)
            .select_from(MEMBERS)
            .where(batch_members.c.batch_id == batch_id)
            .group_by(state)
        )
        with self._database.reading() as connection:
            rows = connection.execute(counted).all()
        by_status = {MemberStatus(name): count for name, count, _ in rows}
        return Counts(by_status, sum(lately for _, _, lately in rows))

    def tally(self, batch_id: str) -> Tally:
        """See ``BatchStore.tally``. One statement, so that its numbers belong together on every database."""
        state, code = STATE.label("state"), FAILURE.label("code")
        games = [results.c.games_by_status[status.value].as_integer() for status in GameStatus]
        sums = [sa.case((adjudications.c.changed, 1), else_=0), results.c.changed_games, *games]
        counted = (
            sa.select(
                state, code, sa.func.count(), *(sa.func.coalesce(sa.func.sum(each), 0) for each in sums)
            )
            .select_from(MEMBERS.outerjoin(results))
            .where(batch_members.c.batch_id == batch_id)
            .group_by(state, code)
        )
        with self._database.reading() as connection:
            rows = connection.execute(counted).all()
        return tally_value([tuple(row) for row in rows])

    def members(
        self, batch_id: str, *, after: int, limit: int, status: MemberStatus | None
    ) -> Sequence[BatchMember]:
        """See ``BatchStore.members``."""
        wanted = _members_after(batch_id, after, limit)
        if status is not None:
            wanted = wanted.where(sa.literal(status.value) == STATE)
        with self._database.reading() as connection:
            return [member_value(row) for row in connection.execute(wanted).mappings()]

    def outcomes(self, batch_id: str, *, after: int, limit: int) -> Sequence[Outcome]:
        """See ``BatchStore.outcomes``."""
        wanted = (
            _members_after(batch_id, after, limit)
            .add_columns(results.c.content)
            .outerjoin_from(MEMBERS, results)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).mappings().all()
        return [
            Outcome(member_value(row), None if row["content"] is None else unpack(row["content"]))
            for row in rows
        ]

    def _end(self, batch_id: str, at: datetime) -> bool:
        """Each in a transaction of its own: one end that cannot be told holds up no other."""
        ended = (
            _change(batch_id, BatchStatus.RUNNING)
            .values(status=BatchStatus.DONE.value, finished_at=at)
            .returning(*batches.c)
        )
        try:
            with self._database.writing() as connection:
                row = connection.execute(ended).mappings().one_or_none()
                if row is not None:
                    self._on_end(connection, batch_value(row))
        except StoreUnavailableError as error:
            logger.warning("The end of batch %s has to wait: %s", batch_id, error)
            return False
        return row is not None


SETTLE = (
    sa.update(batch_members)
    .where(
        batch_members.c.batch_id == sa.bindparam("its_batch"),
        batch_members.c.number == sa.bindparam("its_number"),
        batch_members.c.adjudication_id.is_(sa.null()),
        batch_members.c.error.is_(sa.null()),
    )
    .values(
        adjudication_id=sa.bindparam("its_adjudication"), error=sa.bindparam("its_error"), content=sa.null()
    )
)


def _settled(batch_id: str, settlement: Settlement) -> dict[str, Any]:
    refusal = settlement.refusal
    return {
        "its_batch": batch_id,
        "its_number": settlement.number,
        "its_adjudication": settlement.adjudication_id,
        "its_error": None if refusal is None else refusal_row(refusal),
    }


def _change(batch_id: str, *statuses: BatchStatus) -> sa.Update:
    """A change of a batch for as long as it has one of these statuses."""
    return sa.update(batches).where(
        batches.c.id == batch_id, batches.c.status.in_([status.value for status in statuses])
    )


def _next_batch(at: datetime) -> sa.Select[Any]:
    """Whose turn it is: of the owner that was served the longest ago the batch that was."""
    running = batches.c.status == BatchStatus.RUNNING.value
    served = (
        sa.select(batches.c.owner, sa.func.max(batches.c.fed_at).label("fed_at"))
        .where(running)
        .group_by(batches.c.owner)
        .subquery()
    )
    return (
        sa.select(batches.c.id)
        .join_from(batches, served, batches.c.owner == served.c.owner)
        .where(running, batches.c.settled < batches.c.members, batches.c.lease_until <= at)
        .order_by(served.c.fed_at, batches.c.fed_at, batches.c.received_at, batches.c.id)
        .limit(1)
    )


def _last_under_way(batch_id: str) -> sa.Select[Any]:
    """A member that has not ended, looked for from the end, where such are."""
    under_way = [Status.QUEUED.value, Status.RUNNING.value]
    return (
        sa.select(batch_members.c.number)
        .join_from(batch_members, adjudications)
        .where(batch_members.c.batch_id == batch_id, adjudications.c.status.in_(under_way))
        .order_by(batch_members.c.number.desc())
        .limit(1)
    )


def _members_after(batch_id: str, after: int, limit: int) -> sa.Select[Any]:
    return (
        sa.select(
            batch_members.c.number,
            batch_members.c.name,
            batch_members.c.adjudication_id,
            batch_members.c.error,
            adjudications.c.error_code,
            adjudications.c.error_detail,
            STATE.label("state"),
        )
        .select_from(MEMBERS)
        .where(batch_members.c.batch_id == batch_id, batch_members.c.number > after)
        .order_by(batch_members.c.number)
        .limit(limit)
    )


def _waiting_member(number: int, name: str, content: bytes | None) -> WaitingMember:
    return WaitingMember(number, name, None if content is None else unpack(content))
