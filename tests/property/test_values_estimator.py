"""Estimates are sound chances for every position, the same for both sides, and point the right way."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.shots import hitting_rolls
from adjudicator.rules.board import (
    BAR,
    Checkers,
    Position,
    checkers_from,
    count_on_board,
    has_contact,
    highest_point,
)
from adjudicator.rules.dice import ALL_ROLLS
from adjudicator.rules.plays import legal_plays
from tests.solved import race_chances, solved_estimator

FINISHES = st.sampled_from(Finish)


@st.composite
def last_checker_positions(draw: st.DrawFn) -> Position:
    """A side with 1 to 15 checkers left against a last checker; no point is held by both."""
    last = draw(st.integers(1, 25))
    free = [point for point in range(1, 26) if last == BAR or point != BAR - last]
    points = draw(st.lists(st.sampled_from(free), min_size=1, max_size=15))
    mine = checkers_from({point: points.count(point) for point in points}, 15)
    return Position(mine, checkers_from({last: 1}, 15))


def points_of(outcomes: Outcomes) -> float:
    win, gammon, backgammon, loss_gammon, loss_backgammon = outcomes
    return 2 * win - 1 + gammon + backgammon - loss_gammon - loss_backgammon


def board(points: dict[int, int]) -> Checkers:
    return checkers_from(points, 15)


def rolls_that_hit(mine: Checkers, last: int) -> int:
    return int(hitting_rolls(np.array([mine], dtype=np.int8), np.array([last]))[0])


def worth_after_play(mine: dict[int, int], last: int) -> float:
    position = Position(board(mine), board({last: 1}))
    return points_of(solved_estimator(Finish.EXACT).estimate([position])[0])


def worth_on_roll(mine: dict[int, int], last: int) -> float:
    position = Position(board({last: 1}), board(mine))
    return -points_of(solved_estimator(Finish.EXACT).estimate([position])[0])


@settings(max_examples=120, deadline=None)
@given(FINISHES, last_checker_positions())
def test_every_position_gets_sound_chances_whoever_played(finish: Finish, position: Position) -> None:
    for outcomes in solved_estimator(finish).estimate([position, position.swapped()]):
        assert outcomes.is_sound(1e-12)


@settings(max_examples=100, deadline=None)
@given(FINISHES, last_checker_positions())
def test_a_roll_is_never_worth_less_than_none_in_a_race(finish: Finish, position: Position) -> None:
    if has_contact(position):
        return
    played, to_roll = solved_estimator(finish).estimate([position, position.swapped()])
    assert played.win <= 1 - to_roll.win + 1e-12
    assert played.lose_gammon >= to_roll.win_gammon - 1e-12


@settings(max_examples=30, deadline=None)
@given(FINISHES, st.lists(last_checker_positions(), max_size=40))
def test_answers_are_the_same_to_the_last_bit_whatever_else_is_asked(
    finish: Finish, positions: Sequence[Position]
) -> None:
    estimator = solved_estimator(finish)
    asked = [*positions, *[position.swapped() for position in positions]]
    together = estimator.estimate(asked)
    assert together == [estimator.estimate([position])[0] for position in asked]
    assert together[::-1] == estimator.estimate(asked[::-1])


@settings(max_examples=100, deadline=None)
@given(FINISHES, last_checker_positions())
def test_against_a_frozen_checker_that_is_passed_the_tables_speak(finish: Finish, position: Position) -> None:
    mine, other = position
    if highest_point(other) > 6 or has_contact(position) or count_on_board(mine) == 1:
        return
    chances = race_chances(finish, mine)
    played, to_roll = solved_estimator(finish).estimate([position, position.swapped()])
    survival = 1 - finish.hazard
    assert to_roll.swapped().win == pytest.approx(chances.win, abs=1e-12)
    assert played.win == pytest.approx(survival * chances.win, abs=1e-12)
    saved = 1.0 if mine[0] else survival * chances.first_off
    assert 1 - played.lose_gammon == pytest.approx(saved, abs=1e-12)
    kept_back = any(mine[19:]) and not mine[0]
    assert 1 - played.lose_backgammon == pytest.approx(survival * chances.escaped if kept_back else 1.0)


@settings(max_examples=300, deadline=None)
@given(FINISHES, st.lists(st.integers(1, 23), min_size=2, max_size=15), st.integers(0, 14), st.booleans())
def test_a_checker_further_back_is_no_better(
    finish: Finish, points: Sequence[int], index: int, others_are_off: bool
) -> None:
    """But for what the net is off by where it is off most: boards that no game comes to."""
    others = [] if others_are_off else [1] * (15 - len(points))
    nearer = list(points)
    nearer[index % len(points)] = max(1, nearer[index % len(points)] - 1)
    far, near = (
        race_chances(finish, checkers_from({point: group.count(point) for point in group}, 15))
        for group in ([*points, *others], [*nearer, *others])
    )
    assert far.win <= near.win * 1.12 + 1e-2
    assert far.points <= near.points + 0.2


@pytest.mark.parametrize("finish", list(Finish))
def test_both_sides_frozen_with_one_checker_have_the_closed_form(finish: Finish) -> None:
    hazard = finish.hazard
    on_roll = hazard / (1 - (1 - hazard) ** 2)
    for own in range(1, 7):
        for other in range(1, 7):
            position = Position(board({own: 1}), board({other: 1}))
            outcomes = solved_estimator(finish).estimate([position])[0]
            assert outcomes == pytest.approx((1 - on_roll, 0, 0, 0, 0), abs=1e-12)


@pytest.mark.parametrize("last", [1, 3, 6, 9, 14, 18])
@pytest.mark.parametrize("mine", [{8: 3, 6: 6, 5: 6}, {6: 2, 5: 2}, {13: 5, 8: 5, 6: 5}])
def test_the_last_checker_is_best_on_the_bar(mine: dict[int, int], last: int) -> None:
    assert worth_after_play(mine, 25) > worth_after_play(mine, last)
    assert worth_on_roll(mine, 25) > worth_on_roll(mine, last)


def test_the_last_checker_is_better_further_from_its_home() -> None:
    """By steps that are worth more than the net's error."""
    mine = {8: 3, 6: 6, 5: 6}
    worths = [worth_on_roll(mine, last) for last in (6, 8, 12, 18)]
    assert worths == sorted(worths)


