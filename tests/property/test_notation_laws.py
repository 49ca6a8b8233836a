"""Laws of the notations, and agreement with GNU Backgammon where it is installed."""

import importlib.util
import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.notation.play_text import format_play, parse_play
from adjudicator.notation.position_id import format_position_id, parse_position_id
from adjudicator.notation.xgid import format_xgid
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.cube import Cube
from adjudicator.rules.record import Movement
from adjudicator.rules.score import GameTerms, Score
from adjudicator.rules.sides import Side

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


@st.composite
def positions(draw: st.DrawFn, total: int = 15) -> Position:
    """Any position of two sides that hold no point together."""
    own = draw(st.lists(st.integers(0, 25), min_size=total, max_size=total))
    taken = {25 - point for point in own} - {0, 25}
    free = [point for point in range(26) if point not in taken]
    opponent = draw(st.lists(st.sampled_from(free), min_size=total, max_size=total))
    counts = [{point: points.count(point) for point in points if point} for points in (own, opponent)]
    return Position(checkers_from(counts[0], total), checkers_from(counts[1], total))


@st.composite
def movements(draw: st.DrawFn) -> Movement:
    source = draw(st.integers(1, 25))
    return Movement(source, draw(st.integers(0, source - 1)), draw(st.booleans()))


@given(st.lists(movements(), max_size=4))
def test_parse_after_format_gives_the_same_play(play: list[Movement]) -> None:
    assert parse_play(format_play(play)) == tuple(play)


@given(st.text(max_size=60) | st.text(alphabet="0123456789/*()baroff ", max_size=60))
def test_any_text_is_a_play_or_a_value_error(text: str) -> None:
    try:
        play = parse_play(text)
    except ValueError:
        return
    assert all(25 >= movement.source > movement.target >= 0 for movement in play)
    assert parse_play(format_play(play)) == play


@given(positions())
def test_parse_after_format_gives_the_same_position(position: Position) -> None:
    assert parse_position_id(format_position_id(position)) == position


@given(st.text(max_size=20) | st.text(alphabet="ABMPz+/09=", min_size=14, max_size=14))
def test_any_text_is_a_position_id_or_a_value_error(text: str) -> None:
    try:
        position = parse_position_id(text)
    except ValueError:
        return
    assert sum(position.own) == sum(position.opponent) == 15


@pytest.mark.skipif(importlib.util.find_spec("gnubg_nn") is None, reason="gnubg-nn is not installed")
@settings(max_examples=500)
@given(positions())
def test_position_ids_are_those_of_gnubg_nn(position: Position) -> None:
    import gnubg_nn

    board = [list(position.opponent[1:]), list(position.own[1:])]
    assert format_position_id(position) == gnubg_nn.position_id(board)


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@settings(max_examples=12, deadline=None)
@given(positions(), st.sampled_from(Side))
def test_gnu_backgammon_reads_our_xgid_as_the_same_position(position: Position, on_roll: Side) -> None:
    if 15 in (position.own[0], position.opponent[0]):
        return  # a finished game is no position to be on roll in
    if position.own[25] > 0 and position.opponent[25] > 0 and _closed(position):
        return  # refused by GNU Backgammon: nobody can ever enter
    xgid = format_xgid(position, on_roll, Cube(), GameTerms(7, Score(2, 1)))
    command = f"set xgid {xgid}\nshow board\n"
    assert GNUBG is not None
    done = subprocess.run(
        [GNUBG, "-t", "-q"],
        input=command,
        capture_output=True,
        text=True,
        check=False,
    )
    shown = re.findall(r"Position ID: (\S{14})", done.stdout)
    assert shown[-1] == format_position_id(position)


def _closed(position: Position) -> bool:
    return all(side[point] >= 2 for side in position for point in range(1, 7))
