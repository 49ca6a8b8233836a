"""The reconciler: once a second, what was lost is queued anew."""

import logging
import threading
from collections.abc import Callable

from adjudicator.errors import AdjudicatorError

logger = logging.getLogger(__name__)

EVERY_S = 1.0


class Reconciler:
    """Takes a step every so often in a thread of its own, until it is stopped. Nothing ends it otherwise.

    Each worker process has one. Several at once are harmless: the database lets only one of them change
    what both found.
    """

    def __init__(self, step: Callable[[], int], *, every_s: float = EVERY_S) -> None:
        self._step = step
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reconciler", daemon=True)

    def start(self) -> None:
        """Starts taking steps; once only."""
        self._thread.start()

    def stop(self) -> None:
        """Ends after the step under way, if any."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            try:
                requeued = self._step()
            except AdjudicatorError as error:
                logger.warning("Nothing could be made good for now: %s", error)
            except Exception:
                logger.exception("The reconciler goes on after an error")
            else:
                if requeued:
                    logger.info("%d lost adjudications were queued anew", requeued)
