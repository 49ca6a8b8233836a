"""The recipe of the contact net: whole games, and what they came to.

A game begins at a made-up position and is played, both sides choosing by what has been learned so far, until
contact is over: then the race is known, or somebody has finished. All positions on the way are taught that
outcome. Nothing is taught that a net has said itself: the best of many guesses is too good, and where a
checker can be hit again and again, that feeds on itself. With what was learned the next round is played, by
stronger sides.

Outcomes are taught without some of the luck in them, which leaves their means as they are: a frozen last
checker is not thrown for, its chance is reckoned in; and what a running one's roll was better or worse than
the mean of its rolls, as the net sees them, is taken off.

A second net learns what a turn with a running last checker leads to, and is thrown away. It picks the plays
that are worth a look at every roll.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import (
    Chances,
    Floats,
    Mask,
    Places,
    Rows,
    holds_none,
    lost_now,
    won,
)
from adjudicator.happy_end.values.contact import Fight, is_alone, is_escaped, is_racing
from adjudicator.happy_end.values.last_roll import ROLL_CHANCES, LastRoll
from adjudicator.happy_end.values.race import Race, told
from adjudicator.happy_end.values.tables import Tables
from adjudicator.rules.board import HOME, OFF
from adjudicator.rules.dice import ALL_ROLLS
from bench.oracle import Oracle
from bench.training.learner import Learner, Lesson
from bench.training.race import best_of_each
from bench.training.starts import sampled_positions
from bench.training.turns import Boards, Turns

WIDTHS, RUNNING_WIDTHS = (128, 32), (80, 32)
INPUTS = 161

GUESSED, GUESS_STEPS, GUESS_RATES = 30_000, 3_000, (1e-2, 1e-3)

FEW, SOLVED_SHARE = 2, 20
"""Positions of so many checkers are solved, and shown so many times for one of a game."""

SIDE_BY_SIDE = 2_500
LONGEST = 120
"""Turns; of a game that is not over by then the nets tell the rest."""

LEADING, WITHIN = 3, 0.15
"""So many plays are looked at more closely, none that seems worse by more points."""

WANDERING = 3
"""At most so many turns a game wanders before it counts: any play instead of the best, every other time."""


class Plan(NamedTuple):
    """A round: its games, the batches then learned, the first and the last rate, and from how many rounds."""

    games: int
    steps: int
    rates: tuple[float, float]
    kept: int


PLANS = (
    *[Plan(15_000, 1_500, (6e-3, 3e-3), 2)] * 3,
    *[Plan(25_000, 2_000, (4e-3, 1e-3), 3)] * 4,
    Plan(40_000, 3_000, (2e-3, 5e-4), 1),
    Plan(80_000, 4_000, (2e-3, 3e-4), 2),
    Plan(240_000, 14_000, (6e-3, 2e-5), 2),
)


class Moment(NamedTuple):
    """Where some of the games stand, with the side on roll or the last checker running and to roll."""

    games: Places
    rows: Rows
    lasts: Places
    is_on_roll: bool


class Hazard(NamedTuple):
    """A roll of the frozen last checker in some of the games."""

    games: Places
    rows: Rows


class Luck(NamedTuple):
    """What a roll did to the chances in some of the games."""

    games: Places
    chances: Chances


class Games:
    """Games under way: where they stand, what they have been through, and what they come to."""

    def __init__(self, rows: Rows, lasts: Places) -> None:
        self.rows, self.lasts = rows, lasts
        self.history: list[Moment | Hazard | Luck] = []
        self.outcomes = Chances.empty(len(rows))

    def record(self, where: Places, *, is_on_roll: bool) -> None:
        self.history.append(Moment(where, self.rows[where], self.lasts[where], is_on_roll))

    def end(self, where: Places, chances: Chances) -> None:
        self.outcomes.put(where, chances)


Lessons: TypeAlias = tuple[Lesson, Lesson]
"""For the net with the side on roll, and for that of a running last checker."""


class Teacher:
    """Plays by two nets of one finish, and teaches them."""

    def __init__(self, finish: Finish, tables: Tables, race: Race, seed: int) -> None:
        self._finish = finish
        self._rng = np.random.default_rng(seed)
        self._turns, self._last_roll = Turns(finish), LastRoll(finish)
        self._on_roll = Learner(INPUTS, WIDTHS, seed)
        self._running = Learner(INPUTS, RUNNING_WIDTHS, seed + 1)
        self.fight = Fight(tables, race, self._on_roll, finish)

    def teach(self) -> Learner:
        """The net that tells the chances of the side on roll, once it has been through everything."""
        guess = self._guess()
        self._on_roll.fit([guess], GUESS_STEPS, GUESS_RATES)
        self._running.fit([guess], GUESS_STEPS, GUESS_RATES)
        solved = [self._solved()] * SOLVED_SHARE
        rounds: list[Lessons] = []
        for number, plan in enumerate(PLANS, start=1):
            rounds = [*rounds, self.round(plan.games)][-plan.kept :]
            on_roll, running = (list(lessons) for lessons in zip(*rounds, strict=True))
            error = self._on_roll.fit([*on_roll, *solved], plan.steps, plan.rates)
            self._running.fit(running, plan.steps, plan.rates)
            print(
                f"contact {self._finish.value} {number} of {len(PLANS)}: mean error {error:.4f}", flush=True
            )
        return self._on_roll

    def round(self, count: int) -> Lessons:
        """What so many games teach."""
        parts = [SIDE_BY_SIDE] * (count // SIDE_BY_SIDE)
        on_roll, running = zip(*[self.lessons(self.played(part)) for part in parts], strict=True)
        return Lesson.joined(on_roll), Lesson.joined(running)

    def _guess(self) -> Lesson:
        """At first: a race that the last checker gives the more time for, the further it is from home."""
        rows, lasts = self._starts(GUESSED)
        times = self.fight.race_times(rows) * np.minimum(1.0, HOME / lasts)[:, None]
        return self._lesson(rows, lasts, told(times, rows[:, OFF] > 0, is_escaped(rows, lasts)))

    def _solved(self) -> Lesson:
        """Two checkers wherever they are, the others off."""
        oracle = Oracle(self._finish, FEW)
        where = oracle.is_state & is_learned(oracle.rows, oracle.lasts)
        win = oracle.on_roll[where]
        chances = Chances(win, np.ones(len(win)), np.ones(len(win)))
        return self._lesson(oracle.rows[where], oracle.lasts[where], chances)

    def _starts(self, count: int) -> tuple[Rows, Places]:
        """Made-up positions that the nets are asked about."""
        rows, lasts = sampled_positions(2 * count, self._rng)
        asked = np.flatnonzero(is_learned(rows, lasts))[:count]
        return rows[asked], lasts[asked]

    def played(self, count: int) -> Games:
        """So many games from beginning to end."""
        games = Games(*self._starts(count))
        wander = self._rng.integers(WANDERING + 1, size=count)
        where = np.arange(count)
        for turn in range(LONGEST):
            counts = wander[where] <= turn
            games.record(where[counts], is_on_roll=True)
            self._turn(games, where, ~counts & (self._rng.random(len(where)) < 0.5))
            where = self._going_on(games, where)
            where = self._opposing_turn(games, where, wander[where] <= turn)
        games.end(where, self.fight.on_roll(games.rows[where], games.lasts[where]))
        return games

    def _turn(self, games: Games, where: Places, wanders: Mask) -> None:
        """The side with more checkers rolls and makes its best play, or any if it wanders."""
        rolls = self._rng.choice(len(ALL_ROLLS), size=len(where), p=ROLL_CHANCES)
        for number, dice in enumerate(ALL_ROLLS):
            is_thrown = rolls == number
            thrown = where[is_thrown]
            after = self._turns.results(games.rows[thrown], games.lasts[thrown], dice)
            worths = self._worths(after)
            by_chance = self._rng.random(len(worths))
            chosen = best_of_each(
                np.where(wanders[is_thrown][after.origins], by_chance, worths), after.origins
            )
            games.rows[thrown], games.lasts[thrown] = after.rows[chosen], after.lasts[chosen]

    def _worths(self, after: Boards) -> Floats:
        """The points of plays; of those that do not lead no more than that they are not the best."""
        guesses = self._guesses(after)
        leading = leaders(guesses, after.origins)
        rows, lasts, _ = after.take(leading)
        chances, left = won(len(rows)), ~holds_none(rows[:, 1:])
        chances.put(left, self.fight.after_turn(rows[left], lasts[left]))
        worths = np.full(len(guesses), -np.inf)
        worths[leading] = chances.points
        return worths

    def _guesses(self, after: Boards) -> Floats:
        """The points of plays where no roll of a running last checker is looked ahead."""
        rows, lasts, _ = after
        chances, left = won(len(rows)), ~holds_none(rows[:, 1:])
        running = left & (lasts > HOME) & ~is_alone(rows)
        known = left & ~running
        chances.put(known, self.fight.after_turn(rows[known], lasts[known]))
        chances.put(running, self.fight.told_by(self._running, rows[running], lasts[running]))
        return chances.points

    def _going_on(self, games: Games, where: Places) -> Places:
        """The games that are not over after a turn; the others end."""
        rows, lasts = games.rows[where], games.lasts[where]
        finished, alone = holds_none(rows[:, 1:]), is_alone(rows)
        games.end(where[finished], won(int(finished.sum())))
        games.end(where[alone], self.fight.after_turn(rows[alone], lasts[alone]))
        return where[~(finished | alone)]

    def _opposing_turn(self, games: Games, where: Places, counts: Mask) -> Places:
        """The last checker's side rolls; the games in which the nets are asked about what follows."""
        is_frozen = games.lasts[where] <= HOME
        frozen, running = where[is_frozen], where[~is_frozen]
        games.history.append(Hazard(frozen, games.rows[frozen]))
        games.record(running[counts[~is_frozen]], is_on_roll=False)
        self._run(games, running)
        rows, lasts = games.rows[where], games.lasts[where]
        lost, asked = lasts == OFF, is_learned(rows, lasts)
        known = ~(lost | asked)
        games.end(where[lost], lost_now(rows[lost]))
        games.end(where[known], self.fight.on_roll(rows[known], lasts[known]))
        return where[asked]

    def _run(self, games: Games, where: Places) -> None:
        """Running last checkers make the best play of a roll."""
        answers = self._last_roll.answers(games.rows[where], games.lasts[where], self.fight.on_roll)
        rolls = self._rng.choice(len(ALL_ROLLS), size=len(where), p=ROLL_CHANCES)
        thrown = np.arange(len(where)), rolls
        luck = Chances(*[array[thrown] - array @ ROLL_CHANCES for array in answers.chances])
        games.history.append(Luck(where, luck))
        games.rows[where], games.lasts[where] = answers.rows[thrown], answers.lasts[thrown]

    def lessons(self, games: Games) -> Lessons:
        """All positions of games with what became of them, from the end backwards."""
        worth = games.outcomes
        on_roll: list[Lesson] = []
        running: list[Lesson] = []
        for moment in reversed(games.history):
            reached = worth.take(moment.games)
            match moment:
                case Hazard():
                    survival = 1.0 - self._finish.hazard
                    worth.put(moment.games, reached.mixed(survival, lost_now(moment.rows)))
                case Luck():
                    reached.add(moment.chances, -1.0)
                    worth.put(moment.games, reached)
                case Moment():
                    lesson = self._lesson(moment.rows, moment.lasts, reached)
                    (on_roll if moment.is_on_roll else running).append(lesson)
        return Lesson.joined(on_roll), Lesson.joined(running)

    def _lesson(self, rows: Rows, lasts: Places, chances: Chances) -> Lesson:
        inputs = self.fight.inputs(rows, lasts)
        return Lesson.of(inputs, chances, rows[:, OFF] > 0, is_escaped(rows, lasts))


def is_learned(rows: Rows, lasts: Places) -> Mask:
    """Which positions the nets are asked about: contact, and more than one checker against the last one."""
    learned: Mask = (lasts != OFF) & (rows[:, 1:].sum(axis=1) > 1) & ~is_racing(rows, lasts)
    return learned


def leaders(worths: Floats, origins: Places) -> Places:
    """The places of the first few of each origin, as far as they are not worth less by more than a little."""
    order = np.lexsort((-worths, origins))
    _, starts, counts = np.unique(origins[order], return_index=True, return_counts=True)
    best = np.repeat(worths[order[starts]], counts)
    rank = np.arange(len(order)) - np.repeat(starts, counts)
    leading: Places = order[(rank < LEADING) & (worths[order] > best - WITHIN)]
    return leading
