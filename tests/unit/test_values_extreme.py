"""The source's extreme: all fifteen checkers on the bar against one left in the home board."""

import random

import pytest

from adjudicator.happy_end.judge import EngineJudge
from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.playout import play_out
from adjudicator.happy_end.ruleset import Finish, Ruleset
from adjudicator.happy_end.series import DiceSeries
from adjudicator.rules.board import BAR
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import Dice
from tests.boards import BLACK, MONEY, WHITE, board
from tests.opinions import EvenEngine
from tests.solved import solved_estimator

FINISHES = list(Finish)


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("last", range(1, 7))
def test_fifteen_on_the_bar_may_still_win(finish: Finish, last: int) -> None:
    position = board({BAR: 15}, {last: 1})
    (outcomes,) = solved_estimator(finish).estimate([position.swapped()])
    assert outcomes.is_sound(1e-12)
    assert 0.0 < 1.0 - outcomes.win < 0.2
    assert outcomes.win_backgammon > 0.3


@pytest.mark.parametrize("seed", [1, 2])
def test_fifteen_on_the_bar_win_where_the_last_checker_never_gets_its_number(seed: int) -> None:
    chance = random.Random(seed)
    rolls = [roll for _ in range(60) for roll in (any_roll(chance), Dice(5, 4))]
    start = LastChecker(
        turn=1,
        side=WHITE,
        point=6,
        mid_turn=False,
        on_roll=BLACK,
        position=board({BAR: 15}, {6: 1}),
        cube=Cube(),
    )
    judge = EngineJudge(EvenEngine(), solved_estimator(Finish.EXACT), MONEY, start.cube)
    playout = play_out(start, DiceSeries(tuple(rolls), 1), Ruleset(), judge)
    assert playout.winner is BLACK
    assert len(playout.turns) > 60


def any_roll(chance: random.Random) -> Dice:
    return Dice(chance.randint(1, 6), chance.randint(1, 6))
