"""The signed counts of a board: which side's checkers stand where, and what is no board."""

import pytest

from adjudicator.notation.signed_counts import parse_signed_counts, signed_counts
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, Variant

START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
"""The start of backgammon, as any book shows it."""


def test_the_start_is_the_same_from_both_sides() -> None:
    assert signed_counts(BACKGAMMON.start) == START
    assert tuple(-count for count in reversed(START)) == START


def test_own_checkers_are_positive_and_the_opponents_negative_on_ones_own_points() -> None:
    position = Position(own=checkers_from({6: 1}, 15), opponent=checkers_from({5: 3}, 15))
    assert [(point, count) for point, count in enumerate(signed_counts(position)) if count] == [
        (6, 1),
        (20, -3),
    ]


def test_the_first_count_is_the_opponents_bar_and_the_last_ones_own() -> None:
    position = Position(own=checkers_from({25: 2}, 15), opponent=checkers_from({25: 1, 1: 1}, 15))
    counts = signed_counts(position)
    assert (counts[0], counts[24], counts[25]) == (-1, -1, 2)
    assert parse_signed_counts(counts, 15) == position


def test_what_is_missing_is_borne_off() -> None:
    position = parse_signed_counts((0, 2) + (0,) * 22 + (-1, 0), 3)
    assert position == Position(checkers_from({1: 2}, 3), checkers_from({1: 1}, 3))
    assert (position.own[0], position.opponent[0]) == (1, 2)


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON])
def test_counts_that_were_written_read_back(variant: Variant) -> None:
    start = variant.start
    assert parse_signed_counts(signed_counts(start), variant.checkers_per_side) == start


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (START[:-1], "a board has 26 counts, not 25"),
        ((1, *START[1:]), "a bar holds the wrong side's checkers"),
        ((*START[:-1], -1), "a bar holds the wrong side's checkers"),
        ((*START[:-1], 1), "16 checkers on the board, a side has 15"),
        ((-1, *START[1:]), "16 checkers on the board, a side has 15"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(counts: tuple[int, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_signed_counts(counts, 15)
