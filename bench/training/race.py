"""The recipe of the race net: larger exact tables near home, its own answers a turn later further out.

Further out it is taught from near to far: a turn leads to fewer pips, so what follows has been learned
before. First made-up positions, judged by some of the rolls; then positions met in races that it plays by
itself, by all.

The best of many guesses is too good: a second net, trained along and thrown away, judges the plays that the
first one chooses, or the other way round.
"""

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import (
    ESCAPED,
    Chances,
    Floats,
    Places,
    Rows,
    holds_none,
    lost_now,
    won,
)
from adjudicator.happy_end.values.families import HOME_LATTICE, Board, FarFamily, HomeFamily
from adjudicator.happy_end.values.features import race_inputs
from adjudicator.happy_end.values.few import FEW, FewCheckers
from adjudicator.happy_end.values.last_roll import ROLL_CHANCES
from adjudicator.happy_end.values.lattice import Lattice
from adjudicator.happy_end.values.race import Race, is_solved
from adjudicator.happy_end.values.recursion import solve
from adjudicator.happy_end.values.tables import FAR_POINT, Tables, given_values
from adjudicator.rules.board import BAR, HOME, OFF
from adjudicator.rules.dice import ALL_ROLLS
from bench.training.learner import Learner, Lesson
from bench.training.turns import NOBODY, ROLLS, Rolls, Turns, sampled_rolls

WIDTHS = (64, 32)
CHECKERS = 15
EXACT_LATTICES = (Lattice(1, 10, CHECKERS), Lattice(1, 14, 8), Lattice(1, 20, 5))
EXACT_SHARE = 100_000
FEWER_OUTSIDE = 0.7
"""A solved position is shown so many times less often for each checker outside: most real ones have few."""

MADE_UP, MET = 60_000, 60_000
"""Positions that are made up, and that are met in play."""

FURTHEST = 23
"""No checker can be further back that has passed one in the opponent's home board."""

NONE_BUT_OFF = np.eye(1, BAR + 1, OFF, dtype=np.int8)[0]

FEW_SHARE = 3
"""How often the positions of few checkers are shown for once the larger ones."""

ANYWHERE = 0.25
"""The share of made-up positions that are spread evenly."""

SIDE_BY_SIDE = 3_000
"""Games that are played."""

CHUNKS = 20
"""So many steps from near to far."""

OWN_SHARE = 3
"""How often its own answers are shown for once an exact one."""

FIRST_STEPS, STEPS, LAST_STEPS = 8_000, 1_500, 100_000
FIRST_RATES, RATES, LAST_RATES = (1e-2, 1e-3), (3e-3, 3e-4), (1e-2, 1e-5)
"""Learning rates: what they begin with and end with."""


