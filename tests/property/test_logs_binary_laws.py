"""Laws of the readers of binary formats: a match reads back as it was written, no damage gets past them."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.errors import NOWHERE, AdjudicatorError
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.rules.board import Position
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.replay import ReplayedGame, replay
from adjudicator.rules.terms import terms_of_games
from adjudicator.rules.variants import VARIANTS
from adjudicator.service.self_play import Habits, simulate_match
from tests.bgf_writer import bgf_bytes
from tests.ogxm_codecs import HAS_REFERENCE, reference, write_gvab, write_gvab1
from tests.ogxm_writer import ogxm_document
from tests.opinions import PipEngine
from tests.xg_writer import xg_bytes

Write = Callable[[MatchLog], bytes]

HABITS = Habits(doubles_from=0.02, takes_up_to=0.08, patience_rolls=60)
"""Cube and resignations come up often; the engine of the tests sees small leads only."""


def _write_gva(log: MatchLog) -> bytes:
    return json.dumps(ogxm_document(log)).encode()


def _write_gvab(log: MatchLog) -> bytes:
    return write_gvab(ogxm_document(log))


def _write_gvab1(log: MatchLog) -> bytes:
    return write_gvab1(ogxm_document(log))


WRITERS: dict[str, tuple[str, Write]] = {
    "xg": ("xg", xg_bytes),
    "bgf": ("bgf", bgf_bytes),
    "gva": ("ogxm", _write_gva),
    "gvab": ("ogxm", _write_gvab),
    "gvab1": ("ogxm", _write_gvab1),
}
"""Each kind of file: the format that has to read it, and its writer."""

if HAS_REFERENCE:
    WRITERS["ogxm"] = ("ogxm", lambda log: bytes(reference().json_to_binary(ogxm_document(log))))


@cache
def match(seed: int, variant: str = "backgammon") -> MatchLog:
    """A match of self-play; the game that the rules make the Crawford game says so."""
    log = simulate_match(
        PipEngine(),
        match_length=1 + seed % 7,
        seed=seed,
        variant=VARIANTS[variant],
        white="Hézec",
        black="O'Neil & Söhne Backgammon Vereinigung von 1894 zu Köln",
        habits=HABITS,
    )
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=True, jacoby=False)
    games = tuple(
        replace(game, crawford=term.crawford.name == "CRAWFORD")
        for game, term in zip(log.games, terms, strict=True)
    )
    return replace(log, games=games, metadata={"event": "Cup"})


def replayed(log: MatchLog) -> list[ReplayedGame]:
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    return [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]


def positions(log: MatchLog) -> list[list[Position]]:
    return [[turn.after for turn in game.turns] for game in replayed(log)]


def bare_action(action: Action) -> tuple[object, ...]:
    """What every format can say of an action."""
    if isinstance(action, RollRecord):
        return action.side, tuple(sorted(action.dice)), bool(action.movements)
    if isinstance(action, CubeRecord):
        return action.side, action.action
    return action.side, "resigns"


def bare(game: GameRecord) -> tuple[object, ...]:
    result = None if game.result is None else replace(game.result, place=NOWHERE)
    return game.number, result, [bare_action(action) for action in game.actions]


@pytest.mark.parametrize("kind", WRITERS)
@settings(max_examples=8)
@given(seed=st.integers(0, 60), variant=st.sampled_from(list(VARIANTS)))
def test_a_match_reads_back_as_it_was_written(kind: str, seed: int, variant: str) -> None:
    format_name, write = WRITERS[kind]
    if kind == "gvab1":
        variant = "backgammon"  # version 1 has no place for another
    log = match(seed, variant)
    read = read_log(write(log))
    assert read.format == format_name
    assert (read.white, read.black, read.match_length) == (log.white, log.black, log.match_length)
    assert (read.variant, read.crawford, read.jacoby) == (log.variant, log.crawford, log.jacoby)
    assert read.metadata["event"] == "Cup"
    assert read.remarks == ()
    assert [bare(game) for game in read.games] == [bare(game) for game in log.games]
    assert all(game.broken is None for game in read.games)
    assert positions(read) == positions(log)
    assert [game.win for game in replayed(read) if game.win is not None] == [
        written.win
        for written, found in zip(replayed(log), replayed(read), strict=True)
        if found.win is not None
    ]
    if kind not in ("gvab", "ogxm"):  # version 2 leaves the Crawford game to the rules
        assert [game.crawford for game in read.games] == [game.crawford for game in log.games]


@pytest.mark.parametrize("kind", WRITERS)
@settings(max_examples=8)
@given(seed=st.integers(0, 60))
def test_no_roll_is_lost_whatever_stands_after_it(kind: str, seed: int) -> None:
    """The series of the last game, its last roll thrown and not played before a resignation."""
    log = match(seed)
    *whole, last = log.games
    rolls = [action for action in last.actions if isinstance(action, RollRecord)]
    thrown = rolls[-1]._replace(writing=Writing.NOT_PLAYED, movements=())
    kept = last.actions[: last.actions.index(rolls[-1])]
    result = RecordedResult(thrown.side.opponent, 1)
    game = replace(last, actions=(*kept, thrown, ResignRecord(thrown.side)), result=result)
    written = replace(log, games=(*whole, game))
    read = read_log(WRITERS[kind][1](written))
    assert [[sorted(roll.dice) for roll in game.rolls] for game in read.games] == [
        [sorted(roll.dice) for roll in game.rolls] for game in written.games
    ]


@cache
def _file(kind: str) -> bytes:
    return WRITERS[kind][1](match(3))


def outcome(content: bytes, format_name: str) -> MatchLog | AdjudicatorError:
    """The log or the error of ours; any other error fails the test."""
    try:
        return read_log(content, format_name=format_name)
    except AdjudicatorError as error:
        return error


@pytest.mark.parametrize("kind", WRITERS)
@given(data=st.data())
def test_a_file_cut_anywhere_is_refused(kind: str, data: st.DataObject) -> None:
    content = _file(kind)
    cut = data.draw(st.integers(0, len(content) - 1))
    found = outcome(content[:cut], WRITERS[kind][0])
    if isinstance(found, MatchLog):
        assert kind == "xg"  # which reads a file whose directory alone is missing
        assert found == read_log(content)
    else:
        assert found.detail


@pytest.mark.parametrize("kind", WRITERS)
@given(data=st.data())
def test_a_file_with_bytes_changed_is_read_or_refused(kind: str, data: st.DataObject) -> None:
    content = bytearray(_file(kind))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    found = outcome(bytes(content), WRITERS[kind][0])
    if isinstance(found, MatchLog):
        replayed(found)


@given(content=st.binary(max_size=300), mark=st.sampled_from([b"RGMH", b"OGXM\1\0", b"OGXM\2\0", b""]))
def test_any_bytes_behind_a_mark_are_refused(content: bytes, mark: bytes) -> None:
    for name in ("xg", "bgf", "ogxm"):
        assert isinstance(outcome(mark + content, name), AdjudicatorError)
        assert isinstance(FORMATS[name].recognises(mark + content), bool)
