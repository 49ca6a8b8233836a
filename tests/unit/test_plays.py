"""Which plays a roll has, rule by rule."""

import pytest

from adjudicator.rules.dice import ALL_ROLLS
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant
from tests.boards import board, dice, own_results, plays_as_text

# One row for each larger die, the smaller from 1 up. GNU Backgammon's generator and the slow twin agree.
PERFT = {
    BACKGAMMON: ([42], [15, 75], [16, 17, 73], [14, 18, 17, 52], [8, 8, 9, 9, 4], [10, 14, 14, 14, 7, 11]),
    NACKGAMMON: (
        [70],
        [23, 103],
        [22, 27, 101],
        [15, 17, 17, 25],
        [12, 16, 17, 11, 17],
        [10, 13, 13, 8, 7, 3],
    ),
    HYPERGAMMON: ([7], [6, 11], [7, 8, 15], [7, 8, 9, 15], [7, 8, 9, 9, 15], [7, 8, 9, 9, 9, 12]),
}


@pytest.mark.parametrize("variant", PERFT, ids=lambda variant: variant.name)
def test_the_opening_rolls_have_as_many_plays_as_other_generators_find(variant: Variant) -> None:
    counts = [len(legal_plays(variant.start, roll)) for roll in ALL_ROLLS]
    assert counts == [count for row in PERFT[variant] for count in row]


def test_a_checker_on_the_bar_enters_before_anything_else_moves() -> None:
    position = board({25: 1, 13: 1}, {1: 2})
    assert own_results(position, "53") == [{22: 1, 8: 1}, {20: 1, 10: 1}, {17: 1, 13: 1}]


def test_while_one_of_two_cannot_enter_nothing_else_moves() -> None:
    position = board({25: 2, 13: 1}, {5: 2})
    assert own_results(position, "53") == [{25: 1, 22: 1, 13: 1}]


def test_a_checker_on_the_bar_before_closed_points_cannot_play_and_the_turn_passes() -> None:
    position = board({25: 1, 6: 5}, {3: 2, 5: 2})
    (play,) = legal_plays(position, dice("53"))
    assert play.steps == ()
    assert play.result == position


def test_a_point_held_by_two_opposing_checkers_is_closed() -> None:
    assert plays_as_text(board({8: 1}, {22: 2}), "52") == {"8/6 6/1": board({1: 1}, {22: 2})}


def test_a_lone_opposing_checker_is_hit_and_goes_to_the_bar() -> None:
    plays = plays_as_text(board({8: 1, 24: 1}, {22: 1}), "54")
    assert plays["8/3* 24/20"] == board({3: 1, 20: 1}, {25: 1})


def test_a_checker_may_hit_on_its_way_and_go_on_so_the_path_matters() -> None:
    assert plays_as_text(board({8: 1}, {22: 1}), "52") == {
        "8/3* 3/1": board({1: 1}, {25: 1}),
        "8/6 6/1": board({1: 1}, {22: 1}),
    }


def test_both_dice_must_be_played_if_any_way_plays_both() -> None:
    """8/2 with the 6 would leave no 5: 24/19 is closed, and nothing bears off while a checker is outside."""
    position = board({24: 1, 8: 1}, {6: 2})
    assert own_results(position, "65") == [{18: 1, 3: 1}, {13: 1, 8: 1}]


def test_if_either_die_but_not_both_can_be_played_the_larger_must_be() -> None:
    position = board({24: 1, 10: 1}, {6: 2, 7: 2})
    assert own_results(position, "65") == [{24: 1, 4: 1}]


def test_if_only_the_smaller_die_can_be_played_it_must_be() -> None:
    position = board({24: 1, 10: 1}, {6: 2, 7: 2, 21: 2})
    assert own_results(position, "65") == [{24: 1, 5: 1}]


def test_the_smaller_die_first_is_legal_where_only_that_order_plays_both() -> None:
    position = board({24: 1}, {7: 2})
    assert plays_as_text(position, "65") == {"24/19 19/13": board({13: 1}, {7: 2})}


def test_a_doublet_is_played_four_times() -> None:
    assert own_results(board({24: 1}, {1: 2}), "55") == [{4: 1}]


def test_a_doublet_is_played_as_often_as_it_can_be() -> None:
    """24/20 and two from 20 to 16; the 12 point is closed."""
    assert own_results(board({24: 1, 20: 1}, {13: 2}), "44") == [{16: 2}]


def test_bearing_off_begins_when_all_checkers_are_home_within_the_play_too() -> None:
    """7/5 comes first, then the 6 bears off; 6/off before that is not allowed."""
    assert own_results(board({7: 1, 6: 1}, {1: 2}), "62") == [{5: 1}, {4: 1, 1: 1}]


def test_nothing_is_borne_off_while_a_checker_is_on_the_bar() -> None:
    position = board({25: 1, 6: 2}, {1: 2, 3: 2, 6: 2})
    assert own_results(position, "63") == [{25: 1, 6: 2}]


def test_a_larger_die_bears_off_from_the_highest_point_only() -> None:
    """With 5, 3 and 1: the 6 takes the 5, or the 3 after 5/1; never the 3 or 1 from under a higher one."""
    assert own_results(board({5: 1, 3: 1, 1: 1}, {1: 2}), "64") == [{1: 2}, {1: 1}]


def test_instead_of_bearing_off_a_checker_may_be_moved_inside() -> None:
    """With the 2: 5/3 in place of 2/off; the 1 is 5/4, 3/2 or 2/1 then."""
    after = own_results(board({5: 1, 2: 1}, {1: 2}), "21")
    assert {5: 1} not in after  # 2/off alone would leave the 1 unplayed
    assert {4: 1} in after  # 2/off 5/4
    assert {3: 1, 1: 1} in after  # 5/3 2/1


def test_a_play_that_bears_the_last_checker_off_is_complete_whatever_dice_it_leaves() -> None:
    """HE-1.4, and the ordinary rules: the game is over."""
    assert plays_as_text(board({3: 1}, {1: 2}), "65") == {"3/off": board({}, {1: 2})}
    assert plays_as_text(board({1: 2}, {1: 2}), "11") == {"1/off 1/off": board({}, {1: 2})}


def test_plays_that_come_to_the_same_position_are_one_the_larger_die_first() -> None:
    """2/off with the 2 and 2/1/off with both dice: the one that takes the larger die first is given."""
    assert plays_as_text(board({2: 1}, {1: 2}), "21") == {"2/off": board({}, {1: 2})}
    assert "13/7 8/7" in plays_as_text(BACKGAMMON.start, "61")
    assert "8/7 13/7" not in plays_as_text(BACKGAMMON.start, "61")


def test_of_equal_dice_the_higher_point_is_written_first() -> None:
    assert "8/4 8/4 6/2 6/2" in plays_as_text(BACKGAMMON.start, "44")