def exact_lesson(finish: Finish, lattice: Lattice, rng: np.random.Generator) -> Lesson:
    """Solved positions with checkers beyond the tables: 15 with none off, fewer with the others off."""
    board = Board(HOME_LATTICE)
    home, fresh = HomeFamily(board, 0, 0), HomeFamily(board, board.size, 0)
    fewer = lattice.checkers < CHECKERS
    far = FarFamily(lattice, 2 * board.size, home if fewer else fresh)
    if fewer:
        far.saved[:] = 2.0
    values = solve([home, fresh, far], given_values(FewCheckers(finish), fresh.first), 1 - finish.hazard)
    counts = lattice.counts()
    limit = HOME if fewer else FAR_POINT
    beyond = np.flatnonzero(counts[:, limit:].any(axis=1))
    shares = FEWER_OUTSIDE ** counts[beyond, limit:].sum(axis=1)
    slots = rng.choice(beyond, min(EXACT_SHARE, len(beyond) // 2), replace=False, p=shares / shares.sum())
    points, win = values.points[far.first + slots], values.win[far.first + slots]
    rows = np.zeros((len(slots), BAR + 1), dtype=np.int8)
    rows[:, 1 : lattice.high + 1] = counts[slots]
    rows[:, OFF] = CHECKERS - lattice.checkers
    ones = np.ones(len(slots))
    return lesson(rows, Chances(win, ones if fewer else points - 2 * win - 1, ones))


def few_lesson(finish: Finish) -> Lesson:
    """Solved positions of few checkers anywhere, others off; with none off where nothing has to escape."""
    few = FewCheckers(finish)
    rows, chances = [], []
    for checkers in range(2, FEW + 1):
        for points in combinations_with_replacement(range(1, FURTHEST + 1), checkers):
            counts = np.bincount(points, minlength=BAR + 1).astype(np.int8)
            for off in (CHECKERS - checkers, 0):
                if off or points[-1] <= ESCAPED:
                    value = few.value(points, some_off=off > 0)
                    rows.append(counts + off * NONE_BUT_OFF)
                    chances.append((value.win, 1.0 if off else value.points - 2 * value.win - 1, 1.0))
    return lesson(np.array(rows), Chances(*np.array(chances).T))


def sampled_rows(count: int, rng: np.random.Generator) -> Rows:
    """Races as they come up: most checkers at home, some on their way, now and then all far back.

    A quarter of them have any number of checkers anywhere: what is never met has to make sense as well.
    """
    rows = np.zeros((count, BAR + 1), dtype=np.int8)
    for row in rows:
        checkers = CHECKERS if rng.random() < 0.7 else int(rng.integers(2, CHECKERS + 1))
        if rng.random() < ANYWHERE:
            checkers = int(rng.integers(2, CHECKERS + 1))
            np.add.at(row, rng.integers(1, FURTHEST + 1, size=checkers), 1)
            row[OFF] = 0 if rng.random() < 0.5 else CHECKERS - checkers
            continue
        outside = (
            min(checkers, int(rng.geometric(0.25))) if rng.random() < 0.8 else int(rng.integers(checkers + 1))
        )
        furthest = int(rng.choice([9, 12, 16, 18, 23]))
        spread = rng.dirichlet(np.full(HOME, 1.5))
        points = [
            *rng.integers(HOME + 1, furthest + 1, size=outside),
            *rng.choice(HOME, size=checkers - outside, p=spread) + 1,
        ]
        np.add.at(row, points, 1)
        row[OFF] = 0 if rng.random() < 0.3 else CHECKERS - checkers
    return rows


class Pair(NamedTuple):
    """Two that judge races: one chooses the plays, the other tells what they are worth."""

    chooses: Race
    judges: Race

    def turned(self) -> "Pair":
        """The same with parts changed."""
        return Pair(self.judges, self.chooses)


def a_turn_later(pair: Pair, turns: Turns, rows: Rows, survival: float, rolls: Rolls) -> Chances:
    """What positions are worth if the judge is right about all that a turn can lead to."""
    total = Chances(*np.zeros((3, len(rows))))
    nobody = np.full(len(rows), NOBODY)
    for dice, chance in rolls:
        after = turns.results(rows, nobody, dice)
        guessed = once_played(pair.chooses, after.rows, survival)
        best = best_of_each(guessed.points, after.origins)
        total.add(once_played(pair.judges, after.rows[best], survival), chance)
    return total


def once_played(race: Race, rows: Rows, survival: float) -> Chances:
    """What positions are worth once the side has played and the last checker's side is to roll."""
    chances, unfinished = won(len(rows)), ~holds_none(rows[:, 1:])
    left = rows[unfinished]
    chances.put(unfinished, race.chances(left).mixed(survival, lost_now(left)))
    return chances


def met_in_play(race: Race, turns: Turns, rng: np.random.Generator) -> Rows:
    """Positions that no table knows, from races that the race itself plays from made-up ones."""
    met: list[Rows] = []
    rows = np.empty((0, BAR + 1), dtype=np.int8)
    while sum(map(len, met)) < MET:
        fresh = sampled_rows(SIDE_BY_SIDE - len(rows), rng)
        rows = np.concatenate([rows, fresh])
        rows = rows[~is_solved(rows)]
        met.append(rows)
        rows = played(race, turns, rows, rng)
    return np.concatenate(met)[:MET]


def played(race: Race, turns: Turns, rows: Rows, rng: np.random.Generator) -> Rows:
    """What each comes to by the best play of a roll; what finishes is left out."""
    rolls = rng.choice(len(ALL_ROLLS), size=len(rows), p=ROLL_CHANCES)
    parts = []
    for number, dice in enumerate(ALL_ROLLS):
        thrown = rows[rolls == number]
        after = turns.results(thrown, np.full(len(thrown), NOBODY), dice)
        after = after.take(~holds_none(after.rows[:, 1:]))
        parts.append(after.rows[best_of_each(race.chances(after.rows).points, after.origins)])
    return np.concatenate(parts)


def best_of_each(points: Floats, origins: Places) -> Places:
    """By origin, in rising order, the place of the highest of its points."""
    order = np.lexsort((-points, origins))
    best: Places = order[np.unique(origins[order], return_index=True)[1]]
    return best


def made_up(rng: np.random.Generator) -> Rows:
    """Positions that no table knows."""
    found = np.empty((0, BAR + 1), dtype=np.int8)
    while len(found) < MADE_UP:
        rows = sampled_rows(MADE_UP, rng)
        found = np.concatenate([found, rows[~is_solved(rows)]])
    return found[:MADE_UP]


def from_near_to_far(rows: Rows) -> list[Rows]:
    """The same in chunks of rising pip counts."""
    return np.array_split(rows[np.argsort(pip_counts(rows), kind="stable")], CHUNKS)


def pip_counts(rows: Rows) -> Places:
    counts: Places = rows.astype(np.intp) @ np.arange(BAR + 1)
    return counts


class Teacher:
    """Teaches two nets races of one finish."""

    def __init__(self, finish: Finish, tables: Tables, seed: int) -> None:
        self._finish, self._turns = finish, Turns(finish)
        self._rng = np.random.default_rng(seed)
        width = race_inputs(np.zeros((1, BAR + 1), dtype=np.int8)).shape[1]
        self._learners = Learner(width, WIDTHS, seed), Learner(width, WIDTHS, seed + 1)
        self._pair = Pair(*[Race(tables, learner) for learner in self._learners])
        self._exact = [exact_lesson(finish, lattice, self._rng) for lattice in EXACT_LATTICES]
        self._exact += [few_lesson(finish)] * FEW_SHARE
        self._own: list[Lesson] = []

    def teach(self) -> Learner:
        """The first of the nets, once it has been through everything."""
        for learner in self._learners:
            learner.fit(self._exact, FIRST_STEPS, FIRST_RATES)
        self._sweep(made_up(self._rng), lambda: sampled_rolls(self._rng))
        self._sweep(met_in_play(self._pair.chooses, self._turns, self._rng), lambda: ROLLS)
        first, _ = self._learners
        self._told("in the end", first.fit([*self._exact, *self._own * OWN_SHARE], LAST_STEPS, LAST_RATES))
        return first

    def _sweep(self, positions: Rows, rolls: Callable[[], Rolls]) -> None:
        """From near to far: judge a chunk, and learn it with those before."""
        self._own = []
        survival = 1 - self._finish.hazard
        for number, rows in enumerate(from_near_to_far(positions), start=1):
            self._own.append(lesson(rows, a_turn_later(self._pair, self._turns, rows, survival, rolls())))
            lessons = [*self._exact, *self._own * OWN_SHARE]
            error, _ = [learner.fit(lessons, STEPS, RATES) for learner in self._learners]
            self._pair = self._pair.turned()
            self._told(f"{number} of {CHUNKS}", error)

    def _told(self, where: str, error: float) -> None:
        print(f"race {self._finish.value} {where}: mean error {error:.4f} points", flush=True)


def lesson(rows: Rows, chances: Chances) -> Lesson:
    return Lesson.of(race_inputs(rows), chances, rows[:, OFF] > 0, holds_none(rows[:, ESCAPED + 1 :]))
