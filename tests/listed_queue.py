"""A queue for tests."""

from collections.abc import Collection

from adjudicator.errors import QueueUnavailableError
from adjudicator.service.values import Ticket


class ListedQueue:
    """Keeps the ``Queue`` port with a list; ``broken`` says why it does not answer, if it does not."""

    def __init__(self) -> None:
        self.tickets: list[Ticket] = []
        self.broken: str | None = None

    def put(self, ticket: Ticket) -> None:
        self.require_ready()
        if ticket not in self.tickets:
            self.tickets.append(ticket)

    def missing(self, tickets: Collection[Ticket]) -> frozenset[Ticket]:
        self.require_ready()
        return frozenset(tickets) - frozenset(self.tickets)

    def require_ready(self) -> None:
        if self.broken is not None:
            raise QueueUnavailableError(self.broken)

    def close(self) -> None:
        pass
