"""A first estimate where the last checker is not frozen, or may still be hit.

Whatever a side does against a frozen last checker with chance c takes as long as surviving so many of its
rolls: t = log c / log(1 - hazard). Against a checker that still has to come home the same t rolls are
survived with the chance that ``Runner`` gives. To finish, the side first comes down to a frozen checker of
its own, which is then borne off by chance at any time. A shot at the last checker is counted exactly; a hit
sends it to the bar and costs the side that hits nothing; one that misses a frozen checker may stay behind for
another as long as the side has something else to play.
"""

import math
from functools import lru_cache

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.families import ESCAPED
from adjudicator.happy_end.values.race import MEMORY, Chances, Race
from adjudicator.happy_end.values.runner import Runner
from adjudicator.happy_end.values.shots import hitting_chance
from adjudicator.rules.board import (
    BAR,
    HOME,
    OFF,
    Checkers,
    Position,
    checkers_from,
    count_on_board,
    highest_point,
    pip_count,
)
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.plays import legal_plays

MADE = 2
"""So many checkers hold a point."""

SPARE_PIPS = 16
"""A side with so many pips to play elsewhere, two rolls, can stay behind the last checker."""


class Fight:
    """Chances of the side with more checkers (``mine``) against a last checker on ``last``.

    ``last`` is numbered by its owner, 25 the bar.
    """

    def __init__(self, race: Race, finish: Finish) -> None:
        self._race, self._steps = race, modifier_steps(finish)
        self._survival = 1.0 - finish.hazard
        self._log_survival = math.log(self._survival)
        self._frozen_win = finish.hazard / (1.0 - self._survival**2)
        self._runner = Runner(finish)
        self.on_roll = lru_cache(maxsize=MEMORY)(self._on_roll)
        self.after_turn = lru_cache(maxsize=MEMORY)(self._after_turn)

    def _on_roll(self, mine: Checkers, last: int) -> Chances:
        """The chances with ``mine`` to roll; exact where the race is and ``last`` is frozen and passed.

        Raises: ValueError for a side without checkers on the board or with more than 15.
        """
        miss = self._against(mine, last)
        if last == BAR or highest_point(mine) < BAR - last:
            return miss
        shot = hitting_chance(mine, BAR - last)
        hit = self._against(mine, BAR)
        plans = [mix([(shot, hit), (1.0 - shot, miss)])]
        if last <= HOME and pip_count((*mine[: BAR - last], *[0] * (last + 1))) >= SPARE_PIPS:
            plans.append(self._staying_behind(mine, shot, hit))
        return max(plans, key=lambda plan: plan.points)

    def _staying_behind(self, mine: Checkers, shot: float, hit: Chances) -> Chances:
        """Waiting for the shot for as long as the frozen checker is there."""
        sooner = shot / (1.0 - (1.0 - shot) * self._survival)
        lost = lost_now(mine)
        return mix([(sooner, hit), (1.0 - sooner, lost)])

    def _against(self, mine: Checkers, last: int) -> Chances:
        """The race against a last checker wherever it is, as if neither could hit the other."""
        chances = self._race.chances(mine)
        if last <= HOME:
            return chances
        made = sum([count >= MADE for count in mine[1 : HOME + 1]])
        win = self._runner.outlasted(last, self._rolls(chances.win / self._frozen_win), made)
        first_off = self._runner.unfinished(last, self._rolls(chances.first_off), made)
        escaped = self._runner.unfinished(last, self._rolls(chances.escaped), made)
        return Chances(win, max(first_off, win), max(escaped, first_off, win))

    def _rolls(self, chance: float) -> float:
        """How many rolls of a frozen checker are survived with that chance."""
        return max(0.0, math.log(chance) / self._log_survival)

    def _after_turn(self, mine: Checkers, last: int) -> Chances:
        """The chances once ``mine`` has played and the last checker's side is to roll.

        Raises: ValueError for a side without checkers on the board or with more than 15.
        """
        lost = lost_now(mine)
        if last <= HOME:
            return mix([(self._survival, self.on_roll(mine, last)), (1.0 - self._survival, lost)])
        start = Position(checkers_from({last: 1}, sum(mine)), mine)
        return mix([(dice.chance, self._worst(start, dice)) for dice in ALL_ROLLS])

    def _worst(self, start: Position, dice: Dice) -> Chances:
        """The chances of ``start.opponent`` once the last checker has made the best of a roll."""
        results = [play.result for play in legal_plays(start, dice, self._steps)]
        answers = [
            self.on_roll(mine, highest_point(last)) if count_on_board(last) else lost_now(mine)
            for last, mine in results
        ]
        return min(answers, key=lambda chances: chances.points)


def lost_now(mine: Checkers) -> Chances:
    """The chances once the last checker is off: what is saved is saved."""
    if mine[OFF]:
        return Chances(0.0, 1.0, 1.0)
    return Chances(0.0, 0.0, 0.0 if any(mine[ESCAPED + 1 :]) else 1.0)


def mix(parts: list[tuple[float, Chances]]) -> Chances:
    """The mean of chances by their weights, which add up to 1."""
    return Chances(*[sum([weight * chances[index] for weight, chances in parts]) for index in range(3)])
