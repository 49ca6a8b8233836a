"""Position ID and XGID of positions worked out by hand or given in the manuals."""

import pytest

from adjudicator.notation.position_id import format_position_id, parse_position_id
from adjudicator.notation.xgid import format_xgid
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import Dice
from adjudicator.rules.score import CrawfordState, GameTerms, Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON

MATCH = GameTerms(7, Score(5, 6))
ONE_LEFT = Position(own=checkers_from({1: 1}, 15), opponent=checkers_from({25: 1, 6: 2}, 15))


def test_the_start_has_the_position_id_of_the_manual() -> None:
    assert format_position_id(BACKGAMMON.start) == "4HPwATDgc/ABMA"


def test_a_position_id_lists_the_opponent_first() -> None:
    # Opponent: 00000 for points 1 to 5, 110 for the sixth, 18 zeros, 10 for the bar; then own 10 for point 1.
    # So bits 5, 6, 26 and 28 are set: bytes 60 00 00 14, and zeros; in base64 YAAA FAAA AA....
    text = format_position_id(ONE_LEFT)
    assert text == "YAAAFAAAAAAAAA"
    assert parse_position_id(text) == ONE_LEFT
    assert format_position_id(ONE_LEFT.swapped()) != text


def test_a_position_id_of_three_checkers_needs_their_number() -> None:
    assert parse_position_id(format_position_id(HYPERGAMMON.start), total=3) == HYPERGAMMON.start


def test_sixteen_checkers_have_no_position_id() -> None:
    crowded = checkers_from({6: 16}, 16)
    with pytest.raises(ValueError, match="room for 15"):
        format_position_id(Position(crowded, crowded))


@pytest.mark.parametrize(
    "text", ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc/AB!A", "//////////////", "4HPwATDgc/ABМA"]
)
def test_other_text_is_no_position_id(text: str) -> None:
    with pytest.raises(ValueError, match="Position ID"):
        parse_position_id(text)


def test_a_position_id_of_too_many_checkers_is_refused() -> None:
    with pytest.raises(ValueError, match="15 checkers on the board, a side has 3"):
        parse_position_id("4HPwATDgc/ABMA", total=3)


def test_an_xgid_counts_points_as_white_does_whoever_is_on_roll() -> None:
    by_white = format_xgid(ONE_LEFT, Side.WHITE, Cube(), MATCH)
    by_black = format_xgid(ONE_LEFT.swapped(), Side.BLACK, Cube(), MATCH)
    assert by_white == "XGID=aA-----------------b------:0:0:1:00:5:6:0:7:10"
    assert by_black == "XGID=aA-----------------b------:0:0:-1:00:5:6:0:7:10"


def test_an_xgid_gives_the_cube_as_a_power_of_two_with_its_owner() -> None:
    assert format_xgid(ONE_LEFT, Side.WHITE, Cube(4, Side.BLACK), MATCH).split(":")[1:3] == ["2", "-1"]
    assert format_xgid(ONE_LEFT, Side.WHITE, Cube(64, Side.WHITE), MATCH).split(":")[1:3] == ["6", "1"]


def test_an_xgid_gives_the_dice_when_they_are_thrown() -> None:
    assert format_xgid(ONE_LEFT, Side.WHITE, Cube(), MATCH, Dice(6, 3)).split(":")[4] == "63"


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (GameTerms(7, Score(6, 2), CrawfordState.CRAWFORD), "1"),
        (GameTerms(7, Score(6, 2), CrawfordState.AFTER), "0"),
        (GameTerms(7, Score(6, 2), CrawfordState.UNKNOWN), "0"),
        (GameTerms(0, Score(), jacoby=True), "1"),
        (GameTerms(0, Score(), jacoby=False), "0"),
    ],
)
def test_the_rule_field_of_an_xgid_is_crawford_in_a_match_and_jacoby_in_money_play(
    terms: GameTerms, field: str
) -> None:
    assert format_xgid(ONE_LEFT, Side.WHITE, Cube(), terms).split(":")[7] == field
