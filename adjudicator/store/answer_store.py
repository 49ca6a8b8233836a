"""The port of first answers over SQLAlchemy."""

from datetime import datetime

import sqlalchemy as sa

from adjudicator.service.access_ports import Standing
from adjudicator.service.answer_values import Answer, Claim
from adjudicator.store.database import Database
from adjudicator.store.rows import pack, unpack
from adjudicator.store.tables import answers


class AnswerTable:
    """Keeps the ``AnswerStore`` port; see there for its promises. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, claim: Claim, *, lost_before: datetime, kept_since: datetime) -> Standing | None:
        """See ``AnswerStore.claim``."""
        row = {
            "owner": claim.owner,
            "key": claim.key,
            "fingerprint": claim.fingerprint,
            "claimed_at": claim.claimed_at,
        }
        is_lost = sa.and_(answers.c.status.is_(None), answers.c.claimed_at < lost_before)
        taken_over = (
            sa.update(answers)
            .where(*_named(claim), sa.or_(is_lost, answers.c.claimed_at < kept_since))
            .values(**row, status=None, headers=None, body=None)
        )
        with self._database.writing() as connection:
            if self._database.insert_new(connection, answers, row):
                return None
            if connection.execute(taken_over).rowcount == 1:
                return None
            standing = connection.execute(sa.select(answers).where(*_named(claim))).mappings().one_or_none()
        if standing is None:  # given back in this very moment: as good as still being answered
            return Standing(claim.fingerprint, None)
        return Standing(standing["fingerprint"], _value(standing))

    def keep(self, claim: Claim, answer: Answer) -> bool:
        """See ``AnswerStore.keep``."""
        kept = (
            sa.update(answers)
            .where(*_held(claim))
            .values(status=answer.status, headers=[*answer.headers], body=pack(answer.body))
        )
        with self._database.writing() as connection:
            return connection.execute(kept).rowcount == 1

    def release(self, claim: Claim) -> bool:
        """See ``AnswerStore.release``."""
        with self._database.writing() as connection:
            return connection.execute(sa.delete(answers).where(*_held(claim))).rowcount == 1

    def clear(self, *, before: datetime, limit: int) -> int:
        """See ``AnswerStore.clear``. Looks first: writers are not disturbed where there is nothing to do."""
        old = (
            sa.select(answers.c.owner, answers.c.key)
            .where(answers.c.claimed_at < before)
            .order_by(answers.c.claimed_at)
            .limit(limit)
        )
        with self._database.reading() as connection:
            if connection.execute(old.limit(1)).first() is None:
                return 0
        with self._database.writing() as connection:
            cleared = sa.delete(answers).where(
                answers.c.claimed_at < before, sa.tuple_(answers.c.owner, answers.c.key).in_(old)
            )
            return connection.execute(cleared).rowcount

    def forget(self, owner: str) -> int:
        """See ``AnswerStore.forget``."""
        answered = sa.delete(answers).where(answers.c.owner == owner, answers.c.status.is_not(None))
        with self._database.writing() as connection:
            return connection.execute(answered).rowcount


def _named(claim: Claim) -> tuple[sa.ColumnElement[bool], ...]:
    return (answers.c.owner == claim.owner, answers.c.key == claim.key)


def _held(claim: Claim) -> tuple[sa.ColumnElement[bool], ...]:
    """The fence: the row for as long as this claim is the one that counts."""
    return (*_named(claim), answers.c.claimed_at == claim.claimed_at, answers.c.status.is_(None))


def _value(row: sa.RowMapping) -> Answer | None:
    if row["status"] is None:
        return None
    headers = tuple((name, text) for name, text in row["headers"])
    return Answer(row["status"], headers, unpack(row["body"]))
