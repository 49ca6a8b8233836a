"""Writes a match log as a .mat, in the dialect that most programs read.

Source: ``docs/formats/mat.md``.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from adjudicator.logs.mat.crawford import format_crawford_games
from adjudicator.logs.mat.header import CRAWFORD, CRAWFORD_GAMES, JACOBY, RULE_KEYS, VARIATION
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
_WITH_VALUE = (CubeAction.DOUBLE, CubeAction.BEAVER)
_LINE_BREAKS = re.compile(r"[\t\r\n]+")
_MAX_COMMENT_LENGTH = 4000
_BLANKS = re.compile(r" +")


def format_mat(log: MatchLog) -> str:
    """The text of the .mat; read again it gives the same log, but for what the format has no place for.

    That is: blanks around names and line breaks in them, metadata that are too long for a line, the value of
    a take or drop, why a play could not be read, and remarks. A missing score line is counted up from the
    games before. ``conversion.convert_log`` finds what of this is lost.

    Raises: ValueError for what no .mat can hold: a start position of a single game, a winner without points.
    """
    blocks = ["\n".join([*_format_head(log), "", f" {log.match_length} point match"])]
    for game, score in zip(log.games, scores_of_games(log.games), strict=True):
        blocks.append("\n".join(_format_game(game, log, score)))
    return "\n\n".join(blocks).lstrip("\n") + "\n"


def _format_head(log: MatchLog) -> Iterator[str]:
    head = {key: value for key, value in log.metadata.items() if key not in RULE_KEYS}
    if log.variant is not BACKGAMMON or VARIATION in log.metadata:
        head[VARIATION] = log.variant.name.capitalize()
    if log.match_length:
        head[CRAWFORD] = "On" if log.crawford else "Off"
    else:
        head[JACOBY] = "On" if log.jacoby else "Off"
    if stated := format_crawford_games(log.games):
        head[CRAWFORD_GAMES] = stated
    for key, value in head.items():
        title = key.title() if key.title().lower() == key else key
        line = f'; [{_one_line(title)} "{_LINE_BREAKS.sub(" ", value)}"]'
        if len(line) <= _MAX_COMMENT_LENGTH:
            yield line


def _format_game(game: GameRecord, log: MatchLog, score: Score) -> Iterator[str]:
    if game.start is not None:
        raise ValueError(f"game {game.number} has a start position of its own, which a .mat cannot hold")
    yield f" Game {game.number}"
    yield _format_seats(log, score)
    for number, (white, black) in enumerate(_rows(game.actions, log), start=1):
        yield f"{number:3}) {white:{_CELL_WIDTH}} {black}".rstrip()
    if game.result is not None:
        winner, points = game.result.winner, game.result.points
        if points is None:
            raise ValueError(f"nothing says how many points game {game.number} brought; a .mat has to")
        unit = "point" if points == 1 else "points"
        wins_match = " and the match" if 0 < log.match_length <= score.of(winner) + points else ""
        yield f"{'':{_WINS_INDENT[winner]}}Wins {points} {unit}{wins_match}"


def _format_seats(log: MatchLog, score: Score) -> str:
    """The score line; the gap between the seats is wider than any in a name, so that it can be found."""
    white, black = f"{_one_line(log.white)} : {score.white}", _one_line(log.black)
    widest = max(map(len, _BLANKS.findall(white) + _BLANKS.findall(black)), default=0)
    gap = max(_SEAT_WIDTH + 2 - len(white), widest + 1, 2)
    return f" {white}{'':{gap}}{black} : {score.black}"


def _rows(actions: Sequence[Action], log: MatchLog) -> Iterator[tuple[str, str]]:
    """The cells of both columns, row by row.

    A new row begins where the last has no room, as in every transcript, and where the log itself began one.
    """
    white = black = ""
    last, last_row = Side.WHITE, None
    for side, cell, row in _cells(actions, log):
        has_room = not (white or black) or (side is Side.BLACK and last is Side.WHITE)
        goes_on = row is None or last_row is None or row == last_row
        if not (has_room and goes_on):
            yield white, black
            white = black = ""
        white, black = (cell, black) if side is Side.WHITE else (white, cell)
        last, last_row = side, row or last_row
    if white or black:
        yield white, black


def _cells(actions: Sequence[Action], log: MatchLog) -> Iterator[tuple[Side, str, int | None]]:
    """The cells with the row that the log has them in, ``None`` where it has none."""
    conceded: ResignRecord | None = None
    for action, following in zip_longest(actions, actions[1:]):
        if isinstance(action, RollRecord):
            conceded = _resignation_with(action, following)
            text = _format_writing(action, log) if conceded is None else f"Concedes{_format_win(conceded)}"
            yield action.side, f"{action.dice.first}{action.dice.second}: {text}".rstrip(), action.row
        elif isinstance(action, CubeRecord):
            has_value = action.value is not None and action.action in _WITH_VALUE
            value = f" => {action.value}" if has_value else ""
            yield action.side, f" {_CUBE_WORDS[action.action]}{value}", action.row
        elif conceded is not None:
            conceded = None
        else:
            yield action.side, f" Resigns{_format_win(action)}", None


def _resignation_with(roll: RollRecord, following: Action | None) -> ResignRecord | None:
    """The resignation that stands in the cell of a roll, since the side gave up instead of playing it."""
    if (
        roll.writing is Writing.NOT_PLAYED
        and isinstance(following, ResignRecord)
        and following.side is roll.side
    ):
        return following
    return None


def _format_win(resignation: ResignRecord) -> str:
    return "" if resignation.win is None else f" {resignation.win.label}"


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
    return _LINE_BREAKS.sub(" ", text).strip()
