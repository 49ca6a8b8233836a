"""The position text behind ``Illegal play``, with a line written by a real server (names changed)."""

import pytest

from adjudicator.notation.snowie_text import format_snowie_text, parse_snowie_text
from adjudicator.rules.board import Position, as_points, checkers_from
from adjudicator.rules.variants import NACKGAMMON

NACK_START = "1;0;1;0;1;Ann;Bo;0;0;0;1;0;0;-2;-2;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;2;2;0;6;4;"
BARS = "5;0;0;0;0;a;b;0;1;2;2;1;-2;" + "0;" * 5 + "3;" + "0;" * 18 + "1;0;0;"


def test_a_start_of_nackgammon_is_read() -> None:
    assert parse_snowie_text(NACK_START, 15) == ("Ann;Bo", NACKGAMMON.start)


def test_the_first_count_is_the_other_sides_bar_and_the_last_the_own() -> None:
    position = parse_snowie_text(BARS, 15).position
    assert as_points(position.own) == {6: 3, 25: 1}
    assert as_points(position.opponent) == {25: 2}
    assert position.own[0] == 11


def test_names_may_hold_semicolons() -> None:
    assert parse_snowie_text(NACK_START.replace("Bo", "B;o;"), 15).names == "Ann;B;o;"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("25;0;1;...", "at least 40 fields, not 4"),
        ("", "at least 40 fields, not 1"),
        (NACK_START.replace("-4;4", "x;4"), "'x' is no number of checkers"),
        (NACK_START.replace("-4;4", "-40;4"), "a side has 15"),
        (BARS.replace("-2;", "2;"), "the wrong side's checkers"),
    ],
)
def test_a_broken_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_snowie_text(text, 15)


def test_a_written_position_text_reads_back() -> None:
    position = Position(own=checkers_from({24: 2, 25: 1}, 15), opponent=checkers_from({6: 3, 25: 2}, 15))
    assert parse_snowie_text(format_snowie_text("a;b", position, 7), 15) == ("a;b", position)
