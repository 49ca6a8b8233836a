"""Writes a match log as a .mat, in the dialect that most programs read.

Source: ``docs/formats/mat.md``.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from adjudicator.logs.match_log import MatchLog
from adjudicator.notation.play_text import format_play
from adjudicator.notation.snowie_text import format_snowie_text
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    ResignRecord,
    RollRecord,
    Writing,
    rows_of,
)
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import scores_of_games
from adjudicator.rules.variants import BACKGAMMON

_CELL_WIDTH = 32
_SEAT_WIDTH = 36
_WINS_INDENT = {Side.WHITE: 6, Side.BLACK: 38}
_CUBE_WORDS = {
    CubeAction.DOUBLE: "Doubles",
    CubeAction.TAKE: "Takes",
    CubeAction.DROP: "Drops",
    CubeAction.BEAVER: "Beavers",
}
_BLANKS = re.compile(r"\s+")


def format_mat(log: MatchLog) -> str:
    """The text of the .mat; read again it gives the same log, but for what the format has no place for.

    That is: what a resignation gives, what is said of a single game being the Crawford game, remarks, and
    runs of blanks in names and head. A missing score line is counted up from the games before.

    Raises: ValueError for a game with a start position of its own, which no .mat can hold.
    """
    blocks = ["\n".join([*_format_head(log), "", f" {log.match_length} point match"])]
    for game, score in zip(log.games, scores_of_games(log.games), strict=True):
        blocks.append("\n".join(_format_game(game, log, score)))
    return "\n\n".join(blocks).lstrip("\n") + "\n"


def _format_head(log: MatchLog) -> Iterator[str]:
    head = {
        key: value for key, value in log.metadata.items() if key not in ("variation", "crawford", "jacoby")
    }
    if log.variant is not BACKGAMMON or "variation" in log.metadata:
        head["variation"] = log.variant.name.capitalize()
    if log.match_length:
        head["crawford"] = "On" if log.crawford else "Off"
    else:
        head["jacoby"] = "On" if log.jacoby else "Off"
    for key, value in head.items():
        yield f'; [{_one_line(key).title()} "{_one_line(value)}"]'


def _format_game(game: GameRecord, log: MatchLog, score: Score) -> Iterator[str]:
    if game.start is not None:
        raise ValueError(f"game {game.number} has a start position of its own, which a .mat cannot hold")
    yield f" Game {game.number}"
    yield _format_seats(log, score)
    for number, (white, black) in enumerate(_rows(game.actions, log), start=1):
        yield f"{number:3}) {white:{_CELL_WIDTH}} {black}".rstrip()
    if game.result is not None:
        winner, points = game.result.winner, game.result.points
        unit = "point" if points == 1 else "points"
        wins_match = " and the match" if 0 < log.match_length <= score.of(winner) + points else ""
        yield f"{'':{_WINS_INDENT[winner]}}Wins {points} {unit}{wins_match}"


def _format_seats(log: MatchLog, score: Score) -> str:
    """The score line; the gap between the seats is wider than any in a name, so that it can be found."""
    white = f"{_one_line(log.white)} : {score.white}"
    return f" {white:{_SEAT_WIDTH}}  {_one_line(log.black)} : {score.black}"


def _rows(actions: Sequence[Action], log: MatchLog) -> Iterator[tuple[str, str]]:
    """The cells of both columns, row by row."""
    cells = list(_cells(actions, log))
    rows: dict[int, dict[Side, str]] = {}
    for row, (side, cell) in zip(rows_of(side for side, _ in cells), cells, strict=True):
        rows.setdefault(row, {})[side] = cell
    for columns in rows.values():
        yield columns.get(Side.WHITE, ""), columns.get(Side.BLACK, "")


def _cells(actions: Sequence[Action], log: MatchLog) -> Iterator[tuple[Side, str]]:
    gives_up = {
        index
        for index, (action, following) in enumerate(pairwise(actions))
        if isinstance(action, RollRecord)
        and action.writing is Writing.NOT_PLAYED
        and isinstance(following, ResignRecord)
        and following.side is action.side
    }
    for index, action in enumerate(actions):
        if isinstance(action, RollRecord):
            text = "Concedes" if index in gives_up else _format_writing(action, log)
            yield action.side, f"{action.dice.first}{action.dice.second}: {text}".rstrip()
        elif isinstance(action, CubeRecord):
            value = "" if action.value is None else f" => {action.value}"
            yield action.side, f" {_CUBE_WORDS[action.action]}{value}"
        elif index - 1 not in gives_up:
            yield action.side, " Resigns"


def _format_writing(roll: RollRecord, log: MatchLog) -> str:
    if roll.writing is Writing.NOT_PLAYED:
        return "????"
    if roll.writing is Writing.CANNOT_MOVE:
        return "Cannot Move"
    if roll.writing is Writing.UNREAD:
        return "Illegal play"
    if roll.agreed is None:
        return format_play(roll.movements)
    players = (roll.side.opponent, roll.side)
    names = ";".join([_one_line(log.player(side)).replace(";", ",") for side in players])
    return f"Illegal play ({format_snowie_text(names, roll.agreed.swapped(), log.match_length)})"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text.strip())
