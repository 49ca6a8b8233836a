"""A queue for tests."""

from collections.abc import Collection

from adjudicator.errors import QueueUnavailableError
from adjudicator.service.values import Ticket


class ListedQueue:
    """Keeps the ``Queue`` port with a list; ``broken`` says why it does not answer, if it does not.

    ``workers`` are those said to be alive: the test itself to begin with.
    """

    def __init__(self) -> None:
        self.tickets: list[Ticket] = []
        self.workers = {"the test"}
        self.broken: str | None = None

    def put(self, ticket: Ticket) -> None:
        self._require_unbroken()
        if ticket not in self.tickets:
            self.tickets.append(ticket)

    def missing(self, tickets: Collection[Ticket]) -> frozenset[Ticket]:
        self._require_unbroken()
        return frozenset(tickets) - frozenset(self.tickets)

    def length(self) -> int:
        self._require_unbroken()
        return len(self.tickets)

    def announce(self, worker: str) -> None:
        self._require_unbroken()
        self.workers.add(worker)

    def count_workers(self) -> int:
        self._require_unbroken()
        return len(self.workers)

    def _require_unbroken(self) -> None:
        if self.broken is not None:
            raise QueueUnavailableError(self.broken)

    def close(self) -> None:
        pass
