"""The solved values: what they are of, and how they are made."""

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import ESCAPED
from adjudicator.happy_end.values.duel import DUELS, solve_duels
from adjudicator.happy_end.values.families import (
    CHECKERS,
    HOME_LATTICE,
    LAST_RUNNER_POINT,
    REST_LATTICE,
    Board,
    EscapeFamily,
    FarFamily,
    HomeFamily,
    RunnerFamily,
)
from adjudicator.happy_end.values.few import FEW, FINISHED, FewCheckers, FewValue, Points
from adjudicator.happy_end.values.lattice import Lattice
from adjudicator.happy_end.values.recursion import Floats, solve
from adjudicator.rules.board import BAR, HOME, OFF

TABLES_VERSION = 1
"""Raised with every change of what the tables hold: tables of another version are of no use."""

FAR_POINT = 8
"""All positions of 15 checkers on the points up to this one are solved."""

FAR_LATTICE = Lattice(1, FAR_POINT, CHECKERS)
FEW_LATTICE = Lattice(OFF, BAR, 2)
"""One or two checkers anywhere, the bar included."""

RUNNERS = LAST_RUNNER_POINT - HOME


class Tables(NamedTuple):
    """Chances of a side on roll against a frozen last checker, by slot; no contact.

    ``win`` arrays hold W (finish first), ``first_off`` G (first checker off in time). ``home`` is for a side
    that has borne off a checker, ``fresh`` for one that has not; ``far`` and ``runner`` for 15 checkers, up
    to ``FAR_POINT`` and with one straggler (from point 7 on, REST_LATTICE slots each). ``few`` is for up to
    two checkers anywhere. ``escape`` is the chance to clear the opponent's home board in time if nothing else
    mattered, by its points counted from 18. ``duel`` is for a checker a side with the other anywhere.
    """

    home_win: Floats
    fresh_win: Floats
    fresh_first_off: Floats
    far_win: Floats
    far_first_off: Floats
    runner_win: Floats
    runner_first_off: Floats
    few_win: Floats
    escape: Floats
    duel: Floats


SIZES = (
    *[HOME_LATTICE.size] * 3,
    *[FAR_LATTICE.size] * 2,
    *[RUNNERS * REST_LATTICE.size] * 2,
    FEW_LATTICE.size,
    HOME_LATTICE.size,
    DUELS,
)
"""How many entries each array of ``Tables`` has."""


def build_tables(finish: Finish) -> Tables:
    """Solve everything; a few seconds.

    A side that has borne off a checker plays for W, one that has not for 2W + G + H, the expected points.
    """
    survival = 1.0 - finish.hazard
    few = FewCheckers(finish)
    board = Board(HOME_LATTICE)
    home = HomeFamily(board, 0, 0)
    fresh = HomeFamily(board, board.size, 0)
    far = FarFamily(FAR_LATTICE, 2 * board.size, fresh)
    runner = RunnerFamily(far.first + FAR_LATTICE.size, fresh)
    families = (home, fresh, far, runner)
    points, win = solve(families, given_values(few, fresh.first), survival)
    escape = _escape_chances(board, survival)
    escaped = np.ones(len(points))
    escaped[runner.first :] = escape[_lone_escape_slots()]
    first_off = points - 2.0 * win - escaped
    ends = np.cumsum([len(family.pips) for family in families])[:-1]
    home_win, *later_wins = np.split(win, ends)
    _, *later_first_offs = np.split(first_off, ends)
    pairs = [array for pair in zip(later_wins, later_first_offs, strict=True) for array in pair]
    return Tables._make([home_win, *pairs, _few_wins(few), escape, solve_duels(finish)])


def given_values(few: FewCheckers, fresh: int) -> dict[int, FewValue]:
    """The values of up to ``FEW`` checkers at home, with a checker off and, from ``fresh`` on, without."""
    given = {}
    for checkers in range(FEW + 1):
        for points in combinations_with_replacement(range(1, HOME + 1), checkers):
            slot = HOME_LATTICE.slot(_counts(points, HOME_LATTICE))
            given[slot] = few.value(points, some_off=True) if points else FINISHED
            given[fresh + slot] = few.value(points, some_off=False) if points else FINISHED
    return given


def _few_wins(few: FewCheckers) -> Floats:
    """W of up to two checkers anywhere, by slot."""
    wins = np.ones(FEW_LATTICE.size)
    for checkers in range(1, FEW_LATTICE.checkers + 1):
        for points in combinations_with_replacement(range(1, BAR + 1), checkers):
            wins[FEW_LATTICE.slot(_counts(points, FEW_LATTICE))] = few.value(points, some_off=True).win
    return wins


def _counts(points: Points, lattice: Lattice) -> list[int]:
    """Counts by point of a lattice that begins with 0, where all that is missing stands."""
    counts = [points.count(point) for point in range(lattice.width)]
    counts[OFF] = lattice.checkers - len(points)
    return counts


def _escape_chances(board: Board, survival: float) -> Floats:
    """The chance to clear the opponent's home board in time; 1 where it is clear."""
    clear = HOME_LATTICE.slot(_counts((), HOME_LATTICE))
    return solve([EscapeFamily(board)], {clear: FewValue(1.0, 0.0)}, survival).points


def _lone_escape_slots() -> NDArray[np.intp]:
    """By position with one straggler: the slot in the escape table.

    Nothing else of 2W + G + H can be won by leaving the straggler in the opponent's home board for longer.
    """
    slots = [
        HOME_LATTICE.slot(_counts((point - ESCAPED,) if point > ESCAPED else (), HOME_LATTICE))
        for point in range(HOME + 1, LAST_RUNNER_POINT + 1)
    ]
    return np.repeat(np.array(slots, dtype=np.intp), REST_LATTICE.size)
