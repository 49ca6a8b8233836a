"""The match equity table: taken over faithfully, fair to both sides, sane beyond its 25 points."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from adjudicator.happy_end.match_equity import (
    HOPELESS,
    TABLE_LENGTH,
    load_table,
    match_winning_chance,
)
from adjudicator.rules.score import CrawfordState

BEFORE, CRAWFORD, AFTER, UNKNOWN = CrawfordState
GNUBG_TABLE = Path("/usr/share/gnubg/met/Kazaross-XG2.xml")
LONG = 80


@pytest.mark.skipif(not GNUBG_TABLE.exists(), reason="GNU Backgammon's data files are not installed")
def test_the_table_is_the_one_gnu_backgammon_ships() -> None:
    root = ET.parse(GNUBG_TABLE).getroot()  # noqa: S314 - a file of the system
    pre = [[float(me.text or "") for me in row] for row in root.iterfind("pre-crawford-table/row")]
    post = [float(me.text or "") for me in root.iterfind("post-crawford-table/row/me")]
    assert [list(row) for row in load_table().pre_crawford] == pre
    assert list(load_table().post_crawford) == post


@pytest.mark.parametrize(
    ("away", "opponent_away", "crawford", "chance"),
    [
        (1, 1, BEFORE, 0.5),
        (1, 2, BEFORE, 0.67736),
        (2, 1, BEFORE, 0.32264),
        (2, 1, CRAWFORD, 0.48803),
        (2, 1, AFTER, 0.48803),
        (1, 2, AFTER, 0.51197),
        (1, 1, AFTER, 0.5),
        (25, 24, BEFORE, 0.46914),
    ],
)
def test_published_chances_are_given(
    away: int, opponent_away: int, crawford: CrawfordState, chance: float
) -> None:
    assert match_winning_chance(away, opponent_away, crawford) == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize("crawford", list(CrawfordState))
def test_a_side_that_needs_nothing_has_won(crawford: CrawfordState) -> None:
    assert match_winning_chance(0, 3, crawford) == 1.0
    assert match_winning_chance(-5, 3, crawford) == 1.0
    assert match_winning_chance(3, 0, crawford) == 0.0
    assert match_winning_chance(3, -2, crawford) == 0.0


@pytest.mark.parametrize("crawford", list(CrawfordState))
def test_the_chances_of_both_sides_add_up_to_one(crawford: CrawfordState) -> None:
    for away in range(1, LONG):
        for opponent_away in range(1, LONG):
            own = match_winning_chance(away, opponent_away, crawford)
            other = match_winning_chance(opponent_away, away, crawford)
            assert own + other == pytest.approx(1.0, abs=1e-12)
            assert 0.0 < own < 1.0


@pytest.mark.parametrize("crawford", [BEFORE, AFTER])
def test_a_point_more_to_go_is_always_worse(crawford: CrawfordState) -> None:
    for away in range(LONG):
        for opponent_away in range(1, LONG):
            closer = match_winning_chance(away, opponent_away, crawford)
            assert match_winning_chance(away + 1, opponent_away, crawford) < closer


def test_the_trailer_may_double_after_the_crawford_game_and_not_in_it() -> None:
    for away in range(2, TABLE_LENGTH + 1):
        assert match_winning_chance(away, 1, AFTER) > match_winning_chance(away, 1, BEFORE)


def test_the_table_beyond_25_points_joins_on_to_within_a_percent() -> None:
    for opponent_away in range(1, TABLE_LENGTH + 1):
        last, next_, third = (match_winning_chance(away, opponent_away, BEFORE) for away in (25, 26, 27))
        assert last - next_ == pytest.approx(next_ - third, abs=0.01)


def test_an_unknown_state_counts_as_after_the_crawford_game_where_a_side_is_one_away() -> None:
    assert match_winning_chance(3, 1, UNKNOWN) == match_winning_chance(3, 1, AFTER)
    assert match_winning_chance(3, 2, UNKNOWN) == match_winning_chance(3, 2, BEFORE)


def test_match_lengths_nobody_plays_to_are_answered_at_once() -> None:
    assert match_winning_chance(10**9, 1, AFTER) == 0.0
    assert match_winning_chance(HOPELESS - 1, 1, AFTER) < 1e-300
    assert match_winning_chance(10**9, 10**9, BEFORE) == 0.5
