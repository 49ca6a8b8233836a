"""The JSON match record: what is taken, and where each fault is pointed at."""

import json
from copy import deepcopy
from typing import Any

import pytest

from adjudicator.errors import RecordError, UnsupportedVariantError
from adjudicator.logs.limits import MAX_ACTIONS
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.match_record.reader import read_match_record
from adjudicator.logs.match_record.writer import format_match_record
from adjudicator.rules.board import as_points
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, Movement, ResignRecord, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import HYPERGAMMON

LEAST: dict[str, Any] = {
    "schema": "match-record/1",
    "variant": "backgammon",
    "match_length": 7,
    "players": {"white": {"name": "Ann"}, "black": {"name": ""}},
    "games": [{"number": 1, "actions": []}],
}


def _read(record: Any) -> MatchLog:
    return read_match_record(json.dumps(record).encode())


def _with(path: str, value: Any) -> dict[str, Any]:
    """The least record with one value set, by JSON pointer."""
    record = deepcopy(LEAST)
    *way, last = path.split("/")[1:]
    part: Any = record
    for step in way:
        part = part[int(step)] if isinstance(part, list) else part.setdefault(step, {})
    part[int(last) if isinstance(part, list) else last] = value
    return record


def _with_actions(*actions: Any) -> dict[str, Any]:
    return _with("/games/0/actions", list(actions))


def _roll(**values: Any) -> RollRecord:
    (action,) = _read(_with_actions({"player": "white", "roll": [3, 1]} | values)).games[0].actions
    assert isinstance(action, RollRecord)
    return action


def _faults(content: bytes) -> dict[str | None, str]:
    with pytest.raises(RecordError) as caught:
        read_match_record(content)
    return {fault.place.pointer: fault.reason for fault in caught.value.faults}


def test_the_least_record_has_the_defaults_of_a_match() -> None:
    log = _read(LEAST)
    assert (log.white, log.black, log.match_length, log.crawford, log.jacoby) == ("Ann", "", 7, True, False)
    game = log.games[0]
    assert (game.score, game.start, game.crawford, game.result) == (None, None, None, None)


def test_jacoby_belongs_to_money_sessions_and_crawford_to_matches() -> None:
    rules = {"crawford": True, "jacoby": True}
    money = _read(_with("/rules", rules) | {"match_length": 0})
    assert (money.crawford, money.jacoby) == (False, True)
    match = _read(_with("/rules", rules))
    assert (match.crawford, match.jacoby) == (True, False)


def test_metadata_is_free_text_by_lower_case_key() -> None:
    log = _read(_with("/metadata", {"Site": "x", "played_at": "2026-11-29"}))
    assert log.metadata == {"site": "x", "played_at": "2026-11-29"}


def test_score_start_and_result_of_a_game() -> None:
    game = LEAST["games"][0] | {
        "score": {"white": 3, "black": 6},
        "crawford": True,
        "start": {"white": {"6": 2, "25": 1}, "black": {"1": 1}},
        "result": {"winner": "black", "points": 4016},
    }
    read = _read(LEAST | {"games": [game]}).games[0]
    assert (read.score, read.crawford) == (Score(3, 6), True)
    assert read.start is not None
    assert (as_points(read.start.own), read.start.own[0]) == ({6: 2, 25: 1}, 12)
    assert (as_points(read.start.opponent), read.start.opponent[0]) == ({1: 1}, 14)
    assert read.result is not None
    assert (read.result.winner, read.result.points) == (Side.BLACK, 4016)


def test_a_game_that_is_not_known_here_is_unsupported_where_nothing_else_is_wrong() -> None:
    with pytest.raises(UnsupportedVariantError) as caught:
        _read(_with("/variant", "tavla"))
    assert [fault.place.pointer for fault in caught.value.faults] == ["/variant"]


def test_a_start_counts_the_checkers_of_its_variant() -> None:
    record = _with("/games/0/start", {"white": {"24": 3}, "black": {"6": 1}}) | {"variant": "hypergammon"}
    log = _read(record)
    assert log.variant is HYPERGAMMON
    assert log.games[0].start is not None
    assert log.games[0].start.opponent[0] == 2


@pytest.mark.parametrize(
    ("moves", "writing", "movements"),
    [
        ("8/5* 6/5", Writing.PLAY, (Movement(8, 5, hit=True), Movement(6, 5))),
        ("bar/24(2)", Writing.PLAY, (Movement(25, 24), Movement(25, 24))),
        ([[25, 22], [1, 0]], Writing.PLAY, (Movement(25, 22), Movement(1, 0))),
        ("", Writing.NOTHING, ()),
        ([], Writing.NOTHING, ()),
        ("cannot move", Writing.CANNOT_MOVE, ()),
        (None, Writing.NOT_PLAYED, ()),
    ],
)
def test_what_moves_may_hold(moves: Any, writing: Writing, movements: tuple[Movement, ...]) -> None:
    roll = _roll(moves=moves)
    assert (roll.side, roll.dice, roll.writing, roll.movements) == (
        Side.WHITE,
        Dice(3, 1),
        writing,
        movements,
    )


