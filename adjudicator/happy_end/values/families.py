"""The sets of positions that are solved together: one side alone, nobody in the way.

A family is closed under steps, save for those that lead into a family solved before it. Its positions are
numbered from ``first`` on, through all families of a run.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.values.chances import ESCAPED
from adjudicator.happy_end.values.lattice import Lattice, Slots
from adjudicator.rules.board import HOME, OFF

CHECKERS = 15
LAST_RUNNER_POINT = 23
"""A lone straggler is solved up to here: further back it cannot have passed the opponent's last checker."""

HOME_LATTICE = Lattice(OFF, HOME, CHECKERS)
REST_LATTICE = Lattice(1, HOME, CHECKERS - 1)
"""The fourteen checkers at home while the fifteenth is a straggler."""

NO_STEP = -1


class Steps(NamedTuple):
    """One step by one die from one point: how many pips it takes off and the number each position comes to.

    ``targets`` has an entry for each position of a level, ``NO_STEP`` where the step is not allowed.
    """

    pips: int
    targets: Slots


class Family(Protocol):
    """A family of positions; arrays are by position, in the order of their numbers."""

    first: int
    pips: Slots
    saved: NDArray[np.float64]
    """How much of 2W + G + H the opponent can no longer take away once the turn has ended here."""
    originals: Slots
    """The number of the same position in an earlier family, ``NO_STEP`` where there is none."""

    def steps(self, level: Slots, die: int) -> Iterator[Steps]:
        """All steps of the positions ``level`` (counted from 0 in this family) with ``die``."""


class Board:
    """The positions of a lattice, and what moving a checker of theirs leads to."""

    def __init__(self, lattice: Lattice) -> None:
        counts = lattice.counts()
        self.low, self.size = lattice.low, lattice.size
        self.pips = _pips(counts, lattice.low)
        self.counts = np.ascontiguousarray(counts.T)
        self.strides = np.ascontiguousarray(lattice.strides(counts).T)

    def occupied(self, rows: Slots, point: int) -> NDArray[np.bool_]:
        """Which of these positions have a checker on that point."""
        occupied: NDArray[np.bool_] = self.counts[point - self.low].take(rows) > 0
        return occupied

    def moved(self, rows: Slots, source: int, target: int) -> Slots:
        """The slots once a checker has gone from ``source`` down to ``target``."""
        leaves, joins = self.strides[source - self.low], self.strides[target - self.low]
        slots: Slots = rows + leaves.take(rows) - joins.take(rows)
        return slots


class HomeFamily:
    """Up to 15 checkers in the home board; those off are on point 0.

    ``bears_into`` numbers the family that a bear-off leads to: this one once a checker is off.
    """

    def __init__(self, board: Board, first: int, bears_into: int) -> None:
        self.board, self.first, self.bears_into = board, first, bears_into
        self.pips = board.pips
        self.saved = np.full(board.size, 2.0 if first == bears_into else 1.0)
        self.originals = np.full(board.size, NO_STEP, dtype=np.int32)
        occupied = board.counts[1:] > 0
        self.highest = np.where(occupied.any(axis=0), HOME - occupied[::-1].argmax(axis=0), OFF)

    def steps(self, level: Slots, die: int) -> Iterator[Steps]:
        """Within the board, off by the exact die, or off from the highest point by a larger one."""
        for point in range(1, HOME + 1):
            target = max(point - die, OFF)
            numbers = self.board.moved(level, point, target) + (self.first if target else self.bears_into)
            allowed = self.board.occupied(level, point)
            if point < die:
                allowed &= self.highest.take(level) == point
            yield Steps(point - target, np.where(allowed, numbers, NO_STEP))


class FarFamily:
    """All checkers of a side on a lattice from point 1; a copy of the home family where all are at home."""

    def __init__(self, lattice: Lattice, first: int, home: HomeFamily) -> None:
        self.first, self.home, self.high = first, home, lattice.high
        self.missing = CHECKERS - lattice.checkers
        self.board = Board(lattice)
        self.pips = self.board.pips
        self.saved = np.full(self.board.size, 1.0)
        self.all_home = self.board.counts[HOME:].sum(axis=0) == 0
        self.originals = self._originals()

    def steps(self, level: Slots, die: int) -> Iterator[Steps]:
        """Steps that stay on the board: nothing is borne off while a checker is outside."""
        for point in range(die + 1, self.high + 1):
            numbers = self.board.moved(level, point, point - die) + self.first
            yield Steps(die, np.where(self.board.occupied(level, point), numbers, NO_STEP))

    def _originals(self) -> Slots:
        at_home = np.pad(self.board.counts[:HOME].T, ((0, 0), (1, 0)), constant_values=self.missing)
        at_home[~self.all_home] = 0
        numbers = HOME_LATTICE.slots(at_home) + np.int32(self.home.first)
        return np.where(self.all_home, numbers, NO_STEP)


class RunnerFamily:
    """14 checkers at home and one straggler on 7 to ``LAST_RUNNER_POINT``, straggler by straggler."""

    def __init__(self, first: int, home: HomeFamily) -> None:
        self.first = first
        self.board = Board(REST_LATTICE)
        runners = np.arange(HOME + 1, LAST_RUNNER_POINT + 1, dtype=np.int32)
        self.runner = np.repeat(runners, self.board.size)
        self.pips = np.tile(self.board.pips, len(runners)) + self.runner
        self.saved = np.where(self.runner > ESCAPED, 0.0, 1.0)
        self.originals = np.full(len(self.runner), NO_STEP, dtype=np.int32)
        self.come_home = np.stack([self._numbers_at_home(point, home) for point in range(1, HOME + 1)])

    def _numbers_at_home(self, point: int, home: HomeFamily) -> Slots:
        """By rest: the number in the home family once the straggler is on that point."""
        at_home = np.pad(self.board.counts.T, ((0, 0), (1, 0)))
        at_home[:, point] += 1
        return HOME_LATTICE.slots(at_home) + np.int32(home.first)

    def steps(self, level: Slots, die: int) -> Iterator[Steps]:
        """The straggler by the die, or one of the others within the home board."""
        rest = level % np.int32(self.board.size)
        for point in range(die + 1, HOME + 1):
            numbers = self.board.moved(rest, point, point - die) + (level - rest + self.first)
            yield Steps(die, np.where(self.board.occupied(rest, point), numbers, NO_STEP))
        target = self.runner.take(level) - die
        at_home = self.come_home[np.clip(target, 1, HOME) - 1, rest]
        yield Steps(die, np.where(target > HOME, level - die * self.board.size + self.first, at_home))


class EscapeFamily:
    """Up to 15 checkers in the opponent's home board, 19 to 24 as 1 to 6; what is out of it is on point 0.

    Any die moves any of them, and what is not needed is played elsewhere.
    """

    first = 0

    def __init__(self, board: Board) -> None:
        self.board, self.pips = board, board.pips
        self.saved = np.zeros(board.size)
        self.originals = np.full(board.size, NO_STEP, dtype=np.int32)

    def steps(self, level: Slots, die: int) -> Iterator[Steps]:
        """Within the opponent's home board or out of it."""
        for point in range(1, HOME + 1):
            target = max(point - die, OFF)
            numbers = self.board.moved(level, point, target)
            yield Steps(point - target, np.where(self.board.occupied(level, point), numbers, NO_STEP))


def _pips(counts: NDArray[np.int8], low: int) -> Slots:
    """The pip count of each position, its columns counting from ``low``."""
    points = np.arange(low, low + counts.shape[1], dtype=np.int32)
    pips: Slots = (counts * points).sum(axis=1, dtype=np.int32)
    return pips
