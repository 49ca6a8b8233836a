"""The loop of a worker that sends webhooks."""

import threading

import pytest

from adjudicator.errors import StoreUnavailableError
from adjudicator.jobs.deliveries import DeliveryLoop

LIMIT_S = 10


@pytest.mark.parametrize("trouble", [StoreUnavailableError("away"), ValueError("unforeseen")])
def test_the_loop_goes_on_after_errors_until_it_is_stopped(trouble: Exception) -> None:
    troubles = [trouble]
    went_on = threading.Event()

    def step() -> int:
        if troubles:
            raise troubles.pop()
        went_on.set()
        return 0

    loop = DeliveryLoop(step, every_s=0.01)
    loop.start()
    assert went_on.wait(LIMIT_S)
    loop.stop()
    went_on.clear()
    assert not went_on.wait(0.1)
