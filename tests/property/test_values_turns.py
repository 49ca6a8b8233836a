"""What is worked out for many positions at once is what ``legal_plays`` lists for each."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.last_roll import LastRoll
from adjudicator.rules.board import BAR, HOME, Checkers, Position, checkers_from, highest_point
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.plays import legal_plays
from bench.training.turns import Turns

FINISHES = st.sampled_from(Finish)


@st.composite
def boards(draw: st.DrawFn, lasts: st.SearchStrategy[int]) -> tuple[Checkers, int]:
    """A side's checkers, often few or near home, and the other's last one."""
    last, furthest = draw(lasts), draw(st.sampled_from([HOME, 12, BAR]))
    free = [point for point in range(1, furthest + 1) if last == BAR or point != BAR - last]
    points = draw(st.lists(st.sampled_from(free), min_size=1, max_size=15))
    return checkers_from({point: points.count(point) for point in points}, 15), last


@settings(max_examples=60, deadline=None)
@given(FINISHES, st.lists(boards(st.integers(1, BAR)), min_size=1, max_size=6), st.sampled_from(ALL_ROLLS))
def test_turns_of_many_checkers_are_the_legal_plays(
    finish: Finish, positions: list[tuple[Checkers, int]], dice: Dice
) -> None:
    rows, lasts = (np.array(column) for column in zip(*positions, strict=True))
    found: list[set[tuple[Checkers, int]]] = [set() for _ in positions]
    turns = Turns(finish).results(rows.astype(np.int8), lasts, dice)
    for own, last, origin in zip(*[array.tolist() for array in turns], strict=True):
        assert (tuple(own), last) not in found[origin]
        found[origin].add((tuple(own), last))
    for (own, last), results in zip(positions, found, strict=True):
        plays = legal_plays(Position(own, checkers_from({last: 1}, 15)), dice, modifier_steps(finish))
        assert results == {(play.result.own, highest_point(play.result.opponent)) for play in plays}


@settings(max_examples=60, deadline=None)
@given(FINISHES, st.lists(boards(st.integers(HOME + 1, BAR)), min_size=1, max_size=6))
def test_rolls_of_a_last_checker_are_the_legal_plays(
    finish: Finish, positions: list[tuple[Checkers, int]]
) -> None:
    rows, lasts = (np.array(column) for column in zip(*positions, strict=True))
    found, points, is_play = LastRoll(finish).results(rows.astype(np.int8), lasts)
    for number, (other, last) in enumerate(positions):
        start = Position(checkers_from({last: 1}, 15), other)
        for roll, dice in enumerate(ALL_ROLLS):
            plays = legal_plays(start, dice, modifier_steps(finish))
            results = [
                (tuple(found[number, order].tolist()), int(points[number, order]))
                for order in (2 * roll, 2 * roll + 1)
                if is_play[number, order]
            ]
            assert len(results) == len(set(results))
            assert set(results) == {(play.result.opponent, highest_point(play.result.own)) for play in plays}
