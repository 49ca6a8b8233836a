import json
from collections.abc import Sequence
from typing import Any

import pytest

from adjudicator.bootstrap import open_offer
from adjudicator.config import Settings
from adjudicator.engines.modifier import ModifierEngine
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import Estimator
from adjudicator.happy_end.ruleset import Finish
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import Position
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.choice import Choice
from adjudicator.service.offer import Offer, OfferedEngine
from adjudicator.service.orders import make_order
from adjudicator.service.values import LOCAL_OWNER
from tests.boards import board
from tests.records import LAST_CHECKER_RECORD
from tests.solved import solved_estimator

VERSION = solved_estimator(Finish.EXACT).identity

FROZEN = board({6: 2, 3: 1}, {4: 1})
"""The side that just played has three checkers left, the other one that waits for its 4."""


@pytest.fixture
def engine() -> ModifierEngine:
    return ModifierEngine(solved_estimator, VERSION, Finish.EXACT)


@pytest.mark.parametrize("finish", Finish)
def test_it_answers_as_the_estimator_of_the_finish(engine: ModifierEngine, finish: Finish) -> None:
    assert engine.under(finish).evaluate([FROZEN]) == solved_estimator(finish).estimate([FROZEN])


def test_the_finish_makes_a_difference(engine: ModifierEngine) -> None:
    exact, double = (engine.under(finish).evaluate([FROZEN])[0].win for finish in Finish)
    assert exact > double + 0.01


def test_the_identity_is_the_estimators_and_the_same_for_every_finish(engine: ModifierEngine) -> None:
    assert (engine.identity.name, engine.identity.version) == ("modifier", VERSION)
    assert {engine.under(finish).identity.version for finish in Finish} == {VERSION}


def test_to_know_the_identity_loads_nothing() -> None:
    def load(finish: Finish) -> Estimator:
        raise AssertionError(finish)

    assert ModifierEngine(load, VERSION, Finish.EXACT).identity.version == VERSION


def test_a_position_that_no_adjudication_asks_about_is_refused(engine: ModifierEngine) -> None:
    with pytest.raises(ValueError, match="one side must have one left"):
        engine.under(Finish.EXACT).evaluate([board({6: 2}, {4: 2})])


def test_it_is_offered_with_the_others() -> None:
    offer = open_offer(Settings())
    try:
        engine = offer.engine("modifier", Finish.EXACT)
        assert engine is not None
        assert engine.identity.name == "modifier"
        assert offer.engines["modifier"].plies == ()
        assert not offer.engines["modifier"].plays_whole_games
    finally:
        offer.close()


class Contrary:
    """An estimator of its own make: what is best for others is worst for it."""

    identity = "contrary/1"

    def estimate(self, positions: Sequence[Position]) -> list[Outcomes]:
        chances = solved_estimator(Finish.EXACT).estimate(positions)
        return [Outcomes(1.0 - one.win, 0.0, 0.0, 0.0, 0.0) for one in chances]


@pytest.mark.parametrize("estimator", [solved_estimator(Finish.EXACT), Contrary()])
def test_the_strongest_play_is_the_best_by_the_values_alone(estimator: Estimator) -> None:
    turns = _turns_adjudicated_by(estimator)
    considered = [turn["candidates"] for turn in turns if turn["candidates"]]
    assert considered
    for plays in considered:
        values = [play["modifier_equity"] for play in plays]
        assert values[0] == max(values)
        assert [round(value, 6) for value in values] == [play["equity"] for play in plays]


def _turns_adjudicated_by(estimator: Estimator) -> list[dict[str, Any]]:
    engine = ModifierEngine(lambda _finish: estimator, estimator.identity, Finish.EXACT)
    offered = OfferedEngine(engine, "values", "GPL-3.0-or-later", under=engine.under)
    offer = Offer({"modifier": offered}, "modifier", estimator.identity)
    content = LAST_CHECKER_RECORD
    order = make_order(content, read_log(content), choice=Choice(), offer=offer, owner=LOCAL_OWNER)
    result = json.loads(RecordAdjudicator(offer, lambda _finish: estimator).adjudicate(order).content)
    return [turn for game in result["games"] for turn in game.get("playout", {}).get("turns", [])]
