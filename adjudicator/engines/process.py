"""One child process that lines are exchanged with."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence

from adjudicator.engines.protocol import read_lines
from adjudicator.errors import EngineFailureError, EngineUnavailableError

_Lines = queue.SimpleQueue[bytes | None]


class ChildProcess:
    """A running child: lines go in at its standard input and come out of its standard output.

    A thread reads what comes out, since pipes cannot be waited for with a time limit on every platform; it
    ends with the child and leaves no zombie of it. When this value or this process goes, so does the child,
    and whatever the child has started goes with the child.

    Raises: EngineUnavailableError where the program cannot be run at all, EngineFailureError where
    the machine has no room for it now.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                # An interrupt typed at the terminal goes to the service alone, which closes its engines; and
                # the child leads a group of its own, by which what it starts can be ended with it.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (FileNotFoundError, PermissionError) as error:
            raise EngineUnavailableError(f"The engine process cannot be started: {error}") from error
        except OSError as error:
            raise EngineFailureError(f"The engine process cannot be started now: {error}") from error
        self._lines: _Lines = queue.SimpleQueue()
        self._reader = threading.Thread(
            target=_read, args=(self._child, self._lines), name=f"engine-{self._child.pid}", daemon=True
        )
        self._reader.start()
        self._end = weakref.finalize(self, _kill, self._child)

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._child.pid

    def send(self, line: bytes) -> None:
        """Write one line; it must fit in a pipe (4 KB on every platform), so that this never waits.

        Raises: EngineFailureError if the child is gone.
        """
        assert self._child.stdin is not None  # noqa: S101 (it was asked for)
        try:
            self._child.stdin.write(line)
        except OSError as error:
            raise EngineFailureError(f"the engine process is gone ({self._how_it_ended()})") from error

    def receive(self, limit_s: float) -> bytes:
        """The next line, without its end.

        Raises: EngineFailureError if none came within that time or none will come.
        """
        try:
            line = self._lines.get(timeout=limit_s)
        except queue.Empty:
            raise EngineFailureError(f"no answer within {limit_s:g} s") from None
        if line is None:
            raise EngineFailureError(f"the engine process died ({self._how_it_ended()})")
        return line

    def stop(self, grace_s: float = 0.0) -> None:
        """End the child: by closing its input and ``grace_s`` of patience, then by force."""
        _close_input(self._child)
        if grace_s:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(grace_s)
        self._end()
        self._reader.join(timeout=1.0)

    def abandon(self) -> None:
        """Let go of a child that belongs to the process this one was forked from.

        Its pipes are closed here, so that it still notices when its own parent goes; it is not waited for.
        """
        self._end.detach()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        self._child.returncode = 0  # nothing to wait for: keeps ``subprocess`` from asking after it

    def _how_it_ended(self) -> str:
        try:
            code = self._child.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "still running, its output closed"
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def _read(child: subprocess.Popen[bytes], lines: _Lines) -> None:
    """Pass on what the child says; ``None`` at its end. Then wait for it, so that no zombie is left."""
    assert child.stdout is not None  # noqa: S101 (it was asked for)
    try:
        with child.stdout:
            for line in read_lines(child.stdout.fileno()):
                lines.put(line)
    finally:
        _kill_group(child)
        lines.put(None)
        child.wait()


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        _kill_group(child)
    child.wait()
    _close_input(child)


if sys.platform == "win32":

    def _kill_group(child: subprocess.Popen[bytes]) -> None:
        child.kill()

else:

    def _kill_group(child: subprocess.Popen[bytes]) -> None:
        """Kill the child and all that it has started; called before, or in the moment when, it is waited for.

        Later its id might be another's.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter on macOS: it has ended
            os.killpg(child.pid, signal.SIGKILL)


def _close_input(child: subprocess.Popen[bytes]) -> None:
    if child.stdin is not None:
        child.stdin.close()
