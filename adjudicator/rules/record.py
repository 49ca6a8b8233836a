"""The record of a game: what was done, in order, as it was written down.

Readers of logs make these values; nothing here has been checked against the rules yet (``replay`` does).
Actions are tuples, not dataclasses: an archive has a hundred thousand, and they are made in a third of the
time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from adjudicator.errors import NOWHERE, Fault, Place
from adjudicator.rules.board import Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.remarks import Remark
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side


class Movement(NamedTuple):
    """One written part of a play, ``8/5*``: it may cover several steps of one checker (``24/14``).

    ``source`` and ``target`` are points of the mover's own numbering, 25 the bar, 0 off. ``hit``: a star.
    """

    source: int
    target: int
    hit: bool = False


class Writing(Enum):
    """What a record holds after the dice of a roll."""

    PLAY = "play"
    """Movements are written."""
    NOTHING = "nothing"
    """Blank: no legal play, or the only legal play left out, or nothing moved."""
    CANNOT_MOVE = "cannot_move"
    """Said to have no legal play."""
    NOT_PLAYED = "not_played"
    """Thrown, and not played before a resignation (``????``)."""
    POSITION = "position"
    """A play that the log calls illegal, with the position the players agreed on instead."""
    UNREAD = "unread"
    """A play that cannot be read, or its agreed position: what the roll came to is not known."""


class RollRecord(NamedTuple):
    """One roll and what was written after it.

    ``movements`` is empty unless ``writing`` is PLAY. ``agreed`` is given with POSITION only, seen by
    ``side``, after its play. ``unread`` is given with UNREAD only: why the play cannot be read.
    ``row`` is the numbered row of the transcript that holds it, counted by position from 1 over the rows
    that hold a roll or a cube action (HE-4.1), ``None`` in records without lines.
    """

    side: Side
    dice: Dice
    writing: Writing
    movements: tuple[Movement, ...] = ()
    agreed: Position | None = None
    unread: str = ""
    row: int | None = None
    place: Place = NOWHERE


class CubeRecord(NamedTuple):
    """One cube action. ``value`` is what a double offers, ``None`` where the log does not say."""

    side: Side
    action: CubeAction
    value: int | None = None
    row: int | None = None
    place: Place = NOWHERE


class ResignRecord(NamedTuple):
    """A side gives the game up; ``win`` is what it gives, ``None`` where the log does not say."""

    side: Side
    win: Win | None = None
    place: Place = NOWHERE


Action: TypeAlias = RollRecord | CubeRecord | ResignRecord


def rows_of(sides: Iterable[Side]) -> Iterator[int]:
    """The row of a transcript, from 1, that the action of each of these sides stands in.

    A row has two columns, white's and then black's: an action opens a new row if the last row has no room
    for it.

    Source: HE-4.1.

    >>> list(rows_of([Side.BLACK, Side.WHITE, Side.BLACK, Side.BLACK]))
    [1, 2, 2, 3]
    """
    row, last = 0, Side.BLACK
    for side in sides:
        if side is Side.WHITE or last is Side.BLACK:
            row += 1
        last = side
        yield row


def rows_of_game(actions: Iterable[Action]) -> list[int]:
    """The row of every roll and cube action, from 1: as the log has them, else as its .mat would be printed.

    Source: HE-4.1.
    """
    entries = [action for action in actions if not isinstance(action, ResignRecord)]
    written = [entry.row for entry in entries if entry.row is not None]
    return written if len(written) == len(entries) else list(rows_of(entry.side for entry in entries))


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """Who won a game and how many points, as the log says; ``points`` is ``None`` where it does not say."""

    winner: Side
    points: int | None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game as written.

    ``score`` is the score line before it, ``None`` where there is none. ``start`` is the start position seen
    by white, ``None`` for the variant's standard start. ``crawford`` is what the log itself says of this
    game being the Crawford game, ``None`` where it is silent. ``remarks`` are the reader's.
    ``broken`` is set where the reader could not go on: the actions before that point stand.
    ``stars_used``: whether the log marks hits at all; of the whole log, not of this game.
    """

    number: int
    actions: tuple[Action, ...]
    result: RecordedResult | None = None
    score: Score | None = None
    start: Position | None = None
    crawford: bool | None = None
    stars_used: bool = True
    remarks: tuple[Remark, ...] = ()
    broken: Fault | None = None
    place: Place = NOWHERE

    @property
    def rolls(self) -> tuple[RollRecord, ...]:
        """All rolls in the order they were made, both sides together."""
        return tuple([action for action in self.actions if isinstance(action, RollRecord)])
