"""The solved tables agree with a solver that lists every play, and obey what the game demands."""

from functools import cache
from itertools import combinations_with_replacement

import pytest

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.families import HOME_LATTICE, Board, FarFamily, HomeFamily
from adjudicator.happy_end.values.few import FewCheckers, Points, turn_results
from adjudicator.happy_end.values.lattice import Lattice
from adjudicator.happy_end.values.recursion import Values, solve
from adjudicator.happy_end.values.tables import given_values
from adjudicator.rules.board import Checkers, Position, checkers_from
from adjudicator.rules.dice import ALL_ROLLS
from adjudicator.rules.plays import legal_plays
from tests.solved import race_chances
from tests.twins.values_twin import ValuesTwin

FINISHES = list(Finish)
UP_TO_FOUR = [points for count in range(1, 5) for points in combinations_with_replacement(range(1, 7), count)]
FIVE_AND_SIX = [(1, 1, 2, 3, 6), (1, 2, 2, 5, 5), (3, 4, 4, 5, 6), (1, 1, 1, 1, 2, 4), (1, 1, 2, 2, 3, 3)]
NOBODY = (15, *[0] * 25)


@cache
def twin(finish: Finish) -> ValuesTwin:
    return ValuesTwin(finish)


def on_points(points: Points, total: int) -> Checkers:
    return checkers_from({point: points.count(point) for point in points}, total)


def row(points: Points) -> tuple[int, ...]:
    return tuple(points.count(point) if point else 0 for point in range(26))


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("points", [*UP_TO_FOUR, *FIVE_AND_SIX])
def test_home_with_a_checker_off_equals_the_listing_of_all_plays(finish: Finish, points: Points) -> None:
    chances = race_chances(finish, on_points(points, 15))
    assert chances.win == pytest.approx(twin(finish).value(row(points), True).win, abs=1e-9)
    assert chances[1:] == (1.0, 1.0)


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("points", [*UP_TO_FOUR, *FIVE_AND_SIX])
def test_home_with_none_off_equals_the_listing_of_all_plays(finish: Finish, points: Points) -> None:
    chances = race_chances(finish, on_points(points, len(points)))
    expected = twin(finish).value(row(points), False)
    assert chances.points + 3 == pytest.approx(expected.worth, abs=1e-9)
    assert chances.win == pytest.approx(expected.win, abs=1e-9)
    assert chances.first_off == pytest.approx(expected.first_off, abs=1e-9)


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("points", [(7,), (12,), (24,), (25,), (1, 8), (6, 11), (9, 9), (2, 25)])
def test_two_checkers_anywhere_equal_the_listing_of_all_plays(finish: Finish, points: Points) -> None:
    chances = race_chances(finish, on_points(points, 15))
    assert chances.win == pytest.approx(twin(finish).value(row(points), True).win, abs=1e-9)


@pytest.mark.parametrize("points", [(1, 2, 3, 4, 8), (2, 2, 3, 7, 9), (1, 1, 2, 3, 3, 8)])
def test_checkers_outside_equal_the_listing_of_all_plays(points: Points) -> None:
    lattice = Lattice(1, 9, len(points))
    solved, first = solved_far(lattice)
    number = first + lattice.slot(row(points)[1:10])
    expected = twin(Finish.EXACT).value(row(points), False)
    assert solved.points[number] == pytest.approx(expected.worth, abs=1e-9)
    assert solved.win[number] == pytest.approx(expected.win, abs=1e-9)


@cache
def solved_far(lattice: Lattice) -> tuple[Values, int]:
    """The families of a side with fewer than 15 checkers, and the number its outside positions begin with."""
    board = Board(HOME_LATTICE)
    home, fresh = HomeFamily(board, 0, 0), HomeFamily(board, board.size, 0)
    far = FarFamily(lattice, 2 * board.size, fresh)
    few = given_values(FewCheckers(Finish.EXACT), fresh.first)
    return solve([home, fresh, far], few, 1 - Finish.EXACT.hazard), far.first


@pytest.mark.parametrize("finish", FINISHES)
def test_turns_with_few_checkers_are_those_of_the_modifier(finish: Finish) -> None:
    pairs = combinations_with_replacement(range(1, 26), 2)
    for points in [*UP_TO_FOUR, *pairs]:
        position = Position(on_points(points, 15), NOBODY)
        for dice in ALL_ROLLS:
            results = {play.result.own for play in legal_plays(position, dice, modifier_steps(finish))}
            assert {on_points(left, 15) for left in turn_results(points, dice, finish)} == results


@pytest.mark.parametrize("finish", FINISHES)
def test_two_frozen_checkers_have_the_closed_form(finish: Finish) -> None:
    hazard = finish.hazard
    for point in range(1, 7):
        chances = race_chances(finish, on_points((point,), 15))
        assert chances.win == pytest.approx(hazard / (1 - (1 - hazard) ** 2), abs=1e-12)


@pytest.mark.parametrize("finish", FINISHES)
def test_another_checker_is_never_a_gain(finish: Finish) -> None:
    for points in UP_TO_FOUR:
        for extra in range(1, 7):
            more = on_points(tuple(sorted((*points, extra))), 15)
            assert race_chances(finish, more).win <= race_chances(finish, on_points(points, 15)).win + 1e-12
