"""What an OGXM file says, in whichever of its forms, before it is made a match log.

Points are counted as in the file: 1 to 24 from black's home, 0 white's bar, 25 black's; white is positive on
boards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from adjudicator.errors import NOWHERE, Place
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side

DICE = tuple(sorted(Dice(roll.low, roll.high) for roll in ALL_ROLLS))
"""The roll of each of the actions 0 to 20: 1-1, 1-2, ..., 6-6."""


class PlyAction(IntEnum):
    """What a ply is, beyond the rolls."""

    DOUBLE = 21
    TAKE = 22
    DROP = 23
    RESIGN_GAME = 27
    RESIGN_MATCH = 28
    SET_POSITION = 31
    BEAVER = 32
    RACCOON = 33


MARKERS = frozenset({24, 25, 26, 29, 30, 34})
"""Actions that only say how the game ended, or nothing: its winner and points stand with the game."""


class PlyStep(NamedTuple):
    """A step from a point of the file by that many pips."""

    source: int
    pips: int


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply: the side that acts, and the action's number.

    ``dice`` are given with a roll, and with an illegal play that ``board`` states the outcome of; ``steps``
    with a roll only. ``win`` is what a resignation gives, ``None`` where it is not said.
    """

    side: Side
    action: int
    dice: Dice | None = None
    steps: tuple[PlyStep, ...] = ()
    board: tuple[int, ...] | None = None
    win: Win | None = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class OgxmGame:
    """One game. ``cube`` is the cube it begins with; ``crawford`` is ``None`` where the file does not say."""

    plies: tuple[Ply, ...]
    winner: Side | None
    points: int
    board: tuple[int, ...] | None = None
    crawford: bool | None = None
    cube: int = 1
    broken: str = ""
    """Why the plies after these cannot be read."""


@dataclass(frozen=True, slots=True)
class OgxmMatch:
    """The match. ``variant`` is a number of the file; ``first_score`` is the score before the first game."""

    match_length: int
    variant: int
    white: str
    black: str
    crawford: bool
    jacoby: bool
    games: tuple[OgxmGame, ...]
    metadata: Mapping[str, str]
    first_score: Score | None = None
    is_guessed: bool = False
    """Whether the encoding of a text had to be guessed."""


def parse_side(number: int) -> Side | None:
    """The winner of a game: 0 white, 1 black, anything else nobody yet."""
    return Side(number) if number in (0, 1) else None


def parse_win(number: int) -> Win:
    """What a resignation gives, 1 to 3.

    Raises: ValueError for another number.
    """
    return Win(number)
