"""How good and how fast the values under the modifier are: ``python bench/values.py speed|accuracy|prices``.

``speed`` solves both finishes, loads them and looks positions up. ``accuracy`` compares the estimates with
larger exact tables, with listings of all plays and with rollouts (about six minutes). ``prices`` fits the
numbers that ``adjudicator.happy_end.values.race.PRICES`` holds. All print rows of
Markdown tables as docs/values.md shows them.
"""

import math
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.contact import Fight, lost_now, mix
from adjudicator.happy_end.values.estimator import ModifierTables
from adjudicator.happy_end.values.families import HOME_LATTICE, Board, FarFamily, HomeFamily
from adjudicator.happy_end.values.few import FewCheckers
from adjudicator.happy_end.values.lattice import Lattice
from adjudicator.happy_end.values.race import Chances, Race, pip_discount
from adjudicator.happy_end.values.recursion import Values, solve
from adjudicator.happy_end.values.tables import FAR_POINT, build_tables, given_values
from adjudicator.rules.board import (
    BAR,
    HOME,
    Checkers,
    Position,
    checkers_from,
    count_on_board,
    highest_point,
)
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.plays import legal_plays
from adjudicator.store.value_tables import load_tables

SAMPLE = 3000
ROLLOUTS = 120
NOBODY = (15, *[0] * 25)


def speed() -> None:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for finish in Finish:
            solving = cpu_seconds(partial(load_tables, finish, Path(folder)))
            loading = cpu_seconds(partial(load_tables, finish, Path(folder)))
            print(f"| {finish.value} | solved in {solving:.1f} s | loaded in {loading * 1000:.0f} ms |")
        tables = load_tables(Finish.EXACT, Path(folder))
    estimator = ModifierTables(tables, Finish.EXACT)
    kinds = {
        "all at home": [alone(rng, 1, 6, 12, 4) for _ in range(500)],
        "some outside": [alone(rng, 1, 14, 15, 4) for _ in range(500)],
        "last checker running": [alone(rng, 1, 6, 15, 14) for _ in range(100)],
    }
    for name, positions in kinds.items():
        seconds = cpu_seconds(partial(estimator.estimate, positions))
        print(f"| {name} | {seconds / len(positions) * 1e6:.0f} microseconds a position |")


def alone(rng: random.Random, low: int, high: int, checkers: int, last: int) -> Position:
    """Checkers on random points from ``low`` to ``high`` against a last checker."""
    points = [rng.randint(low, high) for _ in range(checkers)]
    return Position(from_points(points, 15), checkers_from({last: 1}, 15))


def from_points(points: Sequence[int], total: int) -> Checkers:
    return checkers_from({point: points.count(point) for point in set(points)}, total)


