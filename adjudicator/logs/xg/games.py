"""One game of an .xg file as a record.

Every roll of the file states the board before and after it. Where these do not follow from each other, the
dice are kept, which the series needs, and the play counts as not read.

Source: ``docs/formats/xg.md``, section "Games".
"""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.logs.game_draft import RACCOON, SET_BY_HAND, GameDraft
from adjudicator.logs.xg.records import XgCube, XgGameEnd, XgGameHead, XgRoll
from adjudicator.notation.signed_counts import parse_signed_counts
from adjudicator.rules.board import Position
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.readings import literal_reading
from adjudicator.rules.record import CubeRecord, GameRecord, RecordedResult, ResignRecord, RollRecord, Writing
from adjudicator.rules.score import Win
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant

_RESIGNED = 100
"""What is added to the kind of a win where the game was resigned."""
_WINS = {win.value: win for win in Win}
_ANSWERS = {0: CubeAction.DROP, 1: CubeAction.TAKE, 2: CubeAction.BEAVER}


@dataclass
class GameReading:
    """A game under way. Once its draft is broken, only the result is still taken.

    ``board`` is seen by white, as the file has it after the actions so far. ``thrown`` is a roll that no play
    has followed yet.
    """

    draft: GameDraft
    variant: Variant
    board: Position
    thrown: tuple[Side, Dice] | None = None

    def take_head(self, head: XgGameHead, *, is_match: bool) -> None:
        """Take what stands before the first action.

        Raises: ValueError for a start that is no position.
        """
        draft = self.draft
        draft.number, draft.score = head.number, head.score
        draft.crawford = head.is_crawford if is_match else None
        self.board = self._position(head.start)
        if self.board != self.variant.start:
            draft.start = self.board
        if head.auto_doubles:
            draft.break_off(f"the cube was doubled {head.auto_doubles} times before the game began")

    def take_cube(self, cube: XgCube) -> None:
        """Add the actions of a cube decision."""
        self._leave_unplayed()
        for action in _cube_actions(cube):
            self.draft.add(action)
        self.thrown = None if cube.dice is None else (cube.side, cube.dice)

    def take_roll(self, roll: XgRoll) -> None:
        """Add a roll with its play.

        Raises: ValueError for boards that are no positions.
        """
        thrown, self.thrown = self.thrown, None
        if thrown is not None and (thrown[0] is not roll.side or sorted(thrown[1]) != sorted(roll.dice)):
            self.draft.break_off(f"two rolls are written for one: {thrown[1]} and {roll.dice}")
        if self.draft.broken is not None:
            return
        before, after = self._position(roll.before), self._position(roll.after)
        if before != self.board and not self.draft.unread_last_roll(SET_BY_HAND):
            self.draft.break_off("the board before the first roll is not the start of the game")
            return
        self.board = after if roll.side is Side.WHITE else after.swapped()
        self._add_roll(_roll_record(roll, before, after))

    def take_end(self, end: XgGameEnd) -> None:
        """Add how the game ended."""
        self._leave_unplayed()
        if end.winner is None:
            return
        self.draft.result = RecordedResult(end.winner, end.points or None)
        kind = end.termination - _RESIGNED
        if 0 <= kind < _RESIGNED:
            self.draft.add(ResignRecord(end.winner.opponent, _WINS.get(kind)))

    def finished(self) -> GameRecord:
        """The record after the last action."""
        self._leave_unplayed()
        return self.draft.finished()

    def _position(self, counts: tuple[int, ...]) -> Position:
        return parse_signed_counts(counts, self.variant.checkers_per_side)

    def _add_roll(self, roll: RollRecord) -> None:
        self.draft.add(roll._replace(place=self.draft.next_turn()))

    def _leave_unplayed(self) -> None:
        """Add a roll that was thrown and that no play has followed."""
        if self.thrown is not None:
            self._add_roll(RollRecord(*self.thrown, Writing.NOT_PLAYED))
        self.thrown = None


def _roll_record(roll: XgRoll, before: Position, after: Position) -> RollRecord:
    """A roll with its play, held to the boards before (seen by white) and after it (by the mover)."""
    own = before if roll.side is Side.WHITE else before.swapped()
    if not roll.movements and own == after:
        return RollRecord(roll.side, roll.dice, Writing.CANNOT_MOVE)
    reading = literal_reading(own, roll.dice, roll.movements)
    if not isinstance(reading, str) and reading.result == after:
        movements = tuple(
            movement._replace(hit=step.hit)
            for movement, step in zip(roll.movements, reading.steps, strict=True)
        )
        return RollRecord(roll.side, roll.dice, Writing.PLAY, movements)
    if roll.is_illegal:
        return RollRecord(roll.side, roll.dice, Writing.POSITION, agreed=after)
    reason = reading if isinstance(reading, str) else "its steps do not lead to the board after it"
    return RollRecord(roll.side, roll.dice, Writing.UNREAD, unread=reason)


def _cube_actions(cube: XgCube) -> Iterator[CubeRecord]:
    """A double, its answer, and where that is a beaver the answers to it."""
    if not cube.is_double:
        return
    value = cube.value * 2
    yield CubeRecord(cube.side, CubeAction.DOUBLE, value)
    opponent = cube.side.opponent
    if cube.take in _ANSWERS:
        yield CubeRecord(opponent, _ANSWERS[cube.take])
    if cube.take != 2:
        return
    if cube.beaver == 0:
        yield CubeRecord(cube.side, CubeAction.DROP)
    elif cube.beaver == 2:
        yield CubeRecord(cube.side, RACCOON, value * 4)
        if cube.raccoon in (0, 1):
            yield CubeRecord(opponent, _ANSWERS[cube.raccoon])
