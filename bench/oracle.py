"""Exact values to compare with: races further out than the tables, and few checkers with contact."""

from typing import NamedTuple

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Floats, Mask, Places, Rows, lost_now
from adjudicator.happy_end.values.contact import highest_points
from adjudicator.happy_end.values.families import HOME_LATTICE, Board, FarFamily, HomeFamily
from adjudicator.happy_end.values.few import FewCheckers
from adjudicator.happy_end.values.last_roll import ROLL_CHANCES, LastRoll
from adjudicator.happy_end.values.lattice import Lattice
from adjudicator.happy_end.values.recursion import solve
from adjudicator.happy_end.values.tables import FAR_POINT, given_values
from adjudicator.rules.board import BAR, HOME, OFF, Position, highest_point
from adjudicator.rules.dice import ALL_ROLLS
from bench.positions import is_outside
from bench.training.turns import Boards, Turns

CHECKERS = 15
FURTHEST = 10
FAR_LATTICE = Lattice(1, FURTHEST, CHECKERS)
NONE_OFF = np.array([CHECKERS, *[0] * (FURTHEST - 1)], dtype=np.int8)
"""A position of the table, to be looked up in place of those that are not in it."""

SETTLED = 1e-10


class Reached(NamedTuple):
    """By roll: the states that its plays lead to, and where those of each state begin."""

    states: Places
    starts: Places


class Oracle:
    """All states of up to ``most`` checkers; a state is a slot of the lattice and the last checker's point.

    ``on_roll`` and ``after_turn`` are the chances, by state, of the side with up to ``most`` checkers to
    finish first, with either side to roll. States in which both stand on one point mean nothing.
    """

    def __init__(self, finish: Finish, most: int) -> None:
        self._lattice, self.finish = Lattice(OFF, BAR, most), finish
        counts = self._lattice.counts()
        counts[:, OFF] += CHECKERS - most
        self.rows: Rows = np.repeat(counts, BAR, axis=0)
        self.lasts: Places = np.tile(np.arange(1, BAR + 1), len(counts))
        on_board = self.rows[:, 1:].sum(axis=1)
        beside = self.rows[np.arange(len(self.rows)), BAR - self.lasts] == 0
        self.is_state: Mask = (on_board > 0) & (beside | (self.lasts == BAR))
        self._missing = CHECKERS - most
        self.has_contact: Mask = (self.lasts > HOME) | (highest_points(self.rows) > BAR - self.lasts)
        self.on_roll: Floats = np.zeros(len(self.rows))
        self.after_turn: Floats = np.zeros(len(self.rows))
        self._solve()

    def states(self, rows: Rows, lasts: Places) -> Places:
        """The states of these positions."""
        counts = rows.copy()
        counts[:, OFF] -= self._missing
        return self._lattice.slots(counts).astype(np.intp) * BAR + lasts - 1

    def _solve(self) -> None:
        states = np.flatnonzero(self.is_state)
        turns = Turns(self.finish)
        mine = [
            self._reached(turns.results(self.rows[states], self.lasts[states], dice)) for dice in ALL_ROLLS
        ]
        runs = states[self.lasts[states] > HOME]
        boards, points, legal = LastRoll(self.finish).results(self.rows[runs], self.lasts[runs])
        lost = points == OFF
        others = self.states(boards.reshape(-1, BAR + 1), np.where(lost, 1, points).ravel()).reshape(
            points.shape
        )
        frozen = states[self.lasts[states] <= HOME]
        finished = ~self.rows[:, 1:].any(axis=1)
        self.after_turn[finished] = 1.0
        while True:
            before = self.on_roll[states]
            self.after_turn[frozen] = (1.0 - self.finish.hazard) * self.on_roll[frozen]
            answers = np.where(legal, np.where(lost, 0.0, self.on_roll[others]), 2.0)
            worst = answers.reshape(len(runs), len(ALL_ROLLS), 2).min(axis=2)
            self.after_turn[runs] = worst @ ROLL_CHANCES
            best = [np.maximum.reduceat(self.after_turn[roll.states], roll.starts) for roll in mine]
            self.on_roll[states] = np.stack(best, axis=1) @ ROLL_CHANCES
            if np.abs(self.on_roll[states] - before).max() < SETTLED:
                return

    def _reached(self, boards: Boards) -> Reached:
        starts = np.unique(boards.origins, return_index=True)[1]
        return Reached(self.states(boards.rows, boards.lasts), starts)


class FarTable:
    """All positions of 15 checkers on points 1 to ``FURTHEST``, none off, against a frozen last checker."""

    def __init__(self, finish: Finish) -> None:
        board = Board(HOME_LATTICE)
        home, fresh = HomeFamily(board, 0, 0), HomeFamily(board, board.size, 0)
        far = FarFamily(FAR_LATTICE, 2 * board.size, fresh)
        self._finish, self._first = finish, far.first
        given = given_values(FewCheckers(finish), fresh.first)
        self._worths = solve([home, fresh, far], given, 1 - finish.hazard).points

    def holds(self, position: Position) -> bool:
        """Whether the side on roll is in this table and not in the estimator's."""
        own = position.own
        beyond_estimator = FAR_POINT < highest_point(own) <= FURTHEST and sum(own[HOME + 1 :]) > 1
        return is_outside(position) and not own[OFF] and beyond_estimator

    def points(self, rows: Rows) -> Floats:
        """The points with the side on roll."""
        some_off = rows[:, OFF] > 0
        on_table = np.where(some_off[:, None], NONE_OFF, rows[:, 1 : FURTHEST + 1])
        slots = np.where(
            some_off, HOME_LATTICE.slots(rows[:, : HOME + 1]), self._first + FAR_LATTICE.slots(on_table)
        )
        worths: Floats = self._worths[slots]
        return worths - 3.0

    def after_turn(self, rows: Rows) -> Floats:
        """The points once the side has played."""
        hazard = self._finish.hazard
        return (1.0 - hazard) * self.points(rows) + hazard * lost_now(rows).points
