"""What stands in the columns of a .mat row: one cell is a roll, a cube action, or the end of the game.

Source: ``docs/formats/mat.md``, section "Cells".
"""

import re
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from adjudicator.logs.mat.rolls import WrittenRoll, parse_roll
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import Writing
from adjudicator.rules.score import Win


class CellKind(Enum):
    """What a cell says."""

    NUMBER = "number"
    """The number that begins a row: ``12)``. No cell of a player, but found the same way."""
    ROLL = "roll"
    CUBE = "cube"
    RESIGNS = "resigns"
    WINS = "wins"
    LOSSES = "losses"
    NOTHING_THROWN = "nothing_thrown"
    """``00: ????``: the game ended before the side threw."""


RESULTS = (CellKind.WINS, CellKind.LOSSES)


class Cell(NamedTuple):
    """What one cell says, wherever it stands.

    ``roll`` belongs to a roll, ``action`` to a cube action, ``value`` to a row number, a double, a beaver or
    the points of a result. ``gives_up``: the side resigns, in a cell of its own or behind its dice; ``win``
    is what it gives, ``None`` where the word does not say. ``rest`` stands behind a result and means nothing.
    """

    kind: CellKind
    roll: WrittenRoll | None = None
    action: CubeAction | None = None
    value: int | None = None
    gives_up: bool = False
    win: Win | None = None
    rest: str = ""


class FoundCell(NamedTuple):
    """A cell and its columns in the line; ``end`` is that of its last letter plus one."""

    start: int
    end: int
    cell: Cell


_MAX_CELLS = 12
"""A line with more is hostile, and not worth its time; three rows run together have nine."""
_REMEMBERED = 16384
"""Cells kept in memory: about 10 MB. Seven of eight of an archive are among them, since openings repeat."""

# What a side says when it gives up, and what it gives. A bare number may count points or times the cube.
_GIVES_UP = r"""
    (?: resign(?:s|ed)? | conced(?:es?|ed) | forfeit(?:s|ed)? | gives?[ ]up | tim(?:e|es|ed)[ -]?out
      | los(?:es|t)[ ]on[ ]time )\b
    (?: [ ]\(?(?:an?[ ])?(?: (?P<win{n}>single|gammon|backgammon)(?:[ ]game)? | (?:the[ ])?(?:game|match)
                           | [0-9]{{1,9}}(?:[ ]points?)? )\b\)? )?
"""

