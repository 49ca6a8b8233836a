import math
from pathlib import Path

import pytest

from adjudicator.engines.scripted import ScriptedEngine, rough_chances
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON

EVEN = Outcomes(0.5, 0.1, 0.0, 0.1, 0.0)
GOOD = Outcomes(0.75, 0.25, 0.0, 0.0, 0.0)
START = BACKGAMMON.start
BETTER = Position(checkers_from({6: 15}, 15), START.opponent)


def test_a_function_answers() -> None:
    engine = ScriptedEngine(lambda position: GOOD if position is BETTER else EVEN)
    assert engine.evaluate([BETTER, START]) == [GOOD, EVEN]


def test_a_table_answers_and_what_it_lacks_is_an_error() -> None:
    engine = ScriptedEngine({BETTER: GOOD})
    assert engine.evaluate([BETTER]) == [GOOD]
    with pytest.raises(LookupError):
        engine.evaluate([START])


def test_a_list_is_answered_from_its_start() -> None:
    engine = ScriptedEngine([GOOD, EVEN, list(GOOD)])
    assert engine.evaluate([START, START]) == [GOOD, EVEN]
    assert engine.evaluate([START]) == [GOOD]
    with pytest.raises(LookupError):
        engine.evaluate([START])


def test_the_script_goes_through_the_questions_in_order_and_then_answers() -> None:
    engine = ScriptedEngine({START: EVEN, BETTER: GOOD}, script="mixed_up too_few not_a_number raise answer")
    assert engine.evaluate([START, BETTER]) == [GOOD, EVEN]
    assert engine.evaluate([START, BETTER]) == [EVEN]
    assert math.isnan(engine.evaluate([START, BETTER])[1].win)
    with pytest.raises(RuntimeError, match="told to"):
        engine.evaluate([START, BETTER])
    for _ in range(2):
        assert engine.evaluate([START, BETTER]) == [EVEN, GOOD]


def test_a_journal_carries_the_script_over_to_the_next_engine(tmp_path: Path) -> None:
    journal = str(tmp_path / "journal")
    script = "too_few answer too_few"
    lengths = [len(ScriptedEngine(script=script, journal=journal).evaluate([START])) for _ in range(4)]
    assert lengths == [0, 1, 0, 1]


def test_an_unknown_behaviour_is_refused() -> None:
    with pytest.raises(ValueError, match="explode"):
        ScriptedEngine(script="explode")


def test_it_plays_games_with_other_numbers_of_checkers_if_told() -> None:
    assert ScriptedEngine([EVEN], checkers_per_side=3).evaluate([HYPERGAMMON.start]) == [EVEN]
    with pytest.raises(ValueError, match="3 checkers instead of 15"):
        ScriptedEngine([EVEN]).evaluate([HYPERGAMMON.start])


def test_by_default_the_side_that_is_ahead_in_pips_is_the_favourite() -> None:
    assert rough_chances(BETTER).win > 0.5 > rough_chances(BETTER.swapped()).win
