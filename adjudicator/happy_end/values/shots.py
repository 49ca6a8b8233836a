"""How many rolls hit a last checker. Nothing else of its side is on the board, so nothing blocks the way."""

from itertools import accumulate

import numpy as np

from adjudicator.happy_end.values.chances import Places, Rows
from adjudicator.rules.board import BAR
from adjudicator.rules.dice import ALL_ROLLS, Dice

WAYS = np.array([1 if dice.is_doublet else 2 for dice in ALL_ROLLS])
MOST_TO_ENTER = 4
"""Of more checkers on the bar than that, none but an entering one can hit."""


def hitting_rolls(rows: Rows, lasts: Places) -> Places:
    """How many of the 36 rolls hit a last checker that is not on the bar.

    ``lasts`` are numbered by their owner. Checkers on the bar have to enter first, and so use up dice.

    >>> from adjudicator.rules.board import checkers_from
    >>> hitting_rolls(np.array([checkers_from({7: 2}, 15)]), np.array([19])).tolist()
    [11]
    """
    behind = at_distances(rows, lasts) > 0
    on_bar = np.minimum(rows[:, BAR], MOST_TO_ENTER)
    hits = np.zeros((len(rows), len(ALL_ROLLS)), dtype=np.bool_)
    for waiting in range(MOST_TO_ENTER + 1):
        where = np.flatnonzero(on_bar == waiting)
        if len(where):
            hits[where] = behind[where] @ FROM_POINTS[waiting] | FROM_BAR[waiting, lasts[where]]
    counts: Places = np.where(lasts == BAR, 0, hits @ WAYS)
    return counts


def at_distances(rows: Rows, lasts: Places) -> Rows:
    """How many checkers stand 1, 2 and so on up to 24 pips before the last one, those on the bar left out."""
    points = BAR - lasts
    counts: Rows = np.take_along_axis(rows, DISTANT[points], axis=1) * IS_POINT[points]
    return counts


def _reached(dice: Dice, on_bar: int) -> set[int]:
    """The distances at which a checker on a point hits, with so many to be entered first."""
    spare = len(dice.numbers) - on_bar
    return {*dice.numbers, *accumulate(dice.numbers[:spare])} if spare > 0 else set()


def _reached_from_bar(dice: Dice, on_bar: int) -> set[int]:
    """The distances at which a checker on the bar hits, it being one of so many."""
    spare = len(dice.numbers) - on_bar
    return {*dice.numbers, *list(accumulate(dice.numbers))[1 : max(spare, 0) + 1]} if on_bar else set()


POINTS, DISTANCES = np.arange(BAR + 1), np.arange(1, BAR)
IS_POINT = POINTS[:, None] + DISTANCES < BAR
DISTANT = np.where(IS_POINT, POINTS[:, None] + DISTANCES, 0)
FROM_POINTS = np.array(
    [
        [[distance in _reached(dice, waiting) for dice in ALL_ROLLS] for distance in DISTANCES.tolist()]
        for waiting in range(MOST_TO_ENTER + 1)
    ]
)
"""By checkers on the bar, distance and roll: whether a checker on a point hits."""

FROM_BAR = np.array(
    [
        [[distance in _reached_from_bar(dice, waiting) for dice in ALL_ROLLS] for distance in range(BAR + 1)]
        for waiting in range(MOST_TO_ENTER + 1)
    ]
)
"""By checkers on the bar, distance and roll: whether one of them hits."""
