"""Monte Carlo under the modifier: whole playouts by HE-1, nothing taken from a table but advice.

Whatever the estimator says, the mean is right for the way the plays are chosen: a frozen last checker is
borne off by its chance instead of by dice, and the luck of a roll, as the estimator sees it, is taken off.
Neither changes the mean; both make it sharper. Many playouts are played side by side; a test holds their
plays to ``legal_plays``.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Chances, Floats, Places, Rows, holds_none, lost_now, won
from adjudicator.happy_end.values.last_roll import ROLL_CHANCES, LastRoll
from adjudicator.rules.board import HOME, OFF, Position, highest_point
from adjudicator.rules.dice import ALL_ROLLS
from bench.training.race import best_of_each
from bench.training.turns import Boards, Turns

SMALLEST_WEIGHT = 1e-4
"""A playout ends where all that is left of it weighs no more."""

SIDE_BY_SIDE = 600


class Adviser(Protocol):
    """What judges positions: see ``Fight``."""

    def on_roll(self, rows: Rows, lasts: Places) -> Chances:
        """The chances with the side on roll."""

    def after_turn(self, rows: Rows, lasts: Places) -> Chances:
        """The chances once the side has played."""


class Means(NamedTuple):
    """Means by position, and their standard errors."""

    values: Floats
    errors: Floats


class Games(NamedTuple):
    """Playouts under way: where they stand, what they have come to, and what is left of them."""

    rows: Rows
    lasts: Places
    totals: Floats
    weights: Floats


def points_of(outcomes: Outcomes) -> float:
    """The expected points of the side whose chances these are, cube 1, no match score."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = outcomes
    return 2.0 * win - 1.0 + gammon + backgammon - lose_gammon - lose_backgammon


class Playouts:
    """Playouts of one finish in which both sides play as one adviser says.

    Positions are the side's with any number of checkers (``rows``), and the last checker (``lasts``) by its
    owner's numbering, 25 the bar. Points are that side's.
    """

    def __init__(self, finish: Finish, adviser: Adviser, seed: int) -> None:
        self._hazard, self._adviser = finish.hazard, adviser
        self._turns, self._last_roll = Turns(finish), LastRoll(finish)
        self._rng = np.random.default_rng(seed)

    def on_roll(self, rows: Rows, lasts: Places, count: int) -> Means:
        """The points with the side on roll, over so many playouts of each position."""
        return self._means(rows, lasts, count, is_on_roll=True)

    def after_turn(self, rows: Rows, lasts: Places, count: int) -> Means:
        """The points once the side has played."""
        return self._means(rows, lasts, count, is_on_roll=False)

    def _means(self, rows: Rows, lasts: Places, count: int, *, is_on_roll: bool) -> Means:
        parts = np.array_split(np.arange(len(rows)), -(-len(rows) * count // SIDE_BY_SIDE))
        samples = [
            self._samples(rows[part].repeat(count, axis=0), lasts[part].repeat(count), is_on_roll=is_on_roll)
            for part in parts
        ]
        points = np.concatenate(samples).reshape(len(rows), count)
        return Means(points.mean(axis=1), points.std(axis=1, ddof=1) / np.sqrt(count))

    def _samples(self, rows: Rows, lasts: Places, *, is_on_roll: bool) -> Floats:
        """One playout's points for each position."""
        games = Games(rows.copy(), lasts.copy(), np.zeros(len(rows)), np.ones(len(rows)))
        while (under_way := np.flatnonzero(games.weights > SMALLEST_WEIGHT)).size:
            if is_on_roll:
                self._turn(games, under_way)
            else:
                self._opposing_turn(games, under_way)
            is_on_roll = not is_on_roll
        return games.totals

    def _turn(self, games: Games, where: Places) -> None:
        """The side with more checkers rolls and plays."""
        rows, lasts = games.rows[where], games.lasts[where]
        rolls = self._rng.choice(len(ALL_ROLLS), size=len(where), p=ROLL_CHANCES)
        expected, thrown = np.zeros(len(where)), np.zeros(len(where))
        for number, dice in enumerate(ALL_ROLLS):
            after = self._turns.results(rows, lasts, dice)
            guesses = self._guess(after)
            best = guesses[best_of_each(guesses, after.origins)]
            expected += dice.chance * best
            is_thrown = rolls == number
            thrown[is_thrown] = best[is_thrown]
            self._play(games, where, after.take(is_thrown[after.origins]))
        games.totals[where] -= games.weights[where] * (thrown - expected)
        finished = where[holds_none(games.rows[where][:, 1:])]
        games.totals[finished] += games.weights[finished]
        games.weights[finished] = 0.0

    def _play(self, games: Games, where: Places, after: Boards) -> None:
        """The best of the plays of a roll, for those that threw it."""
        if len(after.rows):
            chosen = after.take(best_of_each(self.worths(after.rows, after.lasts), after.origins))
            games.rows[where[chosen.origins]] = chosen.rows
            games.lasts[where[chosen.origins]] = chosen.lasts

    def worths(self, rows: Rows, lasts: Places) -> Floats:
        """What the estimator thinks of positions after a turn of the side, finished ones too."""
        chances, left = won(len(rows)), ~holds_none(rows[:, 1:])
        if left.any():
            chances.put(left, self._adviser.after_turn(rows[left], lasts[left]))
        return chances.points

    def _guess(self, after: Boards) -> Floats:
        """The same as ``worths``, but no roll of a running checker is looked ahead."""
        chances, left = won(len(after.rows)), ~holds_none(after.rows[:, 1:])
        frozen = left & (after.lasts <= HOME)
        runs = left & ~frozen
        if frozen.any():
            chances.put(frozen, self._adviser.after_turn(after.rows[frozen], after.lasts[frozen]))
        if runs.any():
            chances.put(runs, self._adviser.on_roll(after.rows[runs], after.lasts[runs]))
        return chances.points

    def _opposing_turn(self, games: Games, where: Places) -> None:
        """The last checker rolls: a frozen one is off by its chance, the game going on with the rest."""
        frozen, runs = where[games.lasts[where] <= HOME], where[games.lasts[where] > HOME]
        lost = lost_now(games.rows[frozen]).points
        games.totals[frozen] += games.weights[frozen] * self._hazard * lost
        games.weights[frozen] *= 1.0 - self._hazard
        if len(runs):
            self._run(games, runs)

    def _run(self, games: Games, where: Places) -> None:
        answers = self._last_roll.answers(games.rows[where], games.lasts[where], self._adviser.on_roll)
        points = answers.chances.points
        rolls = self._rng.choice(len(ALL_ROLLS), size=len(where), p=ROLL_CHANCES)
        every = np.arange(len(where))
        games.totals[where] -= games.weights[where] * (points[every, rolls] - points @ ROLL_CHANCES)
        games.rows[where], games.lasts[where] = answers.rows[every, rolls], answers.lasts[every, rolls]
        ended = where[games.lasts[where] == OFF]
        games.totals[ended] += games.weights[ended] * lost_now(games.rows[ended]).points
        games.weights[ended] = 0.0


def as_arrays(positions: Sequence[Position]) -> tuple[Rows, Places]:
    """Positions seen by the side with any number of checkers, as rows and last checkers."""
    rows = np.array([position.own for position in positions], dtype=np.int8)
    return rows, np.array([highest_point(position.opponent) for position in positions], dtype=np.intp)
