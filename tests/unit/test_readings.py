"""How a written play is read as single steps."""

import pytest

from adjudicator.notation.play_text import format_play, parse_play
from adjudicator.rules.board import Position
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.readings import Reading, literal_reading, readings
from tests.boards import board, dice

OPPONENT = {1: 2}


def whole(position: Position, roll: str, play: str) -> list[Reading]:
    return [
        reading
        for reading in readings(position, dice(roll), parse_play(play), ordinary_steps)
        if reading.is_whole
    ]


def steps_of(position: Position, roll: str, play: str) -> list[str]:
    return [format_play(reading.steps) for reading in whole(position, roll, play)]


def test_two_dice_at_once_hide_the_path_which_may_go_over_either_point() -> None:
    assert steps_of(board({24: 2}, OPPONENT), "64", "24/14")[0] == "24/18 18/14"
    hidden = board({24: 2}, {5: 1})  # a blot on own 20
    assert steps_of(hidden, "64", "24/14") == ["24/18 18/14", "24/20* 20/14"]


def test_a_path_over_a_closed_point_is_no_reading() -> None:
    assert steps_of(board({24: 2}, {7: 2}), "64", "24/14") == ["24/20 20/14"]
    assert steps_of(board({24: 2}, {7: 2, 5: 2}), "64", "24/14") == []


def test_four_equal_dice_may_be_one_movement() -> None:
    assert steps_of(board({24: 2}, OPPONENT), "44", "24/8") == ["24/20 20/16 16/12 12/8"]
    assert steps_of(board({24: 2}, OPPONENT), "44", "24/16 24/16")[0].count("/") == 4


def test_the_order_of_the_movements_means_nothing() -> None:
    assert steps_of(board({25: 1, 8: 1}, OPPONENT), "63", "8/2 bar/22") == ["bar/22 8/2"]


def test_a_larger_die_bears_off() -> None:
    assert steps_of(board({3: 1, 2: 1}, OPPONENT), "65", "3/off 2/off") == ["3/off 2/off"]


def test_a_movement_off_may_take_both_dice() -> None:
    assert steps_of(board({6: 1, 3: 1}, OPPONENT), "42", "6/off")[0] == "6/2 2/off"


def test_a_play_that_the_dice_do_not_give_has_no_whole_reading() -> None:
    assert steps_of(board({13: 2}, OPPONENT), "31", "13/8") == []
    assert steps_of(board({13: 2}, OPPONENT), "31", "13/10 13/12 13/12") == []


def test_a_reading_is_cut_where_no_further_step_is_allowed() -> None:
    found = list(readings(board({13: 2}, OPPONENT), dice("31"), parse_play("13/10 10/8"), ordinary_steps))
    assert not any(reading.is_whole for reading in found)
    assert [format_play(reading.steps) for reading in found] == ["13/10 10/9", "13/12"]


def test_a_hit_on_no_written_point_is_hidden() -> None:
    position = board({24: 2}, {5: 1})
    over_18, over_20 = whole(position, "64", "24/14")
    movements = parse_play("24/14")
    assert not over_18.hidden_hits(movements)
    assert over_20.hidden_hits(movements)
    assert not over_20.hidden_hits(parse_play("24/20* 20/14"))


def test_an_illegal_play_that_can_be_made_is_made_as_written() -> None:
    reading = literal_reading(board({13: 2, 8: 1}, {22: 1}), dice("65"), parse_play("13/8 8/3*"))
    assert isinstance(reading, Reading)
    assert reading.result == board({13: 1, 8: 1, 3: 1}, {25: 1})


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ("12/6", "there is no checker on the 12 point"),
        ("13/7", "the 7 point is blocked"),
        ("13/8 13/2", "it takes 16 pips, 6-5 has 11"),
        ("bar/20", "there is no checker on the bar"),
    ],
)
def test_a_play_that_cannot_be_made_at_all_says_why(play: str, why: str) -> None:
    """No checker there, point blocked, more pips than the dice (match logs 12)."""
    assert literal_reading(board({13: 2}, {18: 2}), dice("65"), parse_play(play)) == why


def test_a_doublet_has_four_times_its_pips() -> None:
    assert isinstance(literal_reading(board({24: 1}, OPPONENT), dice("66"), parse_play("24/1")), Reading)
    assert isinstance(literal_reading(board({24: 1}, OPPONENT), dice("55"), parse_play("24/3")), str)
