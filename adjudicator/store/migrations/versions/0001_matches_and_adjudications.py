"""Matches as they came, their adjudications, and the results of these."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("format", sa.String(40), nullable=False),
        sa.Column("media_type", sa.String(100), nullable=False),
        sa.Column("file_name", sa.Text),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("match_length", sa.Integer, nullable=False),
        sa.Column("white", sa.Text, nullable=False),
        sa.Column("black", sa.Text, nullable=False),
        sa.Column("received_at", TIME, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_table(
        "adjudications",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("match_id", sa.String(26), nullable=False),
        sa.Column("owner", sa.String(100), nullable=False),
        sa.Column("ruleset", sa.JSON, nullable=False),
        sa.Column("engine", sa.JSON, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("last_attempt", sa.Integer, nullable=False),
        sa.Column("submitted_at", TIME, nullable=False),
        sa.Column("queued_at", TIME, nullable=False),
        sa.Column("started_at", TIME),
        sa.Column("finished_at", TIME),
        sa.Column("lease_until", TIME),
        sa.Column("worker", sa.String(100)),
        sa.Column("changed", sa.Boolean),
        sa.Column("error_code", sa.String(40)),
        sa.Column("error_detail", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_adjudications"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_adjudications_match_id"),
        sa.CheckConstraint(
            "status IN ('queued', 'running', 'done', 'failed')", name="ck_adjudications_status_known"
        ),
        sa.CheckConstraint(
            "(status = 'done') = (changed IS NOT NULL)", name="ck_adjudications_changed_when_done"
        ),
        sa.CheckConstraint(
            "(status = 'failed') = (error_code IS NOT NULL)", name="ck_adjudications_error_when_failed"
        ),
        sa.CheckConstraint(
            "(status = 'running') = (lease_until IS NOT NULL)", name="ck_adjudications_lease_when_running"
        ),
    )
    op.create_table(
        "results",
        sa.Column("adjudication_id", sa.String(26), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("adjudication_id", name="pk_results"),
        sa.ForeignKeyConstraint(["adjudication_id"], ["adjudications.id"], name="fk_results_adjudication_id"),
    )
    op.create_index("ix_adjudications_match_id", "adjudications", ["match_id"])
    op.create_index(
        "ix_adjudications_owner_submitted_at_id", "adjudications", ["owner", "submitted_at", "id"]
    )
    for name, column, status in (("queued", "queued_at", "queued"), ("leases", "lease_until", "running")):
        where = sa.text(f"status = '{status}'")
        op.create_index(
            f"ix_adjudications_{name}", "adjudications", [column], sqlite_where=where, postgresql_where=where
        )


def downgrade() -> None:
    op.drop_table("results")
    op.drop_table("adjudications")
    op.drop_table("matches")
