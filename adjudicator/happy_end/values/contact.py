"""The chances where the last checker is not frozen, or may still be hit, for many positions at once.

With the side with more checkers on roll a trained net tells them. The roll of a last checker that runs,
which has no more than two plays, is looked ahead.
"""

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import (
    ESCAPED,
    Chances,
    Floats,
    Mask,
    Places,
    Rows,
    holds_none,
    lost_now,
)
from adjudicator.happy_end.values.duel import duel_slot
from adjudicator.happy_end.values.features import contact_inputs
from adjudicator.happy_end.values.last_roll import LastRoll
from adjudicator.happy_end.values.net import Learned, positive
from adjudicator.happy_end.values.race import Race, told
from adjudicator.happy_end.values.tables import Tables
from adjudicator.rules.board import BAR, HOME, OFF


class Fight:
    """Chances of a side with any number of checkers (``rows``) against a last checker on ``lasts``.

    ``lasts`` are numbered by their owner, 25 the bar.
    """

    def __init__(self, tables: Tables, race: Race, net: Learned, finish: Finish) -> None:
        self._duel, self._race, self._net = tables.duel, race, net
        self._survival = 1.0 - finish.hazard
        self._last_roll = LastRoll(finish)

    def on_roll(self, rows: Rows, lasts: Places) -> Chances:
        """The chances with the side on roll."""
        chances = Chances.empty(len(rows))
        alone, racing = is_alone(rows), is_racing(rows, lasts)
        meeting = ~(alone | racing)
        if alone.any():
            chances.put(alone, self._in_duel(rows[alone], lasts[alone], is_on_roll=True))
        if racing.any():
            chances.put(racing, self._race.chances(rows[racing]))
        if meeting.any():
            chances.put(meeting, self.told_by(self._net, rows[meeting], lasts[meeting]))
        return chances

    def after_turn(self, rows: Rows, lasts: Places) -> Chances:
        """The chances once the side has played and the last checker's side is to roll."""
        chances = Chances.empty(len(rows))
        alone = is_alone(rows)
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

    def inputs(self, rows: Rows, lasts: Places) -> Floats:
        """What the nets are shown of positions."""
        return contact_inputs(rows, lasts, self.race_times(rows))

    def race_times(self, rows: Rows) -> Floats:
        """How a race would go with nobody in the way; who is on the bar begins on the furthest point."""
        entered = rows.copy()
        entered[:, BAR - 1] += entered[:, BAR]
        entered[:, BAR] = 0
        return self._race.times(entered)

    def told_by(self, net: Learned, rows: Rows, lasts: Places) -> Chances:
        """The chances that a net tells, shown these positions."""
        times = positive(net.outputs(self.inputs(rows, lasts)))
        return told(times, rows[:, OFF] > 0, is_escaped(rows, lasts))

    def _in_duel(self, rows: Rows, lasts: Places, *, is_on_roll: bool) -> Chances:
        """Both sides have one checker left, so neither can lose a gammon."""
        own, ones = highest_points(rows), np.ones(len(rows))
        if is_on_roll:
            return Chances(self._duel[duel_slot(own, lasts)], ones, ones)
        return Chances(1.0 - self._duel[duel_slot(lasts, own)], ones, ones)


def is_alone(rows: Rows) -> Mask:
    """Whether the side has a single checker itself."""
    alone: Mask = rows[:, 1:].sum(axis=1) == 1
    return alone


def is_racing(rows: Rows, lasts: Places) -> Mask:
    """Whether the last checker is frozen and passed, the side having more than one."""
    return ~is_alone(rows) & (lasts <= HOME) & is_passed(rows, lasts)


def is_escaped(rows: Rows, lasts: Places) -> Mask:
    """Whether nobody is left in the last checker's home board, and nobody can be sent back there."""
    return is_passed(rows, lasts) & holds_none(rows[:, ESCAPED + 1 :])


def is_passed(rows: Rows, lasts: Places) -> Mask:
    """Whether neither side can hit the other any more."""
    passed: Mask = highest_points(rows) < BAR - lasts
    return passed


def highest_points(rows: Rows) -> Places:
    """The highest occupied point of each board, 25 the bar; 0 where nothing is left."""
    occupied = rows[:, :OFF:-1] > 0
    return np.where(occupied.any(axis=1), BAR - occupied.argmax(axis=1), OFF)
