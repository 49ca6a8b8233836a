"""Slots number the positions of a lattice one to one, and strides say what a moved checker changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.happy_end.values.lattice import Lattice

LATTICES = [Lattice(0, 6, 15), Lattice(1, 4, 7), Lattice(0, 25, 2), Lattice(3, 4, 5), Lattice(0, 6, 1)]


@pytest.mark.parametrize("lattice", LATTICES)
def test_every_position_has_a_slot_of_its_own(lattice: Lattice) -> None:
    counts = lattice.counts()
    assert counts.shape == (lattice.size, lattice.width)
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == lattice.checkers).all()
    assert [lattice.slot(position) for position in counts.tolist()] == list(range(lattice.size))
    assert np.array_equal(lattice.slots(counts), np.arange(lattice.size))


@pytest.mark.parametrize("lattice", LATTICES)
def test_strides_lead_to_the_slot_of_the_position_after_a_step(lattice: Lattice) -> None:
    counts = lattice.counts()
    strides = lattice.strides(counts)
    for source in range(lattice.width):
        for target in range(source):
            rows = np.flatnonzero(counts[:, source] > 0)
            after = counts[rows].copy()
            after[:, source] -= 1
            after[:, target] += 1
            moved = rows + strides[rows, source] - strides[rows, target]
            assert np.array_equal(moved, lattice.slots(after))


@given(st.lists(st.integers(1, 9), min_size=15, max_size=15))
def test_a_far_position_comes_back_from_its_slot(points: list[int]) -> None:
    lattice = Lattice(1, 9, 15)
    slot = lattice.slot([points.count(point) for point in range(1, 10)])
    assert 0 <= slot < lattice.size
    assert unranked(lattice, slot) == [points.count(point) for point in range(1, 10)]


def unranked(lattice: Lattice, slot: int) -> list[int]:
    """The position of a slot, found bar by bar from the top: the largest that still fits."""
    cells, counts = lattice.checkers + lattice.width - 1, []
    above = cells
    for bar in range(lattice.width - 1, 0, -1):
        cell = max(cell for cell in range(above) if choose(cell, bar) <= slot)
        slot -= choose(cell, bar)
        counts.append(above - cell - 1)
        above = cell
    return [above, *reversed(counts)]


def choose(n: int, k: int) -> int:
    """Binomial by the product formula."""
    result = 1
    for index in range(k):
        result = result * (n - index) // (index + 1)
    return result
