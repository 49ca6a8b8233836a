"""One game of an OGXM file as a record.

Source: ``docs/formats/ogxm.md``, section "Games".
"""

from dataclasses import dataclass, field, replace

from adjudicator.errors import Fault, Place
from adjudicator.logs.assembly import check_roll_count
from adjudicator.logs.ogxm.match_values import MARKERS, OgxmGame, Ply, PlyAction, PlyStep
from adjudicator.rules.board import BAR, OFF, Position, check_position, checkers_from
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant

_CUBE_ACTIONS = {
    PlyAction.DOUBLE: CubeAction.DOUBLE,
    PlyAction.TAKE: CubeAction.TAKE,
    PlyAction.DROP: CubeAction.DROP,
    PlyAction.BEAVER: CubeAction.BEAVER,
    PlyAction.RACCOON: CubeAction.DOUBLE,
}
"""A raccoon, which no rule here knows, is a double of the beavered cube."""
_RESIGNATIONS = (PlyAction.RESIGN_GAME, PlyAction.RESIGN_MATCH)
_EDITED = "the file sets another position after it, by hand"


def read_game(game: OgxmGame, number: int, variant: Variant, score: Score | None) -> GameRecord:
    """The record of one game; a ply that cannot be read breaks it.

    Raises: ValueError for a start that is no position; TooLargeError for too many rolls.
    """
    reading = _GameReading(number, variant)
    start = variant.start if game.board is None else reading.position(game.board)
    if game.cube != 1:
        reading.break_off(f"the game begins with the cube at {game.cube}")
    followers = (*game.plies[1:], None)
    for ply, following in zip(game.plies, followers, strict=False):
        reading.take(ply, following)
    if game.broken:
        reading.break_off(game.broken)
    start = reading.start or start
    return GameRecord(
        number=number,
        actions=tuple(reading.actions),
        result=None if game.winner is None else RecordedResult(game.winner, game.points),
        score=score,
        start=None if start == variant.start else start,
        crawford=game.crawford,
        broken=reading.broken,
        place=Place(game=number),
    )


def parse_position(board: tuple[int, ...], total: int) -> Position:
    """The position on a board of the file, seen by white.

    >>> board = (0, 2) + (0,) * 22 + (-2, 0)
    >>> parse_position(board, 2).own[24], parse_position(board, 2).opponent[24]
    (2, 2)
    """
    if board[0] < 0 or board[BAR] > 0:
        raise ValueError("a checker on the bar of the other side")
    white = {BAR - point: count for point, count in enumerate(board) if count > 0}
    black = {point: -count for point, count in enumerate(board) if count < 0}
    position = Position(checkers_from(white, total), checkers_from(black, total))
    complaints = check_position(position, total)
    if complaints:
        raise ValueError("; ".join(complaints))
    return position


@dataclass
class _GameReading:
    """The record under way; once ``broken``, nothing is added. ``start`` is one set by the first ply."""

    number: int
    variant: Variant
    actions: list[Action] = field(default_factory=list)
    rolls: int = 0
    start: Position | None = None
    broken: Fault | None = None

    def position(self, board: tuple[int, ...]) -> Position:
        """The position on this board, seen by white."""
        return parse_position(board, self.variant.checkers_per_side)

    def break_off(self, reason: str, place: Place | None = None) -> None:
        """Read no more plies; the first reason stays."""
        if self.broken is None:
            pointer = None if place is None else place.pointer
            self.broken = Fault(reason, Place(pointer=pointer, game=self.number, turn=self.rolls or None))

    def take(self, ply: Ply, following: Ply | None) -> None:
        """Add the action of a ply; ``following`` is the ply after it."""
        if self.broken is not None:
            return
        try:
            self._take(ply, following)
        except ValueError as error:
            self.break_off(str(error), ply.place)

    def _take(self, ply: Ply, following: Ply | None) -> None:
        if ply.action == PlyAction.SET_POSITION:
            self._take_position(ply)
        elif ply.dice is not None and ply.action < PlyAction.DOUBLE:
            self._add_roll(_roll(ply, following))
        elif ply.action in _CUBE_ACTIONS:
            action = _CUBE_ACTIONS[PlyAction(ply.action)]
            self.actions.append(CubeRecord(ply.side, action, place=ply.place))
        elif ply.action in _RESIGNATIONS:
            self.actions.append(ResignRecord(ply.side, ply.win, ply.place))
        elif ply.action not in MARKERS:
            raise ValueError(f"something that is not known here: action {ply.action}")

    def _take_position(self, ply: Ply) -> None:
        """An illegal play with what it came to, the start, or a board set by hand."""
        if ply.board is None:
            raise ValueError("a position is set, and is not given")
        board = self.position(ply.board)
        if ply.dice is not None:
            agreed = board if ply.side is Side.WHITE else board.swapped()
            self._add_roll(RollRecord(ply.side, ply.dice, Writing.POSITION, agreed=agreed, place=ply.place))
        elif self.rolls:
            self._unread_last_roll()
        else:
            self.start = board

    def _unread_last_roll(self) -> None:
        for index in range(len(self.actions) - 1, -1, -1):
            roll = self.actions[index]
            if isinstance(roll, RollRecord):
                self.actions[index] = replace(
                    roll, writing=Writing.UNREAD, movements=(), agreed=None, unread=_EDITED
                )
                return

    def _add_roll(self, roll: RollRecord) -> None:
        self.rolls += 1
        place = Place(pointer=roll.place.pointer, game=self.number, turn=self.rolls)
        check_roll_count(self.rolls, place)
        self.actions.append(replace(roll, place=place))


def _roll(ply: Ply, following: Ply | None) -> RollRecord:
    """The roll of a ply with dice: without steps it was not played if the side resigned then."""
    dice = ply.dice
    if dice is None:
        raise ValueError("a roll without dice")
    movements = tuple(_movement(ply.side, step) for step in ply.steps)
    if movements:
        writing = Writing.PLAY
    elif following is not None and following.side is ply.side and following.action in _RESIGNATIONS:
        writing = Writing.NOT_PLAYED
    else:
        writing = Writing.NOTHING
    return RollRecord(ply.side, dice, writing, movements, place=ply.place)


def _movement(side: Side, step: PlyStep) -> Movement:
    source = step.source if side is Side.BLACK else BAR - step.source
    if not OFF < source <= BAR:
        raise ValueError(f"a step from {step.source} by {side.label}")
    return Movement(source, max(OFF, source - step.pips))
