"""One side alone with few checkers left, where the modifier shows: every play is listed.

With five checkers or more a side cannot be down to its last one in the middle of a turn; with four or fewer
it can, and which plays are allowed depends on the order of the steps. Checkers are the points they stand on,
in ascending order, 25 for the bar; nobody is in the way. The empty tuple has finished.

The plays are those of ``modifier_steps``, listed here on so small a value that it takes a third of the time;
a test holds the two together.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import BAR, HOME, OFF
from adjudicator.rules.dice import ALL_ROLLS, Dice

Points: TypeAlias = tuple[int, ...]

FEW = 4
"""With up to so many checkers the steps of a turn may freeze the last one in mid-turn."""

ONE_DIE_USED = 2
"""Stages of a turn in which one die was used: before it and after it."""


def turn_results(points: Points, dice: Dice, finish: Finish) -> frozenset[Points]:
    """All that the side can leave after a turn with these dice; what it had where no step is allowed.

    A play that finishes is complete whatever dice are left; any other uses as many dice as can be used, and
    the larger one if only one can.

    Source: HE-1.

    >>> turn_results((3, 5), Dice(6, 5), Finish.EXACT)
    frozenset({(3,)})
    """
    frees = dice.is_doublet and finish is Finish.EXACT_OR_DOUBLE
    if dice.is_doublet:
        stages = _stages(points, (dice.high,) * 4, frees=frees)
        return frozenset(stages[-1] | _finished(stages))
    larger_first = _stages(points, (dice.high, dice.low), frees=frees)
    smaller_first = _stages(points, (dice.low, dice.high), frees=frees)
    used = max(len(larger_first), len(smaller_first))
    results = _finished(larger_first) | _finished(smaller_first)
    for stages in (larger_first, smaller_first):
        if len(stages) == used:
            results |= stages[-1]
            if used == ONE_DIE_USED:
                break
    return frozenset(results)


def _stages(points: Points, order: tuple[int, ...], *, frees: bool) -> list[set[Points]]:
    """What can be left after none, one, two... steps with the dice in this order, as far as any play goes."""
    stages = [{points}]
    for die in order:
        reached = {left for way in stages[-1] if way for left in steps(way, die, frees=frees)}
        if not reached:
            break
        stages.append(reached)
    return stages


def _finished(stages: list[set[Points]]) -> set[Points]:
    return {()} if any(() in stage for stage in stages) else set()


def steps(points: Points, die: int, *, frees: bool) -> Iterator[Points]:
    """What one step with ``die`` can leave; ``frees``: of a doublet that bears off a frozen checker.

    Source: HE-1.1 to HE-1.4.
    """
    highest = points[-1]
    if len(points) == 1 and highest <= HOME:
        if frees or highest == die:
            yield ()
        return
    for source in (BAR,) if highest == BAR else sorted(set(points)):
        target = source - die
        if target <= OFF and (highest > HOME or (target < OFF and source != highest)):
            continue
        rest = list(points)
        rest.remove(source)
        yield tuple(sorted([*rest, target] if target > OFF else rest))


class FewValue(NamedTuple):
    """``points`` = 2W + G + H of the best play, and the chance ``win`` (W) that goes with it; H is 1 here."""

    points: float
    win: float


FINISHED = FewValue(4.0, 1.0)


class FewCheckers:
    """Solved values of a side with few checkers, on roll against a frozen last checker."""

    def __init__(self, finish: Finish) -> None:
        self._finish = finish
        self._survival = 1.0 - finish.hazard
        self.value = lru_cache(maxsize=None)(self._value)
        self._results = lru_cache(maxsize=None)(turn_results)

    def _value(self, points: Points, *, some_off: bool) -> FewValue:
        """The value with these checkers left; ``some_off``: the side has borne off one before.

        Only a frozen checker can be left where it was: that part of the sum is solved for.
        """
        gained = won = stays = 0.0
        for dice in ALL_ROLLS:
            chance = dice.chance
            results = self._results(points, dice, self._finish)
            if points in results:
                stays += chance
                continue
            best = max(self._after(left, some_off=some_off or len(left) < len(points)) for left in results)
            gained += chance * best.points
            won += chance * best.win
        return self._with_stays(gained, won, stays, some_off=some_off)

    def _with_stays(self, gained: float, won: float, stays: float, *, some_off: bool) -> FewValue:
        settled, scale = (
            saved_points(some_off=some_off) * (1.0 - self._survival),
            1.0 - stays * self._survival,
        )
        return FewValue((gained + stays * settled) / scale, won / scale)

    def _after(self, points: Points, *, some_off: bool) -> FewValue:
        """The value once the turn has ended with these checkers left: the opponent rolls first."""
        if not points:
            return FINISHED
        value, saved = self.value(points, some_off=some_off), saved_points(some_off=some_off)
        return FewValue(saved + self._survival * (value.points - saved), self._survival * value.win)


def saved_points(*, some_off: bool) -> float:
    """How much of 2W + G + H the opponent can no longer take away: H, and G once a checker is off."""
    return 2.0 if some_off else 1.0
