"""The positions within a followed game that are shown, each seen by a side."""

from dataclasses import dataclass

from adjudicator.happy_end.following import FollowedGame
from adjudicator.rules.board import Checkers, Position
from adjudicator.rules.cube import Cube
from adjudicator.rules.replay import ReplayedTurn
from adjudicator.rules.sides import Side


@dataclass(frozen=True, slots=True)
class Moment:
    """A position within a game, seen by ``side``; its cube, and the side that rolls next or has rolled."""

    position: Position
    side: Side
    cube: Cube

    def checkers(self, side: Side) -> Checkers:
        """That side's checkers, in its own numbering."""
        return self.position.own if side is self.side else self.position.opponent


def start_of(game: FollowedGame) -> Moment:
    """The start, seen by the side that makes the first roll; by white where nobody rolls."""
    rolls = game.record.rolls
    side = rolls[0].side if rolls else Side.WHITE
    start = game.replayed.start
    return Moment(start if side is Side.WHITE else start.swapped(), side, Cube())


def before_turn(turn: ReplayedTurn) -> Moment:
    """The position that the dice were thrown in, seen by the side that threw them."""
    return Moment(turn.before, turn.side, turn.cube)


def after_turn(turn: ReplayedTurn) -> Moment:
    """The position that the turn led to, seen by the side that rolls next."""
    return Moment(turn.after.swapped(), turn.side.opponent, turn.cube)
