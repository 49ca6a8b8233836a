"""The chances of a side on roll against a frozen last checker, nobody in the way: looked up or estimated."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.families import (
    CHECKERS,
    ESCAPED,
    HOME_LATTICE,
    LAST_RUNNER_POINT,
    REST_LATTICE,
)
from adjudicator.happy_end.values.tables import FAR_LATTICE, FAR_POINT, FEW_LATTICE, Tables
from adjudicator.rules.board import HOME, OFF, Checkers, count_on_board, highest_point
from adjudicator.rules.dice import ALL_ROLLS

MEMORY = 1 << 16
"""How many answers are remembered."""


class Prices(NamedTuple):
    """What pulling a checker in costs ``win`` and ``first_off``, in pips of a long way.

    The first is the price of the pip next to the limit, the next of the one behind, and so on; all further
    ones cost 1. A short way costs less than its pips since every checker takes a step to come in anyway.
    Fitted by least squares to exact tables of fewer checkers on more points, both finishes alike:
    ``python bench/values.py prices``.
    """

    win: tuple[float, ...]
    first_off: tuple[float, ...]


PRICES = {
    HOME: Prices(
        (1.22, 0.83, 0.88, 0.90, 0.99, 1.02, 1.10, 0.93), (2.45, 0.57, 0.63, 0.60, 0.79, 0.89, 1.50, 0.74)
    ),
    FAR_POINT: Prices((0.68, 0.90, 0.99, 1.03, 1.10, 0.94), (0.17, 0.60, 0.78, 0.92, 1.50, 0.75)),
}
"""By the point up to which a table knows."""


class Chances(NamedTuple):
    """What a side gets done before the opponent's last checker is off: W <= G <= H.

    ``win`` (W): finish. ``first_off`` (G): save the gammon by bearing off a checker, certain where one is
    off. ``escaped`` (H): save the backgammon by bearing off a checker or having none left in the opponent's
    home board and on the bar.
    """

    win: float
    first_off: float
    escaped: float

    @property
    def points(self) -> float:
        """The expected points: +1 a win, -1, -2, -3 a single loss, gammon, backgammon."""
        return 2.0 * self.win + self.first_off + self.escaped - 3.0


class Race:
    """Looks up what is solved and estimates the rest."""

    def __init__(self, tables: Tables, finish: Finish) -> None:
        self._tables = tables
        self._pip_discount = pip_discount(1.0 - finish.hazard)
        self.chances = lru_cache(maxsize=MEMORY)(self._chances)

    def _chances(self, checkers: Checkers) -> Chances:
        """The chances with these checkers, on roll.

        Exact for all checkers at home, for 15 on points up to ``FAR_POINT``, for 15 of which one is outside,
        and for one or two checkers of which others are off. Otherwise checkers beyond the solved points are
        pulled in at the cost of ``PRICES``.

        Raises: ValueError for a side without checkers on the board or with more than 15.
        """
        if not 0 < count_on_board(checkers) <= CHECKERS:
            raise ValueError(
                f"{count_on_board(checkers)} checkers on the board, 1 to {CHECKERS} are possible"
            )
        highest = highest_point(checkers)
        if highest <= HOME:
            return self._at_home(checkers)
        if checkers[OFF]:
            return self._with_some_off(checkers)
        if count_on_board(checkers) < CHECKERS:
            return self._pulled_in(checkers, HOME)
        if highest <= FAR_POINT:
            slot = FAR_LATTICE.slot(checkers[1 : FAR_POINT + 1])
            return self._fresh(self._tables.far_win[slot], self._tables.far_first_off[slot], 1.0)
        if highest <= LAST_RUNNER_POINT and sum(checkers[1 : HOME + 1]) == CHECKERS - 1:
            return self._with_runner(checkers, highest)
        return self._pulled_in(checkers, FAR_POINT)

    def _at_home(self, checkers: Checkers) -> Chances:
        on_board = checkers[1 : HOME + 1]
        slot = HOME_LATTICE.slot((CHECKERS - sum(on_board), *on_board))
        if checkers[OFF]:
            return Chances(float(self._tables.home_win[slot]), 1.0, 1.0)
        return self._fresh(self._tables.fresh_win[slot], self._tables.fresh_first_off[slot], 1.0)

    def _with_runner(self, checkers: Checkers, runner: int) -> Chances:
        slot = (runner - HOME - 1) * REST_LATTICE.size + REST_LATTICE.slot(checkers[1 : HOME + 1])
        first_off = self._tables.runner_first_off[slot]
        return self._fresh(self._tables.runner_win[slot], first_off, self._escaped(checkers))

    def _with_some_off(self, checkers: Checkers) -> Chances:
        on_board = count_on_board(checkers)
        if on_board > FEW_LATTICE.checkers:
            return self._pulled_in(checkers, HOME)
        slot = FEW_LATTICE.slot((FEW_LATTICE.checkers - on_board, *checkers[1:]))
        return Chances(float(self._tables.few_win[slot]), 1.0, 1.0)

    def _pulled_in(self, checkers: Checkers, limit: int) -> Chances:
        """As if all checkers beyond ``limit`` stood on it, each pip between having its price."""
        near, escaped = self._chances(pull_in(checkers, limit)), self._escaped(checkers)
        beyond, prices = checkers[limit + 1 :], PRICES[limit]
        win = near.win * self._pip_discount ** cost(beyond, prices.win)
        first_off = near.first_off * self._pip_discount ** cost(beyond, prices.first_off)
        return Chances(win, 1.0 if checkers[OFF] else min(max(first_off, win), escaped), escaped)

    def _escaped(self, checkers: Checkers) -> float:
        """The chance to clear the opponent's home board if nothing else mattered; the bar counts as 24.

        A side that has borne off a checker cannot lose a backgammon any more.
        """
        *behind, deepest, bar = checkers[ESCAPED + 1 :]
        count = sum(behind) + deepest + bar
        if not count or checkers[OFF]:
            return 1.0
        return float(self._tables.escape[HOME_LATTICE.slot((CHECKERS - count, *behind, deepest + bar))])

    @staticmethod
    def _fresh(win: float, first_off: float, escaped: float) -> Chances:
        """Chances of a side that has borne off none; the last bits of a sum may not break their order."""
        bounded = min(float(escaped), 1.0)
        return Chances(float(win), min(float(first_off), bounded), bounded)


def pull_in(checkers: Checkers, limit: int) -> Checkers:
    """The checkers with all that are beyond ``limit`` put on it."""
    beyond = checkers[limit + 1 :]
    return (*checkers[:limit], checkers[limit] + sum(beyond), *[0] * len(beyond))


def cost(beyond: Checkers, prices: Sequence[float]) -> float:
    """What it costs to pull in checkers, their counts given from the point behind the limit on.

    >>> cost((1, 0, 0, 1), (0.5, 0.75))
    3.75
    """
    total = 0.0
    still_out = sum(beyond)
    for count, price in zip_longest(beyond, prices[: len(beyond)], fillvalue=1.0):
        total += still_out * price
        still_out -= int(count)
    return total


def pip_discount(survival: float) -> float:
    """What one more pip of a long way multiplies a chance by.

    Far from home the turns that a way takes form a renewal process, so the chance falls geometrically by
    pips: with x per pip it must be that survival * mean of x**-pips(roll) = 1. Found by bisection.
    ``survival`` is the chance that a roll of the opponent does not end the game.
    """
    low, high = 0.5, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if survival * _mean_growth(middle) > 1.0:
            low = middle
        else:
            high = middle
    return high


def _mean_growth(discount: float) -> float:
    """The mean over all rolls of discount to the power of minus the pips of the roll."""
    return sum(dice.chance * discount**-dice.pips for dice in ALL_ROLLS)