# How a cell begins, or any other word; each is one group, whose name ``lastgroup`` tells. The words are those
# of all dialects met; a position text may hold anything, names too, so it is taken whole. Giving up right
# behind the dice belongs to the roll, further off it is a cell. Two digits behind the colon and no slash are
# minutes: "21:30" is no roll.
_TOKEN = re.compile(
    rf"""\s*(?: (?<!\S)(?:
        (?P<number>[0-9]{{1,5}}\)(?!\S))
      | (?P<roll>(?P<dice>[0-9][0-9])\s?: (?![0-9][0-9](?![0-9/]))
            (?: [ ]{{0,2}}Illegal[ ]play[ ]?\((?P<agreed>.*?;[ ]*)\)(?!\S)
              | [ ]{{0,2}}(?P<gives_up>{_GIVES_UP.format(n=1)}) )?)
      | (?P<double>(?:re)?doubles?\b (?:\s*(?:=>|->|⇒|→|to)\s*(?P<offered>[0-9]{{1,9}})\b)?)
      | (?P<take>(?:takes?|accepts?)\b)
      | (?P<drop>(?:drops?|passes|rejects?|refuses?)\b)
      | (?P<beaver>beavers?\b (?:\s*(?:=>|->|⇒|→|to)\s*(?P<beavered>[0-9]{{1,9}})\b)?)
      | (?P<raccoon>raccoons?\b)
      | (?P<resigns>{_GIVES_UP.format(n=2)})
      | (?P<wins>wins?\s+(?P<won>[0-9]{{1,9}})\s+(?:points?|pts?)\b (?:\s+and\s+the\s+match\b)?)
      | (?P<losses>(?:loss(?:es)?|loses?)\s+(?P<lost>[0-9]{{1,9}})\s+(?:points?|pts?)\b)
      ) | (?P<other>\S+) )""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER = "other"
# What nearly all cells hold: a roll of at most four parts, a cube action, or a result, none of which begins
# another cell.
_PART = "(?:[0-9]{1,2}+|bar)/[0-9a-zA-Z/*()]{1,12}+"
PLAIN_CELL = (
    f"[1-6][1-6]:(?: {_PART}(?: {_PART}){{0,3}})?|Takes|Drops|Doubles => [0-9]{{1,9}}+"
    "|(?:Wins|Losses) [0-9]{1,9}+ points?+(?: and the match)?"
)
_NOT_THROWN = "00"


def find_cells(line: str) -> list[FoundCell]:
    """The cells of a line from left to right, row numbers among them; empty for a blank line.

    Raises: ValueError, saying what cannot be read.
    """
    starts = [token for token in _TOKEN.finditer(line) if token.lastgroup != _OTHER]
    if len(starts) > _MAX_CELLS:
        raise ValueError(f"more than {_MAX_CELLS} cells in one line")
    edges = [token.start(token.lastgroup or 0) for token in starts] + [len(line)]
    _refuse_rest(line[: edges[0]])
    return [
        _find_cell(token, start, line[token.end() : end])
        for token, (start, end) in zip(starts, pairwise(edges), strict=True)
    ]


def begins_as_cell(line: str) -> bool:
    """Whether the first word of a line begins a cell, readable or not."""
    token = _TOKEN.match(line)
    return token is not None and token.lastgroup != _OTHER


def roll_cell(dice: str, text: str) -> Cell:
    """The cell of a roll: two digits, and what stands after them without outer blanks.

    Raises: ValueError for dice that no die shows, or a play of dice that were never thrown.
    """
    if dice != _NOT_THROWN:
        return Cell(CellKind.ROLL, parse_roll(dice, text))
    if text.strip("?"):
        raise ValueError(f"{text[:40]!r} was played with dice that were never thrown ({_NOT_THROWN})")
    return Cell(CellKind.NOTHING_THROWN)


@lru_cache(maxsize=_REMEMBERED)
def remembered_cell(written: str) -> Cell:
    """The only cell in a text that ``PLAIN_CELL`` matches, and so of bounded length: most were met before."""
    if written[2] == ":":
        return roll_cell(written[:2], written[4:])
    (found,) = find_cells(written)
    return found.cell


def _find_cell(token: re.Match[str], start: int, rest: str) -> FoundCell:
    end = token.end()
    match token.lastgroup:
        case "roll":
            return FoundCell(start, end + len(rest.rstrip()), _parse_roll_cell(token, rest))
        case "wins":
            return FoundCell(start, end, Cell(CellKind.WINS, value=int(token["won"]), rest=rest.strip()))
        case "losses":
            return FoundCell(start, end, Cell(CellKind.LOSSES, value=int(token["lost"]), rest=rest.strip()))
    _refuse_rest(rest)
    return FoundCell(start, end, _parse_cell(token))


def _parse_cell(token: re.Match[str]) -> Cell:
    match token.lastgroup:
        case "number":
            return Cell(CellKind.NUMBER, value=int(token["number"][:-1]))
        case "double":
            return Cell(CellKind.CUBE, action=CubeAction.DOUBLE, value=_parse_value(token["offered"]))
        case "take":
            return Cell(CellKind.CUBE, action=CubeAction.TAKE)
        case "drop":
            return Cell(CellKind.CUBE, action=CubeAction.DROP)
        case "beaver":
            return Cell(CellKind.CUBE, action=CubeAction.BEAVER, value=_parse_value(token["beavered"]))
        case "resigns":
            return Cell(CellKind.RESIGNS, gives_up=True, win=_parse_win(token["win2"]))
    raise ValueError("a beaver that is doubled again (a raccoon) is not known here")


def _parse_roll_cell(token: re.Match[str], rest: str) -> Cell:
    if token["agreed"] is None and token["gives_up"] is None:
        return roll_cell(token["dice"], rest.strip())
    _refuse_rest(rest)
    cell = roll_cell(token["dice"], "")
    if cell.roll is None:
        return cell
    if token["agreed"] is None:
        roll = cell.roll._replace(writing=Writing.NOT_PLAYED)
        return cell._replace(roll=roll, gives_up=True, win=_parse_win(token["win1"]))
    return cell._replace(roll=cell.roll._replace(writing=Writing.POSITION, agreed=token["agreed"]))


def _parse_value(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _parse_win(word: str | None) -> Win | None:
    return None if word is None else Win[word.upper()]


def _refuse_rest(rest: str) -> None:
    if rest.strip():
        raise ValueError(f"{rest.strip()[:40]!r} is no roll, cube action or result")