def test_a_roll_without_moves_was_not_played() -> None:
    assert _roll().writing is Writing.NOT_PLAYED


def test_an_agreed_position_is_seen_by_its_mover() -> None:
    board = {"white": {"6": 2}, "black": {"25": 1}}
    white, black = _roll(agreed=board), _roll(player="black", agreed=board)
    assert white.agreed is not None
    assert black.agreed is not None
    assert white.writing is Writing.POSITION
    assert white.agreed == black.agreed.swapped()
    assert as_points(white.agreed.own) == {6: 2}
    assert _roll(agreed=None).agreed is None


def test_cube_actions_and_resignations() -> None:
    log = _read(
        _with_actions(
            {"player": "white", "cube": "double", "value": 2},
            {"player": "black", "cube": "take"},
            {"player": "black", "resign": "gammon"},
            {"player": "white", "resign": None},
        )
    )
    double, take, gammon, unknown = log.games[0].actions
    assert isinstance(double, CubeRecord)
    assert (double.action, double.value) == (CubeAction.DOUBLE, 2)
    assert isinstance(take, CubeRecord)
    assert (take.side, take.action, take.value) == (Side.BLACK, CubeAction.TAKE, None)
    assert isinstance(gammon, ResignRecord)
    assert gammon.win is Win.GAMMON
    assert isinstance(unknown, ResignRecord)
    assert unknown.win is None


def test_every_action_knows_its_pointer_and_no_row() -> None:
    games = [LEAST["games"][0], {"number": 2, "actions": [{"player": "white", "roll": [1, 2]}] * 2}]
    second = _read(LEAST | {"games": games}).games[1]
    assert [roll.place.pointer for roll in second.rolls] == ["/games/1/actions/0", "/games/1/actions/1"]
    assert [roll.row for roll in second.rolls] == [None, None]


def test_a_record_that_starts_in_mid_match_is_remarked_unless_it_tells_of_crawford() -> None:
    game = LEAST["games"][0] | {"number": 3, "score": {"white": 6, "black": 2}}
    silent = _read(LEAST | {"games": [game]})
    assert [remark.code for remark in silent.remarks] == [
        RemarkCode.GAME_MISSING,
        RemarkCode.CRAWFORD_UNKNOWN,
    ]
    told = _read(LEAST | {"games": [game | {"crawford": True}]})
    assert [remark.code for remark in told.remarks] == [RemarkCode.GAME_MISSING]


def test_all_faults_are_found_at_once_each_with_its_pointer() -> None:
    record = _with_actions(
        {"player": "red", "roll": [7, 1], "moves": "8/5"},
        {"player": "white", "roll": [3, 1], "moves": "26/23", "took": 3},
        "31: 8/5",
        {"player": "white", "cube": "raccoon"},
        {"player": "white", "roll": [3, 1], "cube": "take"},
    )
    record |= {"variant": "tavla", "match_length": "7", "note": "x"}
    record["games"][0] |= {
        "start": {"white": {"26": 1, "6": 16}, "black": {"24": True}},
        "result": {"winner": "white"},
    }
    record["players"]["black"]["elo"] = 1500
    assert set(_faults(json.dumps(record).encode())) == {
        "/variant",
        "/match_length",
        "/note",
        "/players/black/elo",
        "/games/0/start/white/26",
        "/games/0/start/white/6",
        "/games/0/start/black/24",
        "/games/0/result/points",
        "/games/0/actions/0/player",
        "/games/0/actions/0/roll",
        "/games/0/actions/1/moves",
        "/games/0/actions/1/took",
        "/games/0/actions/2",
        "/games/0/actions/3/cube",
        "/games/0/actions/4",
    }


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("/schema", "match-record/2", "has to be match-record/1, not 'match-record/2'"),
        ("/match_length", 7.0, "has to be a whole number, not a fraction"),
        ("/match_length", True, "has to be a whole number, not true or false"),
        ("/match_length", -1, "has to be 0 to 99999, not -1"),
        ("/match_length", None, "must not be null"),
        ("/players/white/name", 5, "has to be text, not a whole number"),
        ("/players/white/name", "\ud800", "holds a character that cannot be stored"),
        ("/players/white/name", "a\0b", "holds a character that cannot be stored"),
        ("/players/white/name", "a" * 4097, "has 4097 characters; at most 4096 are taken"),
        ("/players/white", [], "has to be an object"),
        ("/rules", {"crawford": 1}, None),
        ("/rules", {"beavers": True}, None),
        ("/metadata", [], "has to be an object, not a list"),
        ("/metadata", {"a": 1}, None),
        ("/metadata", {"a": "x", "A": "y"}, None),
        ("/games", [], "has to hold 1 to 1000 games, not 0"),
        ("/games", {}, "has to be a list, not an object"),
        ("/games/0", 1, "has to be an object, not a whole number"),
        ("/games/0/number", "1", "has to be a whole number, not text"),
        ("/games/0/score", {"white": 1}, None),
        ("/games/0/start", "nackgammon", "has to be standard or an object, not 'nackgammon'"),
        ("/games/0/start", {"white": {"6": 1}}, None),
        ("/games/0/start", {"white": {"6": 9, "5": 7}, "black": {"1": 1}}, None),
        ("/games/0/start", {"white": {"6": 1}, "black": {"19": 1}}, "point 6 is held by both sides"),
        ("/games/0/start", {"white": {}, "black": {"6": 1}}, "leaves a side no checker"),
        ("/games/0/start", {"white": {"06": 1}, "black": {"6": 1}}, None),
        ("/games/0/actions", {}, "has to be a list of actions, not an object"),
        ("/games/0/actions", [{}] * (MAX_ACTIONS + 1), f"holds {MAX_ACTIONS + 1} actions"),
        ("/games/0/result", {"winner": "Ann", "points": 1}, None),
        ("/games/0/result", {"winner": "white", "points": -1}, None),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(path: str, value: Any, reason: str | None) -> None:
    faults = _faults(json.dumps(_with(path, value)).encode())
    assert len(faults) == 1
    (pointer, said), = faults.items()  # fmt: skip
    assert pointer is not None
    assert pointer.startswith(path)
    assert reason is None or (pointer == path and reason in said)


