"""The schema of the database: made, brought up to date, compared, refused."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from adjudicator.errors import ConfigurationError, StoreUnavailableError
from adjudicator.store.database import Database, open_database
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import metadata
from tests.contract.databases import fresh_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


def test_the_migrations_lead_to_the_tables_of_the_code(url: str) -> None:
    upgrade(url)
    engine = open_database(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_an_upgrade_of_what_is_up_to_date_changes_nothing(url: str) -> None:
    upgrade(url)
    upgrade(url)
    store = MatchStore(Database(url))
    store.require_ready()
    store.close()


def test_processes_that_upgrade_at_once_wait_for_one_another(url: str) -> None:
    program = "import sys; from adjudicator.store.schema import upgrade; upgrade(sys.argv[1])"
    running = [subprocess.Popen([sys.executable, "-c", program, url]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4


def test_a_database_of_a_newer_program_is_refused(url: str) -> None:
    upgrade(url)
    engine = open_database(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(ConfigurationError, match="schema 9999, which a newer version"):
        upgrade(url)


def test_a_database_without_tables_is_not_ready(url: str) -> None:
    store = MatchStore(Database(url))
    with pytest.raises(StoreUnavailableError, match="has schema none, this program needs"):
        store.require_ready()
    store.close()


def test_sqlite_is_put_into_write_ahead_mode_by_the_upgrade_once_and_for_all(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'deep' / 'down' / 'matches.db'}")
    with closing(sqlite3.connect(tmp_path / "deep" / "down" / "matches.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mysql://localhost/x", "No database of kind 'mysql'"),
        ("sqlite://", "in memory cannot be shared"),
        ("sqlite:///:memory:", "in memory cannot be shared"),
        ("no url", "cannot be read"),
    ],
)
def test_a_url_that_cannot_work_is_refused(url: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        upgrade(url)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="cannot be made"):
        upgrade(f"sqlite:///{tmp_path / 'file' / 'matches.db'}")
