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


class Feeder(Protocol):
    """What sees to it that there is something to run: the batches."""

    def feed(self) -> int:
        """See ``Batches.feed``."""


_employed: list[tuple[Runner, Feeder]] = []


def employ(runner: Runner, feeder: Feeder) -> None:
    """Has the tasks of this process run by that service; between two of them the queue is fed."""
    _employed[:] = [(runner, feeder)]


def adjudicate(adjudication_id: str, attempt: int) -> None:
    """Runs one attempt at an adjudication; nothing that goes wrong comes out of here."""
    ((runner, feeder),) = _employed
    try:
        runner.run(adjudication_id, attempt)
    except AdjudicatorError as error:
        logger.warning("Attempt %d at %s is left to the reconciler: %s", attempt, adjudication_id, error)
        time.sleep(PAUSE_S)
    try:
        feeder.feed()
    except AdjudicatorError as error:
        logger.warning("Batches are left to the reconciler: %s", error)
