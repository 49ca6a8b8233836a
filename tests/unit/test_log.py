"""The log of a process."""

import json
import logging
import os
import subprocess
import sys

import pytest

from adjudicator.config import LOG_FORMATS
from adjudicator.processes import log
from adjudicator.processes.log import FIELDS, FORMATTERS, JsonFormatter, Repetitions
from adjudicator.service.log_fields import logged_with


class Told:
    """The messages that come through, at moments that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self._repetitions = Repetitions(lambda: self.now)

    def tell(self, message: str, level: int = logging.WARNING) -> list[str]:
        record = logging.LogRecord("queue", level, "", 0, "%s", (message,), None)
        return [record.getMessage()] if self._repetitions.filter(record) else []


def test_the_same_warning_comes_once_in_a_while_with_how_often_it_came() -> None:
    told = Told()
    assert told.tell("away") == ["away"]
    assert told.tell("full") == ["full"]
    told.now = 9.9
    assert told.tell("away") == told.tell("away") == []
    told.now = 10.0
    assert told.tell("away") == ["away (and 2 times since the last time)"]
    told.now = 30.0
    assert told.tell("away") == ["away"]


def test_what_is_no_warning_comes_every_time() -> None:
    told = Told()
    assert told.tell("started", logging.INFO) == told.tell("started", logging.INFO) == ["started"]


def test_only_so_much_is_remembered() -> None:
    told = Told()
    assert all(told.tell(f"message {number}") for number in range(log.MOST_REMEMBERED + 1))
    assert told.tell("message 0") == ["message 0"]
    assert told.tell(f"message {log.MOST_REMEMBERED}") == []


def a_record(message: str, **attributes: object) -> logging.LogRecord:
    record = logging.LogRecord("queue", logging.WARNING, "", 0, message, (), None)
    vars(record).update({"created": 1796040000.0625} | attributes)
    return record


def test_the_formats_are_those_that_can_be_set() -> None:
    assert tuple(FORMATTERS) == LOG_FORMATS


def test_a_json_line_says_when_what_and_of_which_work() -> None:
    with logged_with(request_id="r1", adjudication_id="a1"):
        line = JsonFormatter().format(a_record("away", **{FIELDS: {"status": 503}}))
    assert json.loads(line) == {
        "time": "2026-11-30T12:00:00.062Z",
        "level": "warning",
        "process": os.getpid(),
        "logger": "queue",
        "message": "away",
        "request_id": "r1",
        "adjudication_id": "a1",
        "status": 503,
    }


def test_a_json_line_is_one_line_whatever_it_says() -> None:
    error = (ValueError, ValueError("two\nlines"), None)
    line = JsonFormatter().format(a_record("a\nb\r\u2028c\ud800", exc_info=error))
    assert len(line.splitlines()) == 1
    told = json.loads(line)
    assert told["message"] == "a\nb\r\u2028c\ud800"
    assert "ValueError: two\nlines" in told["exception"]


@pytest.mark.parametrize("log_format", LOG_FORMATS)
def test_the_log_of_a_process_goes_to_its_error_output(log_format: str) -> None:
    code = "from adjudicator.processes.log import *; start_logging('info', %r); logging.info('begun')"
    ended = subprocess.run(
        [sys.executable, "-c", code % log_format], capture_output=True, text=True, timeout=60, check=True
    )
    (line,) = ended.stderr.splitlines()
    if log_format == "json":
        assert json.loads(line)["message"] == "begun"
    else:
        assert line.endswith(" root: begun")
