"""The Position ID of GNU Backgammon: 14 letters for where the checkers stand.

Source: the GNU Backgammon manual, "A technical description of the Position ID": for the opponent of the side
on roll, then for that side, the points 1 to 24 of the owner's numbering and the bar follow each other, each
as so many 1 bits as checkers stand there and one 0 bit; the 80 bits, lowest first in each byte, in base64.
"""

import base64
import binascii

from adjudicator.rules.board import BAR, Checkers, Position, checkers_from

_BYTES = 10
_LETTERS = 14


def format_position_id(position: Position) -> str:
    """The Position ID of a position seen by the side on roll.

    Raises: ValueError for a position of more than 15 checkers a side, which has no room in it.

    >>> start = checkers_from({24: 2, 13: 5, 8: 3, 6: 5}, 15)
    >>> format_position_id(Position(start, start))
    '4HPwATDgc/ABMA'
    """
    bits = "".join("1" * count + "0" for side in (position.opponent, position.own) for count in side[1:])
    if len(bits) > 8 * _BYTES:
        raise ValueError("a Position ID has room for 15 checkers a side")
    key = int(bits[::-1], 2).to_bytes(_BYTES, "little")
    return base64.b64encode(key).decode("ascii")[:_LETTERS]


def parse_position_id(text: str, total: int = 15) -> Position:
    """The position, seen by the side on roll; what is missing from ``total`` checkers a side is borne off.

    Raises: ValueError for text that is no Position ID, or one of more than ``total`` checkers a side.

    >>> parse_position_id("4HPwATDgc/ABMA").own[24]
    2
    """
    try:
        key = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{text!r} is no Position ID: {error}") from error
    if len(text) != _LETTERS or len(key) != _BYTES:
        raise ValueError(f"a Position ID has {_LETTERS} letters, not {len(text)}")
    bits = f"{int.from_bytes(key, 'little'):0{8 * _BYTES}b}"[::-1]
    counts = [len(run) for run in bits.split("0")]
    if len(counts) <= 2 * BAR or any(counts[2 * BAR :]):
        raise ValueError(f"{text!r} is no Position ID: it holds too many checkers")
    return Position(own=_checkers(counts[BAR : 2 * BAR], total), opponent=_checkers(counts[:BAR], total))


def _checkers(counts: list[int], total: int) -> Checkers:
    return checkers_from(dict(enumerate(counts, start=1)), total)
