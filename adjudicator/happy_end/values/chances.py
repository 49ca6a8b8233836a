"""What a side gets done against the other's last checker, for many positions at once."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudicator.rules.board import OFF

Rows: TypeAlias = NDArray[np.int8]
"""Many boards of one side: a row of 26 counts each, as ``Checkers``."""

Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.intp]

ESCAPED = 18
"""From here on a checker is out of the opponent's home board."""


class Chances(NamedTuple):
    """What a side gets done before the opponent's last checker is off: W <= G <= H, an entry a position.

    ``win`` (W): finish. ``first_off`` (G): save the gammon by bearing off a checker, certain where one is
    off. ``escaped`` (H): save the backgammon by bearing off a checker or having none left in the opponent's
    home board and on the bar.
    """

    win: Floats
    first_off: Floats
    escaped: Floats

    @property
    def points(self) -> Floats:
        """The expected points: +1 a win, -1, -2, -3 a single loss, gammon, backgammon."""
        points: Floats = 2.0 * self.win + self.first_off + self.escaped - 3.0
        return points

    @classmethod
    def empty(cls, count: int) -> "Chances":
        """Room for so many positions, to be filled with ``put``."""
        return cls(np.empty(count), np.empty(count), np.empty(count))

    def put(self, where: Mask | Places, chances: "Chances") -> None:
        """Fill in, in place, the chances of some of the positions."""
        for array, part in zip(self, chances, strict=True):
            array[where] = part

    def take(self, where: Mask | Places) -> "Chances":
        """The chances of some of the positions, in the shape of ``where`` if it holds places."""
        return Chances(*[array[where] for array in self])

    def add(self, others: "Chances", weight: float) -> None:
        """Add others in place, so many times."""
        for array, other in zip(self, others, strict=True):
            np.add(array, weight * other, out=array)

    def mixed(self, weight: float, others: "Chances") -> "Chances":
        """These with ``weight``, others with the rest."""
        return Chances(
            *[weight * one + (1.0 - weight) * other for one, other in zip(self, others, strict=True)]
        )


def holds_none(counts: Rows) -> Mask:
    """Which of these rows hold no checker."""
    return np.logical_not(counts.any(axis=1))


def lost_now(rows: Rows) -> Chances:
    """The chances once the last checker is off: what is saved is saved."""
    some_off = rows[:, OFF] > 0
    escaped = some_off | holds_none(rows[:, ESCAPED + 1 :])
    return Chances(np.zeros(len(rows)), some_off.astype(np.float64), escaped.astype(np.float64))


def won(count: int) -> Chances:
    """The chances of so many positions in which the side has finished."""
    return Chances(np.ones(count), np.ones(count), np.ones(count))
