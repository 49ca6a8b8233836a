"""Writes a match as a .bgf file; for tests of its reader."""

import gzip
import json
from typing import Any

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.board import BAR, Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import Action, CubeRecord, GameRecord, ResignRecord, RollRecord, Writing
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import scores_of_games
from tests.smile_writer import smile_bytes

_PLAYER = {Side.WHITE: -1, Side.BLACK: 1}
_CODES = {CubeAction.DOUBLE: 1, CubeAction.TAKE: 2, CubeAction.DROP: 3}
GAME_OVER, DANCE, RESIGN = 4, 5, 9


def bgf_bytes(log: MatchLog, *, compress: bool = True, use_smile: bool = True) -> bytes:
    """The file."""
    return pack_document(bgf_document(log), compress=compress, use_smile=use_smile)


def pack_document(document: Any, *, compress: bool = True, use_smile: bool = True) -> bytes:
    """The head, and the document packed as it says."""
    head = {"format": "BGF", "version": "1.0", "compress": compress, "useSmile": use_smile}
    payload = smile_bytes(document) if use_smile else json.dumps(document).encode()
    packed = gzip.compress(payload, mtime=0) if compress else payload
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + packed


def bgf_document(log: MatchLog) -> dict[str, Any]:
    """The match as the program has it, with a little analysis that is to be read over."""
    scores = scores_of_games(log.games)
    final = scores_of_games([*log.games, GameRecord(len(log.games) + 1, ())])[-1]
    return {
        "matchlen": log.match_length,
        "useCrawford": log.crawford,
        "useJacoby": log.jacoby,
        "nameGreen": log.white,
        "nameRed": log.black,
        "event": log.metadata.get("event", ""),
        "finalGreen": final.white,
        "finalRed": final.black,
        "games": [_game(game, log, score) for game, score in zip(log.games, scores, strict=True)],
    }


def _game(game: GameRecord, log: MatchLog, score: Score) -> dict[str, Any]:
    entries = [entry(action) for action in game.actions]
    if game.result is not None:
        entries.append(event(game.result.winner, GAME_OVER))
    return {
        "scoreGreen": score.white,
        "scoreRed": score.black,
        "isCrawford": bool(game.crawford),
        "wonPoints": 0 if game.result is None else game.result.points,
        "gameMode": 0,
        "initial": {
            "cube": 1,
            "cubeOwner": 0,
            "egyptian": False,
            "points": points(game.start or log.variant.start),
        },
        "moves": entries,
    }


def points(start: Position) -> list[int]:
    """The points as red counts them, then the bars of green and red, then what is borne off."""
    board = [start.own[BAR - point] - start.opponent[point] for point in range(1, BAR)]
    return [*board, start.own[BAR], start.opponent[BAR], start.own[0], start.opponent[0]]


def entry(action: Action) -> dict[str, Any]:
    """One entry of the list of moves."""
    if isinstance(action, CubeRecord):
        return event(action.side, _CODES[action.action])
    if isinstance(action, ResignRecord):
        return event(action.side, RESIGN)
    assert isinstance(action, RollRecord)
    if action.writing is Writing.CANNOT_MOVE:
        first, second = action.dice
        return event(action.side, DANCE) | {"from": [first, -1, -1, -1], "to": [second, -1, -1, -1]}
    none = [-1] * (4 - len(action.movements))
    return {
        "type": "amove",
        "red": action.dice.first,
        "green": action.dice.second,
        "player": _PLAYER[action.side],
        "from": [part.source for part in action.movements] + none,
        "to": [part.target for part in action.movements] + none,
        "moveAnalysis": [{"eq": {"myWins": 0.5, "emg": -0.25}, "played": True}],
        "luck": {"luckPlain": "0.07518633"},
    }


def event(side: Side, code: int) -> dict[str, Any]:
    """What has no dice: cube actions, a dance, a resignation, the end."""
    none = [-1] * 4
    return {"type": "amove", "red": code, "green": 7, "player": _PLAYER[side], "from": none, "to": none}
