"""The roll of a sole checker that is on the bar or outside its home board."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Chances, Mask, Places, Rows, lost_now
from adjudicator.rules.board import BAR, HOME, OFF
from adjudicator.rules.dice import ALL_ROLLS

ORDERS = np.array(
    [
        order
        for dice in ALL_ROLLS
        for order in (
            (dice.numbers, dice.numbers)
            if dice.is_doublet
            else ((*dice.numbers, 0, 0), (*dice.numbers[::-1], 0, 0))
        )
    ]
)
"""The dice in both orders, roll by roll, the larger first; a doublet twice."""

ROLL_CHANCES = np.array([dice.chance for dice in ALL_ROLLS])


OnRoll: TypeAlias = Callable[[Rows, Places], Chances]
"""What tells the chances of positions with the side with more checkers on roll."""


class Answers(NamedTuple):
    """By position and roll: the other side's board, the last checker, and that side's chances."""

    rows: Rows
    lasts: Places
    chances: Chances


class LastRoll:
    """All that a last checker can do with a roll (HE-1.3, HE-1.4)."""

    def __init__(self, finish: Finish) -> None:
        self._any_doublet = finish is Finish.EXACT_OR_DOUBLE
        self._is_doublet = ORDERS[:, 2] > 0

    def mean_of_worst(self, rows: Rows, lasts: Places, on_roll: OnRoll) -> Chances:
        """The other side's chances (``rows``) once the last checker has made the best of each roll, over all.

        ``on_roll`` tells them of positions after the roll.
        """
        return Chances(*[_mean(array) for array in self.answers(rows, lasts, on_roll).chances])

    def answers(self, rows: Rows, lasts: Places, on_roll: OnRoll) -> "Answers":
        """What the last checker makes of each roll, by the worst that ``on_roll`` tells of its plays."""
        boards, points, is_play = self.results(rows, lasts)
        finished = points == OFF
        ended, asked = np.flatnonzero(is_play & finished), np.flatnonzero(is_play & ~finished)
        flat, chances = boards.reshape(-1, BAR + 1), Chances(*np.zeros((3, points.size)))
        chances.put(ended, lost_now(flat[ended]))
        chances.put(asked, on_roll(flat[asked], points.ravel()[asked]))
        worths = np.where(is_play, chances.points.reshape(points.shape), np.inf)
        worths = worths.reshape(len(rows), len(ALL_ROLLS), 2)
        every = np.arange(len(rows))[:, None]
        place = every * len(ORDERS) + 2 * np.arange(len(ALL_ROLLS)) + worths.argmin(axis=2)
        return Answers(flat[place], points.ravel()[place], chances.take(place))

    def results(self, rows: Rows, lasts: Places) -> tuple[Rows, Places, Mask]:
        """By position and order of the dice: the other side's board, the last checker, and which are plays.

        Of two orders that come to the same the first is the play.
        """
        count = len(rows)
        boards = np.repeat(rows[:, None, :], len(ORDERS), axis=1)
        points = np.repeat(lasts[:, None], len(ORDERS), axis=1)
        used = np.zeros((count, len(ORDERS)), dtype=np.intp)
        for number in range(ORDERS.shape[1]):
            self._play_die(boards, points, used, number)
        is_play = _legal(points, used)
        is_play[:, 1::2] &= _differ(boards, points) | ~is_play[:, 0::2]
        return boards, points, is_play

    def _play_die(self, boards: Rows, points: Places, used: Places, number: int) -> None:
        """One die of every order, in place; an order stops where a die cannot be played."""
        dice = np.broadcast_to(ORDERS[:, number], points.shape)
        under_way = (used == number) & (dice > 0) & (points != OFF)
        frozen = points <= HOME
        off = under_way & frozen & ((points == dice) | (self._any_doublet & self._is_doublet))
        landing = np.clip(BAR - points + dice, 0, BAR)
        there = np.take_along_axis(boards, landing[:, :, None], axis=2)[:, :, 0]
        moves = under_way & ~frozen & (there < 2)
        hits = moves & (there == 1)
        position, order = np.nonzero(hits)
        boards[position, order, landing[position, order]] -= 1
        boards[position, order, BAR] += 1
        points[moves] -= dice[moves]
        points[off] = OFF
        used[moves | off] += 1


def _legal(points: Places, used: Places) -> Mask:
    """Which orders make whole plays: all dice that can be played, else the larger; or a finish."""
    first, second = used[:, 0::2], used[:, 1::2]
    legal = np.empty(points.shape, dtype=np.bool_)
    legal[:, 0::2] = first >= second
    legal[:, 1::2] = (second > first) | ((second == first) & (second != 1))
    legal |= points == OFF
    return legal


def _differ(boards: Rows, points: Places) -> Mask:
    """By position and roll: whether the two orders of the dice come to different positions."""
    differ: Mask = (boards[:, 0::2] != boards[:, 1::2]).any(axis=2)
    differ |= points[:, 0::2] != points[:, 1::2]
    return differ


def _mean(by_roll: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over the rolls, added up in their order."""
    total = np.zeros(len(by_roll))
    for roll, chance in enumerate(ROLL_CHANCES):
        total += chance * by_roll[:, roll]
    return total
