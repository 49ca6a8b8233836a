"""Whether the winner hangs on any choice, HE-7.7."""

import random
from graphlib import CycleError, TopologicalSorter

import pytest

from adjudicator.happy_end.forced import is_winner_forced
from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.series import DiceSeries
from adjudicator.rules.board import Position, highest_point
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import ALL_ROLLS
from tests.boards import BLACK, WHITE, board, dice
from tests.twins.plays_twin import Row, row_of, twin_results

State = tuple[Row, str, int]

OTHER = {"white": "black", "black": "white"}


def forced(position: Position, rolls: str, first: int = 1, finish: Finish = Finish.EXACT) -> bool | None:
    """``position`` is seen by the side on roll, the opponent of the last checker."""
    return _ask(position, DiceSeries(tuple(dice(roll) for roll in rolls.split()), first), finish)


def _ask(position: Position, series: DiceSeries, finish: Finish) -> bool | None:
    point = highest_point(position.opponent)
    return is_winner_forced(LastChecker(1, WHITE, point, False, BLACK, position, Cube()), series, finish)


def test_a_winner_that_every_play_leads_to_is_forced() -> None:
    assert forced(board({6: 15}, {2: 1}), "65 21") is True


def test_a_winner_that_hangs_on_a_choice_is_not_forced() -> None:
    """3/off 2/off wins at once; 3/1 2/off leaves white, whose roll is 6-1, its exact 6."""
    assert forced(board({3: 1, 2: 1}, {6: 1}), "32 61") is False


def test_a_game_that_nobody_can_finish_is_forced_to_that_end() -> None:
    assert forced(board({4: 1}, {3: 1}), "65 21") is True
    assert forced(board({4: 1}, {3: 1}), "65 21 55") is True


def test_a_game_that_some_plays_finish_and_others_never_do_is_not_forced() -> None:
    """White never throws its 6, black always 3-1: 4/1 2/1 wins next time, 4/1 1/off leaves a 2 for ever."""
    assert forced(board({4: 1, 2: 1}, {6: 1}), "31 55") is False


def _ends(position: Position, series: DiceSeries, finish: Finish) -> set[str]:
    """All ends of the game, by the slow twin: who wins, and ``"never"`` if a state can come back."""
    ends: set[str] = set()
    graph: dict[State, set[State]] = {}
    waiting: list[State] = [(row_of(position), "black", series.first_roll)]
    while waiting:
        state = waiting.pop()
        if state in graph:
            continue
        graph[state] = set()
        row, side, roll = state
        for after in twin_results(_position(row), *series.dice_of(roll), finish):
            if any(count > 0 for count in after):
                turned = tuple(-count for count in reversed(after))
                graph[state].add((turned, OTHER[side], roll % len(series.rolls) + 1))
            else:
                ends.add(side)
        waiting += graph[state]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        ends.add("never")
    return ends


def _position(row: Row) -> Position:
    own = {point: count for point, count in enumerate(row) if count > 0 and point}
    opponent = {25 - point: -count for point, count in enumerate(row) if count < 0}
    return board(own, opponent)


@pytest.mark.parametrize("finish", Finish)
def test_going_through_all_plays_another_way_finds_the_same(finish: Finish) -> None:
    chance = random.Random(17)
    answers = []
    for _ in range(60):
        black = [chance.randint(1, chance.choice((3, 6, 6, 9, 24))) for _ in range(chance.choice((1, 2, 3)))]
        white = chance.randint(1, 6)
        if 25 - white in black:
            continue
        position = board({point: black.count(point) for point in black}, {white: 1})
        series = DiceSeries(tuple(chance.choice(ALL_ROLLS) for _ in range(chance.randint(1, 7))), 1)
        found = _ask(position, series, finish)
        if found is not None:
            assert found is (len(_ends(position, series, finish)) == 1), (position, series)
            answers.append(found)
    assert answers.count(True) > 15
    assert answers.count(False) > 5
