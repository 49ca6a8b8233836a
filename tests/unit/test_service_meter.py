"""What the service tells its meter, and what an engine's does."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engines.metered import MeteredEngine, metered
from adjudicator.engines.scripted import NAME, ScriptedEngine
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.variants import BACKGAMMON
from adjudicator.service.meter import Ending, Load, Unmetered
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore
from tests.offers import scripted_offer
from tests.unit.office import Office


class ListedMeter(Unmetered):
    """Lists what it is told of submissions, attempts and engines."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.under_way: list[int] = []

    def submitted(self, *, is_new: bool) -> None:
        self.told.append(("submitted", is_new))

    def running(self, attempts: int) -> None:
        self.under_way.append(attempts)

    def attempt_ended(self, ending: Ending, *, took_s: float | None = None, code: str = "") -> None:
        self.told.append((ending, took_s, code))

    def engine_answered(self, engine: str, positions: int, took_s: float) -> None:
        assert took_s >= 0
        self.told.append((engine, positions))

    def engine_failed(self, engine: str, code: str) -> None:
        self.told.append((engine, code))


@pytest.fixture
def meter() -> ListedMeter:
    return ListedMeter()


@pytest.fixture
def office(tmp_path: Path, meter: ListedMeter) -> Iterator[Office]:
    office = Office(tmp_path, meter=meter)
    yield office
    office.service.close()


def ended(meter: ListedMeter) -> list[tuple[Any, ...]]:
    return [entry for entry in meter.told if isinstance(entry[0], Ending)]


def test_a_submission_is_told_as_new_once(office: Office, meter: ListedMeter) -> None:
    for _ in range(2):
        office.submit()
    assert meter.told == [("submitted", True), ("submitted", False)]


def test_an_attempt_takes_the_time_between_its_begin_and_its_end(office: Office, meter: ListedMeter) -> None:
    office.submit()
    office.act(lambda: office.clock.move(seconds=2.5))
    office.run_next()
    assert ended(meter) == [(Ending.DONE, 2.5, "")]
    assert meter.under_way == [1, 0]


def test_a_ticket_that_does_not_count_is_no_attempt(office: Office, meter: ListedMeter) -> None:
    adjudication = office.submit()
    for _ in range(2):
        office.service.run(adjudication.id, 1)
    assert len(ended(meter)) == 1
    assert meter.under_way[-1] == 0


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (EngineFailureError("crashed"), (Ending.RETRIED, 0.0, "engine_failure")),
        (EngineFailureError("left alone", rest_s=9.0), (Ending.HANDED_BACK, 0.0, "engine_failure")),
        (EngineUnavailableError("not here"), (Ending.FAILED, 0.0, "engine_unavailable")),
        (ZeroDivisionError(), (Ending.FAILED, 0.0, "internal_error")),
    ],
)
def test_an_error_is_told_by_its_code_and_by_what_follows(
    office: Office, meter: ListedMeter, error: Exception, expected: tuple[Any, ...]
) -> None:
    office.submit()
    office.act(error)
    office.run_next()
    assert ended(meter) == [expected]


def test_an_error_in_the_last_attempt_ends_it(office: Office, meter: ListedMeter) -> None:
    office.submit()
    office.act(EngineFailureError("crashed"), EngineFailureError("crashed"))
    office.run_next()
    office.clock.move(seconds=60)
    assert [office.service.requeue_lost() for _ in range(2)] == [0, 1]
    office.run_next()
    assert [entry[0] for entry in ended(meter)] == [Ending.RETRIED, Ending.FAILED]


def test_a_lost_attempt_has_no_time_and_its_late_result_is_superseded(
    office: Office, meter: ListedMeter
) -> None:
    office.submit()

    def be_given_up() -> None:
        office.clock.move(seconds=40)
        assert colleague.requeue_lost() == 1

    colleague = office.colleague()
    office.act(be_given_up)
    office.run_next()
    colleague.close()
    assert ended(meter) == [(Ending.LOST, None, "worker_lost"), (Ending.SUPERSEDED, 40.0, "")]


def test_what_is_lost_for_the_last_time_failed(office: Office, meter: ListedMeter) -> None:
    office.submit()
    store = MatchStore(Database(office.url))
    for _ in range(office.policy.attempt_limit):
        ticket, now = office.queue.tickets.pop(0), office.clock()
        assert store.start(ticket, worker="dead", at=now, lease_until=now + timedelta(seconds=1))
        office.clock.move(seconds=2)
        assert office.service.requeue_lost() == 1
    store.close()
    assert ended(meter) == [(Ending.LOST, None, "worker_lost"), (Ending.FAILED, None, "worker_lost")]


def test_what_is_handed_back_is_told_as_that(office: Office, meter: ListedMeter) -> None:
    office.submit()
    office.act(office.service.hand_back)
    office.run_next()
    assert [entry[0] for entry in ended(meter)] == [Ending.HANDED_BACK, Ending.SUPERSEDED]


def test_the_load_is_what_waits_and_who_works(office: Office) -> None:
    assert office.service.load() == Load(queue_length=0, workers=1, oldest_s=0.0)
    office.submit()
    office.clock.move(seconds=7)
    assert office.service.load() == Load(queue_length=1, workers=1, oldest_s=7.0)
    office.clock.move(seconds=-60)
    assert office.service.load().oldest_s == 0.0
    office.queue.broken = "away"
    assert office.service.load() == Load(queue_length=None, workers=None, oldest_s=0.0)


def test_an_engine_answers_through_its_meter_as_without(meter: ListedMeter) -> None:
    plain, counted = ScriptedEngine(), MeteredEngine(ScriptedEngine(), NAME, meter)
    positions = [BACKGAMMON.start] * 3
    assert counted.evaluate(positions) == plain.evaluate(positions)
    assert (counted.identity, counted.variants) == (plain.identity, plain.variants)
    assert meter.told == [(NAME, 3)]


class FailingEngine(ScriptedEngine):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def evaluate(self, positions: object) -> Any:
        assert positions
        raise self._error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (EngineFailureError("crashed"), "engine_failure"),
        (EngineFailureError("not asked", rest_s=1.0), "left_alone"),
        (EngineUnavailableError("not here"), "engine_unavailable"),
    ],
)
def test_what_an_engine_does_not_answer_is_counted_and_passed_on(
    meter: ListedMeter, error: Exception, code: str
) -> None:
    with pytest.raises(type(error)):
        MeteredEngine(FailingEngine(error), NAME, meter).evaluate([BACKGAMMON.start])
    assert meter.told == [(NAME, code)]


def test_all_engines_of_an_offer_are_metered_under_their_names(meter: ListedMeter) -> None:
    plain = scripted_offer()
    under = replace(plain.engines[NAME], under=lambda _: ScriptedEngine())
    offer = metered(replace(plain, engines={"first": plain.engines[NAME], "second": under}), meter)
    for name in ("first", "second"):
        engine = offer.engine(name, Finish.EXACT)
        assert engine is not None
        engine.evaluate([BACKGAMMON.start])
    offer.close()
    assert meter.told == [("first", 1), ("second", 1)]