@pytest.mark.parametrize(
    ("action", "key"),
    [
        ({"player": "white", "roll": [0, 1]}, "roll"),
        ({"player": "white", "roll": [1]}, "roll"),
        ({"player": "white", "roll": [1, True]}, "roll"),
        ({"player": "white", "roll": "31"}, "roll"),
        ({"player": "white", "roll": [1, 2.0]}, "roll"),
        ({"roll": [1, 2]}, "player"),
        ({"player": ["white"], "roll": [1, 2]}, "player"),
        ({"player": "white", "roll": [1, 2], "moves": 5}, "moves"),
        ({"player": "white", "roll": [1, 1], "moves": [[2, 1]] * 5}, "moves"),
        ({"player": "white", "roll": [1, 2], "moves": "8/9"}, "moves"),
        ({"player": "white", "roll": [1, 2], "moves": [[8, 9]]}, "moves/0"),
        ({"player": "white", "roll": [1, 2], "moves": [[26, 9]]}, "moves/0"),
        ({"player": "white", "roll": [1, 2], "moves": [[8, 7], [8]]}, "moves/1"),
        ({"player": "white", "roll": [1, 2], "moves": "", "agreed": None}, "moves"),
        ({"player": "white", "roll": [1, 2], "agreed": {"white": {"6": 16}, "black": {}}}, "agreed/white/6"),
        ({"player": "white", "cube": "double", "value": 0}, "value"),
        ({"player": "white", "cube": "double", "value": "2"}, "value"),
        ({"player": "white", "cube": ["double"]}, "cube"),
        ({"player": "white", "resign": "all"}, "resign"),
        ({"player": "white", "resign": {}}, "resign"),
    ],
)
def test_a_wrong_action_is_pointed_at(action: Any, key: str) -> None:
    assert list(_faults(json.dumps(_with_actions(action)).encode())) == [f"/games/0/actions/0/{key}"]


@pytest.mark.parametrize(
    ("content", "pointers"),
    [
        (b'{"a": NaN, "b": [1, -Infinity]}', {"/a", "/b/1"}),
        (b'{"a": {"b/c": 1, "b/c": 2}}', {"/a/b~1c"}),
        (b'{"a": 1, "a": 2}', {"/a"}),
        (b'{"a": {"b": 1, "b": 2}, "a": 3}', {"/a"}),
        (b"[" * 100_000, {""}),
        (b'{"a":' * 100_000, {""}),
        (b'{"a": ' + b"9" * 5000 + b"}", {""}),
        (b"[]", {""}),
        (b"null", {""}),
    ],
)
def test_ambiguous_or_endless_json_is_refused(content: bytes, pointers: set[str]) -> None:
    assert set(_faults(content)) == pointers


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "is no JSON: Expecting value at line 1, column 1"),
        (b'{"a": 1,\n "b" 2}', "is no JSON: Expecting ':' delimiter at line 2, column 6"),
        (b'{"a": "\xe9"}', "is not UTF-8 text"),
    ],
)
def test_what_is_no_json_is_said_so(content: bytes, detail: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_match_record(content)
    assert detail in caught.value.detail


def test_no_more_than_a_hundred_faults_are_listed() -> None:
    with pytest.raises(RecordError, match=r"has 500 faults\. The first 100 are listed") as caught:
        _read(_with_actions(*[1] * 500))
    assert len(caught.value.faults) == 100


def test_a_written_record_is_plain_json_with_every_key() -> None:
    written = format_match_record(
        _read(_with_actions({"player": "white", "roll": [1, 3], "moves": "8/5 6/5*"}))
    )
    assert json.loads(json.dumps(written)) == written
    assert written["games"][0]["actions"] == [{"player": "white", "roll": [1, 3], "moves": "8/5 6/5*"}]
    assert written["games"][0]["start"] == "standard"
