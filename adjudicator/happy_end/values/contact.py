"""The chances where the last checker is not frozen, or may still be hit, for many positions at once.

With the side with more checkers on roll they are a first estimate (``meeting``); the roll of a last checker
that runs, which has no more than two plays, is always looked ahead.
"""

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Chances, Places, Rows, lost_now
from adjudicator.happy_end.values.duel import duel_slot
from adjudicator.happy_end.values.last_roll import LastRoll
from adjudicator.happy_end.values.meeting import Estimate, Meeting
from adjudicator.happy_end.values.race import Race
from adjudicator.happy_end.values.tables import Tables
from adjudicator.rules.board import BAR, HOME, OFF


class Fight:
    """Chances of a side with any number of checkers (``rows``) against a last checker on ``lasts``.

    ``lasts`` are numbered by their owner, 25 the bar.
    """

    def __init__(self, tables: Tables, race: Race, finish: Finish) -> None:
        self._duel, self._race = tables.duel, race
        self._survival = 1.0 - finish.hazard
        self._last_roll = LastRoll(finish)
        self._meeting = Meeting(finish)

    def on_roll(self, rows: Rows, lasts: Places) -> Chances:
        """The chances with the side on roll."""
        chances = Chances.empty(len(rows))
        alone = rows[:, 1:].sum(axis=1) == 1
        racing = ~alone & (lasts <= HOME) & (highest_points(rows) < BAR - lasts)
        meeting = ~(alone | racing)
        if alone.any():
            chances.put(alone, self._in_duel(rows[alone], lasts[alone], is_on_roll=True))
        if racing.any():
            chances.put(racing, self._race.chances(rows[racing]))
        if meeting.any():
            chances.put(meeting, self._estimated(rows[meeting], lasts[meeting]))
        return chances

    def after_turn(self, rows: Rows, lasts: Places) -> Chances:
        """The chances once the side has played and the last checker's side is to roll."""
        chances = Chances.empty(len(rows))
        alone = rows[:, 1:].sum(axis=1) == 1
        frozen = ~alone & (lasts <= HOME)
        running = ~(alone | frozen)
        if alone.any():
            chances.put(alone, self._in_duel(rows[alone], lasts[alone], is_on_roll=False))
        if frozen.any():
            still = self.on_roll(rows[frozen], lasts[frozen])
            chances.put(frozen, still.mixed(self._survival, lost_now(rows[frozen])))
        if running.any():
            chances.put(running, self._last_roll.mean_of_worst(rows[running], lasts[running], self.on_roll))
        return chances

    def _estimated(self, rows: Rows, lasts: Places) -> Chances:
        """What is estimated with the side on roll; its checkers on the bar race from the next point."""
        entered = rows.copy()
        entered[:, BAR - 1] += entered[:, BAR]
        entered[:, BAR] = 0
        races = zip(*[part.tolist() for part in self._race.chances(entered)], strict=True)
        estimates = [
            self._meeting.on_roll(tuple(mine), last, Estimate(*race))
            for mine, last, race in zip(rows.tolist(), lasts.tolist(), races, strict=True)
        ]
        return Chances(*[np.array(part) for part in zip(*estimates, strict=True)])

    def _in_duel(self, rows: Rows, lasts: Places, *, is_on_roll: bool) -> Chances:
        """Both sides have one checker left, so neither can lose a gammon."""
        own, ones = highest_points(rows), np.ones(len(rows))
        if is_on_roll:
            return Chances(self._duel[duel_slot(own, lasts)], ones, ones)
        return Chances(1.0 - self._duel[duel_slot(lasts, own)], ones, ones)


def highest_points(rows: Rows) -> Places:
    """The highest occupied point of each board, 25 the bar; 0 where nothing is left."""
    occupied = rows[:, :OFF:-1] > 0
    return np.where(occupied.any(axis=1), BAR - occupied.argmax(axis=1), OFF)
