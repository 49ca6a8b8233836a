"""The last-checker position, HE-5: where it is, or that the game ended under the modifier in that turn."""

import pytest

from adjudicator.happy_end.last_checker import ExactFinish, LastChecker, find_last_checker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position, as_points
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.record import Action, RollRecord, Writing
from adjudicator.rules.replay import replay
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import BLACK, MONEY, WHITE, board, double, game, resign, roll, take

Found = LastChecker | ExactFinish | None

BLACK_HOME = {6: 3, 5: 2}


def found_in(actions: list[Action], start: Position, finish: Finish = Finish.EXACT) -> Found:
    record = game(actions, start=start)
    legal_by = (ordinary_steps, modifier_steps(finish))
    return find_last_checker(replay(record, BACKGAMMON, MONEY, legal_by=legal_by), finish)


def white_plays(own: dict[int, int], dice: str, play: str, finish: Finish = Finish.EXACT) -> Found:
    """What white's play comes to from those checkers of its own; black is far from its end."""
    return found_in([roll(WHITE, dice, play)], board(own, BLACK_HOME), finish)


def position_of(found: Found) -> LastChecker:
    assert isinstance(found, LastChecker)
    return found


def test_he_5_1_no_position_while_both_sides_keep_two_checkers() -> None:
    assert white_plays({6: 2, 5: 1}, "64", "6/off 6/2") is None


def test_he_5_1_the_position_is_the_first_one_with_one_checker_left() -> None:
    found = position_of(white_plays({6: 2, 5: 1}, "66", "6/off 6/off 5/off"))
    assert (found.turn, found.side, found.point, found.mid_turn) == (1, WHITE, 5, True)


def test_he_5_1_the_first_side_to_come_down_to_one_counts_though_the_other_does_too() -> None:
    start = board({2: 1, 1: 2}, {3: 1, 2: 1, 1: 1})
    actions: list[Action] = [
        roll(WHITE, "21", "2/off 1/off"),
        roll(BLACK, "32", "3/off 2/off"),
        roll(WHITE, "31", "1/off"),
    ]
    found = position_of(found_in(actions, start))
    assert (found.turn, found.side, found.point) == (1, WHITE, 1)
    assert as_points(found.position.own) == {3: 1, 2: 1, 1: 1}  # seen by black, who is on roll


def test_he_5_1_faults_after_that_moment_change_nothing() -> None:
    start = board({2: 1, 1: 2}, {6: 1, 5: 1})
    actions: list[Action] = [
        roll(WHITE, "21", "2/off 1/off"),
        roll(BLACK, "43", "13/9 8/5"),  # no checkers there
        roll(BLACK, "32", "6/3 5/3"),
    ]
    found = position_of(found_in(actions, start))
    assert (found.turn, found.side, found.on_roll) == (1, WHITE, BLACK)


def test_he_5_1_the_side_may_have_been_hit_or_be_outside_its_home() -> None:
    """A sole checker on 14 after the play is the last checker, though not frozen yet."""
    found = position_of(found_in([roll(WHITE, "64", "24/14")], board({24: 1}, BLACK_HOME)))
    assert found.turn == 0  # the start has it already
    illegal: list[Action] = [roll(WHITE, "61", "14/8 1/off")]  # stood, though not all were home
    found = position_of(found_in(illegal, board({14: 1, 1: 1}, BLACK_HOME)))
    assert (found.turn, found.point) == (1, 8)


@pytest.mark.parametrize(
    ("own", "dice", "play"),
    [
        ({4: 1, 3: 1}, "43", "4/off 3/off"),
        ({5: 1, 1: 1}, "61", "5/off 1/off"),
        ({2: 2}, "22", "2/off 2/off"),
        ({6: 1, 3: 1}, "33", "6/3 3/off 3/off"),
        ({2: 1, 1: 1}, "11", "2/1 1/off 1/off"),
    ],
)
def test_he_5_2_a_play_that_bears_the_last_checker_off_by_an_exact_die_ended_the_game(
    own: dict[int, int], dice: str, play: str
) -> None:
    assert white_plays(own, dice, play) == ExactFinish(turn=1, side=WHITE)


def test_he_5_2_the_order_in_which_the_steps_are_written_means_nothing() -> None:
    assert white_plays({5: 1, 1: 1}, "61", "1/off 5/off") == ExactFinish(1, WHITE)
    assert white_plays({6: 1, 3: 1}, "33", "3/off 6/3 3/off") == ExactFinish(1, WHITE)


@pytest.mark.parametrize("play", ["5/off 4/3", "4/3 5/off"])
def test_he_5_2_a_play_that_leaves_one_checker_in_an_allowed_order_is_whole(play: str) -> None:
    """The 1 first, then 5/off with the 6: frozen on 3."""
    found = position_of(white_plays({5: 1, 4: 1}, "61", play))
    assert (found.point, found.mid_turn) == (3, False)


def test_he_5_2_two_dice_in_one_movement_are_a_whole_play() -> None:
    found = position_of(white_plays({6: 1, 3: 1}, "42", "6/off"))
    assert (found.point, found.mid_turn) == (3, False)


@pytest.mark.parametrize(
    ("own", "dice", "play", "point"),
    [
        ({5: 1, 3: 1}, "65", "5/off 3/off", 3),
        ({1: 2}, "22", "1/off 1/off", 1),
        ({4: 1, 2: 1}, "63", "4/off 2/off", 2),
        ({5: 1, 2: 1}, "64", "5/off 2/off", 2),
        ({4: 2, 1: 1}, "55", "4/off 4/off 1/off", 1),
    ],
)
def test_he_5_3_if_no_order_is_allowed_the_longest_allowed_beginning_is_taken(
    own: dict[int, int], dice: str, play: str, point: int
) -> None:
    found = position_of(white_plays(own, dice, play))
    assert found.point == point
    assert as_points(found.position.opponent) == {point: 1}


