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
        return value if value is None else keepable(value)


UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")


def keepable(text: str) -> str:
    """The text as every database takes it, in JSON too."""
    return UNKEEPABLE.sub("\N{REPLACEMENT CHARACTER}", text)


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
    sa.Column("original_sha256", sa.String(64)),
    sa.Column("format", sa.String(40), nullable=False),
    sa.Column("media_type", sa.String(100), nullable=False),
    sa.Column("file_name", PlainText),
    sa.Column("variant", sa.String(40), nullable=False),
    sa.Column("match_length", sa.Integer, nullable=False),
    sa.Column("white", PlainText, nullable=False),
    sa.Column("black", PlainText, nullable=False),
    sa.Column("received_at", UtcTime, nullable=False),
    sa.Column("record", sa.LargeBinary, nullable=False),
    sa.Index(None, "owner", "white"),
    sa.Index(None, "owner", "black"),
    sa.Index(None, "received_at"),
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
    sa.Column("traceparent", sa.String(55)),
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
    sa.Column("games_by_status", sa.JSON, nullable=False, server_default="{}"),
    sa.Column("changed_games", sa.Integer, nullable=False, server_default="0"),
)
"""Apart from the adjudications, so that whoever asks how one stands does not read its result.

The counts of games are those of the content, for statistics of many.
"""

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("id", sa.String(26), primary_key=True),
    sa.Column("owner", sa.String(100), nullable=False, index=True),
    sa.Column("label", PlainText, nullable=False),
    sa.Column("scopes", sa.JSON, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("expires_at", UtcTime),
    sa.Column("revoked_at", UtcTime),
    sa.Column("last_used_at", UtcTime),
    sa.Column("successor_id", sa.String(26)),
)
"""What callers show themselves with: only a digest of the secret is kept."""

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("owner", sa.String(100), primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("claimed_at", UtcTime, nullable=False, index=True),
    sa.Column("status", sa.Integer),
    sa.Column("headers", sa.JSON),
    sa.Column("body", sa.LargeBinary),
)
"""First answers to requests with an Idempotency-Key; without ``status`` while there is none yet."""

batches = sa.Table(
    "batches",
    metadata,
    sa.Column("id", sa.String(26), primary_key=True),
    sa.Column("owner", sa.String(100), nullable=False),
    sa.Column("name", PlainText),
    sa.Column("choice", sa.JSON, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("members", sa.Integer, nullable=False),
    sa.Column("settled", sa.Integer, nullable=False),
    sa.Column("faults", sa.JSON, nullable=False),
    sa.Column("callback_url", PlainText),
    sa.Column("traceparent", sa.String(55)),
    sa.Column("received_at", UtcTime, nullable=False),
    sa.Column("finished_at", UtcTime),
    sa.Column("lease_until", UtcTime, nullable=False),
    sa.Column("fed_at", UtcTime, nullable=False),
    sa.CheckConstraint("status IN ('receiving', 'running', 'done', 'cancelled')", name="status_known"),
    sa.Index(None, "owner", "received_at", "id"),
    sa.Index(None, "status"),
    sa.Index(None, "finished_at"),
)
"""Archives of many records; ``settled`` is the number of the last member whose content is needed no more.

``lease_until``: until then somebody sends it or feeds from it, or it is left alone. ``fed_at``: when it had
its last turn.
"""

batch_members = sa.Table(
    "batch_members",
    metadata,
    sa.Column("batch_id", sa.ForeignKey("batches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", PlainText, nullable=False),
    sa.Column("content", sa.LargeBinary),
    sa.Column("adjudication_id", sa.ForeignKey("adjudications.id"), index=True),
    sa.Column("error", sa.JSON(none_as_null=True)),
)
"""The files of an archive in its order; ``content`` is kept until it is a match of its own, or refused."""

callbacks = sa.Table(
    "callbacks",
    metadata,
    sa.Column("adjudication_id", sa.ForeignKey("adjudications.id"), primary_key=True),
    sa.Column("url", sa.String(2000), primary_key=True),
)
"""Whom else to tell of the end of an adjudication."""

webhook_endpoints = sa.Table(
    "webhook_endpoints",
    metadata,
    sa.Column("owner", sa.String(100), primary_key=True),
    sa.Column("url", sa.String(2000), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("disabled_at", UtcTime),
    sa.Column("disabled_because", PlainText),
    sa.CheckConstraint("(disabled_at IS NULL) = (disabled_because IS NULL)", name="disabled_with_reason"),
)
"""Where an owner wants to be told of everything."""

webhook_secrets = sa.Table(
    "webhook_secrets",
    metadata,
    sa.Column("id", sa.String(26), primary_key=True),
    sa.Column("owner", sa.String(100), nullable=False, index=True),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("expires_at", UtcTime),
)

deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", sa.String(30), primary_key=True),
    sa.Column("owner", sa.String(100), nullable=False),
    sa.Column("event", sa.String(40), nullable=False),
    sa.Column("subject_id", sa.String(26), nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("url", sa.String(2000), nullable=False),
    sa.Column("host", sa.String(300), nullable=False),
    sa.Column("to_endpoint", sa.Boolean, nullable=False),
    sa.Column("traceparent", sa.String(55)),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("due_at", UtcTime),
    sa.Column("tried_at", UtcTime),
    sa.Column("ended_at", UtcTime),
    sa.Column("answered", sa.Integer),
    sa.Column("error", PlainText),
    sa.CheckConstraint("status IN ('pending', 'delivered', 'failed')", name="status_known"),
    sa.CheckConstraint("(status = 'pending') = (due_at IS NOT NULL)", name="due_when_pending"),
    sa.CheckConstraint("(status = 'pending') = (ended_at IS NULL)", name="ended_unless_pending"),
    sa.Index(None, "owner", "created_at", "id"),
    sa.Index(None, "subject_id"),
    sa.Index(None, "ended_at"),
)
"""The outbox: what is to be told to whom, written in the transaction of what it tells.

Who sends one moves ``due_at`` ahead by a lease; ``host`` is that of ``url``, for bounds by host.
"""

deliveries_in_order = sa.Index(
    "ix_deliveries_due",
    deliveries.c.due_at,
    deliveries.c.host,
    deliveries.c.owner,
    sqlite_where=deliveries.c.status == "pending",
    postgresql_where=deliveries.c.status == "pending",
)
"""With host and owner, so that a long backlog of a slow receiver is passed over within the index."""

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
