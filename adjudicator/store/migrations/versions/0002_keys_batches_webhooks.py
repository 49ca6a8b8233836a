"""Keys, first answers, batches, webhooks; and what listings and statistics look for."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("key", sa.String(255), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("claimed_at", TIME, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("headers", sa.JSON),
        sa.Column("body", sa.LargeBinary),
        sa.PrimaryKeyConstraint("owner", "key", name="pk_answers"),
    )
    op.create_index("ix_answers_claimed_at", "answers", ["claimed_at"])
    op.create_table(
        "batches",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("choice", sa.JSON, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("members", sa.Integer, nullable=False),
        sa.Column("settled", sa.Integer, nullable=False),
        sa.Column("faults", sa.JSON, nullable=False),
        sa.Column("callback_url", sa.Text),
        sa.Column("traceparent", sa.String(55)),
        sa.Column("received_at", TIME, nullable=False),
        sa.Column("finished_at", TIME),
        sa.Column("lease_until", TIME, nullable=False),
        sa.Column("fed_at", TIME, nullable=False),
        sa.CheckConstraint(
            "status IN ('receiving', 'running', 'done', 'cancelled')", name="ck_batches_status_known"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_batches"),
    )
    op.create_index("ix_batches_owner_received_at_id", "batches", ["owner", "received_at", "id"])
    op.create_index("ix_batches_status", "batches", ["status"])
    op.create_index("ix_batches_finished_at", "batches", ["finished_at"])
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(30), nullable=False),
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
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("due_at", TIME),
        sa.Column("tried_at", TIME),
        sa.Column("ended_at", TIME),
        sa.Column("answered", sa.Integer),
        sa.Column("error", sa.Text),
        sa.CheckConstraint("status IN ('pending', 'delivered', 'failed')", name="ck_deliveries_status_known"),
        sa.CheckConstraint(
            "(status = 'pending') = (due_at IS NOT NULL)", name="ck_deliveries_due_when_pending"
        ),
        sa.CheckConstraint(
            "(status = 'pending') = (ended_at IS NULL)", name="ck_deliveries_ended_unless_pending"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )
    op.create_index(
        "ix_deliveries_due",
        "deliveries",
        ["due_at", "host", "owner"],
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index("ix_deliveries_owner_created_at_id", "deliveries", ["owner", "created_at", "id"])
    op.create_index("ix_deliveries_subject_id", "deliveries", ["subject_id"])
    op.create_index("ix_deliveries_ended_at", "deliveries", ["ended_at"])
    op.create_table(
        "keys",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("expires_at", TIME),
        sa.Column("revoked_at", TIME),
        sa.Column("last_used_at", TIME),
        sa.Column("successor_id", sa.String(26)),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
    )
    op.create_index("ix_keys_owner", "keys", ["owner"])
    op.create_table(
        "webhook_endpoints",
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("url", sa.String(2000), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("disabled_at", TIME),
        sa.Column("disabled_because", sa.Text),
        sa.CheckConstraint(
            "(disabled_at IS NULL) = (disabled_because IS NULL)",
            name="ck_webhook_endpoints_disabled_with_reason",
        ),
        sa.PrimaryKeyConstraint("owner", name="pk_webhook_endpoints"),
    )
    op.create_table(
        "webhook_secrets",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("expires_at", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_secrets"),
    )
    op.create_index("ix_webhook_secrets_owner", "webhook_secrets", ["owner"])
    op.create_table(
        "batch_members",
        sa.Column("batch_id", sa.String(26), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary),
        sa.Column("adjudication_id", sa.String(26)),
        sa.Column("error", sa.JSON),
        sa.ForeignKeyConstraint(
            ["adjudication_id"], ["adjudications.id"], name="fk_batch_members_adjudication_id"
        ),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name="fk_batch_members_batch_id"),
        sa.PrimaryKeyConstraint("batch_id", "number", name="pk_batch_members"),
    )
    op.create_index("ix_batch_members_adjudication_id", "batch_members", ["adjudication_id"])
    op.create_table(
        "callbacks",
        sa.Column("adjudication_id", sa.String(26), nullable=False),
        sa.Column("url", sa.String(2000), nullable=False),
        sa.ForeignKeyConstraint(
            ["adjudication_id"], ["adjudications.id"], name="fk_callbacks_adjudication_id"
        ),
        sa.PrimaryKeyConstraint("adjudication_id", "url", name="pk_callbacks"),
    )
    op.add_column("matches", sa.Column("original_sha256", sa.String(64)))
    op.add_column("adjudications", sa.Column("traceparent", sa.String(55)))
    op.create_index("ix_matches_owner_black", "matches", ["owner", "black"])
    op.create_index("ix_matches_owner_white", "matches", ["owner", "white"])
    op.create_index("ix_matches_received_at", "matches", ["received_at"])
    op.add_column("results", sa.Column("games_by_status", sa.JSON, server_default="{}", nullable=False))
    op.add_column("results", sa.Column("changed_games", sa.Integer, server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("results", "changed_games")
    op.drop_column("results", "games_by_status")
    op.drop_index("ix_matches_received_at", table_name="matches")
    op.drop_index("ix_matches_owner_white", table_name="matches")
    op.drop_index("ix_matches_owner_black", table_name="matches")
    op.drop_column("adjudications", "traceparent")
    op.drop_column("matches", "original_sha256")
    op.drop_table("callbacks")
    op.drop_index("ix_batch_members_adjudication_id", table_name="batch_members")
    op.drop_table("batch_members")
    op.drop_index("ix_webhook_secrets_owner", table_name="webhook_secrets")
    op.drop_table("webhook_secrets")
    op.drop_table("webhook_endpoints")
    op.drop_index("ix_keys_owner", table_name="keys")
    op.drop_table("keys")
    op.drop_index("ix_deliveries_ended_at", table_name="deliveries")
    op.drop_index("ix_deliveries_subject_id", table_name="deliveries")
    op.drop_index("ix_deliveries_owner_created_at_id", table_name="deliveries")
    op.drop_index(
        "ix_deliveries_due",
        table_name="deliveries",
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.drop_table("deliveries")
    op.drop_index("ix_batches_finished_at", table_name="batches")
    op.drop_index("ix_batches_status", table_name="batches")
    op.drop_index("ix_batches_owner_received_at_id", table_name="batches")
    op.drop_table("batches")
    op.drop_index("ix_answers_claimed_at", table_name="answers")
    op.drop_table("answers")
