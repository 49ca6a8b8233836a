"""XGID: the position text of eXtreme Gammon, with cube, dice and score.

Source: the XGID page of the eXtreme Gammon help. The bottom player is white here, in capital letters and
with the positive numbers; all points are counted as white counts them.
"""

from adjudicator.rules.board import BAR, Position
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import Dice
from adjudicator.rules.score import CrawfordState, GameTerms
from adjudicator.rules.sides import Side

_SIGN = {Side.WHITE: 1, Side.BLACK: -1}
_MAX_CUBE_LOG2 = 10


def format_xgid(
    position: Position, on_roll: Side, cube: Cube, terms: GameTerms, dice: Dice | None = None
) -> str:
    """The XGID of a position seen by the side on roll; without dice that side is still to roll.

    A cube that is no power of two is given as the next lower one, since XGID has no other numbers.

    >>> from adjudicator.rules.score import Score
    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> format_xgid(BACKGAMMON.start, Side.BLACK, Cube(), GameTerms(7, Score(2, 1)), Dice(3, 1))
    'XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:1:0:7:10'
    """
    white, black = position if on_roll is Side.WHITE else position.swapped()
    points = "".join([_letter(white[point], black[BAR - point]) for point in range(1, BAR)])
    fields = (
        _letter(0, black[BAR]) + points + _letter(white[BAR], 0),
        cube.value.bit_length() - 1,
        0 if cube.owner is None else _SIGN[cube.owner],
        _SIGN[on_roll],
        "00" if dice is None else f"{dice.high}{dice.low}",
        terms.score.white,
        terms.score.black,
        _rule_field(terms),
        terms.match_length,
        _MAX_CUBE_LOG2,
    )
    return "XGID=" + ":".join(map(str, fields))


def _letter(white: int, black: int) -> str:
    if white:
        return chr(ord("A") + white - 1)
    return chr(ord("a") + black - 1) if black else "-"


def _rule_field(terms: GameTerms) -> int:
    """Crawford in a match; in money play 1 stands for the Jacoby rule (2 for beavers, which no log names)."""
    if terms.is_money:
        return int(terms.jacoby)
    return int(terms.crawford is CrawfordState.CRAWFORD)
