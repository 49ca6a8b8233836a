"""How a database is reached: SQLite for one machine, PostgreSQL by URL alone."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from adjudicator.errors import ConfigurationError, StoreUnavailableError

BEGIN_WITH = "adjudicator_begin_with"
"""The execution option that says how SQLite transactions begin; other databases take no notice."""

READING = "BEGIN"
WRITING = "BEGIN IMMEDIATE"
NO_TRANSACTION = ""

PATIENCE_S = 30
"""How long a writer waits for another to finish (SQLite has one writer at a time)."""

DRIVERS = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
}

Insert: TypeAlias = Callable[[sa.Table], sqlite.Insert | postgresql.Insert]

INSERT: dict[str, Insert] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""What is not one SQL on both: insert where nothing stands in the way."""


class Database:
    """One database and its transactions, for all stores of a process; safe to share between threads.

    Raises: ConfigurationError for a URL that cannot work; nothing is connected to yet.
    """

    def __init__(self, url: str) -> None:
        self._engine = open_database(url)
        self._reads = self._engine.execution_options(**{BEGIN_WITH: READING})
        self._insert = INSERT[self._engine.dialect.name]
        self._insert_new_of = cache(self._build_insert_new)  # a statement that is there is compiled once

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that writes nothing.

        Raises: StoreUnavailableError.
        """
        with translated_errors(), self._reads.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction, committed at the end of the block, undone by whatever is raised in it.

        Raises: StoreUnavailableError.
        """
        with translated_errors(), self._engine.begin() as connection:
            yield connection

    def insert_new(self, connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> bool:
        """Inserts a row unless its key is there; whether it was not."""
        return connection.execute(self._insert_new_of(table), row).first() is not None

    def _build_insert_new(self, table: sa.Table) -> sa.Executable:
        return self._insert(table).on_conflict_do_nothing().returning(*table.primary_key)

    def close(self) -> None:
        """Lets go of all connections; may be called twice."""
        self._engine.dispose()


def open_database(url: str) -> sa.Engine:
    """The engine for a database URL; nothing is connected to yet.

    Raises: ConfigurationError for a URL that cannot work.
    """
    address = parse_address(url)
    if address.drivername == "sqlite":
        return _open_sqlite(address)
    return sa.create_engine(address, pool_pre_ping=True, connect_args={"connect_timeout": 5})


def parse_address(url: str) -> sa.URL:
    """The parts of a database URL, with the driver that is used here.

    >>> parse_address("postgres://judge@db/matches").drivername
    'postgresql+psycopg'

    Raises: ConfigurationError.
    """
    try:
        address = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise ConfigurationError("The database URL cannot be read: see docs/operations.md") from error
    driver = DRIVERS.get(address.drivername)
    if driver is None:
        known = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
        raise ConfigurationError(f"No database of kind {address.drivername!r} is known; use {known}")
    if driver == "sqlite" and address.database in (None, "", ":memory:"):
        raise ConfigurationError("A database in memory cannot be shared with workers: name a file")
    return address.set(drivername=driver)


def folder_of(address: sa.URL) -> Path | None:
    """The folder that holds a SQLite database, ``None`` for a database on a server."""
    if address.drivername != "sqlite" or address.database is None:
        return None
    return Path(address.database).parent


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turns whatever a database raises into this project's error, without the statement and its values."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        reason = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
        raise StoreUnavailableError(f"The database refused: {reason[0]}") from error
    except sa.exc.SQLAlchemyError as error:
        raise StoreUnavailableError(f"The database failed: {error}") from error


def _open_sqlite(address: sa.URL) -> sa.Engine:
    """SQLite with transactions of our own: whoever may write begins as a writer.

    The driver's transactions begin too late, and a read that turns into a write fails at once where another
    is writing (1,407 of 2,000 did).
    """
    engine = sa.create_engine(address, connect_args={"timeout": PATIENCE_S})

    @sa.event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        statement = connection.get_execution_options().get(BEGIN_WITH, WRITING)
        if statement != NO_TRANSACTION:
            connection.exec_driver_sql(statement)

    return engine
