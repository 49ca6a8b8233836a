"""A real queue server and real workers over a database of a test's own, to be killed at will."""

import atexit
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import redis
import sqlalchemy as sa

from adjudicator.bootstrap import WORKER_COMMAND, build_services, queue_address, service_commands
from adjudicator.config import Settings, load_settings
from adjudicator.happy_end.ruleset import Finish
from adjudicator.processes.supervisor import Part, Supervisor
from adjudicator.service.choice import Choice
from adjudicator.service.values import LOCAL_OWNER, Adjudication, Status
from adjudicator.store.database import open_database
from adjudicator.store.tables import adjudications
from adjudicator.store.value_tables import load_tables
from tests.contract.records import match_record

TRACE = """
CREATE TABLE result_writes (id TEXT, attempt INTEGER);
CREATE TRIGGER trace AFTER INSERT ON results
BEGIN INSERT INTO result_writes VALUES (NEW.adjudication_id, NEW.attempt); END;
"""
"""Has the database itself note every write of a result, whoever makes it."""

POLL_S = 0.01


def long_record(number: int, games: int = 15) -> bytes:
    """A session of that many games that are all played out, 10 ms of work each; every number another one."""
    game = {key: value for key, value in match_record()["games"][0].items() if key != "score"}
    session = match_record(
        match_length=0,
        players={"white": {"name": f"Ann {number}"}, "black": {"name": "Bea"}},
        games=[game | {"number": index + 1} for index in range(games)],
    )
    return json.dumps(session).encode()


def wait_until(holds: Callable[[], Any], limit_s: float) -> Any:
    """What ``holds`` answers once that is true; fails where it does not get true in time."""
    deadline = time.monotonic() + limit_s
    while not (answer := holds()):
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(POLL_S)
    return answer


class Workshop:
    """The database, the service as the web process has it, and the means to kill everything else."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.environment = {**os.environ, **settings.environment()}
        self.services = build_services(settings)
        self.service = self.services.adjudications
        self._killed: set[str] = set()
        self._database = open_database(settings.database_address())
        with closing(sqlite3.connect(settings.data_dir / "adjudicator.db")) as connection:
            connection.executescript(TRACE)

    def close(self) -> None:
        self.service.close()
        self._database.dispose()

    def submit(self, content: bytes) -> Adjudication:
        return self.service.submit(content, choice=Choice(), owner=LOCAL_OWNER)

    def adjudication(self, adjudication_id: str) -> Adjudication:
        return self.service.adjudication(adjudication_id, LOCAL_OWNER)

    def rows(self, status: Status | None = None) -> list[sa.Row[Any]]:
        """Id, status, attempt, last one allowed and worker of all adjudications, or of those of a status."""
        columns = adjudications.c
        query = sa.select(
            columns.id, columns.status, columns.attempt, columns.last_attempt, columns.worker
        ).order_by(columns.id)
        if status is not None:
            query = query.where(columns.status == status.value)
        with self._database.connect() as connection:
            return list(connection.execute(query))

    def await_done(self, number: int, limit_s: float = 60) -> None:
        """Returns once at least so many adjudications are done."""
        wait_until(lambda: len(self.rows(Status.DONE)) >= number, limit_s)

    def result_writes(self) -> list[tuple[str, int]]:
        """Id and attempt of every write of a result, by id."""
        with self._database.connect() as connection:
            found = connection.exec_driver_sql("SELECT id, attempt FROM result_writes ORDER BY id")
            return [(row[0], row[1]) for row in found]

    def kill_worker_at_work(self) -> str:
        """Kills a worker in the middle of an adjudication and gives that adjudication's id."""
        while True:
            row = wait_until(self._at_work, limit_s=20)[0]
            os.kill(_pid(row), signal.SIGKILL)
            self._killed.add(row.worker)
            time.sleep(POLL_S)
            if row in self.rows(Status.RUNNING):
                return str(row.id)

    def _at_work(self) -> list[sa.Row[Any]]:
        return [row for row in self.rows(Status.RUNNING) if row.worker not in self._killed]

    def kill_queue_with_its_data(self) -> None:
        with redis.Redis.from_url(queue_address(self.settings)) as client:
            os.kill(client.info("server")["process_id"], signal.SIGKILL)
        shutil.rmtree(self.settings.queue_folder() / "appendonlydir")

    def start_worker(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(WORKER_COMMAND, env=self.environment)


@cache
def solved_tables() -> Path:
    """A folder with the solved tables (some seconds the first time), so that no killed worker solves them."""
    folder = Path(tempfile.mkdtemp(prefix="adjudicator-tables-"))
    atexit.register(shutil.rmtree, folder)
    load_tables(Finish.EXACT, folder)
    return folder


@contextmanager
def open_workshop(folder: Path, wishes: Mapping[str, str], *, has_door: bool = False) -> Iterator[Workshop]:
    """A workshop in which everything runs as under ``adjudicator serve``, the web door only if wanted."""
    shutil.copytree(solved_tables(), folder / "tables")
    variables = {"DATA_DIR": str(folder), "PORT": str(free_port()), "LOG_LEVEL": "warning", **wishes}
    settings = load_settings({f"ADJUDICATOR_{name}": text for name, text in variables.items()})
    with service_commands(settings) as commands:
        workshop = Workshop(settings)
        parts = [Part(name, command) for name, command in commands.items() if has_door or name != "web"]
        supervisor = Supervisor(parts, workshop.environment)
        thread = threading.Thread(target=supervisor.run)
        thread.start()
        try:
            yield workshop
        finally:
            supervisor.stop()
            thread.join()
            workshop.close()


def _pid(row: sa.Row[Any]) -> int:
    return int(row.worker.rpartition(":")[2])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
