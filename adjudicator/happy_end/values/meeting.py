"""A first estimate of one position where the last checker is not frozen, or may still be hit.

Whatever a side does against a frozen last checker with chance c takes as long as surviving so many of its
rolls: t = log c / log(1 - hazard). Against a checker that still has to come home the same t rolls are
survived with the chance that ``Runner`` gives. To finish, the side first comes down to a frozen checker of
its own, which is then borne off by chance at any time. A shot at the last checker is counted exactly; a hit
sends it to the bar and costs the side that hits nothing; one that misses a frozen checker may stay behind for
another as long as the side has something else to play.
"""

import math
from functools import lru_cache
from typing import NamedTuple

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import ESCAPED
from adjudicator.happy_end.values.runner import Runner
from adjudicator.happy_end.values.shots import hitting_chance
from adjudicator.rules.board import BAR, HOME, OFF, Checkers, highest_point, pip_count

MADE = 2
"""So many checkers hold a point."""

MEMORY = 1 << 16
"""How many answers are remembered."""

SPARE_PIPS = 16
"""A side with so many pips to play elsewhere, two rolls, can stay behind the last checker."""


class Estimate(NamedTuple):
    """The chances of one position, as ``Chances``."""

    win: float
    first_off: float
    escaped: float

    @property
    def points(self) -> float:
        """The expected points: +1 a win, -1, -2, -3 a single loss, gammon, backgammon."""
        return 2.0 * self.win + self.first_off + self.escaped - 3.0


class Meeting:
    """Estimates what the side with more checkers (``mine``), on roll, gets done against a last checker.

    ``last`` is where that one is, numbered by its owner, 25 the bar. ``race`` are the chances of ``mine`` if
    it were frozen and out of the way.
    """

    def __init__(self, finish: Finish) -> None:
        self._survival = 1.0 - finish.hazard
        self._log_survival = math.log(self._survival)
        self._frozen_win = finish.hazard / (1.0 - self._survival**2)
        self._runner = Runner(finish)
        self.on_roll = lru_cache(maxsize=MEMORY)(self._on_roll)

    def _on_roll(self, mine: Checkers, last: int, race: Estimate) -> Estimate:
        """The chances with ``mine`` to roll."""
        miss = self._against(mine, last, race)
        if last == BAR or highest_point(mine) < BAR - last:
            return miss
        shot = hitting_chance(mine, BAR - last)
        hit = self._against(mine, BAR, race)
        plans = [_mixed(shot, hit, miss)]
        if last <= HOME and pip_count((*mine[: BAR - last], *[0] * (last + 1))) >= SPARE_PIPS:
            plans.append(self._staying_behind(mine, shot, hit))
        return max(plans, key=lambda plan: plan.points)

    def _staying_behind(self, mine: Checkers, shot: float, hit: Estimate) -> Estimate:
        """Waiting for the shot for as long as the frozen checker is there."""
        sooner = shot / (1.0 - (1.0 - shot) * self._survival)
        return _mixed(sooner, hit, _lost_now(mine))

    def _against(self, mine: Checkers, last: int, race: Estimate) -> Estimate:
        """The race against a last checker wherever it is, as if neither could hit the other."""
        if last <= HOME:
            return race
        made = sum([count >= MADE for count in mine[1 : HOME + 1]])
        win = self._runner.outlasted(last, self._rolls(race.win / self._frozen_win), made)
        first_off = self._runner.unfinished(last, self._rolls(race.first_off), made)
        escaped = self._runner.unfinished(last, self._rolls(race.escaped), made)
        return Estimate(win, max(first_off, win), max(escaped, first_off, win))

    def _rolls(self, chance: float) -> float:
        """How many rolls of a frozen checker are survived with that chance."""
        return max(0.0, math.log(chance) / self._log_survival)


def _lost_now(mine: Checkers) -> Estimate:
    """The chances once the last checker is off: what is saved is saved."""
    if mine[OFF]:
        return Estimate(0.0, 1.0, 1.0)
    return Estimate(0.0, 0.0, 0.0 if any(mine[ESCAPED + 1 :]) else 1.0)


def _mixed(weight: float, one: Estimate, other: Estimate) -> Estimate:
    """One with that weight, the other with the rest."""
    return Estimate(*[weight * here + (1.0 - weight) * there for here, there in zip(one, other, strict=True)])
