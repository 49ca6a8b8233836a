"""A roll cell of a .mat as a roll of the record.

Source: ``docs/formats/mat.md``, section "After the dice".
"""

import re

from adjudicator.errors import Place
from adjudicator.logs.mat.cells import GAVE_UP, Cell
from adjudicator.logs.mat.seats import Seats
from adjudicator.notation.play_text import parse_play
from adjudicator.notation.snowie_text import parse_snowie_text
from adjudicator.rules.board import Position
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import RollRecord, Writing
from adjudicator.rules.sides import Side

_CANNOT_MOVE = re.compile(r"(?:cannot|can't|can not) move|no (?:legal )?(?:move|play)s?", re.IGNORECASE)


def read_roll(
    cell: Cell, dice: Dice, side: Side, seats: Seats, total: int, *, row: int, place: Place
) -> RollRecord:
    """The roll of a cell. Of one whose play cannot be read the dice still count."""
    if cell.agreed is not None:
        try:
            agreed = _read_agreed(cell.agreed, side, seats, total)
        except ValueError as error:
            unread = f"the position of an illegal play: {error}"
            return RollRecord(side, dice, Writing.UNREAD, unread=unread, row=row, place=place)
        return RollRecord(side, dice, Writing.POSITION, agreed=agreed, row=row, place=place)
    if cell.text == GAVE_UP or (cell.text and not cell.text.strip("?")):
        return RollRecord(side, dice, Writing.NOT_PLAYED, row=row, place=place)
    if _CANNOT_MOVE.fullmatch(cell.text):
        return RollRecord(side, dice, Writing.CANNOT_MOVE, row=row, place=place)
    try:
        movements = parse_play(cell.text)
    except ValueError as error:
        return RollRecord(side, dice, Writing.UNREAD, unread=str(error), row=row, place=place)
    writing = Writing.PLAY if movements else Writing.NOTHING
    return RollRecord(side, dice, writing, movements, row=row, place=place)


def _read_agreed(text: str, mover: Side, seats: Seats, total: int) -> Position:
    """The position agreed on, seen by the mover.

    The text is written from the side that rolls next, which is the mover's opponent, unless the names in it
    say that it is the mover.

    Raises: ValueError if it cannot be read.
    """
    names, position = parse_snowie_text(text, total)
    own_name, other_name = (seats.white, seats.black) if mover is Side.WHITE else (seats.black, seats.white)
    seen_by_mover = names == f"{own_name};{other_name}" and own_name != other_name
    return position if seen_by_mover else position.swapped()