def cpu_seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def accuracy() -> None:
    print("| positions | compared with | finish | W | G | points, mean error | points, largest |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for finish in Finish:
        race = Race(build_tables(finish), finish)
        report("15 on 1-10, two or more on 9-10", "exact table", finish, beyond_the_table(race, finish))
        report("15 anywhere up to 18, none off", "rollouts", finish, rollouts(race, finish, 15, 15))
        report("3 up to 16, others off", "listing", finish, few_anywhere(race, finish))
        report("8 up to 18, others off", "rollouts", finish, rollouts(race, finish, 8, 15))
        report("contact, last checker frozen", "one ply deeper", finish, one_ply_deeper(race, finish, 2, 6))
        report("contact, last checker running", "one ply deeper", finish, one_ply_deeper(race, finish, 7, 24))


Pair = tuple[Chances, Chances]
"""Estimated and true chances of one position."""


def report(positions: str, truth: str, finish: Finish, pairs: Iterable[Pair]) -> None:
    errors = np.array([[*np.subtract(ours, true), ours.points - true.points] for ours, true in pairs])
    win, first_off, _, points = np.abs(errors).mean(axis=0)
    largest = np.abs(errors[:, 3]).max()
    print(
        f"| {positions} ({len(errors)}) | {truth} | {finish.value} | {win:.4f} | {first_off:.4f} "
        f"| {points:.4f} | {largest:.3f} |"
    )


def beyond_the_table(race: Race, finish: Finish) -> Iterator[Pair]:
    """Random positions of a larger exact table that the estimator does not have."""
    lattice = Lattice(1, 10, 15)
    values, first = solved_far(lattice, finish)
    counts = lattice.counts()
    outside = np.flatnonzero(counts[:, FAR_POINT:].sum(axis=1) >= 2)
    for slot in np.random.default_rng(1).choice(outside, SAMPLE, replace=False).tolist():
        points, win = float(values.points[first + slot]), float(values.win[first + slot])
        yield race.chances((0, *counts[slot].tolist(), *[0] * 15)), Chances(win, points - 2 * win - 1, 1.0)


def solved_far(lattice: Lattice, finish: Finish) -> tuple[Values, int]:
    """Exact values of the positions of a lattice from point 1, and the number they begin with."""
    board = Board(HOME_LATTICE)
    home, fresh = HomeFamily(board, 0, 0), HomeFamily(board, board.size, 0)
    far = FarFamily(lattice, 2 * board.size, fresh)
    given = given_values(FewCheckers(finish), fresh.first)
    return solve([home, fresh, far], given, 1 - finish.hazard), far.first


def few_anywhere(race: Race, finish: Finish) -> Iterator[Pair]:
    few, rng = FewCheckers(finish), random.Random(2)
    for _ in range(100):
        points = [rng.randint(1, 16) for _ in range(3)]
        true = few.value(tuple(sorted(points)), some_off=True)
        yield race.chances(from_points(points, 15)), Chances(true.win, 1.0, 1.0)


def rollouts(race: Race, finish: Finish, checkers: int, total: int) -> Iterator[Pair]:
    """Random positions, played by the estimates until a table knows the rest."""
    rng = random.Random(3)
    for _ in range(24):
        points = [rng.choice((rng.randint(1, 6), rng.randint(7, 18))) for _ in range(checkers)]
        start = from_points(points, total)
        samples = np.array([rolled_out(race, finish, start, rng) for _ in range(ROLLOUTS)])
        yield race.chances(start), Chances(*samples.mean(axis=0).tolist())


def rolled_out(race: Race, finish: Finish, mine: Checkers, rng: random.Random) -> Chances:
    """One game against a frozen last checker, whose hazard is taken as a discount, not rolled."""
    if is_solved(mine):
        return race.chances(mine)
    dice = Dice.of(rng.randint(1, 6), rng.randint(1, 6))
    plays = legal_plays(Position(mine, NOBODY), dice, modifier_steps(finish))
    best = max((play.result.own for play in plays), key=lambda left: worth_left(race, finish, left))
    if not count_on_board(best):
        return Chances(1.0, 1.0, 1.0)
    return discounted(rolled_out(race, finish, best, rng), best, 1 - finish.hazard)


def is_solved(mine: Checkers) -> bool:
    highest = highest_point(mine)
    return highest <= HOME or (highest <= FAR_POINT and count_on_board(mine) == 15)


def worth_left(race: Race, finish: Finish, left: Checkers) -> float:
    if not count_on_board(left):
        return 1.0
    return discounted(race.chances(left), left, 1 - finish.hazard).points


def discounted(chances: Chances, left: Checkers, survival: float) -> Chances:
    """The chances once the turn has ended with ``left``: the opponent has a roll first."""
    saved = lost_now(left)
    return Chances(
        *[survival * one + (1 - survival) * safe for one, safe in zip(chances, saved, strict=True)]
    )


def one_ply_deeper(race: Race, finish: Finish, lowest: int, highest: int) -> Iterator[Pair]:
    """A last checker that can be hit, from ``lowest`` to ``highest``: ours, and ours a turn later.

    No truth, but an estimate that is far from what its own next answers average to cannot be right.
    """
    fight, rng = Fight(race, finish), random.Random(4)
    steps = modifier_steps(finish)
    for _ in range(40):
        last = rng.randint(lowest, highest)
        behind = [rng.randint(BAR - last + 1, 24) for _ in range(rng.randint(1, 3)) if last > 1]
        ahead = [rng.randint(1, 6) for _ in range(15 - len(behind))]
        mine = from_points([*behind, *[point for point in ahead if point != BAR - last]], 15)
        position = Position(mine, checkers_from({last: 1}, 15))
        deeper = [
            (
                dice.chance,
                max(
                    (
                        fight.after_turn(after.own, highest_point(after.opponent))
                        for after in (play.result for play in legal_plays(position, dice, steps))
                    ),
                    key=lambda chances: chances.points,
                ),
            )
            for dice in ALL_ROLLS
        ]
        yield fight.on_roll(mine, last), mix(deeper)


def prices() -> None:
    """Least squares on the logarithms of exact values of 8 checkers on 1 to 14, mean of both finishes."""
    lattice, counts = Lattice(1, 14, 8), Lattice(1, 14, 8).counts()
    solved = {finish: solved_far(lattice, finish) for finish in Finish}
    for limit in (HOME, FAR_POINT):
        outside = np.flatnonzero(counts[:, limit:].sum(axis=1) >= 1)
        rows = np.random.default_rng(0).choice(outside, 20000, replace=False)
        for name in Chances._fields[:2]:
            fits = [
                fitted_prices(lattice, counts[rows], rows, limit, chance_of(name, *solved[finish]), finish)
                for finish in Finish
            ]
            print(f"| {limit} | {name} | {', '.join(f'{price:.2f}' for price in np.mean(fits, axis=0))} |")


def chance_of(name: str, values: Values, first: int) -> NDArray[np.float64]:
    win = values.win[first:]
    return win if name == "win" else values.points[first:] - 2 * win - 1


def fitted_prices(
    lattice: Lattice,
    counts: NDArray[np.int8],
    rows: NDArray[np.int64],
    limit: int,
    chances: NDArray[np.float64],
    finish: Finish,
) -> NDArray[np.float64]:
    near = counts.copy()
    near[:, limit - 1] += counts[:, limit:].sum(axis=1, dtype=np.int8)
    near[:, limit:] = 0
    pips = np.stack([counts[:, point:].sum(axis=1) for point in range(limit, lattice.high)], axis=1)
    ratio = np.log(chances[rows] / chances[lattice.slots(near)])
    slopes, *_ = np.linalg.lstsq(pips.astype(np.float64), ratio, rcond=None)
    fitted: NDArray[np.float64] = slopes / math.log(pip_discount(1 - finish.hazard))
    return fitted


COMMANDS = {"speed": speed, "accuracy": accuracy, "prices": prices}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]]()
