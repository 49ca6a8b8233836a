"""A plain row of a .mat is read by one pattern: it says what the way of all other rows says."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudicator.logs.mat.rows import parse_plain_row, parse_rows

_PARTS = st.one_of(
    st.sampled_from(
        ["8/5", "6/off", "bar/24*", "24/18*/14", "8/5(2)", "25/0", "0/8", "8/5*(9)", "b/3", "Bar/2"]
    ),
    st.from_regex(r"\A(?:[0-9]{1,2}|bar)/[0-9a-zA-Z/*()]{1,12}\Z"),
)
_ROLLS = st.builds(
    "{}{}:{}{}".format,
    st.integers(0, 7),
    st.integers(0, 7),
    st.sampled_from([" ", "", "  "]),
    st.lists(_PARTS, max_size=5).map(" ".join),
)
_ACTIONS = ["Takes", "Drops", "Doubles => 2", "Doubles => 536870912"]
_RESULTS = ["Wins 1 point", "Losses 3 points", "Wins 2 points and the match", "Wins 1 point and the"]
_CELLS = st.one_of(
    _ROLLS,
    st.sampled_from(["", "66:", "????", "7) 31: 8/5", "Doubles", "doubles => 2", *_ACTIONS, *_RESULTS]),
)
_BLANKS = st.integers(0, 40).map(" ".__mul__)
_NUMBERS = st.integers(0, 100_000).map("{})".format) | st.just("")
_ROWS = st.builds("{}{}{}{}{}{}{}".format, _BLANKS, _NUMBERS, _BLANKS, _CELLS, _BLANKS, _CELLS, _BLANKS)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A row with one letter replaced, left out or put in."""
    row: str = draw(_ROWS)
    place = draw(st.integers(0, len(row)))
    letter: str = draw(st.sampled_from(["", *" \t\u00a00123456789/:*();,bBoOfFrR?xX[\n"]))
    return row[:place] + letter + row[place + draw(st.integers(0, 1)) :]


@settings(max_examples=500)
@given(_ROWS | damaged())
@example("  2) 52: 13/8 6/4                42: 25/21 13/11")
@example(" 11) 33: 21/18 21/18 18/15 18/15 65: 11/5 6/1")
@example("  1)                             32: 24/21 13/11")
@example("  4) 66:                         53: 24/21 21/16  ")
@example("  1) 31: 8/5 12)")
@example("  1) 31: 12/5) 6/5")
@example(" 14)  Losses 1 point                      Wins 1 point and the match")
@example("Wins 1 point")
@example("  7)  Doubles => 2                Takes")
@example("  7)Takes")
@example("  1) 31: 8/5 64:")
def test_a_plain_row_says_what_the_general_way_says(text: str) -> None:
    plain = parse_plain_row(text, 7)
    if plain is not None:
        assert parse_rows(text, 7) == [plain]


@given(st.lists(_PARTS, max_size=4), st.integers(1, 6), st.integers(1, 6), st.integers(1, 40))
def test_nearly_every_roll_is_plain(parts: list[str], first: int, second: int, indent: int) -> None:
    """Were it not so, the test above would test nothing."""
    plain_parts = [part for part in parts if part.startswith(("bar", *"0123456789"))]
    text = f"  1){'':{indent}}{first}{second}: {' '.join(plain_parts)}"
    plain = parse_plain_row(text, 7)
    assert plain is not None
    assert plain.indent == indent
    assert parse_rows(text, 7) == [plain]


@pytest.mark.parametrize("cell", [*_ACTIONS, *_RESULTS[:3]])
@pytest.mark.parametrize("number", ["", "  3)  "])
def test_cube_actions_and_results_are_plain(number: str, cell: str) -> None:
    text = f"{number}{cell}                {cell} "
    plain = parse_plain_row(text, 7)
    assert plain is not None
    assert plain.gap == 16
    assert parse_rows(text, 7) == [plain]
