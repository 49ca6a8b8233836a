"""How long a sole checker takes to come home and be borne off: its chance not to have finished, by rolls."""

import math

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.few import FewCheckers, turn_results
from adjudicator.rules.board import BAR, HOME
from adjudicator.rules.dice import ALL_ROLLS

ROLLS = 64
"""Followed for so many rolls; after that a frozen checker's hazard is all that is left."""


class Runner:
    """A sole checker that plays to finish soonest; the only thing in its way is a board it has to enter."""

    def __init__(self, finish: Finish) -> None:
        self._survival = 1.0 - finish.hazard
        frozen = [self._survival**rolls for rolls in range(ROLLS + 1)]
        self._curves = [frozen] * (HOME + 1)
        few = FewCheckers(finish)
        for point in range(HOME + 1, BAR + 1):
            self._curves.append(self._curve(point, few, finish))
        self._entering = [self._curve_from_bar(made) for made in range(HOME + 1)]

    def unfinished(self, point: int, rolls: float, made: int) -> float:
        """The chance still to be on the board after so many rolls of its own.

        ``rolls`` may lie between whole numbers, where the chance falls geometrically; ``made`` is how many
        points of its home board the opponent holds, which matters from the bar only.
        """
        curve = self._entering[made] if point == BAR else self._curves[point]
        whole = min(int(rolls), ROLLS - 1)
        part = min(rolls - whole, 1.0)
        beyond = max(0.0, rolls - ROLLS)
        near, far = curve[whole], curve[whole + 1]
        between = near * math.pow(far / near, part) if far else 0.0
        return between * math.pow(self._survival, beyond)

    def _curve(self, point: int, few: FewCheckers, finish: Finish) -> list[float]:
        """From a point outside the home board, unhindered, by number of rolls."""
        curve = [1.0] + [0.0] * ROLLS
        for dice in ALL_ROLLS:
            results = turn_results((point,), dice, finish)
            if () in results:
                continue
            (best,) = max(results, key=lambda left: (few.value(left, some_off=True).win, left))
            weight = 1 if dice.is_doublet else 2
            for rolls in range(1, ROLLS + 1):
                curve[rolls] += weight / 36 * self._curves[best][rolls - 1]
        return curve

    def _curve_from_bar(self, made: int) -> list[float]:
        """From the bar against so many points made, one of which is given up every second roll."""
        waiting, curve = 1.0, [0.0] * (ROLLS + 1)
        for waited in range(ROLLS + 1):
            enters = 1.0 - (max(0, made - waited // 2) / HOME) ** 2
            curve[waited] += waiting
            for rolls in range(waited + 1, ROLLS + 1):
                curve[rolls] += waiting * enters * self._curves[BAR][rolls - waited]
            waiting *= 1.0 - enters
        return curve
