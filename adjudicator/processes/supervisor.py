"""Keeps the processes of a service running: started in order, again when they end, stopped in two waves."""

import logging
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from adjudicator.processes.leash import leashed

logger = logging.getLogger(__name__)

STABLE_AFTER_S = 30.0
"""A process that ran this long counts as working: its earlier failures are forgotten."""
MOST_FAILURES = 5
"""A process that fails so often in a row will not get better by itself."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Part:
    """One process: its name, its command, and how long it may take to end once asked to.

    ``needed_by_others``: it is asked to end only when all the others have.
    """

    name: str
    command: tuple[str, ...]
    stop_limit_s: float = 20.0
    needed_by_others: bool = False


@dataclass(slots=True)
class _Child:
    """A part with the process that runs it now, ``None`` while it waits for ``start_at`` (monotonic)."""

    part: Part
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    start_at: float = 0.0
    failures: int = 0


@dataclass
class Supervisor:
    """Runs parts with one environment until ``stop`` is called; use it in the main thread."""

    parts: Sequence[Part]
    environment: Mapping[str, str]
    clock: Callable[[], float] = time.monotonic
    _stopping: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Let ``run`` stop all parts and return; may be called from a signal handler or another thread."""
        self._stopping.set()

    def run(self) -> bool:
        """Start everything and keep it running; whether it ended because it was asked to.

        It ends by itself only when a part fails again and again.
        """
        children = [_Child(part) for part in self.parts]
        try:
            while not self._stopping.is_set():
                for child in children:
                    self._look_after(child)
                    if child.failures >= MOST_FAILURES:
                        logger.error(
                            "%s failed %d times in a row: giving up", child.part.name, child.failures
                        )
                        return False
                self._stopping.wait(POLL_S)
            return True
        finally:
            for wave in (False, True):
                _end([child for child in children if child.part.needed_by_others is wave])

    def _look_after(self, child: _Child) -> None:
        now = self.clock()
        if child.process is None:
            if now >= child.start_at:
                self._start(child, now)
        elif (code := child.process.poll()) is not None:
            ran_s = now - child.started_at
            child.process = None
            child.failures = 1 if ran_s >= STABLE_AFTER_S else child.failures + 1
            pause_s = min(FIRST_PAUSE_S * 2 ** (child.failures - 1), LONGEST_PAUSE_S)
            child.start_at = now + pause_s
            logger.warning("%s ended with %d; starting it again in %.1f s", child.part.name, code, pause_s)

    def _start(self, child: _Child, now: float) -> None:
        child.process = subprocess.Popen(
            leashed(child.part.command),
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        child.started_at = now
        logger.info("%s runs as process %d", child.part.name, child.process.pid)


@contextmanager
def stopped_by_signals(supervisor: Supervisor) -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP stop the supervisor while this lasts."""
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda *_: supervisor.stop()) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(children: Sequence[_Child]) -> None:
    """Ask all of them to end, and kill those that have not in their time."""
    asked_at = time.monotonic()
    running = [(child.part, child.process) for child in children if child.process is not None]
    for _, process in running:
        process.terminate()
    for part, process in running:
        try:
            process.wait(max(0.0, asked_at + part.stop_limit_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            logger.warning("%s did not end in %.0f s: killed", part.name, part.stop_limit_s)
            process.kill()
            process.wait()
