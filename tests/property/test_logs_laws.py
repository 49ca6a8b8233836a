"""Laws of the log readers: what was written reads back, and no content at all gets past them unexplained."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import NOWHERE, AdjudicatorError
from adjudicator.logs.mat.writer import format_mat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.match_record.actions import NOT_KNOWN
from adjudicator.logs.match_record.writer import format_match_record
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.rules.board import Position, checkers_from
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import VARIANTS, Variant

DICE = st.builds(Dice, st.integers(1, 6), st.integers(1, 6))
SIDES = st.sampled_from(Side)
NAMES = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=("C", "Z")), max_size=12),
    st.sampled_from(
        [
            "12",
            "Ann Bo",
            "a : 3",
            "b: 1 : 2",
            "n,1666",
            "O'Neil & Son",
            "1) x",
            "; y",
            "7 point match",
            "Game 2",
            "a  b",
            "x : 3      y     z",
        ]
    ),
)
"""Names without line breaks and outer blanks, which a .mat does not keep."""


@st.composite
def movements(draw: st.DrawFn) -> Movement:
    source = draw(st.integers(1, 25))
    return Movement(source, draw(st.integers(0, source - 1)), draw(st.booleans()))


@st.composite
def positions(draw: st.DrawFn, variant: Variant) -> Position:
    """White and black on points of their own half of the board, so that no point is held by both."""
    total = variant.checkers_per_side
    points = st.lists(st.integers(1, 12), min_size=1, max_size=total)
    sides = [{point: column.count(point) for point in column} for column in (draw(points), draw(points))]
    return Position(checkers_from(sides[0], total), checkers_from(sides[1], total))


@st.composite
def rolls(draw: st.DrawFn, variant: Variant) -> RollRecord:
    side, dice, writing = draw(SIDES), draw(DICE), draw(st.sampled_from(Writing))
    if writing is Writing.PLAY:
        play = draw(st.lists(movements(), min_size=1, max_size=4))
        return RollRecord(side, dice, writing, tuple(play))
    if writing is Writing.POSITION:
        return RollRecord(side, dice, writing, agreed=draw(positions(variant)))
    if writing is Writing.UNREAD:
        return RollRecord(side, dice, writing, unread=NOT_KNOWN)
    return RollRecord(side, dice, writing)


def cube_records(values: st.SearchStrategy[int | None], *kinds: CubeAction) -> st.SearchStrategy[CubeRecord]:
    return st.tuples(SIDES, st.sampled_from(kinds), values).map(lambda fields: CubeRecord(*fields))


def actions(variant: Variant) -> st.SearchStrategy[list[Action]]:
    wins = st.none() | st.sampled_from(Win)
    return st.lists(
        st.one_of(
            rolls(variant),
            cube_records(st.none() | st.integers(1, 4096), CubeAction.DOUBLE),
            cube_records(st.none(), CubeAction.TAKE, CubeAction.DROP, CubeAction.BEAVER),
            st.tuples(SIDES, wins).map(lambda fields: ResignRecord(*fields)),
        ),
        max_size=12,
    )


@st.composite
def logs(draw: st.DrawFn, *, starts: bool, silent_points: bool = False) -> MatchLog:
    """Any log, its remarks and places left out; ``starts``: whether games may start anywhere.

    ``silent_points``: whether a result may leave out the points.
    """
    variant = draw(st.sampled_from(list(VARIANTS.values())))
    length = draw(st.integers(0, 25))
    points = st.integers(0, 5000)
    results = st.builds(RecordedResult, SIDES, st.none() | points if silent_points else points)
    games = [
        GameRecord(
            number=number,
            actions=tuple(draw(actions(variant))),
            result=draw(st.none() | results),
            score=Score(draw(st.integers(0, 24)), draw(st.integers(0, 24))),
            start=draw(st.none() | positions(variant)) if starts else None,
            crawford=draw(st.none() | st.booleans()),
        )
        for number in draw(st.lists(st.integers(0, 99), min_size=1, max_size=3, unique=True))
    ]
    stars_used = any(movement.hit for game in games for roll in game.rolls for movement in roll.movements)
    return MatchLog(
        format="",
        match_length=length,
        white=draw(NAMES),
        black=draw(NAMES),
        games=tuple(replace(game, stars_used=stars_used) for game in games),
        variant=variant,
        crawford=length > 0 and draw(st.booleans()),
        jacoby=length == 0 and draw(st.booleans()),
        metadata=draw(st.dictionaries(st.sampled_from(["site", "event", "match id"]), NAMES)),
    )


def bare(log: MatchLog) -> MatchLog:
    """The log without what a format has no room for: places, rows, remarks, reasons."""

    def bare_action(action: Action) -> Action:
        if isinstance(action, ResignRecord):
            return ResignRecord(action.side, action.win)
        if isinstance(action, RollRecord) and action.unread:
            action = action._replace(unread=NOT_KNOWN)
        return action._replace(place=NOWHERE, row=None)

    games = tuple(
        replace(
            game,
            actions=tuple(map(bare_action, game.actions)),
            result=None if game.result is None else replace(game.result, place=NOWHERE),
            remarks=(),
            place=NOWHERE,
        )
        for game in log.games
    )
    metadata = {key: log.metadata[key] for key in ("site", "event", "match id") if key in log.metadata}
    return replace(log, format="", games=games, remarks=(), metadata=metadata)


@given(logs(starts=True, silent_points=True))
def test_a_match_record_reads_back_as_it_was_written(log: MatchLog) -> None:
    content = json.dumps(format_match_record(log)).encode()
    read = read_log(content)
    assert read.format == "match_record"
    assert bare(read) == log


@given(logs(starts=False))
def test_a_mat_reads_back_as_it_was_written(log: MatchLog) -> None:
    read = read_log(format_mat(log).encode())
    assert read.format == "jellyfish_mat"
    assert bare(read) == bare(log)


@given(logs(starts=False))
def test_a_mat_without_its_blanks_reads_the_same_where_the_sides_take_turns(log: MatchLog) -> None:
    in_turn = replace(log, white="Ann", black="Bo", games=tuple(map(_in_turn, log.games)))
    squeezed = "\n".join(" ".join(line.split()) for line in format_mat(in_turn).splitlines())
    read = read_log(squeezed.encode())
    assert [bare(read).games[index].actions for index in range(len(read.games))] == [
        game.actions for game in bare(in_turn).games
    ]


def _in_turn(game: GameRecord) -> GameRecord:
    """The rolls of the game, two at least or none, handed to both sides in turn, whoever begins."""
    played = [roll for roll in game.rolls if roll.writing is Writing.PLAY]
    turns = [roll._replace(side=Side((index + game.number) % 2)) for index, roll in enumerate(played)]
    return replace(game, actions=tuple(turns) if len(turns) > 1 else ())


def _read(content: bytes) -> MatchLog | AdjudicatorError:
    """The log, or the error of ours that says why there is none; any other error fails the test."""
    try:
        return read_log(content)
    except AdjudicatorError as error:
        return error


@given(st.binary(max_size=200))
def test_any_bytes_are_a_log_or_an_error_of_ours(content: bytes) -> None:
    for name in FORMATS:
        with pytest.raises(AdjudicatorError, match=r"."):
            read_log(content, format_name=name)
    with pytest.raises(AdjudicatorError, match=r"."):
        read_log(content)


_PIECES = [
    "  1) ",
    " 12)",
    "31: ",
    "00: ",
    "66:",
    "8/5 6/5",
    "bar/24*",
    "24/",
    "Doubles => 2",
    "Takes",
    "Drops",
    "Wins 2 points",
    "Losses 1 point",
    "????",
    "Cannot Move",
    "Illegal play (1;2;)",
    "Concedes",
    "\n",
    "\n Game 1\n",
    "a : 0   b : 0\n",
    "\t",
    "x",
    ";",
    "7 point match\n",
    " ",
    "                              ",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=40))
def test_any_pieces_of_a_mat_are_a_log_or_an_error_of_ours(pieces: list[str]) -> None:
    read = _read(("7 point match\n\n Game 1\n" + "".join(pieces)).encode())
    if isinstance(read, AdjudicatorError):
        assert "more than one match" in read.detail
        return
    for game in read.games:
        rows = [action.row or 0 for action in game.actions if not isinstance(action, ResignRecord)]
        assert rows == sorted(rows)
        assert set(rows) == set(range(1, max(rows, default=0) + 1))


@given(logs(starts=False), st.data())
def test_a_mat_cut_anywhere_keeps_its_whole_games(log: MatchLog, data: st.DataObject) -> None:
    text = format_mat(log)
    read = _read(text[: data.draw(st.integers(0, len(text)))].encode())
    if isinstance(read, AdjudicatorError):
        assert read.detail
        return
    whole = read_log(text.encode())
    assert [game.actions for game in read.games[:-1]] == [
        game.actions for game in whole.games[: len(read.games) - 1]
    ]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 30) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(logs(starts=True), st.data())
def test_a_match_record_with_one_value_replaced_reads_or_points_at_the_fault(
    log: MatchLog, data: st.DataObject
) -> None:
    record = format_match_record(log)
    parent, key = data.draw(st.sampled_from(_places(record)))
    parent[key] = data.draw(_JSON)
    read = _read(json.dumps(record).encode())
    if isinstance(read, AdjudicatorError):
        assert read.faults
        assert all(fault.place.pointer is not None for fault in read.faults)
    else:
        assert read.format == "match_record"


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value as its container and key."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [place for key in keys for place in _places(value[key])]
