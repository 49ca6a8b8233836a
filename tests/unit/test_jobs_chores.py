"""Chores are done again and again, each whatever becomes of the others."""

import logging
import threading
from collections.abc import Callable

import pytest

from adjudicator.errors import StoreUnavailableError
from adjudicator.jobs.chores import Chores

LIMIT_S = 20


class Chore:
    """Counts how often it is done, and does what it is told."""

    def __init__(self, act: Callable[[], object] = lambda: None) -> None:
        self.count = 0
        self.done_twice = threading.Event()
        self._act = act

    def __call__(self) -> None:
        self.count += 1
        if self.count > 1:
            self.done_twice.set()
        self._act()


def fail(error: Exception) -> Callable[[], object]:
    def raising() -> object:
        raise error

    return raising


def test_one_that_fails_keeps_no_other_from_being_done(caplog: pytest.LogCaptureFixture) -> None:
    away, broken, well = Chore(fail(StoreUnavailableError("away"))), Chore(fail(ValueError("bug"))), Chore()
    chores = Chores("chores", {"away": away, "broken": broken, "well": well}, every_s=0.001)
    with caplog.at_level(logging.WARNING):
        chores.start()
        for chore in (away, broken, well):
            assert chore.done_twice.wait(LIMIT_S)
        chores.stop()
    told = {record.getMessage() for record in caplog.records}
    assert {"This has to wait: away: away", "This failed, and is tried again: broken"} <= told
    assert any(record.exc_info for record in caplog.records)


def test_they_are_done_in_their_order() -> None:
    done: list[str] = []
    over = threading.Event()

    def end() -> None:
        done.append("last")
        over.set()

    chores = Chores("chores", {"first": lambda: done.append("first"), "last": end}, every_s=0.001)
    chores.start()
    assert over.wait(LIMIT_S)
    chores.stop()
    assert done[:2] == ["first", "last"]


def test_stopped_they_are_done_no_more() -> None:
    chore = Chore()
    chores = Chores("chores", {"one": chore}, every_s=0.001)
    chores.start()
    assert chore.done_twice.wait(LIMIT_S)
    chores.stop()
    count = chore.count
    threading.Event().wait(0.05)
    assert chore.count == count
