"""The tasks that the queue names: they take ids and call the service."""

import logging
import time
from typing import Protocol

from adjudicator.errors import AdjudicatorError

logger = logging.getLogger(__name__)

PAUSE_S = 1.0
"""After a failure of the database itself, so that the queue is not emptied into the void meanwhile."""


class Runner(Protocol):
    """What runs attempts: the service."""

    def run(self, adjudication_id: str, attempt: int) -> None:
        """See ``AdjudicationService.run``."""


_employed: list[Runner] = []


def employ(runner: Runner) -> None:
    """Has the tasks of this process run by that service."""
    _employed[:] = [runner]


def adjudicate(adjudication_id: str, attempt: int) -> None:
    """Runs one attempt at an adjudication; nothing that goes wrong comes out of here."""
    (runner,) = _employed
    try:
        runner.run(adjudication_id, attempt)
    except AdjudicatorError as error:
        logger.warning("Attempt %d at %s is left to the reconciler: %s", attempt, adjudication_id, error)
        time.sleep(PAUSE_S)
