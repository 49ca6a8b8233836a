"""The log of a process."""

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adjudicator.service.clock import format_time
from adjudicator.service.log_fields import log_fields

FIELDS = "fields"
"""The attribute of a record with fields of its own: ``log.info("...", extra={FIELDS: {"status": 200}})``."""

TALKATIVE = ("alembic", "rq")
"""What logs at the level of information that concerns nobody."""

REPEAT_S = 10.0
"""A warning that comes again sooner is counted only."""

MOST_REMEMBERED = 1000


@dataclass(slots=True)
class _Told:
    """When a warning was last let through, and how often it came since."""

    at: float
    since: int = 0


class Repetitions(logging.Filter):
    """Lets the same warning or error through once in a while, with how often it came since the last time.

    What is away for an hour is then a line now and then, however often it is asked for.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[tuple[str, str], _Told] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be logged now; writes into it how often it was not."""
        if record.levelno < logging.WARNING:
            return True
        message = record.getMessage()
        with self._lock:
            told = self._told.get((record.name, message))
            if told is not None and self._clock() < told.at + REPEAT_S:
                told.since += 1
                return False
            self._remember((record.name, message))
        if told is not None and told.since:
            record.msg, record.args = f"{message} (and {told.since} times since the last time)", ()
        return True

    def _remember(self, key: tuple[str, str]) -> None:
        if len(self._told) >= MOST_REMEMBERED:
            self._told.clear()
        self._told[key] = _Told(self._clock())


class TextFormatter(logging.Formatter):
    """One line a record (its traceback apart), with its time in UTC."""

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s.%(msecs)03dZ %(levelname)s %(process)d %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S"
        )
        self.converter = time.gmtime


class JsonFormatter(logging.Formatter):
    """One JSON object a record, in one line, with what is known of the work under way."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record; its traceback is the member ``exception``."""
        line: dict[str, Any] = {
            "time": format_time(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "process": record.process,
            "logger": record.name,
            "message": record.getMessage(),
            **log_fields(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


FORMATTERS: dict[str, Callable[[], logging.Formatter]] = {"text": TextFormatter, "json": JsonFormatter}
"""The forms of a log: a line for people, or one for programs."""


def start_logging(level: str, log_format: str) -> None:
    """Sends the log of this process to standard error, in one of the ``FORMATTERS``; once only."""
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATTERS[log_format]())
    handler.addFilter(Repetitions())
    logging.basicConfig(level=level.upper(), handlers=[handler])
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
