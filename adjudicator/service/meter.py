"""What is counted of the work: a port, so that nothing that works knows who counts."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Ending(Enum):
    """How an attempt at an adjudication ended.

    ``RETRIED``: another is due after an error. ``HANDED_BACK``: it did not come to its work, or had to stop
    before its end, and does not count. ``LOST``: its worker died, and another one is due. ``SUPERSEDED``: it
    came to an end when another one counted already.
    """

    DONE = "done"
    FAILED = "failed"
    RETRIED = "retried"
    HANDED_BACK = "handed_back"
    LOST = "lost"
    SUPERSEDED = "superseded"


class Delivery(Enum):
    """How an attempt to deliver a webhook ended. ``GIVEN_UP``: there will be no other."""

    DELIVERED = "delivered"
    RETRIED = "retried"
    GIVEN_UP = "given_up"
    REFUSED = "refused"


class Meter(Protocol):
    """Counts what happens; nothing that it is told makes it fail. Times are in seconds."""

    def answered(self, method: str, route: str, status: int, took_s: float) -> None:
        """A request was answered; ``route`` is the template of its path, never the path itself."""

    def submitted(self, *, is_new: bool) -> None:
        """A match was taken; ``is_new``: its adjudication was not there before."""

    def running(self, attempts: int) -> None:
        """So many attempts at adjudications are under way in this process from now on."""

    def attempt_ended(self, ending: Ending, *, took_s: float | None = None, code: str = "") -> None:
        """An attempt ended; ``took_s`` where it was this process's, ``code`` of its error if it had one."""

    def engine_answered(self, engine: str, positions: int, took_s: float) -> None:
        """An engine judged so many positions at once."""

    def engine_failed(self, engine: str, code: str) -> None:
        """An engine did not; ``code`` says why, ``"left_alone"`` where it was not even asked."""

    def delivered(self, outcome: Delivery) -> None:
        """An attempt to deliver a webhook ended."""


@dataclass(frozen=True, slots=True)
class Load:
    """What waits and who works, at a moment. ``None``: what would know it, the queue or database, is away.

    ``queue_length`` in tickets; ``oldest_s``: for how long the first of all that is due has been waiting, 0
    where nothing is.
    """

    queue_length: int | None
    workers: int | None
    oldest_s: float | None


class ShownMeter(Meter, Protocol):
    """A meter whose counts can be read."""

    @property
    def content_type(self) -> str:
        """The media type of what ``expose`` gives."""

    def expose(self, load: Load) -> bytes:
        """All counts, those of the other processes of the same service too, and the load."""

    def serve(self, host: str, port: int) -> None:
        """Shows the counts of this process to whoever reaches that port, for as long as it lives.

        Does nothing in a process of a service, whose web process shows them.

        Raises: ConfigurationError where nothing can listen there.
        """


class Unmetered:
    """Keeps the ``Meter`` port and counts nothing."""

    def answered(self, method: str, route: str, status: int, took_s: float) -> None:
        """See ``Meter.answered``."""

    def submitted(self, *, is_new: bool) -> None:
        """See ``Meter.submitted``."""

    def running(self, attempts: int) -> None:
        """See ``Meter.running``."""

    def attempt_ended(self, ending: Ending, *, took_s: float | None = None, code: str = "") -> None:
        """See ``Meter.attempt_ended``."""

    def engine_answered(self, engine: str, positions: int, took_s: float) -> None:
        """See ``Meter.engine_answered``."""

    def engine_failed(self, engine: str, code: str) -> None:
        """See ``Meter.engine_failed``."""

    def delivered(self, outcome: Delivery) -> None:
        """See ``Meter.delivered``."""


UNMETERED = Unmetered()
