"""The log of a process."""

import logging

from adjudicator.processes import log
from adjudicator.processes.log import Repetitions


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
