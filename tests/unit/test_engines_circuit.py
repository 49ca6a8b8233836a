import pytest

from adjudicator.engines.circuit import Circuit
from adjudicator.errors import EngineFailureError


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def circuit(clock: Clock) -> Circuit:
    return Circuit(limit=2, rest_s=30, clock=clock)


def _is_open(circuit: Circuit) -> bool:
    try:
        circuit.check()
    except EngineFailureError:
        return True
    return False


def test_failures_below_the_limit_let_pass(circuit: Circuit) -> None:
    circuit.failed("once")
    assert not _is_open(circuit)


def test_failures_in_a_row_stop_all_for_a_while_and_say_why(circuit: Circuit, clock: Clock) -> None:
    circuit.failed("once")
    circuit.failed("twice")
    clock.now_s = 10
    with pytest.raises(
        EngineFailureError, match=r"failed 2 times in a row .* another 20 s; last: twice"
    ) as caught:
        circuit.check()
    assert caught.value.rest_s == 20


def test_after_the_rest_a_success_ends_the_count(circuit: Circuit, clock: Clock) -> None:
    circuit.failed("once")
    circuit.failed("twice")
    clock.now_s = 31
    circuit.check()
    circuit.succeeded()
    circuit.failed("again")
    assert not _is_open(circuit)


def test_after_the_rest_a_failure_begins_another(circuit: Circuit, clock: Clock) -> None:
    circuit.failed("once")
    circuit.failed("twice")
    clock.now_s = 31
    circuit.check()
    circuit.failed("again")
    assert _is_open(circuit)
    clock.now_s = 62
    assert not _is_open(circuit)
