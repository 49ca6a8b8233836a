"""The tables, the same on SQLite and PostgreSQL. A change here goes with a migration, a test compares."""

import re
from datetime import UTC, datetime

import sqlalchemy as sa

from adjudicator.service.values import Status


class UtcTime(sa.TypeDecorator[datetime]):
    """A moment in UTC. SQLite keeps no time zone, so it is taken off on the way in and put back."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """The moment in UTC, bare for SQLite."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """The moment in UTC, aware of it."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class PlainText(sa.TypeDecorator[str]):
    """Text from outside. NUL and unpaired surrogates, which not every database takes, become U+FFFD."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        r"""The text without what cannot be kept.

        >>> PlainText().process_bind_param("a\x00b\ud800", sa.create_engine("sqlite://").dialect)
        'a�b�'
        """
        return value if value is None else UNKEEPABLE.sub("\N{REPLACEMENT CHARACTER}", value)


UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(26), primary_key=True),
    sa.Column("owner", sa.String(100), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("format", sa.String(40), nullable=False),
    sa.Column("media_type", sa.String(100), nullable=False),
    sa.Column("file_name", PlainText),
    sa.Column("variant", sa.String(40), nullable=False),
    sa.Column("match_length", sa.Integer, nullable=False),
    sa.Column("white", PlainText, nullable=False),
    sa.Column("black", PlainText, nullable=False),
    sa.Column("received_at", UtcTime, nullable=False),
    sa.Column("record", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("owner", "sha256"),
)

adjudications = sa.Table(
    "adjudications",
    metadata,
    sa.Column("id", sa.String(26), primary_key=True),
    sa.Column("match_id", sa.ForeignKey("matches.id"), nullable=False, index=True),
    sa.Column("owner", sa.String(100), nullable=False),
    sa.Column("ruleset", sa.JSON, nullable=False),
    sa.Column("engine", sa.JSON, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("last_attempt", sa.Integer, nullable=False),
    sa.Column("submitted_at", UtcTime, nullable=False),
    sa.Column("queued_at", UtcTime, nullable=False),
    sa.Column("started_at", UtcTime),
    sa.Column("finished_at", UtcTime),
    sa.Column("lease_until", UtcTime),
    sa.Column("worker", sa.String(100)),
    sa.Column("changed", sa.Boolean),
    sa.Column("error_code", sa.String(40)),
    sa.Column("error_detail", PlainText),
    sa.CheckConstraint("status IN ('queued', 'running', 'done', 'failed')", name="status_known"),
    sa.CheckConstraint("(status = 'done') = (changed IS NOT NULL)", name="changed_when_done"),
    sa.CheckConstraint("(status = 'failed') = (error_code IS NOT NULL)", name="error_when_failed"),
    sa.CheckConstraint("(status = 'running') = (lease_until IS NOT NULL)", name="lease_when_running"),
)

results = sa.Table(
    "results",
    metadata,
    sa.Column("adjudication_id", sa.ForeignKey("adjudications.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""Apart from the adjudications, so that whoever asks how one stands does not read its result."""

of_owner_in_order = sa.Index(None, adjudications.c.owner, adjudications.c.submitted_at, adjudications.c.id)
queued_in_order = sa.Index(
    "ix_adjudications_queued",
    adjudications.c.queued_at,
    sqlite_where=adjudications.c.status == Status.QUEUED.value,
    postgresql_where=adjudications.c.status == Status.QUEUED.value,
)
leases_in_order = sa.Index(
    "ix_adjudications_leases",
    adjudications.c.lease_until,
    sqlite_where=adjudications.c.status == Status.RUNNING.value,
    postgresql_where=adjudications.c.status == Status.RUNNING.value,
)
