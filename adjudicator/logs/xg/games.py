"""One game of an .xg file as a record.

Every roll of the file states the board before and after it. Where these do not follow from each other, the
dice are kept, which the series needs, and the play counts as not read.

Source: ``docs/formats/xg.md``, section "Games".
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from adjudicator.errors import Fault, Place
from adjudicator.logs.assembly import check_roll_count
from adjudicator.logs.xg.records import (
    ILLEGAL,
    CubeRecord,
    GameFooter,
    GameHeader,
    MoveRecord,
    parse_position,
)
from adjudicator.rules import record as rules
from adjudicator.rules.board import Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.readings import literal_reading
from adjudicator.rules.record import (
    Action,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.score import Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant

RESIGNED = 100
"""What is added to the kind of a win where the game was resigned."""

_ANSWERS = {0: CubeAction.DROP, 1: CubeAction.TAKE, 2: CubeAction.BEAVER}
_EDITED = "the board before it is not the one after the play before: it was edited"

_Written: TypeAlias = tuple[Writing, tuple[Movement, ...], Position | None, str]
"""What follows the dice: writing, movements, agreed position, why it is not read."""


@dataclass
class GameReading:
    """The record of a game under way.

    ``board`` is seen by white, as the file has it after the actions so far. ``thrown`` is a roll that no play
    has followed yet. Once ``broken``, only the result is still taken.
    """

    header: GameHeader
    variant: Variant
    is_match: bool
    board: Position
    actions: list[Action] = field(default_factory=list)
    rolls: int = 0
    thrown: tuple[Side, Dice] | None = None
    result: RecordedResult | None = None
    broken: Fault | None = None

    @classmethod
    def begin(cls, header: GameHeader, variant: Variant, *, is_match: bool) -> "GameReading":
        """The reading of a game with this head.

        Raises: ValueError for a start that is no position.
        """
        reading = cls(header, variant, is_match, variant.start)
        reading.board = reading.position(header.points)
        if header.auto_doubles:
            reading.break_off(f"the cube was doubled {header.auto_doubles} times before the game began")
        return reading

    def position(self, points: tuple[int, ...]) -> Position:
        """The position in these counts."""
        return parse_position(points, self.variant.checkers_per_side)

    def break_off(self, reason: str) -> None:
        """Read no more actions of this game; the first reason stays."""
        if self.broken is None:
            place = Place(game=self.header.number, turn=self.rolls or None)
            self.broken = Fault(reason, place)

    def take_cube(self, cube: CubeRecord) -> None:
        """Add the actions of a cube decision."""
        self._leave_unplayed()
        if self.broken is None:
            self.actions += _cube_actions(cube)
            self.thrown = None if cube.dice is None else (cube.side, cube.dice)

    def take_move(self, move: MoveRecord) -> None:
        """Add a roll with its play."""
        if self.broken is not None:
            return
        thrown, self.thrown = self.thrown, None
        if thrown is not None and (thrown[0] is not move.side or sorted(thrown[1]) != sorted(move.dice)):
            self.break_off(f"two rolls are written for one: {thrown[1]} and {move.dice}")
            return
        before, after = self.position(move.before), self.position(move.after)
        if before != self.board and not self._unread_last_roll():
            self.break_off("the board before the first roll is not the start of the game: it was edited")
            return
        self.board = after if move.side is Side.WHITE else after.swapped()
        self._add_roll(move.side, move.dice, _written(move, before, after))

    def take_footer(self, footer: GameFooter) -> None:
        """Add how the game ended."""
        self._leave_unplayed()
        if footer.winner is None:
            return
        self.result = RecordedResult(footer.winner, footer.points)
        kind = footer.termination - RESIGNED
        if self.broken is None and 0 <= kind < RESIGNED:
            win = Win(kind) if kind in (Win.SINGLE, Win.GAMMON, Win.BACKGAMMON) else None
            self.actions.append(ResignRecord(footer.winner.opponent, win))

    def finished(self) -> GameRecord:
        """The record after the last action."""
        self._leave_unplayed()
        start = self.position(self.header.points)
        return GameRecord(
            number=self.header.number,
            actions=tuple(self.actions),
            result=self.result,
            score=self.header.score,
            start=None if start == self.variant.start else start,
            crawford=self.header.is_crawford if self.is_match else None,
            broken=self.broken,
            place=Place(game=self.header.number),
        )

    def _add_roll(self, side: Side, dice: Dice, written: _Written) -> None:
        self.rolls += 1
        place = Place(game=self.header.number, turn=self.rolls)
        check_roll_count(self.rolls, place)
        writing, movements, agreed, unread = written
        self.actions.append(RollRecord(side, dice, writing, movements, agreed, unread, place=place))

    def _leave_unplayed(self) -> None:
        """Add a roll that was thrown and that no play has followed."""
        if self.thrown is not None and self.broken is None:
            self._add_roll(*self.thrown, (Writing.NOT_PLAYED, (), None, ""))
        self.thrown = None

    def _unread_last_roll(self) -> bool:
        """After a board set by hand, what the last roll came to is not known; whether there is one."""
        for index in range(len(self.actions) - 1, -1, -1):
            roll = self.actions[index]
            if isinstance(roll, RollRecord):
                self.actions[index] = replace(
                    roll, writing=Writing.UNREAD, movements=(), agreed=None, unread=_EDITED
                )
                return True
        return False


def _written(move: MoveRecord, before: Position, after: Position) -> _Written:
    """What follows the dice of a roll, held to the boards before (seen by white) and after it."""
    own = before if move.side is Side.WHITE else before.swapped()
    if not move.movements and own == after:
        return Writing.CANNOT_MOVE, (), None, ""
    reading = literal_reading(own, move.dice, move.movements)
    if not isinstance(reading, str) and reading.result == after:
        movements = tuple(
            replace(movement, hit=step.hit)
            for movement, step in zip(move.movements, reading.steps, strict=True)
        )
        return Writing.PLAY, movements, None, ""
    if move.judged == ILLEGAL:
        return Writing.POSITION, (), after, ""
    reason = reading if isinstance(reading, str) else "its steps do not lead to the board after it"
    return Writing.UNREAD, (), None, reason


def _cube_actions(cube: CubeRecord) -> Iterator[rules.CubeRecord]:
    """A double, its answer, and where that is a beaver the answers to it.

    A raccoon, which no rule here knows, is a double of the beavered cube.
    """
    if cube.doubled != 1:
        return
    value = cube.value * 2
    yield rules.CubeRecord(cube.side, CubeAction.DOUBLE, value)
    opponent = cube.side.opponent
    if cube.take in _ANSWERS:
        yield rules.CubeRecord(opponent, _ANSWERS[cube.take])
    if cube.take != 2:
        return
    if cube.beaver == 0:
        yield rules.CubeRecord(cube.side, CubeAction.DROP)
    elif cube.beaver == 2:
        yield rules.CubeRecord(cube.side, CubeAction.DOUBLE, value * 4)
        if cube.raccoon in (0, 1):
            yield rules.CubeRecord(opponent, _ANSWERS[cube.raccoon])
