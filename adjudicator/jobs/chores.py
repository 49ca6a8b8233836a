"""What a worker does beside its work, again and again: whatever goes wrong with one chore stops no other."""

import logging
import threading
from collections.abc import Callable, Mapping

from adjudicator.errors import AdjudicatorError

logger = logging.getLogger(__name__)


class Chores:
    """Does its chores one after the other every so often, in a thread of its own, until it is stopped.

    ``chores`` are by name, in the order in which they are done. Any number of processes may do the same ones
    at once: the database lets only one of them change what both found.
    """

    def __init__(self, name: str, chores: Mapping[str, Callable[[], object]], *, every_s: float) -> None:
        self._chores = dict(chores)
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begins; once only."""
        self._thread.start()

    def stop(self) -> None:
        """Ends after the chore under way, if any."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            for name, chore in self._chores.items():
                if not self._stopped.is_set():
                    _do(name, chore)


def _do(name: str, chore: Callable[[], object]) -> None:
    try:
        chore()
    except AdjudicatorError as error:
        logger.warning("This has to wait: %s: %s", name, error)
    except Exception:
        logger.exception("This failed, and is tried again: %s", name)
