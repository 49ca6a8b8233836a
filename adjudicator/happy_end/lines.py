"""All lines of play with a given dice series: states, the plays that lead on, and what is settled early."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from adjudicator.happy_end.modifier import is_frozen
from adjudicator.happy_end.series import DiceSeries
from adjudicator.rules.board import (
    HOME,
    Checkers,
    Position,
    count_on_board,
    has_contact,
    highest_point,
    pip_count,
)
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import DieSteps, Play, legal_plays
from adjudicator.rules.sides import Side

State: TypeAlias = tuple[Position, Side, int]
"""The position seen by the side on roll, that side, and the roll of the game it uses, from 1."""


class _Supply(NamedTuple):
    """What a side has to finish with: so many single dice, with so many pips."""

    dice: int = 0
    pips: int = 0

    def plus(self, roll: Dice) -> "_Supply":
        return _Supply(self.dice + len(roll.numbers), self.pips + roll.pips)


class Lines:
    """All lines of play with one series."""

    def __init__(self, series: DiceSeries, steps: DieSteps) -> None:
        self._series = series
        self._steps = steps
        self._supplies: dict[tuple[int, int, bool], _Supply | None] = {}

    def plays(self, state: State) -> list[Play]:
        """The legal plays of a state."""
        position, _, roll = state
        return legal_plays(position, self._series.dice_of(roll), self._steps)

    def after(self, state: State, play: Play) -> State:
        """The state that a play of a state leads to; nothing is said of a game that it ends."""
        _, side, roll = state
        return play.result.swapped(), side.opponent, self._series.roll_after(roll)

    def following(self, state: State) -> Iterator[State | Side]:
        """The states that the legal plays of a state lead to; the winner in place of a settled game."""
        winner = self._settled(state)
        if winner is not None:
            yield winner
            return
        for play in self.plays(state):
            yield self.after(state, play) if count_on_board(play.result.own) else state[1]

    def _settled(self, state: State) -> Side | None:
        """The side that wins whatever both play: frozen, past all contact, and not to be overtaken.

        Which turn bears a frozen checker off is known from the series. Until then the other side has so many
        dice with so many pips, and that is not enough for its checkers, however it plays.
        """
        position, side, roll = state
        if has_contact(position):
            return None
        for frozen_side, frozen in ((side, position), (side.opponent, position.swapped())):
            if is_frozen(frozen):
                supply = self._supply_before_finish(frozen, roll, is_on_roll=frozen_side is side)
                if supply is not None and not _may_finish(frozen.opponent, supply):
                    return frozen_side
        return None

    def _supply_before_finish(self, frozen: Position, roll: int, *, is_on_roll: bool) -> _Supply | None:
        """What the other side gets before the frozen checker is borne off, ``None`` if that never comes."""
        key = highest_point(frozen.own), roll, is_on_roll
        if key not in self._supplies:
            self._supplies[key] = self._count_supply(frozen, roll, is_on_roll=is_on_roll)
        return self._supplies[key]

    def _count_supply(self, frozen: Position, roll: int, *, is_on_roll: bool) -> _Supply | None:
        supply = _Supply()
        for _ in range(2 * len(self._series.rolls)):
            dice = self._series.dice_of(roll)
            if not is_on_roll:
                supply = supply.plus(dice)
            elif any(self._steps(frozen, die, dice.is_doublet) for die in dice):
                return supply
            is_on_roll = not is_on_roll
            roll = self._series.roll_after(roll)
        return None


def _may_finish(checkers: Checkers, supply: _Supply) -> bool:
    """Whether so many dice and pips may be enough for these checkers; no play can do more.

    A doublet may bear the last checker off by a smaller die, which saves it up to five pips.
    """
    return supply.dice >= count_on_board(checkers) and supply.pips >= pip_count(checkers) - (HOME - 1)