def test_points_held_in_front_of_the_bar_keep_the_last_checker_there() -> None:
    closed, open_board = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {6: 5, 5: 5, 4: 5}
    blots = {6: 5, 5: 5, 4: 1, 3: 1, 2: 1, 1: 2}
    assert worth_after_play(closed, 25) > worth_after_play(blots, 25)
    assert worth_after_play(closed, 25) > worth_after_play(open_board, 25)


def test_a_shot_is_worth_having() -> None:
    mine = {24: 2, 6: 7, 5: 6}
    assert rolls_that_hit(board(mine), 5) > 11
    assert worth_on_roll(mine, 5) > race_chances(Finish.EXACT, board(mine)).points + 0.1


def test_more_rolls_that_hit_are_better() -> None:
    double_direct, single_direct = {24: 1, 22: 1, 6: 7, 5: 6}, {24: 2, 6: 7, 5: 6}
    assert rolls_that_hit(board(double_direct), 5) > rolls_that_hit(board(single_direct), 5)


@settings(max_examples=60, deadline=None)
@given(last_checker_positions())
def test_shots_are_those_that_the_plays_make(position: Position) -> None:
    mine, other = position
    last = highest_point(other)
    if last == BAR or count_on_board(mine) == 1:
        return
    hits = sum(
        1 if dice.is_doublet else 2
        for dice in ALL_ROLLS
        if any(play.result.opponent[BAR] for play in legal_plays(position, dice))
    )
    assert rolls_that_hit(mine, last) == hits


@pytest.mark.parametrize(
    "position",
    [
        Position(board({6: 2}), board({6: 2})),
        Position(board({}), board({6: 1})),
        Position(board({6: 1}), board({})),
        Position(checkers_from({6: 16}, 16), checkers_from({6: 1}, 16)),
    ],
)
def test_positions_that_are_none_of_its_business_are_refused(position: Position) -> None:
    with pytest.raises(ValueError, match="on the board"):
        solved_estimator(Finish.EXACT).estimate([position])


def test_nothing_asked_is_nothing_answered() -> None:
    assert solved_estimator(Finish.EXACT).estimate([]) == []
