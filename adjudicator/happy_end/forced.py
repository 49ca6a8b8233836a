"""Whether the winner of a playout hangs on any choice (HE-7.7)."""

from collections.abc import Iterator
from typing import TypeAlias

from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.series import DiceSeries
from adjudicator.rules.board import Position, count_on_board
from adjudicator.rules.plays import DieSteps, legal_plays
from adjudicator.rules.sides import Side

STATE_LIMIT = 20_000
"""How many different states are looked at before the question is left open."""

_State: TypeAlias = tuple[Position, Side, int]
"""The position seen by the side on roll, that side, and the roll of the game it uses, from 1."""


def is_winner_forced(start: LastChecker, series: DiceSeries, finish: Finish) -> bool | None:
    """Whether all legal plays of both sides with the given series lead to one and the same end.

    The end may also be that nobody ever finishes. ``None`` where more than ``STATE_LIMIT`` states would have
    to be looked at.

    Source: HE-7.7.
    """
    steps = modifier_steps(finish)
    ends: set[Side | None] = set()
    root: _State = (start.position, start.on_roll, series.first_roll)
    under_way = {root}
    done: set[_State] = set()
    path: list[tuple[_State, Iterator[_State | Side]]] = [(root, _following(root, series, steps))]
    while path:
        state, successors = path[-1]
        successor = next(successors, None)
        if successor is None:
            path.pop()
            under_way.discard(state)
            done.add(state)
        elif isinstance(successor, Side):
            ends.add(successor)
        elif successor in under_way:
            ends.add(None)  # the state comes back: these plays never finish the game
        elif successor not in done:
            under_way.add(successor)
            path.append((successor, _following(successor, series, steps)))
        if len(ends) > 1:
            return False
        if len(done) + len(under_way) > STATE_LIMIT:
            return None
    return True


def _following(state: _State, series: DiceSeries, steps: DieSteps) -> Iterator[_State | Side]:
    """The states that the legal plays of a state lead to; the winner in place of a finished game."""
    position, side, roll = state
    next_roll = roll % len(series.rolls) + 1
    for play in legal_plays(position, series.dice_of(roll), steps):
        if count_on_board(play.result.own):
            yield play.result.swapped(), side.opponent, next_roll
        else:
            yield side
