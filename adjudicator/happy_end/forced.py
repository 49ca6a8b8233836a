"""Whether the winner of a playout hangs on any choice (HE-7.7)."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.modifier import is_frozen, modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.series import DiceSeries
from adjudicator.rules.board import HOME, Checkers, Position, count_on_board, has_contact, pip_count
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import DieSteps, legal_plays
from adjudicator.rules.sides import Side

STATE_LIMIT = 10_000
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
    path = [(root, _following(root, series, steps))]
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
    """The states that the legal plays of a state lead to; the winner in place of a game that is settled."""
    position, side, roll = state
    winner = _settled(state, series, steps)
    if winner is not None:
        yield winner
        return
    next_roll = series.roll_after(roll)
    for play in legal_plays(position, series.dice_of(roll), steps):
        if count_on_board(play.result.own):
            yield play.result.swapped(), side.opponent, next_roll
        else:
            yield side


def _settled(state: _State, series: DiceSeries, steps: DieSteps) -> Side | None:
    """The side that wins whatever both play: frozen, past all contact, and not to be overtaken.

    Which turn bears a frozen checker off is known from the series. Until then the other side has so many
    dice with so many pips, and that is not enough for its checkers, however it plays.
    """
    position, side, roll = state
    if has_contact(position):
        return None
    for frozen_side, frozen in ((side, position), (side.opponent, position.swapped())):
        if is_frozen(frozen):
            rolls = _rolls_before_finish(frozen, series, roll, steps, is_on_roll=frozen_side is side)
            if rolls is not None and not _may_finish(frozen.opponent, rolls):
                return frozen_side
    return None


def _rolls_before_finish(
    frozen: Position, series: DiceSeries, roll: int, steps: DieSteps, *, is_on_roll: bool
) -> list[Dice] | None:
    """The other side's rolls before the one that bears the frozen checker off, ``None`` if none ever does."""
    others: list[Dice] = []
    frozen_rolls = is_on_roll
    for _ in range(2 * len(series.rolls)):
        dice = series.dice_of(roll)
        if not frozen_rolls:
            others.append(dice)
        elif any(steps(frozen, die, dice.is_doublet) for die in dice):
            return others
        frozen_rolls = not frozen_rolls
        roll = series.roll_after(roll)
    return None


def _may_finish(checkers: Checkers, rolls: Sequence[Dice]) -> bool:
    """Whether so many dice and pips may be enough for these checkers; no play can do more.

    A doublet may bear the last checker off by a smaller die, which saves it up to five pips.
    """
    dice = sum(len(roll.numbers) for roll in rolls)
    pips = sum(roll.pips for roll in rolls)
    return dice >= count_on_board(checkers) and pips >= pip_count(checkers) - (HOME - 1)
