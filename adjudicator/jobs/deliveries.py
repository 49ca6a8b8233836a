"""The loop of a worker that sends what is to be told."""

import logging
import threading
from collections.abc import Callable

from adjudicator.errors import AdjudicatorError

logger = logging.getLogger(__name__)

EVERY_S = 0.5


class DeliveryLoop:
    """Has ``step`` begin what is due every so often, in a thread of its own, until it is stopped.

    Each worker process has one. Nothing else ends it; several at once share the work.
    """

    def __init__(self, step: Callable[[], int], *, every_s: float = EVERY_S) -> None:
        self._step = step
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="deliveries", daemon=True)

    def start(self) -> None:
        """Starts sending; once only."""
        self._thread.start()

    def stop(self) -> None:
        """Ends after the step under way, if any."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            try:
                self._step()
            except AdjudicatorError as error:
                logger.warning("Nothing could be sent for now: %s", error)
            except Exception:
                logger.exception("The sending of webhooks goes on after an error")
