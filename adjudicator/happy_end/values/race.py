"""The chances of a side on roll against a frozen last checker, nobody in the way: looked up or learned."""

import numpy as np

from adjudicator.happy_end.values.chances import ESCAPED, Chances, Floats, Mask, Rows, holds_none
from adjudicator.happy_end.values.families import CHECKERS, HOME_LATTICE, LAST_RUNNER_POINT, REST_LATTICE
from adjudicator.happy_end.values.features import race_inputs
from adjudicator.happy_end.values.net import Learned, decayed, positive
from adjudicator.happy_end.values.tables import FAR_LATTICE, FAR_POINT, FEW_LATTICE, Tables
from adjudicator.rules.board import HOME, OFF


class Race:
    """Looks up what is solved; the net tells the rest.

    Solved: all checkers at home, 15 on points up to ``FAR_POINT``, 15 of which one is outside, and one or two
    checkers of which others are off.
    """

    def __init__(self, tables: Tables, net: Learned) -> None:
        self._tables, self._net = tables, net
        self._look_ups = (self._at_home, self._not_far, self._with_runner, self._few)

    def chances(self, rows: Rows) -> Chances:
        """The chances with these checkers, on roll."""
        chances = Chances.empty(len(rows))
        unknown = np.ones(len(rows), dtype=np.bool_)
        for look_up, holds in zip(self._look_ups, _held_by(rows), strict=True):
            where = np.flatnonzero(unknown & holds)
            if len(where):
                chances.put(where, look_up(rows[where]))
                unknown[where] = False
        if unknown.any():
            chances.put(unknown, self.learned(rows[unknown]))
        return chances

    def learned(self, rows: Rows) -> Chances:
        """What the net tells, also where a table knows."""
        return told(self.times(rows), rows[:, OFF] > 0, holds_none(rows[:, ESCAPED + 1 :]))

    def times(self, rows: Rows) -> Floats:
        """The times that the net tells, a row a position: see ``told``."""
        return positive(self._net.outputs(race_inputs(rows)))

    def _at_home(self, rows: Rows) -> Chances:
        slots = HOME_LATTICE.slots(_with_off(rows[:, 1 : HOME + 1], CHECKERS))
        some_off = rows[:, OFF] > 0
        return Chances(
            np.where(some_off, self._tables.home_win[slots], self._tables.fresh_win[slots]),
            np.where(some_off, 1.0, np.minimum(self._tables.fresh_first_off[slots], 1.0)),
            np.ones(len(rows)),
        )

    def _not_far(self, rows: Rows) -> Chances:
        slots = FAR_LATTICE.slots(rows[:, 1 : FAR_POINT + 1])
        first_off = np.minimum(self._tables.far_first_off[slots], 1.0)
        return Chances(self._tables.far_win[slots], first_off, np.ones(len(rows)))

    def _with_runner(self, rows: Rows) -> Chances:
        runner = rows[:, HOME + 1 :].argmax(axis=1)
        slots = runner * REST_LATTICE.size + REST_LATTICE.slots(rows[:, 1 : HOME + 1])
        behind = _with_off(rows[:, ESCAPED + 1 : ESCAPED + HOME + 1], CHECKERS)
        escaped = np.minimum(self._tables.escape[HOME_LATTICE.slots(behind)], 1.0)
        first_off = np.minimum(self._tables.runner_first_off[slots], escaped)
        return Chances(self._tables.runner_win[slots], first_off, escaped)

    def _few(self, rows: Rows) -> Chances:
        slots = FEW_LATTICE.slots(_with_off(rows[:, 1:], FEW_LATTICE.checkers))
        ones = np.ones(len(rows))
        return Chances(self._tables.few_win[slots], ones, ones)


def is_solved(rows: Rows) -> Mask:
    """Which of these are looked up."""
    solved: Mask = np.logical_or.reduce(_held_by(rows))
    return solved


def _held_by(rows: Rows) -> tuple[Mask, Mask, Mask, Mask]:
    """Which of these each table holds, in the order in which the tables are asked."""
    on_board, outside = rows[:, 1:].sum(axis=1), rows[:, HOME + 1 :].sum(axis=1)
    all_there = (on_board == CHECKERS) & (rows[:, OFF] == 0)
    return (
        outside == 0,
        all_there & holds_none(rows[:, FAR_POINT + 1 :]),
        all_there & (outside == 1) & holds_none(rows[:, LAST_RUNNER_POINT + 1 :]),
        (on_board <= FEW_LATTICE.checkers) & (rows[:, OFF] > 0),
    )


def told(times: Floats, first_is_off: Mask, is_escaped: Mask) -> Chances:
    """The chances that three times stand for, for which a hazard of one is survived.

    To escape, from there to the first checker off, and to the end.
    """
    to_escape = np.where(first_is_off | is_escaped, 0.0, times[:, 0])
    to_first_off = np.where(first_is_off, 0.0, to_escape + times[:, 1])
    first_off = decayed(to_first_off)
    return Chances(np.minimum(decayed(times[:, 2]), first_off), first_off, decayed(to_escape))


def _with_off(counts: Rows, checkers: int) -> Rows:
    """Counts of points with what is missing from ``checkers`` before them."""
    return np.concatenate([checkers - counts.sum(axis=1, keepdims=True, dtype=np.int8), counts], axis=1)
