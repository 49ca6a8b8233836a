"""The reconciler's loop."""

import threading

import pytest

from adjudicator.errors import StoreUnavailableError
from adjudicator.jobs.reconciler import Reconciler


def test_it_goes_on_after_whatever_happens_and_stops_when_told(caplog: pytest.LogCaptureFixture) -> None:
    outcomes: list[int | Exception] = [StoreUnavailableError("away"), ZeroDivisionError("oops"), 2, 0]
    all_taken = threading.Event()
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        if not outcomes:
            all_taken.set()
            return 0
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    with caplog.at_level("INFO"):
        reconciler = Reconciler(step, every_s=0.001)
        reconciler.start()
        assert all_taken.wait(5)
        reconciler.stop()
    taken_until_stopped = taken
    messages = [record.getMessage() for record in caplog.records]
    assert messages == [
        "Nothing could be made good for now: away",
        "The reconciler goes on after an error",
        "2 lost adjudications were queued anew",
    ]
    assert caplog.records[1].exc_info is not None
    assert not threading.Event().wait(0.02)
    assert taken == taken_until_stopped
