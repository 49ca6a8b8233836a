"""Where a table keeps which position: all ways to place some checkers on a run of points, numbered.

``n`` checkers on ``k`` neighbouring points are ``n`` stars parted by ``k - 1`` bars. A position's slot is the
rank of its bars in the combinatorial number system, so slots are 0 to size - 1 without gaps, and moving one
checker changes the slot by a difference of two sums that are kept for each position.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

Slots = NDArray[np.int32]


@dataclass(frozen=True)
class Lattice:
    """All positions of exactly ``checkers`` checkers on the points ``low`` to ``high``.

    With ``low`` 0 the checkers that are off are on point 0, so "up to 15 checkers at home" is 15 on 0 to 6.
    """

    low: int
    high: int
    checkers: int

    @property
    def width(self) -> int:
        """How many points there are."""
        return self.high - self.low + 1

    @property
    def size(self) -> int:
        """How many positions there are.

        >>> Lattice(0, 6, 15).size, Lattice(1, 9, 15).size
        (54264, 490314)
        """
        return comb(self.checkers + self.width - 1, self.width - 1)

    def slot(self, counts: Sequence[int]) -> int:
        """The slot of one position, its counts given from ``low`` to ``high``.

        >>> Lattice(0, 6, 15).slot((0, 0, 0, 0, 0, 0, 15)), Lattice(0, 6, 15).slot((15, 0, 0, 0, 0, 0, 0))
        (0, 54263)
        """
        below = slot = 0
        for row, count in zip(self._weights, counts, strict=False):
            below += count
            slot += row[below]
        return slot

    @cached_property
    def _weights(self) -> tuple[tuple[int, ...], ...]:
        """By bar, then by checkers below it: what the bar adds to the slot."""
        return tuple(
            tuple(comb(below + bar, bar + 1) for below in range(self.checkers + 1))
            for bar in range(self.width - 1)
        )

    def slots(self, counts: NDArray[np.int8]) -> Slots:
        """The slots of many positions, a row of ``width`` counts each."""
        below = np.cumsum(counts, axis=1, dtype=np.int32)[:, :-1]
        weights = np.array(self._weights, dtype=np.int32)
        slots: Slots = weights[np.arange(self.width - 1), below].sum(axis=1, dtype=np.int32)
        return slots

    def counts(self) -> NDArray[np.int8]:
        """All positions in the order of their slots: (size, width) counts from ``low`` to ``high``."""
        cells = self.checkers + self.width - 1
        listed = chain.from_iterable(combinations(range(cells), self.width - 1))
        chosen = np.fromiter(listed, dtype=np.int8).reshape(self.size, self.width - 1)
        bars = np.empty((self.size, self.width + 1), dtype=np.int8)
        bars[:, 0], bars[:, 1:-1], bars[:, -1] = -1, cells - 1 - chosen[::-1, ::-1], cells
        return np.diff(bars, axis=1) - np.int8(1)

    def strides(self, counts: NDArray[np.int8]) -> Slots:
        """By position and point: moving a checker from p to q adds ``strides[:, p] - strides[:, q]``.

        Columns count from ``low``.
        """
        below = np.cumsum(counts, axis=1, dtype=np.int32)[:, :-1]
        gains = np.array(
            [[comb(n + bar, bar) for bar in range(self.width - 1)] for n in range(self.checkers + 1)],
            dtype=np.int32,
        )
        strides = np.zeros((len(counts), self.width), dtype=np.int32)
        np.cumsum(gains[below, np.arange(self.width - 1)], axis=1, out=strides[:, 1:])
        return strides
