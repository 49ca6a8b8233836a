"""The recursion that solves families of positions: the best play of every roll without listing plays.

Plays are chosen by ``points``, U = 2W + G + H; the chance ``win``, W, that goes with the choice travels
along. Let ``ended`` be the value when the turn ends in a position and ``best[d][j]`` the best that j steps
with die d can reach; both are known from positions with fewer pips. The value with the side on roll is then

    (sum over d of best[d][4]  +  2 * sum over a > b of max(a then b, b then a)) / 36

which is right as long as every die can be played and no turn leaves its last checker early, that is from five
checkers on. Those with fewer are given.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.values.families import NO_STEP, Family
from adjudicator.happy_end.values.few import FewValue
from adjudicator.happy_end.values.lattice import Slots

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

DICE = range(1, 7)
COLUMNS = 9
REACH = 6
"""A step takes off at most so many pips; levels further back are not looked at again."""

NOTHING = -1.0
"""Less than any value."""


class Values(NamedTuple):
    """``points`` and ``win`` of the same things, in two arrays of one shape."""

    points: Floats
    win: Floats

    def take(self, rows: Places) -> "Values":
        """These rows."""
        return Values(self.points.take(rows, axis=0), self.win.take(rows, axis=0))

    def column(self, number: int) -> "Values":
        """A copy of one column."""
        return Values(self.points[:, number].copy(), self.win[:, number].copy())

    def add(self, others: "Values", weight: float) -> None:
        """Add others in place, so many times."""
        np.add(self.points, weight * others.points, out=self.points)
        np.add(self.win, weight * others.win, out=self.win)

    def improve(self, offered: "Values") -> None:
        """Take over, in place, what is offered wherever it has more points.

        Arithmetic instead of a masked copy: the mask is as good as random, and branches cost ten times more.
        """
        better = offered.points > self.points
        np.maximum(self.points, offered.points, out=self.points)
        gain = offered.win - self.win
        gain *= better
        np.add(self.win, gain, out=self.win)


Level: TypeAlias = list[Values]
"""What later positions need to know of the positions with one pip count, by die d: a row each, after an empty
one. Column 0 is ``ended``, 1 to 6 the best of one step with that die, 7 and 8 of two and of three with d."""


def solve(families: Sequence[Family], given: Mapping[int, FewValue], survival: float) -> Values:
    """The values with the side on roll, for every position of the families by its number.

    ``given`` holds the positions whose value is known beforehand; those without a checker count as finished,
    whatever the turn had in store. ``survival`` is the chance that a roll of the opponent changes nothing.
    """
    pips = np.concatenate([family.pips for family in families])
    saved = np.concatenate([family.saved for family in families])
    order = np.argsort(pips, kind="stable").astype(np.int32)
    starts = np.searchsorted(pips[order], np.arange(pips.max() + 2)).astype(np.int32)
    place = np.zeros(len(order) + 1, dtype=np.intp)
    place[order] = np.arange(len(order), dtype=np.int32) - starts[pips[order]] + 1
    values = Values(np.empty(len(order)), np.empty(len(order)))
    levels: dict[int, Level] = {}
    for count in range(len(starts) - 1):
        numbers = order[starts[count] : starts[count + 1]]
        best = _best_of_steps(families, numbers, count, levels, place)
        for kept, solved in zip(values, _on_roll(best), strict=True):
            kept[numbers] = solved
        for number in given.keys() & set(numbers.tolist()):
            values.points[number], values.win[number] = given[number]
        on_roll = values.take(numbers.astype(np.intp))
        levels[count] = _level(best, on_roll, saved[numbers], survival) if count else _finished(on_roll)
        levels.pop(count - REACH, None)
    return values


def _best_of_steps(
    families: Sequence[Family], numbers: Slots, count: int, levels: Mapping[int, Level], place: Places
) -> list[Values]:
    """What the dice can reach from the positions with ``count`` pips, by first die d: a row each.

    Column 0 is the best of one step, 1 to 6 of one more with that die, 7 and 8 of three and of four with d.
    """
    best = [Values(*np.full((2, len(numbers), COLUMNS), NOTHING)) for _ in DICE]
    for family in families:
        start, end = np.searchsorted(numbers, (family.first, family.first + len(family.pips)))
        members = numbers[start:end] - np.int32(family.first)
        for die, values in zip(DICE, best, strict=True):
            mine = Values(values.points[start:end], values.win[start:end])
            for pips, targets in family.steps(members, die):
                if count >= pips:
                    mine.improve(levels[count - pips][die - 1].take(place.take(targets)))
        where = np.flatnonzero(family.originals[members] != NO_STEP)
        originals = family.originals[members[where]]
        for array in (array for values in best for array in values):
            array[start + where] = array[place[originals] - 1]
    return best


def _on_roll(best: Sequence[Values]) -> Values:
    """The mean over the 36 rolls of the best that each can reach."""
    total = Values(*np.zeros((2, len(best[0].points))))
    for high in DICE:
        total.add(best[high - 1].column(8), 1 / 36)
        for low in range(1, high):
            roll = best[high - 1].column(low)
            roll.improve(best[low - 1].column(high))
            total.add(roll, 2 / 36)
    return total


def _level(best: Sequence[Values], on_roll: Values, saved: Floats, survival: float) -> Level:
    """The rows of a level: a turn that ends here leaves the opponent its roll."""
    ended = Values(saved + survival * (on_roll.points - saved), survival * on_roll.win)
    first_steps = [values.column(0) for values in best]
    return [
        _rows([ended, *first_steps, values.column(die), values.column(7)])
        for die, values in zip(DICE, best, strict=True)
    ]


def _finished(values: Values) -> Level:
    """The rows of the level without a checker: whatever was left of the turn does not count."""
    return [_rows([values] * COLUMNS)] * len(DICE)


def _rows(columns: Sequence[Values]) -> Values:
    """Columns side by side, below an empty row for steps that are not allowed."""
    rows = Values(*np.full((2, len(columns[0].points) + 1, COLUMNS), NOTHING))
    for number, column in enumerate(columns):
        rows.points[1:, number], rows.win[1:, number] = column
    return rows
