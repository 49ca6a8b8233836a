"""Both sides down to one checker, wherever the two are: solved by value iteration, hits and all."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import BAR, Position, checkers_from, highest_point
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.plays import DieSteps, legal_plays

DUELS = BAR * BAR
FINISHED = DUELS
"""The slot after the last of all: the side that is then to roll has lost."""

CHECKERS = 2
"""A side has one more than the one on the board, so that neither can lose a gammon."""

SWEEPS = 400
"""A duel is over within a few dozen rolls; so many change nothing any more."""


PointT = TypeVar("PointT", int, NDArray[np.intp])
"""A point, or many."""


def duel_slot(own: PointT, other: PointT) -> PointT:
    """Where the table keeps a duel: each checker by its own side's numbering, 25 the bar.

    >>> duel_slot(1, 1), duel_slot(25, 25)
    (0, 624)
    """
    return (own - 1) * BAR + other - 1


def solve_duels(finish: Finish) -> NDArray[np.float64]:
    """By slot, the chance that the side on roll is the first to finish; 1/2 for two checkers on one point.

    Every chance is worked out from the last ones until nothing changes.
    """
    steps = modifier_steps(finish)
    places = [(own, other) for own in range(1, BAR + 1) for other in range(1, BAR + 1) if own + other != BAR]
    slots = np.array([duel_slot(*place) for place in places])
    follow = np.array([[_slots_after(*place, dice, steps) for dice in ALL_ROLLS] for place in places])
    weights = np.array([dice.chance for dice in ALL_ROLLS])
    chances = np.full(DUELS + 1, 0.5)
    chances[FINISHED] = 0.0
    for _ in range(SWEEPS):
        before = chances[slots]
        chances[slots] = (weights * (1.0 - chances[follow].min(axis=2))).sum(axis=1)
        if np.array_equal(before, chances[slots]):
            break
    return chances[:FINISHED]


def _slots_after(own: int, other: int, dice: Dice, steps: DieSteps) -> tuple[int, int]:
    """The duels, seen by the other side, that a roll can lead to: one checker has no more than two plays."""
    position = Position(checkers_from({own: 1}, CHECKERS), checkers_from({other: 1}, CHECKERS))
    after = [play.result.swapped() for play in legal_plays(position, dice, steps)]
    slots = [
        duel_slot(highest_point(mine), highest_point(others)) if highest_point(others) else FINISHED
        for mine, others in after
    ]
    return slots[0], slots[-1]
