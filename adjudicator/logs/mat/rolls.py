"""What a roll cell of a .mat says, and the roll of the record that it is.

Source: ``docs/formats/mat.md``, section "After the dice".
"""

import re
from typing import NamedTuple

from adjudicator.errors import Place
from adjudicator.logs.mat.letters import plain_letters
from adjudicator.logs.mat.seats import Seats
from adjudicator.notation.play_text import parse_play
from adjudicator.notation.snowie_text import parse_snowie_text
from adjudicator.rules.board import Position
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import Movement, RollRecord, Writing
from adjudicator.rules.sides import Side

_CANNOT_MOVE = re.compile(
    r"""\(? (?: (?:cannot|can'?t|can[ ]not)[ ](?:move|play) | no[ ](?:legal[ ]|possible[ ])?(?:move|play)s?
             | danc(?:e|es|ed) ) \)?""",
    re.IGNORECASE | re.VERBOSE,
)
_DICE = {f"{first}{second}": Dice(first, second) for first in range(1, 7) for second in range(1, 7)}
_COMMA = re.compile(r"(?<=\S),\s*(?=\S)")


class WrittenRoll(NamedTuple):
    """A roll as its cell says it, whoever threw it; the fields are those of ``RollRecord``.

    ``agreed`` is the text of the position behind an illegal play, not read yet.
    """

    dice: Dice
    writing: Writing
    movements: tuple[Movement, ...] = ()
    agreed: str | None = None
    unread: str = ""


def parse_roll(dice: str, text: str) -> WrittenRoll:
    """The roll of two digits and what stands after them. Of one whose play cannot be read the dice count.

    Raises: ValueError for digits that no die shows.
    """
    thrown = _DICE.get(dice) or Dice.of(int(dice[0]), int(dice[1]))
    if not text:
        return WrittenRoll(thrown, Writing.NOTHING)
    if text[0] == "?" and not text.strip("?"):
        return WrittenRoll(thrown, Writing.NOT_PLAYED)
    try:
        return WrittenRoll(thrown, Writing.PLAY, parse_play(_COMMA.sub(" ", text) if "," in text else text))
    except ValueError as error:
        if _CANNOT_MOVE.fullmatch(text):
            return WrittenRoll(thrown, Writing.CANNOT_MOVE)
        return WrittenRoll(thrown, Writing.UNREAD, unread=str(error))


def record_agreed(
    written: WrittenRoll, agreed: str, side: Side, seats: Seats, total: int, row: int, place: Place
) -> RollRecord:
    """The roll of an illegal play; where the position agreed on cannot be read, that is said."""
    try:
        position = _read_agreed(agreed, side, seats, total)
    except ValueError as error:
        unread = f"the position of an illegal play: {error}"
        return RollRecord(side, written.dice, Writing.UNREAD, unread=unread, row=row, place=place)
    return RollRecord(side, written.dice, written.writing, agreed=position, row=row, place=place)


def _read_agreed(text: str, mover: Side, seats: Seats, total: int) -> Position:
    """The position agreed on, seen by the mover.

    The text is written from the side that rolls next, which is the mover's opponent, unless the names in it
    say that it is the mover.

    Raises: ValueError if it cannot be read.
    """
    names, position = parse_snowie_text(text, total)
    own_name, other_name = (seats.white, seats.black) if mover is Side.WHITE else (seats.black, seats.white)
    seen_by_mover = names == plain_letters(f"{own_name};{other_name}") and own_name != other_name
    return position if seen_by_mover else position.swapped()
