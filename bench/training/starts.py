"""Made-up positions with contact, from which the games begin that the contact nets learn from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.values.chances import Floats, Mask, Places, Rows
from adjudicator.happy_end.values.families import CHECKERS
from adjudicator.rules.board import BAR, HOME, OFF

AS_IN_GAMES = 0.45
"""The share of positions as real games come to: nobody off, the last checker deep in its home board, others
waiting for it. The rest is anything."""

PASSED, FURTHEST = 0.15, 18
"""The share of positions in which a last checker that runs, from up to this point, has passed all others."""

FEW, MANY = 5, 11
BACK = 19
"""From here on checkers are in the opponent's home board."""


class Numbers(NamedTuple):
    """By position: how many checkers are on the board, back, of these on the bar, outside, and in pairs."""

    on_board: Places
    back: Places
    on_bar: Places
    outside: Places
    paired: Places


def sampled_positions(count: int, rng: np.random.Generator) -> tuple[Rows, Places]:
    """Boards of one side, and where the last checker of the other is by its owner's numbering.

    Checkers that would stand on the last one are left out, so a board may be empty.
    """
    as_in_games = rng.random(count) < AS_IN_GAMES
    lasts = np.where(as_in_games, np.minimum(HOME, rng.geometric(0.5, count)), _anywhere(count, rng))
    passed = rng.random(count) < PASSED
    lasts = np.where(passed, rng.integers(HOME + 1, FURTHEST + 1, count), lasts)
    numbers = _numbers(as_in_games, lasts, rng)
    points = _points(numbers, np.where(as_in_games, BAR - lasts + 1, BACK), rng)
    before = 1 + (rng.random(points.shape) * (BAR - lasts - 1)[:, None]).astype(np.intp)
    points = np.where(passed[:, None] & (points >= (BAR - lasts)[:, None]), before, points)
    points[(points == (BAR - lasts)[:, None]) & (lasts < BAR)[:, None]] = OFF
    rows: Rows = (points[:, :, None] == np.arange(BAR + 1)).sum(axis=1, dtype=np.int8)
    rows[rng.random(count) < 0.1, OFF] = 0
    return rows, lasts


def _anywhere(count: int, rng: np.random.Generator) -> Places:
    """Frozen, on the bar, or on its way."""
    manner = rng.random(count)
    on_its_way = rng.integers(HOME + 1, BAR, count)
    return np.where(manner < 0.35, rng.integers(1, HOME + 1, count), np.where(manner < 0.6, BAR, on_its_way))


def _numbers(as_in_games: Mask, lasts: Places, rng: np.random.Generator) -> Numbers:
    """Most have all fifteen and a few back; some are all back, on the bar even; some are few."""
    count = len(lasts)
    some, manner = rng.integers(2, CHECKERS + 1, count), rng.random(count)
    on_board = np.where(as_in_games | (rng.random(count) < 0.6), CHECKERS, some)
    on_board = np.where(~as_in_games & (rng.random(count) < 0.1), rng.integers(2, FEW + 1, count), on_board)
    back = np.where(as_in_games | (manner > 0.3), rng.geometric(0.5, count), 0)
    back = np.where(manner > 0.85, rng.integers(0, CHECKERS + 1, count), back)
    back = np.where(manner > 0.97, CHECKERS, back)
    back = np.minimum(back, on_board)
    outside = np.where(rng.random(count) < 0.3, rng.integers(0, MANY, count), rng.geometric(0.38, count) - 1)
    outside = np.minimum(outside, on_board - back)
    on_bar = rng.binomial(back, rng.choice([0.1, 0.8, 1.0], count, p=[0.85, 0.1, 0.05]))
    on_bar = np.where(as_in_games & (lasts == 1), back, on_bar)
    at_home = on_board - back - outside
    paired = np.where(rng.random(count) < 0.55, at_home // 2 * 2, 0)
    return Numbers(on_board, back, on_bar, outside, paired)


def _points(numbers: Numbers, behind: Places, rng: np.random.Generator) -> NDArray[np.intp]:
    """A point for each of fifteen checkers, ``OFF`` where there are fewer; those back from ``behind`` on."""
    count = len(behind)
    checker, chance = np.arange(CHECKERS), rng.random((count, CHECKERS))
    back = np.minimum(np.maximum(BACK, behind), BAR - 1)[:, None]
    first_at_home = numbers.back + numbers.outside
    pair = np.maximum(checker - first_at_home[:, None], 0) // 2
    pairs = np.take_along_axis(rng.random((count, HOME)).argsort(axis=1) + 1, pair % HOME, axis=1)
    shares = _shares(count, rng)
    spread = np.minimum((chance[:, :, None] > shares[:, None, :]).sum(axis=2) + 1, HOME)
    return np.select(
        [
            checker >= numbers.on_board[:, None],
            checker < numbers.on_bar[:, None],
            checker < numbers.back[:, None],
            checker < first_at_home[:, None],
            checker < (first_at_home + numbers.paired)[:, None],
        ],
        [
            OFF,
            BAR,
            back + (chance * (BAR - back)).astype(np.intp),
            HOME + 1 + (chance * (BACK - HOME - 1)).astype(np.intp),
            pairs,
        ],
        spread,
    )


def _shares(count: int, rng: np.random.Generator) -> Floats:
    """How the others are spread over the points at home, added up from point 1; now and then all low."""
    highest = np.where(rng.random(count) < 0.3, rng.integers(2, HOME + 1, count), HOME)
    parts = rng.gamma(1.5, size=(count, HOME)) * (np.arange(HOME) < highest[:, None])
    shares: Floats = parts.cumsum(axis=1) / parts.sum(axis=1)[:, None]
    return shares
