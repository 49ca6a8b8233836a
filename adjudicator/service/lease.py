"""The lease of a running attempt, kept up by a heartbeat of its own thread."""

import logging
import threading
from collections.abc import Callable
from itertools import count
from types import TracebackType

from adjudicator.errors import StoreUnavailableError
from adjudicator.service.clock import Clock
from adjudicator.service.log_fields import logged_with
from adjudicator.service.ports import Store
from adjudicator.service.retry import RunPolicy
from adjudicator.service.values import Ticket

logger = logging.getLogger(__name__)

BEATS_A_LEASE = 3
"""Two beats may fail before a lease runs out."""


def let_go_on(ticket: Ticket) -> None:
    """Does nothing about an attempt without end: it counts as failed already, whatever comes of it."""


class Heartbeat:
    """Renews the lease of ``ticket`` while its ``with`` block runs, up to the limit for one run.

    Past the limit it calls ``on_overrun`` and renews no more. The time of a run is told by its beats: a
    process that was stopped, or whose machine slept, makes none meanwhile and does not run too long by it.
    """

    def __init__(
        self,
        ticket: Ticket,
        store: Store,
        policy: RunPolicy,
        clock: Clock,
        on_overrun: Callable[[Ticket], None],
    ) -> None:
        self._ticket = ticket
        self._store = store
        self._policy = policy
        self._clock = clock
        self._on_overrun = on_overrun
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lease {ticket.adjudication_id}", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        with logged_with(adjudication_id=self._ticket.adjudication_id):
            self._beat()

    def _beat(self) -> None:
        pause = min(self._policy.lease / BEATS_A_LEASE, self._policy.run_limit)
        for beat in count(1):
            if self._over.wait(pause.total_seconds()):
                return
            if beat * pause >= self._policy.run_limit:
                self._on_overrun(self._ticket)
                return
            try:
                held = self._store.renew(self._ticket, lease_until=self._clock() + self._policy.lease)
            except StoreUnavailableError as error:
                logger.warning("The lease of %s was not renewed: %s", self._ticket, error)
                continue
            if not held:
                logger.warning("%s was taken from this worker; its result will not be kept", self._ticket)
                return
