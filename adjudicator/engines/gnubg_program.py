"""The GNU Backgammon program as a child process that is talked to over a socket of its own.

Source: https://www.gnu.org/software/gnubg/ (GPL-3.0), its ``external.c``. Its habits, seen with 1.07.001:

- ``external PATH`` on its input makes it listen on a Unix socket, for one connection at a time. It does not
  look at its input any more, and waits for the next connection when one is closed: it never ends by itself.
- One line is answered with one line. Two lines in one packet get mixed up, and a line of 256 characters or
  more aborts it. Answers carry no number.
- It makes folders in HOME when it starts, and needs nothing there afterwards.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from adjudicator.errors import EngineFailureError, EngineUnavailableError

START_LIMIT_S = 20.0
ANSWER_LIMIT_S = 20.0
"""Of one position; at 2 ply it takes 0.1 s, with contact and many blots four times that."""
LONGEST_LINE = 255
LONGEST_ANSWER = 4096
USUAL_FOLDERS = ("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin")
"""Where it is installed although the PATH does not lead there."""

_VERSION = re.compile(r"GNU Backgammon (\S+)")


def find_program(configured: str = "") -> Path:
    """The program: the one configured (a path, or a name in the PATH), else ``gnubg``.

    Raises: EngineUnavailableError that says what to do.
    """
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *USUAL_FOLDERS])
    found = shutil.which(configured or "gnubg", path=folders)
    if found is None:
        missing = (
            "The program that ADJUDICATOR_GNUBG_PROGRAM names is not here"
            if configured
            else ("There is no program gnubg here")
        )
        raise EngineUnavailableError(
            f"{missing}: install GNU Backgammon ('apt-get install gnubg'), or set ADJUDICATOR_GNUBG_PROGRAM "
            "to where it is."
        )
    if not hasattr(socket, "AF_UNIX"):
        raise EngineUnavailableError("GNU Backgammon is asked over a Unix socket, which Python lacks here.")
    return Path(found)


def program_version(program: Path) -> str:
    """What the program says of its version, ``"1.07.001"``; asked once for each file that is there.

    Raises: EngineUnavailableError if it does not run, or is another program.
    """
    state = program.stat()
    return _ask_version(program, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _ask_version(program: Path, _modified_ns: int, _size: int) -> str:
    """A few hundredths of a second: networks and tables are not loaded for this."""
    try:
        answer = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=START_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise EngineUnavailableError(
            f"The program for GNU Backgammon cannot be run: {type(error).__name__}"
        ) from error
    version = _VERSION.match(answer.stdout.decode("utf-8", "replace"))
    if version is None:
        raise EngineUnavailableError("The program for GNU Backgammon does not say that it is.")
    return version.group(1)


class GnubgProgram:
    """A running program, with nothing of it left in the file system once it is connected.

    On Linux it ends with the thread that made this, however that ends; elsewhere ``close`` ends it, or the
    end of the process group of an engine process (``engines.process``).

    Raises: EngineUnavailableError if it does not run or speaks another language, EngineFailureError if it
    does not get ready.
    """

    def __init__(self, program: Path) -> None:
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (held as long as the program runs)
        self._connection: socket.socket | None = None
        self._rest = b""
        with tempfile.TemporaryDirectory(prefix="gnubg-", ignore_cleanup_errors=True) as home:
            self._child = self._start(program, home)
            try:
                self._connection = self._connect(f"{home}/socket")
                self.check_in_step()
            except BaseException:
                self.close()
                raise

    @property
    def pid(self) -> int:
        """The program's process id."""
        return self._child.pid

    def ask(self, line: str) -> str:
        """What the program answers to that line.

        Raises: EngineFailureError if it does not within the limit, or dies. Nothing may be asked after that.
        """
        self._send(line)
        return self._receive(time.monotonic() + ANSWER_LIMIT_S)

    def check_in_step(self) -> str:
        """Make sure that all that was asked is answered, and nothing else: the version answers last.

        Answers carry no number; were one missing or too many, it would come in place of this one. The
        version it tells is returned.

        Raises: EngineFailureError.
        """
        self._send("version")
        end = time.monotonic() + ANSWER_LIMIT_S
        for heading in ("Interface", "RFBF", "Engine", "Software"):
            name, _, told = self._receive(end).partition(": ")
            if name != heading:
                raise EngineFailureError("GNU Backgammon answered out of step")
        if self._rest:
            raise EngineFailureError("GNU Backgammon said more than it was asked")
        return told

    def close(self) -> None:
        """End the program; may be called twice."""
        if self._connection is not None:
            self._connection.close()
        self._child.kill()
        self._child.wait()
        if self._child.stdin is not None:
            with contextlib.suppress(OSError):
                self._child.stdin.close()
        self._output.close()

    def _start(self, program: Path, home: str) -> subprocess.Popen[bytes]:
        arguments = ("-t", "-q", "-r")  # no window, no sound, nobody's own settings
        leash = (sys.executable, "-P", "-m", "adjudicator.processes.leash", str(os.getpid()))
        try:
            child = subprocess.Popen(
                [*leash, str(program), *arguments],
                stdin=subprocess.PIPE,
                stdout=self._output,
                stderr=self._output,
                cwd=home,
                env={**os.environ, "HOME": home, "LC_ALL": "C"},
                bufsize=0,
            )
        except OSError as error:
            raise EngineFailureError(f"GNU Backgammon cannot be started now: {error.strerror}") from error
        assert child.stdin is not None  # noqa: S101 (it was asked for)
        with contextlib.suppress(BrokenPipeError):  # told by the connection that is never made
            child.stdin.write(f"external {home}/socket\n".encode())
        return child

    def _connect(self, address: str) -> socket.socket:
        end = time.monotonic() + START_LIMIT_S
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(address)
            except (FileNotFoundError, ConnectionRefusedError) as error:
                connection.close()
                if self._child.poll() is not None or time.monotonic() > end:
                    raise EngineFailureError(f"GNU Backgammon does not listen ({self._state()})") from error
                time.sleep(0.005)
            except OSError as error:
                connection.close()
                raise EngineUnavailableError(
                    f"GNU Backgammon cannot be reached over a Unix socket: {error}"
                ) from error
            else:
                return connection

    def _send(self, line: str) -> None:
        assert self._connection is not None  # noqa: S101 (it is made first of all)
        if len(line) > LONGEST_LINE - 1:
            raise ValueError(f"a line of {len(line)} characters would abort GNU Backgammon")
        try:
            self._connection.settimeout(ANSWER_LIMIT_S)
            self._connection.sendall(line.encode("ascii") + b"\n")
        except OSError as error:
            raise EngineFailureError(f"GNU Backgammon is gone ({self._state()})") from error

    def _receive(self, end: float) -> str:
        assert self._connection is not None  # noqa: S101 (it is made first of all)
        while b"\n" not in self._rest:
            try:
                self._connection.settimeout(max(0.001, end - time.monotonic()))
                chunk = self._connection.recv(LONGEST_ANSWER)
            except TimeoutError:
                raise EngineFailureError(
                    f"GNU Backgammon gave no answer within {ANSWER_LIMIT_S:g} s"
                ) from None
            except OSError as error:
                raise EngineFailureError(f"GNU Backgammon is gone ({self._state()})") from error
            self._rest += chunk
            if not chunk or len(self._rest) > LONGEST_ANSWER:
                raise EngineFailureError(f"GNU Backgammon broke off ({self._state()})")
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("ascii", "replace")

    def _state(self) -> str:
        """How it ended, with the last that it said of that."""
        try:
            code = self._child.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "still running"
        self._output.seek(0)
        last = self._output.read()[-200:].decode("utf-8", "replace").strip().splitlines()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"{how}: {last[-1]}" if last else how