@pytest.mark.parametrize(
    ("own", "dice", "play", "is_cut"),
    [
        ({5: 1, 3: 1}, "65", "5/off 3/off", True),
        ({5: 1, 4: 1}, "61", "5/off 4/3", False),
        ({3: 1, 2: 1}, "61", "3/off 2/1", False),
        ({6: 1, 2: 1}, "65", "6/off 2/off", True),
    ],
)
def test_he_5_3_mid_turn_is_true_where_a_part_of_the_turn_is_lost_and_only_there(
    own: dict[int, int], dice: str, play: str, is_cut: bool
) -> None:
    assert position_of(white_plays(own, dice, play)).mid_turn is is_cut


def test_he_5_3_the_beginning_need_not_be_a_complete_play() -> None:
    """By HE-1.4 alone 4/1 2/off would have to be played; the record decides what was."""
    found = position_of(white_plays({4: 1, 2: 1}, "63", "4/off 2/off"))
    assert (found.point, found.mid_turn) == (2, True)


def test_he_1_2_with_he_5_2_a_doublet_being_played_bears_the_frozen_checker_off() -> None:
    assert white_plays({1: 2}, "22", "1/off 1/off", Finish.EXACT_OR_DOUBLE) == ExactFinish(1, WHITE)
    assert isinstance(white_plays({1: 2}, "22", "1/off 1/off", Finish.EXACT), LastChecker)


def test_he_5_4_the_opponent_of_the_side_that_reached_the_position_rolls_first() -> None:
    start = board(BLACK_HOME, {2: 1, 1: 1})
    actions: list[Action] = [roll(WHITE, "21", "6/4 6/5"), roll(BLACK, "63", "2/off 1/off")]
    found = position_of(found_in(actions, start))
    assert (found.side, found.on_roll, found.turn) == (BLACK, WHITE, 2)
    assert as_points(found.position.own) == {5: 3, 4: 1, 6: 1}  # seen by the side on roll
    assert as_points(found.position.opponent) == {1: 1}


@pytest.mark.parametrize("starter", Side)
def test_he_5_4_a_start_with_one_checker_is_the_position_and_the_starter_rolls_first(starter: Side) -> None:
    found = position_of(found_in([roll(starter, "31", None)], board({3: 1}, BLACK_HOME)))
    assert (found.turn, found.side, found.point, found.on_roll) == (0, WHITE, 3, starter)
    assert found.mid_turn is False
    mine = {3: 1} if starter is WHITE else BLACK_HOME
    assert as_points(found.position.own) == mine


def test_he_5_4_a_sole_checker_on_the_bar_of_the_start_stands_on_25() -> None:
    assert position_of(found_in([roll(BLACK, "31", None)], board({25: 1}, BLACK_HOME))).point == 25


def test_he_5_5_a_play_that_only_the_modifier_allows_is_taken_as_it_was_made() -> None:
    """By the ordinary rules the 5 had to be played too; by HE-1 it could not be."""
    found = position_of(white_plays({5: 1, 3: 1}, "65", "5/off"))
    assert (found.point, found.mid_turn) == (3, False)


def test_he_6_3_the_cube_is_the_one_at_the_position() -> None:
    start = board({6: 2, 1: 2}, {6: 2, 1: 2})
    actions: list[Action] = [
        roll(WHITE, "61", "6/off 1/off"),
        double(BLACK),
        take(WHITE),
        roll(BLACK, "66", "6/off 6/off 1/off 1/off"),
    ]
    found = position_of(found_in(actions, start))
    assert (found.side, found.turn) == (BLACK, 2)
    assert found.cube == Cube(value=2, owner=WHITE)


def test_he_6_3_a_cube_turned_after_the_position_does_not_count() -> None:
    start = board({6: 2, 1: 1}, {6: 2, 1: 2})
    actions: list[Action] = [roll(WHITE, "66", "6/off 6/off"), double(BLACK), take(WHITE)]
    assert position_of(found_in(actions, start)).cube == Cube()


def test_a_resignation_before_any_side_has_one_checker_leaves_none_found() -> None:
    actions: list[Action] = [roll(WHITE, "21", "2/off 1/off"), resign(BLACK)]
    assert found_in(actions, board({2: 2, 1: 2}, BLACK_HOME)) is None


def test_a_roll_not_played_reaches_nothing() -> None:
    assert found_in([roll(WHITE, "21", None)], board({2: 1, 1: 1}, BLACK_HOME)) is None


def test_the_only_legal_play_left_out_is_made_and_may_reach_the_position() -> None:
    """Match logs 7: made in the last row too."""
    found = position_of(white_plays({2: 2}, "31", ""))
    assert found.point == 1  # 2/1 with the 1, then 2/off with the 3


def test_an_agreed_position_with_one_checker_left_is_the_position() -> None:
    agreed = board({4: 1}, BLACK_HOME)
    action = RollRecord(WHITE, Dice.of(6, 5), Writing.POSITION, agreed=agreed)
    found = position_of(found_in([action], board({6: 2, 5: 1}, BLACK_HOME)))
    assert (found.turn, found.point, found.mid_turn, found.on_roll) == (1, 4, False, BLACK)


def test_an_illegal_play_that_stood_is_cut_where_one_checker_is_left() -> None:
    """Three checkers borne off with two dice by a play of 6-5 that nobody objected to, 11 pips in all."""
    found = position_of(white_plays({4: 1, 3: 1, 2: 1}, "65", "4/off 3/off 2/off"))
    assert found.point == 2
    assert found.mid_turn is True
