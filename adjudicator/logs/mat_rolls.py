"""A roll cell of a .mat as a roll of the record.

Source: ``docs/formats/mat.md``, section "After the dice".
"""

import re
from typing import NamedTuple

from adjudicator.errors import Place
from adjudicator.logs.mat_cells import GAVE_UP, Cell
from adjudicator.logs.mat_seats import Seats
from adjudicator.notation.play_text import parse_play
from adjudicator.notation.snowie_text import parse_snowie_text
from adjudicator.rules.board import Position
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import RollRecord, Writing
from adjudicator.rules.sides import Side

_CANNOT_MOVE = re.compile(r"(?:cannot|can't|can not) move|no (?:legal )?(?:move|play)s?", re.IGNORECASE)


class ReadRoll(NamedTuple):
    """The roll, and what could not be read of it, ``None`` where all could."""

    record: RollRecord
    unread: str | None = None


def read_roll(
    cell: Cell, dice: Dice, side: Side, seats: Seats, total: int, *, row: int, line: int
) -> ReadRoll:
    """The roll of a cell.

    A play that cannot be read is one whose position is not known: its dice still count.
    """
    place = Place(line=line)
    if cell.agreed is not None:
        agreed, unread = _read_agreed(cell.agreed, side, seats, total)
        return ReadRoll(RollRecord(side, dice, Writing.POSITION, (), agreed, row, place), unread)
    if cell.text == GAVE_UP or (cell.text and not cell.text.strip("?")):
        return ReadRoll(RollRecord(side, dice, Writing.NOT_PLAYED, row=row, place=place))
    if _CANNOT_MOVE.fullmatch(cell.text):
        return ReadRoll(RollRecord(side, dice, Writing.CANNOT_MOVE, row=row, place=place))
    try:
        movements = parse_play(cell.text)
    except ValueError as error:
        return ReadRoll(RollRecord(side, dice, Writing.POSITION, row=row, place=place), str(error))
    writing = Writing.PLAY if movements else Writing.NOTHING
    return ReadRoll(RollRecord(side, dice, writing, movements, None, row, place))


def _read_agreed(text: str, mover: Side, seats: Seats, total: int) -> tuple[Position | None, str | None]:
    """The position agreed on, seen by the mover, or why it cannot be read.

    The text is written from the side that rolls next, which is the mover's opponent, unless the names in it
    say that it is the mover.
    """
    try:
        names, position = parse_snowie_text(text, total)
    except ValueError as error:
        return None, f"the position of an illegal play: {error}"
    own_name, other_name = (seats.white, seats.black) if mover is Side.WHITE else (seats.black, seats.white)
    seen_by_mover = names == f"{own_name};{other_name}" and own_name != other_name
    return (position if seen_by_mover else position.swapped()), None
