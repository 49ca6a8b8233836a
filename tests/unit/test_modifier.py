"""The Happy-End modifier, clause HE-1 by clause."""

import pytest

from adjudicator.happy_end.modifier import is_frozen, modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.plays import DieSteps, legal_plays
from tests.boards import board, own_results, plays_as_text

EXACT = modifier_steps(Finish.EXACT)
OR_DOUBLE = modifier_steps(Finish.EXACT_OR_DOUBLE)

OPPONENT = {1: 2}


@pytest.mark.parametrize("point", range(1, 7))
def test_he_1_1_a_frozen_checker_is_borne_off_by_eleven_rolls_in_36(point: int) -> None:
    position = board({point: 1}, OPPONENT)
    assert _finishing(position, EXACT) == {roll for roll in ALL_ROLLS if point in roll}
    assert _chance(_finishing(position, EXACT)) == 11


@pytest.mark.parametrize("point", range(1, 7))
def test_he_1_2_with_doublets_a_frozen_checker_is_borne_off_by_sixteen_rolls_in_36(point: int) -> None:
    position = board({point: 1}, OPPONENT)
    finishing = _finishing(position, OR_DOUBLE)
    assert finishing == {roll for roll in ALL_ROLLS if point in roll or roll.is_doublet}
    assert _chance(finishing) == 16


def _finishing(position: Position, die_steps: DieSteps) -> set[Dice]:
    ends = board({}, OPPONENT)
    return {
        roll
        for roll in ALL_ROLLS
        if [play.result for play in legal_plays(position, roll, die_steps)] == [ends]
    }


def _chance(rolls: set[Dice]) -> int:
    return sum(1 if roll.is_doublet else 2 for roll in rolls)


def test_he_1_1_a_frozen_checker_may_not_be_moved() -> None:
    position = board({5: 1}, OPPONENT)
    assert plays_as_text(position, "41", EXACT) == {"": position}


def test_he_1_1_a_larger_die_does_not_bear_a_frozen_checker_off() -> None:
    position = board({2: 1}, OPPONENT)
    assert plays_as_text(position, "65", EXACT) == {"": position}


def test_he_1_1_the_checker_is_frozen_from_the_middle_of_a_play_on() -> None:
    """After 6/off the 1 could not be played: 3 would be frozen. So the 1 comes first."""
    position = board({6: 1, 3: 1}, OPPONENT)
    assert plays_as_text(position, "61", EXACT) == {
        "6/5 5/off": board({3: 1}, OPPONENT),
        "3/2 6/off": board({2: 1}, OPPONENT),
    }


def test_he_1_1_two_checkers_go_in_one_play_if_the_second_die_is_exact() -> None:
    assert own_results(board({4: 1, 3: 1}, OPPONENT), "43", EXACT) == [{1: 1}, {}]  # the other is 4/1 3/off
    assert own_results(board({1: 2}, OPPONENT), "11", EXACT) == [{}]
    assert own_results(board({5: 1, 3: 1}, OPPONENT), "65", EXACT) == [{3: 1}]


def test_he_1_2_the_doublet_being_played_counts_for_a_checker_frozen_in_the_middle_of_it() -> None:
    assert own_results(board({1: 2}, OPPONENT), "22", EXACT) == [{1: 1}]
    assert own_results(board({1: 2}, OPPONENT), "22", OR_DOUBLE) == [{}]


def test_he_1_2_any_order_of_a_doublet_s_steps_may_win() -> None:
    """6 and 1 with 1-1: the lone checker is borne off by a doublet from wherever it stands."""
    assert {} in own_results(board({6: 1, 1: 1}, OPPONENT), "11", OR_DOUBLE)
    assert {} not in own_results(board({6: 1, 1: 1}, OPPONENT), "11", EXACT)


def test_he_1_3_a_sole_checker_outside_moves_until_it_is_home_and_is_frozen_there() -> None:
    assert own_results(board({8: 1}, OPPONENT), "62", EXACT) == [{}]  # 8/2, and the exact 2
    assert own_results(board({12: 1}, OPPONENT), "66", EXACT) == [{}]  # 12/6, and an exact 6
    assert own_results(board({9: 1}, OPPONENT), "33", EXACT) == [{6: 1}]  # frozen after one 3
    assert own_results(board({10: 1}, OPPONENT), "22", EXACT) == [{6: 1}]
    assert own_results(board({10: 1}, OPPONENT), "22", OR_DOUBLE) == [{}]


def test_he_1_3_a_sole_checker_on_the_bar_enters_and_moves_on() -> None:
    assert own_results(board({25: 1}, OPPONENT), "62", EXACT) == [{17: 1}]


def test_he_1_4_both_dice_must_be_played_where_the_modifier_leaves_a_way_to() -> None:
    """8/6 with the 2 would freeze the checker with the 1 unplayed; 8/7 first plays both."""
    assert plays_as_text(board({8: 1}, OPPONENT), "21", EXACT) == {"8/7 7/5": board({5: 1}, OPPONENT)}
    assert own_results(board({5: 1, 2: 1}, OPPONENT), "64", EXACT) == [{1: 1}]  # 5/1 2/off, not 5/off alone


def test_he_1_4_if_only_one_die_can_be_played_the_larger_must_be_if_it_can() -> None:
    """9/3 and 9/5: either freezes the checker with the other die unplayed, and neither other die is exact."""
    assert own_results(board({9: 1}, OPPONENT), "64", EXACT) == [{3: 1}]


def test_he_1_4_with_two_checkers_left_a_larger_die_still_bears_off_the_highest() -> None:
    assert own_results(board({3: 1, 2: 1}, OPPONENT), "61", EXACT) == [{2: 1}, {1: 1}]


def test_he_1_4_a_play_that_bears_the_last_checker_off_ends_the_game_and_leaves_dice_unused() -> None:
    """The doublet has four twos; two of them end the game."""
    assert plays_as_text(board({2: 2}, OPPONENT), "22", EXACT) == {"2/off 2/off": board({}, OPPONENT)}
    assert plays_as_text(board({3: 1}, OPPONENT), "63", EXACT) == {"3/off": board({}, OPPONENT)}


def test_he_1_4_a_winning_play_is_as_complete_as_one_that_uses_more_dice() -> None:
    """6 and 1 with 1-1: 1/off 6/off wins with two of the four; others play all four and go on."""
    after = own_results(board({6: 1, 1: 1}, OPPONENT), "11", OR_DOUBLE)
    assert after == [{3: 1}, {2: 1, 1: 1}, {}]


@pytest.mark.parametrize("roll", ["61", "43", "55", "21"])
def test_the_modifier_leaves_a_side_alone_that_keeps_two_checkers(roll: str) -> None:
    position = board({6: 4, 5: 2}, OPPONENT)
    assert plays_as_text(position, roll, EXACT) == plays_as_text(position, roll)


def test_a_side_is_frozen_with_one_checker_at_home_not_outside_nor_on_the_bar() -> None:
    assert is_frozen(board({6: 1}, OPPONENT))
    assert not is_frozen(board({7: 1}, OPPONENT))
    assert not is_frozen(board({25: 1}, OPPONENT))
    assert not is_frozen(board({6: 2}, OPPONENT))
    assert not is_frozen(board({}, OPPONENT))
