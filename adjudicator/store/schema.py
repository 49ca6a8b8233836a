"""The schema's revision: brought up to date at start, and refused where a newer program has been."""

import time
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from adjudicator.errors import ConfigurationError, StoreUnavailableError
from adjudicator.store.database import (
    BEGIN_WITH,
    NO_TRANSACTION,
    PATIENCE_S,
    folder_of,
    open_database,
    translated_errors,
)

MIGRATIONS = Path(__file__).parent / "migrations"

LOCK = 0x4A554447
"""The key of the advisory lock that migrations run under on PostgreSQL ("JUDG")."""


def upgrade(url: str) -> None:
    """Brings the database of ``url`` to the schema of this program, making it where it is missing.

    Any number of processes may do this at once: one works, the others wait.

    Raises: ConfigurationError for a bad URL and for a database newer than this program;
    StoreUnavailableError.
    """
    engine = open_database(url)
    try:
        with translated_errors():
            folder = folder_of(engine.url)
            if folder is not None:
                _make_folder(folder)
                _switch_to_write_ahead_log(engine)
            with engine.begin() as connection:
                if engine.dialect.name == "postgresql":
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
                _refuse_newer(connection)
                command.upgrade(_config(connection), "head")
    finally:
        engine.dispose()


def require_revision(connection: sa.Connection) -> None:
    """Lets pass a database with the very schema of this program.

    Raises: StoreUnavailableError.
    """
    found = MigrationContext.configure(connection).get_current_revision()
    needed = _scripts().get_current_head()
    if found != needed:
        raise StoreUnavailableError(
            f"The database has schema {found or 'none'}, this program needs {needed}: "
            "start `adjudicator serve` once to bring it there"
        )


def _refuse_newer(connection: sa.Connection) -> None:
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in _scripts().walk_revisions()}
    if found is not None and found not in known:
        raise ConfigurationError(
            f"The database has schema {found}, which a newer version of this program made: "
            "update the program, or give it another ADJUDICATOR_DATABASE_URL"
        )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"The folder {folder} for the database cannot be made: {error}") from error


def _switch_to_write_ahead_log(engine: sa.Engine) -> None:
    """Done once, here: the switch is kept in the file, and it waits for nobody, so two at once try anew."""
    deadline = time.monotonic() + PATIENCE_S
    with engine.execution_options(**{BEGIN_WITH: NO_TRANSACTION}).connect() as connection:
        while connection.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
            try:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            except sa.exc.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)


def _config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))
