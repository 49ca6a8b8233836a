"""The receiving end of the queue: takes tickets off it, one at a time, and has them run."""

import logging
import threading

import redis
import rq
from rq.exceptions import InvalidJobOperation, StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from adjudicator.jobs.queue import QUEUE_NAME, connect

logger = logging.getLogger(__name__)

PAUSE_S = 0.5
"""Before a new start after the connection broke; within one start RQ itself tries up to every 2 s."""

TROUBLES = (redis.RedisError, InvalidJobOperation)
"""How a queue that is away, full or emptied shows: a break to listen over, no fault of this program."""


def _shorten(record: logging.LogRecord) -> bool:
    """Has RQ's traceback of such a break logged as the one warning that it is."""
    error = record.exc_info[1] if record.exc_info else None
    if not isinstance(error, TROUBLES):
        return True
    _warn(error)
    return False


def _warn(error: BaseException) -> None:
    logger.warning("The queue does not answer as it should: %s", error)


logging.getLogger("rq.worker").addFilter(_shorten)


class _Worker(rq.SimpleWorker):
    """RQ's worker without what this project does otherwise.

    No signal handlers: RQ's ask the server from within the handler, and where that is down the error would
    come up in the middle of an adjudication. No thread for remote commands: none are sent.
    """

    max_connection_wait_time = 2.0
    is_busy = False

    def execute_job(self, job: Job, queue: rq.Queue) -> None:
        self.is_busy = True
        try:
            super().execute_job(job, queue)
        finally:
            self.is_busy = False

    def finish_and_stop(self) -> None:
        self._stop_requested = True

    def _install_signal_handlers(self) -> None:
        pass

    def subscribe(self) -> None:
        pass

    def unsubscribe(self) -> None:
        pass


class Listener:
    """Runs the tasks of the queue at ``url`` in the calling thread, over every break of the connection."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._worker: _Worker | None = None
        self._stopping = threading.Event()
        self._is_listening = False

    def listen(self) -> None:
        """Takes tickets and has them run until ``stop`` is called."""
        try:
            self._is_listening = True
            while not self._stopping.is_set():
                self._listen()
                self._stopping.wait(PAUSE_S)
        except StopRequested:
            pass
        finally:
            self._is_listening = False

    def stop(self) -> None:
        """Lets ``listen`` return: at once if it is waiting, or else when the task under way is done.

        To be called from a signal handler, which interrupts ``listen``: it raises there what ends the wait.
        """
        self._stopping.set()
        if self._worker is not None and self._worker.is_busy:
            self._worker.finish_and_stop()
        elif self._is_listening:
            raise StopRequested

    def _listen(self) -> None:
        """Listens until the connection breaks or the worker is stopped."""
        try:
            with connect(self._url) as connection:
                self._worker = _Worker(
                    [QUEUE_NAME], connection=connection, serializer=JSONSerializer, log_job_description=False
                )
                self._worker.work(logging_level="WARNING")
        except TROUBLES as error:
            _warn(error)
