"""The worker process: listens to the queue, does its chores, and ends in good order."""

import logging
import os
import signal
import threading
from types import FrameType

from adjudicator.bootstrap import build_services, open_dispatcher, open_meter, queue_address
from adjudicator.config import Settings
from adjudicator.errors import AdjudicatorError, StoreUnavailableError
from adjudicator.jobs.chores import Chores
from adjudicator.jobs.listener import Listener
from adjudicator.service.values import Ticket
from worker import tasks

logger = logging.getLogger(__name__)

OVERRUN_STATUS = 70
WAIT_S = 1.0
CHORES_EVERY_S = 1.0
WEBHOOKS_EVERY_S = 0.5


class WorkerProcess:
    """One worker for the whole life of its process; use it in the main thread."""

    def __init__(self, settings: Settings) -> None:
        meter = open_meter()
        if settings.metrics_port:
            meter.serve(settings.metrics_host, settings.metrics_port)
        self._services = build_services(settings, on_overrun=_end_at_once, meter=meter)
        self._service = self._services.adjudications
        self._listener = Listener(queue_address(settings))
        chores = {
            "saying that this worker is alive": self._service.announce_worker,
            "queueing anew what was lost": self._service.requeue_lost,
            "feeding the queue from batches": self._services.batches.step,
            "forgetting first answers": self._services.answers.clear_old,
            "deleting what was kept for long enough": self._services.erasure.delete_expired,
        }
        self._chores = Chores("chores", chores, every_s=CHORES_EVERY_S)
        self._dispatcher = open_dispatcher(self._services, settings)
        webhooks = {"sending webhooks": self._dispatcher.step}
        self._deliveries = Chores("webhooks", webhooks, every_s=WEBHOOKS_EVERY_S)
        self._database = settings.database_file() or "the one of ADJUDICATOR_DATABASE_URL"
        self._grace_s = settings.stop_grace_s
        self._stopping = threading.Event()

    def run(self) -> None:
        """Works until SIGTERM or SIGINT, then finishes what is under way, or hands it back in time."""
        tasks.employ(self._service, self._services.batches)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        self._await_database()
        self._deliveries.start()
        self._service.prepare()
        self._chores.start()
        logger.info("The worker is listening")
        self._listener.listen()
        self._chores.stop()
        self._deliveries.stop()
        self._dispatcher.close()
        self._services.close()
        logger.info("The worker has ended")

    def _await_database(self) -> None:
        """Waits for the schema: what is taken off the queue before it is there would come to nothing."""
        while not self._stopping.is_set():
            try:
                self._service.require_database()
            except StoreUnavailableError as error:
                logger.warning("The worker is waiting for its database, %s: %s", self._database, error)
                self._stopping.wait(WAIT_S)
            else:
                return

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self._stopping.is_set():
            return
        self._stopping.set()
        timer = threading.Timer(self._grace_s, self._hand_back)
        timer.daemon = True
        timer.start()
        self._listener.stop()

    def _hand_back(self) -> None:
        """The grace is over: what native code is doing cannot be interrupted, so the process ends here."""
        try:
            self._service.hand_back()
        except AdjudicatorError as error:
            logger.warning("What was under way is left to the reconciler: %s", error)
        logger.warning("The worker ends before its work: what was under way is handed back")
        os._exit(0)


def _end_at_once(ticket: Ticket) -> None:
    logger.critical("The worker ends to be rid of %s", ticket)
    os._exit(OVERRUN_STATUS)
