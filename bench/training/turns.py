"""All turns of a side with any number of checkers, for many positions at once, by HE-1.

The same plays as ``legal_plays`` lists; a test holds the two together.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Mask, Places, Rows, holds_none
from adjudicator.rules.board import BAR, HOME, OFF
from adjudicator.rules.dice import ALL_ROLLS, Dice

NOBODY = 0
"""The last checker's point where it does not matter: it is frozen and passed."""

POINTS = np.arange(BAR + 1)

Rolls: TypeAlias = list[tuple[Dice, float]]
"""Rolls, each with its chance."""

ROLLS: Rolls = [(dice, dice.chance) for dice in ALL_ROLLS]
DOUBLETS = [dice for dice in ALL_ROLLS if dice.is_doublet]
OTHERS = [dice for dice in ALL_ROLLS if not dice.is_doublet]
DOUBLETS_TRIED = 3
"""Doublets have by far the most plays: so many stand for all six."""


class Boards(NamedTuple):
    """Positions: the side's board, the last checker by its owner's numbering, and where each came from."""

    rows: Rows
    lasts: Places
    origins: Places

    def take(self, where: Mask | Places) -> "Boards":
        return Boards(self.rows[where], self.lasts[where], self.origins[where])


class Turns:
    """The turns of one finish."""

    def __init__(self, finish: Finish) -> None:
        self._any_doublet = finish is Finish.EXACT_OR_DOUBLE
        self._marks = np.random.default_rng(0).integers(1 << 62, size=BAR + 2, dtype=np.int64)

    def results(self, rows: Rows, lasts: Places, dice: Dice) -> Boards:
        """What each position can come to with these dice; ``origins`` are in rising order."""
        start = Boards(rows, lasts, np.arange(len(rows)))
        if dice.is_doublet:
            return self._distinct(self._complete(start, dice.numbers, is_doublet=True)[0])
        larger, used_larger = self._complete(start, dice.numbers, is_doublet=False)
        smaller, used_smaller = self._complete(start, dice.numbers[::-1], is_doublet=False)
        larger_wins = (used_larger > used_smaller) | ((used_larger == used_smaller) & (used_larger == 1))
        smaller_wins = used_smaller > used_larger
        finished = _finished(larger), _finished(smaller)
        parts = [
            larger.take(~smaller_wins[larger.origins] | finished[0]),
            smaller.take(~larger_wins[smaller.origins] | finished[1]),
        ]
        return self._distinct(_joined(parts))

    def _complete(self, start: Boards, dice: tuple[int, ...], *, is_doublet: bool) -> tuple[Boards, Places]:
        """The longest ways to play the dice in this order and all that finish; the dice each start used."""
        used = np.zeros(len(start.rows), dtype=np.intp)
        parts, layer = [], start
        for die in dice:
            following = self._distinct(self._steps(layer, die, is_doublet=is_doublet))
            goes_on = np.zeros(len(start.rows), dtype=np.bool_)
            goes_on[following.origins] = True
            parts.append(layer.take(~goes_on[layer.origins] | _finished(layer)))
            used[goes_on] += 1
            layer = following
        return _joined([*parts, layer]), used

    def _steps(self, boards: Boards, die: int, *, is_doublet: bool) -> Boards:
        """All positions after one step with this die."""
        rows, lasts, origins = boards
        counts = rows.astype(np.int64)
        on_board = counts[:, 1:].sum(axis=1)
        highest = np.where(counts[:, 1:] > 0, POINTS[1:], OFF).max(axis=1)
        allowed = counts > 0
        allowed[:, OFF] = False
        allowed[counts[:, BAR] > 0, :BAR] = False
        allowed[highest > HOME, : die + 1] = False
        for point in range(1, die):
            allowed[:, point] &= highest == point
        frozen = (on_board == 1) & (highest <= HOME)
        if not (is_doublet and self._any_doublet):
            allowed[frozen, :die] = False
            allowed[frozen, die + 1 :] = False
        else:
            allowed[frozen] = counts[frozen] > 0
            allowed[frozen, OFF] = False
        parent, source = np.nonzero(allowed)
        target = np.where(frozen[parent], OFF, np.maximum(source - die, OFF))
        after = rows[parent]
        every = np.arange(len(parent))
        after[every, source] -= 1
        after[every, target] += 1
        hit = (target > OFF) & (target == BAR - lasts[parent])
        return Boards(after, np.where(hit, BAR, lasts[parent]), origins[parent])

    def _distinct(self, boards: Boards) -> Boards:
        """The same without repetitions, by origin."""
        marks = boards.rows.astype(np.int64) @ self._marks[: BAR + 1]
        marks += boards.lasts * self._marks[BAR + 1]
        marks ^= boards.origins.astype(np.int64) * np.int64(0x1E3779B97F4A7C15)
        _, first = np.unique(marks, return_index=True)
        return boards.take(first[np.argsort(boards.origins[first], kind="stable")])


def sampled_rolls(rng: np.random.Generator) -> Rolls:
    """All rolls but some of the doublets, each with its chance; those left stand for the others."""
    tried = rng.choice(len(DOUBLETS), DOUBLETS_TRIED, replace=False)
    doublets = [(DOUBLETS[number], 1 / 6 / DOUBLETS_TRIED) for number in tried]
    return [*[(dice, dice.chance) for dice in OTHERS], *doublets]


def _finished(boards: Boards) -> Mask:
    return holds_none(boards.rows[:, 1:])


def _joined(parts: list[Boards]) -> Boards:
    return Boards(*[np.concatenate(arrays) for arrays in zip(*parts, strict=True)])
