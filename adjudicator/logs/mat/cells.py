"""What stands in the columns of a .mat row: one cell is a roll, a cube action, or the end of the game.

Source: ``docs/formats/mat.md``, section "Cells".
"""

import re
from enum import Enum
from itertools import islice
from typing import NamedTuple

from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice


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
    """One cell; ``start`` and ``end`` are its columns in the line, ``end`` that of its last letter plus one.

    ``dice`` and ``text`` (what stands after the dice) belong to a roll, ``agreed`` too: the position text of
    an illegal play. ``action`` belongs to a cube action, ``value`` to a double or to the points of a result,
    whose ``text`` is what stands behind it and means nothing.
    """

    kind: CellKind
    start: int
    end: int
    dice: Dice | None = None
    text: str = ""
    agreed: str | None = None
    action: CubeAction | None = None
    value: int | None = None


_MOST_CELLS = 12
"""A line with more is hostile, and not worth its time; three rows run together have nine."""

# Where a cell begins. The words are those of all dialects met; a position text may hold anything, names too,
# so it is taken whole. "Concedes" right behind the dice belongs to the roll, further off it is a cell.
# The look at the first letter spares the blanks between the columns a try of every word: half the time.
_START = re.compile(
    r"""(?<!\S)(?=\S)(?:
        (?P<number>[0-9]{1,5}\))(?!\S)
      | (?P<dice>[0-9][0-9])\s?: (?: [ ]{0,2}Illegal[ ]play[ ]?\((?P<agreed>.*?;[ ]*)\)(?!\S)
                             | [ ]{0,2}(?P<gave_up>concedes?|resigns?)\b )?
      | (?P<double>(?:re)?doubles?)\b (?:\s*(?:=>|to)\s*(?P<offered>[0-9]{1,9})\b)?
      | (?P<take>takes?|accepts?)\b
      | (?P<drop>drops?|passes|rejects?|refuses)\b
      | (?P<beaver>beavers?)\b
      | (?P<resigns>resigns?|concedes?)\b
      | (?P<end>wins?|loss(?:es)?|loses?)\s+(?P<points>[0-9]{1,9})\s+points?\b(?:\s+and\s+the\s+match\b)?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CUBE_ACTIONS = {
    "double": CubeAction.DOUBLE,
    "take": CubeAction.TAKE,
    "drop": CubeAction.DROP,
    "beaver": CubeAction.BEAVER,
}
GAVE_UP = "concedes"
"""The ``text`` of a roll after which the side gave up, whatever word the log uses."""


def find_cells(line: str) -> list[Cell]:
    """The cells of a line from left to right, row numbers among them; empty for a blank line.

    Raises: ValueError, saying what cannot be read.
    """
    matches = list(islice(_START.finditer(line), _MOST_CELLS + 1))
    if len(matches) > _MOST_CELLS:
        raise ValueError(f"more than {_MOST_CELLS} cells in one line")
    _refuse_rest(line[: matches[0].start()] if matches else line)
    ends = [match.start() for match in matches[1:]] + [len(line)]
    return [_parse_cell(match, line[match.end() : end]) for match, end in zip(matches, ends, strict=True)]


def _parse_cell(match: re.Match[str], rest: str) -> Cell:
    start, end = match.start(), match.end()
    if match["dice"]:
        return _parse_roll(match, rest)
    if match["end"]:
        kind = CellKind.WINS if match["end"].lower().startswith("win") else CellKind.LOSSES
        return Cell(kind, start, end, text=rest.strip(), value=int(match["points"]))
    _refuse_rest(rest)
    if match["number"]:
        return Cell(CellKind.NUMBER, start, end)
    if match["resigns"]:
        return Cell(CellKind.RESIGNS, start, end)
    name = next(name for name in _CUBE_ACTIONS if match[name])
    value = None if match["offered"] is None else int(match["offered"])
    return Cell(CellKind.CUBE, start, end, action=_CUBE_ACTIONS[name], value=value)


def _parse_roll(match: re.Match[str], rest: str) -> Cell:
    start, end = match.start(), match.end() + len(rest.rstrip())
    text = rest.strip()
    if match["agreed"] is not None or match["gave_up"]:
        _refuse_rest(rest)
        text = GAVE_UP if match["gave_up"] else ""
    if match["dice"] == "00":
        if text.strip("?") not in ("", GAVE_UP):
            raise ValueError(f"{text[:40]!r} was played with dice that were never thrown (00)")
        return Cell(CellKind.NOTHING_THROWN, start, end, text=text)
    dice = Dice.of(int(match["dice"][0]), int(match["dice"][1]))
    return Cell(CellKind.ROLL, start, end, dice, text, match["agreed"])


def _refuse_rest(rest: str) -> None:
    if rest.strip():
        raise ValueError(f"{rest.strip()[:40]!r} is no roll, cube action or result")
