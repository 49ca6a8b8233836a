"""How long a sole checker takes to come home and be borne off, by rolls of its own."""

import math
from collections.abc import Sequence
from typing import TypeAlias

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.few import FewCheckers, turn_results
from adjudicator.rules.board import BAR, HOME
from adjudicator.rules.dice import ALL_ROLLS

ROLLS = 64
"""Followed for so many rolls; after that a frozen checker's hazard is all that is left."""

LENGTH = 2 * ROLLS
"""Kept for longer, since a curve is a mean over later parts of another."""

Curve: TypeAlias = list[float]
"""A chance by whole numbers of rolls."""


class Runner:
    """A sole checker that plays to finish soonest; the only thing in its way is a board it has to enter.

    In the methods ``point`` is where it stands, ``rolls`` may lie between whole numbers, where chances fall
    geometrically, and ``made`` is how many points of its home board the opponent holds, which matters from
    the bar only.
    """

    def __init__(self, finish: Finish) -> None:
        self._hazard = finish.hazard
        few = FewCheckers(finish)
        free = [[(1.0 - self._hazard) ** rolls for rolls in range(LENGTH)]] * (HOME + 1)
        for point in range(HOME + 1, BAR + 1):
            free.append(_free_curve(point, free, few, finish))
        self._unfinished = free[:BAR] + [_entering_curve(free[BAR], made) for made in range(HOME + 1)]
        self._outlasted = [self._outlasting_curve(curve) for curve in self._unfinished]

    def unfinished(self, point: int, rolls: float, made: int) -> float:
        """The chance that the checker is still on the board after so many rolls."""
        return _read(self._unfinished[point + (made if point == BAR else 0)], rolls)

    def outlasted(self, point: int, rolls: float, made: int) -> float:
        """The chance that a frozen checker of the other side, to roll after ``rolls``, is off before it."""
        return _read(self._outlasted[point + (made if point == BAR else 0)], rolls)

    def _outlasting_curve(self, unfinished: Curve) -> Curve:
        """The mean of the chance to be unfinished when the other side's frozen checker is borne off."""
        curve = list(unfinished)
        later = unfinished[-1] * self._hazard / (1.0 - (1.0 - self._hazard) ** 2)
        for rolls in reversed(range(LENGTH)):
            later = self._hazard * unfinished[rolls] + (1.0 - self._hazard) * later
            curve[rolls] = later
        return curve


def _read(curve: Curve, rolls: float) -> float:
    """A curve between its entries; past ``ROLLS`` it goes on falling as it does there."""
    whole = min(int(rolls), ROLLS)
    near, far = curve[whole], curve[whole + 1]
    return near * math.pow(far / near, rolls - whole)


def _free_curve(point: int, nearer: Sequence[Curve], few: FewCheckers, finish: Finish) -> Curve:
    """Unfinished from a point outside the home board, unhindered; ``nearer`` are the curves of all below."""
    curve = [1.0] + [0.0] * (LENGTH - 1)
    for dice in ALL_ROLLS:
        results = turn_results((point,), dice, finish)
        if () in results:
            continue
        (best,) = max(results, key=lambda left: (few.value(left, some_off=True).win, left))
        chance = dice.chance
        for rolls in range(1, LENGTH):
            curve[rolls] += chance * nearer[best][rolls - 1]
    return curve


def _entering_curve(unhindered: Curve, made: int) -> Curve:
    """Unfinished from the bar against so many points made, one of them given up every second roll."""
    waiting, curve = 1.0, [0.0] * LENGTH
    for waited in range(LENGTH):
        enters = 1.0 - (max(0, made - waited // 2) / HOME) ** 2
        curve[waited] += waiting
        for rolls in range(waited + 1, LENGTH):
            curve[rolls] += waiting * enters * unhindered[rolls - waited]
        waiting *= 1.0 - enters
    return curve
