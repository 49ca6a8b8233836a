"""What an OGXM file says, in whichever of its forms, before it is made a match log.

Points are counted as in the file: 1 to 24 from black's home, 0 white's bar, 25 black's; white is positive on
boards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeVar

from adjudicator.errors import NOWHERE, Place
from adjudicator.logs.assembly import require_action_count, require_game_count
from adjudicator.logs.limits import MAX_NUMBER
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side

_Part = TypeVar("_Part")

DICE = tuple(sorted(Dice(roll.low, roll.high) for roll in ALL_ROLLS))
"""The roll of each of the actions 0 to 20: 1-1, 1-2, ..., 6-6."""


class OgxmAction(IntEnum):
    """What an entry is, beyond the rolls."""

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


MAX_LISTED_STEPS = 8
"""Steps of an entry that lists them one by one: an illegal play may have more than the dice allow."""


class OgxmStep(NamedTuple):
    """A step from a point of the file by that many pips."""

    source: int
    pips: int


class OgxmEntry(NamedTuple):
    """One entry of a game (the file says ply): the side that acts, and the action's number.

    ``dice`` are given with a roll, and with an illegal play that ``board`` states the outcome of; ``steps``
    with a roll only. ``win`` is what a resignation gives, ``None`` where it is not said.
    """

    side: Side
    action: int
    dice: Dice | None = None
    steps: tuple[OgxmStep, ...] = ()
    board: tuple[int, ...] | None = None
    win: Win | None = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class OgxmGame:
    """One game. ``cube`` is the cube it begins with; ``crawford`` is ``None`` where the file does not say."""

    entries: tuple[OgxmEntry, ...] = ()
    winner: Side | None = None
    points: int = 0
    board: tuple[int, ...] | None = None
    crawford: bool | None = None
    cube: int = 1
    broken: str = ""
    """Why the entries after these cannot be read."""


@dataclass(frozen=True, slots=True)
class OgxmMatch:
    """The match. ``variant`` is a number of the file, or a name without one.

    ``first_score`` is the score before the first game.
    """

    match_length: int
    variant: int | str
    white: str
    black: str
    crawford: bool
    jacoby: bool
    games: tuple[OgxmGame, ...]
    metadata: Mapping[str, str]
    first_score: Score | None = None
    is_guessed: bool = False
    """Whether the encoding of a text had to be guessed."""


def read_games(parts: Sequence[_Part], read: Callable[[_Part, int], OgxmGame]) -> tuple[OgxmGame, ...]:
    """The game in each of these parts, numbered from 1; one whose head cannot be read is broken.

    Raises: TooLargeError for too many games, or a game of too many entries.
    """
    require_game_count(len(parts))
    games = []
    for number, part in enumerate(parts, start=1):
        try:
            games.append(read(part, number))
        except ValueError as error:
            games.append(OgxmGame(broken=f"the head of the game cannot be read: {error}"))
    return tuple(games)


def take_entries(entries: Iterable[OgxmEntry], number: int) -> tuple[tuple[OgxmEntry, ...], str]:
    """The entries of the game of that number, up to one that cannot be read, and why it cannot.

    Raises: TooLargeError for too many.
    """
    taken: list[OgxmEntry] = []
    try:
        for entry in entries:
            taken.append(entry)
            require_action_count(len(taken), 0, Place(game=number))
    except ValueError as error:
        return tuple(taken), f"entry {len(taken) + 1} cannot be read: {error}"
    return tuple(taken), ""


def winner_of(number: int) -> Side | None:
    """The winner of a game: 0 white, 1 black, anything else nobody yet."""
    return Side(number) if number in (0, 1) else None


def resigned_win(number: int) -> Win:
    """What a resignation gives, 1 to 3.

    Raises: ValueError for another number.
    """
    if not Win.SINGLE <= number <= Win.BACKGAMMON:
        raise ValueError(f"a resignation of {number} times the cube; it is 1, 2 or 3 times")
    return Win(number)


def require_number(number: int) -> int:
    """The points of a score or a win.

    Raises: ValueError beyond the limit.
    """
    if number > MAX_NUMBER:
        raise ValueError(f"a score or win of {number} points")
    return number
