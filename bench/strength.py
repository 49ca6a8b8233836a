"""How strong play under the modifier is: the tables of docs/strength.md.

    python -m bench.strength PART ... [--finish exact] [--count 300] [--playouts 36] [--engine NAME ...]

Parts: ``tables`` compares with a larger exact table; ``race`` and ``contact`` compare chances with Monte
Carlo; ``plays`` finds by Monte Carlo what the plays chosen with contact lose; ``few`` compares with the exact
chances of two checkers with contact; ``extreme`` shows fifteen checkers on the bar; ``archive`` counts
winners of real games by policy; ``speed`` times decisions.
Seeds are fixed: the same command prints the same rows, times apart.
"""

import argparse
import random
import time

import numpy as np

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values import ModifierTables, solve_estimator
from adjudicator.happy_end.values.chances import Floats
from adjudicator.rules.board import BAR, HOME, Position, checkers_from, count_on_board
from adjudicator.rules.plays import legal_plays
from bench import policies
from bench.oracle import FarTable, Oracle
from bench.playouts import Means, Playouts, as_arrays
from bench.positions import Kind, is_at_home, is_contact, is_outside, is_race, positions_of, thrown
from bench.training.turns import Turns

SEED = 20
"""Of positions and playouts alike."""

LEADING, WITHIN = 3, 0.1
"""So many plays are played out, none that the estimator holds worse by more points."""

FEW = 2
TRIED = 4_000


class Options(argparse.Namespace):
    """What was asked for."""

    part: list[str]
    finish: Finish
    count: int
    playouts: int
    engine: list[str]


def row(options: Options, *cells: object) -> None:
    texts = [f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells]
    print(f"| {options.finish.value} | {' | '.join(texts)} |", flush=True)


def tables(options: Options, estimator: ModifierTables) -> None:
    """Real positions, 15 checkers on points 1 to 10, not looked up by the estimator."""
    table = FarTable(options.finish)
    rows, lasts = as_arrays(sampled(table.holds, options, estimator))
    errors = np.abs(estimator.fight.on_roll(rows, lasts).points - table.points(rows))
    loss = policies.mean_loss(
        rows,
        lasts,
        Turns(options.finish),
        lambda rows, lasts: estimator.fight.after_turn(rows, lasts).points,
        lambda rows, _: table.after_turn(rows),
    )
    row(options, len(rows), float(errors.mean()), float(errors.max()), f"{loss:.5f}")


def sampled(kind: Kind, options: Options, estimator: ModifierTables) -> list[Position]:
    return positions_of(kind, options.count, options.finish, estimator, SEED)


def race(options: Options, estimator: ModifierTables) -> None:
    """Races against a frozen checker with some checkers outside."""
    compared(options, estimator, is_outside)


def contact(options: Options, estimator: ModifierTables) -> None:
    """The last checker is not frozen, or can still be hit."""
    compared(options, estimator, is_contact)


def compared(options: Options, estimator: ModifierTables, kind: Kind) -> None:
    """Chances against means of playouts, with either side to roll."""
    rows, lasts = as_arrays(sampled(kind, options, estimator))
    playouts = Playouts(options.finish, estimator.fight, SEED)
    compare_means(
        options,
        "on roll",
        estimator.fight.on_roll(rows, lasts).points,
        playouts.on_roll(rows, lasts, options.playouts),
    )
    compare_means(
        options,
        "has played",
        estimator.fight.after_turn(rows, lasts).points,
        playouts.after_turn(rows, lasts, options.playouts),
    )


def compare_means(options: Options, name: str, ours: Floats, means: Means) -> None:
    """How far the chances are from the playouts' means, which have errors of their own."""
    differences = ours - means.values
    row(
        options,
        name,
        len(ours),
        float(means.errors.mean()),
        float(np.abs(differences).mean()),
        float(differences.mean()),
        float(np.abs(differences).max()),
    )


def plays(options: Options, estimator: ModifierTables) -> None:
    """What the plays chosen with contact lose against the best of the leading ones.

    Playouts say which of them is best; others, thrown afresh, by how much, so that luck does not choose.
    """
    playouts, turns = Playouts(options.finish, estimator.fight, SEED), Turns(options.finish)
    chance = random.Random(SEED)
    losses, errors = np.zeros(options.count), []
    for number, position in enumerate(sampled(is_contact, options, estimator)):
        after = turns.results(*as_arrays([position]), thrown(chance))
        worths = playouts.worths(after.rows, after.lasts)
        order = np.argsort(-worths, kind="stable")[:LEADING]
        leading = after.take(order[worths[order] >= worths.max() - WITHIN])
        if len(leading.rows) == 1 or not leading.rows[:, 1:].any(axis=1).all():
            continue
        first = playouts.after_turn(leading.rows, leading.lasts, options.playouts)
        if best := int(first.values.argmax()):
            pair = leading.take(np.array([0, best]))
            again = playouts.after_turn(pair.rows, pair.lasts, options.playouts)
            losses[number] = again.values[1] - again.values[0]
            errors.append(float(np.hypot(*again.errors)))
    error = float(np.sqrt(np.sum(np.square(errors)))) / options.count
    row(options, options.count, len(errors), float(losses.mean()), error)


def few(options: Options, estimator: ModifierTables) -> None:
    """Exact chances of two checkers with contact: errors with either side to roll, and losses."""
    oracle = Oracle(options.finish, FEW)
    row(options, FEW, *policies.against(oracle, estimator.fight, FEW, TRIED, SEED))


def extreme(options: Options, estimator: ModifierTables) -> None:
    """All fifteen on the bar, on roll, against a checker in the home board."""
    own = checkers_from({BAR: 15}, 15)
    rows, lasts = as_arrays([Position(own, checkers_from({last: 1}, 15)) for last in range(1, HOME + 1)])
    chances = estimator.fight.on_roll(rows, lasts)
    means = Playouts(options.finish, estimator.fight, SEED).on_roll(rows, lasts, options.playouts)
    for last, win, points, mean, error in zip(
        lasts.tolist(), chances.win, chances.points, means.values, means.errors, strict=True
    ):
        row(options, last, float(win), float(points), float(mean), float(error))


def archive(options: Options, estimator: ModifierTables) -> None:
    """By policy, the share of real playouts whose winner is another than by these values alone."""
    for name, differing, games in policies.winners(options.finish, estimator, options.engine):
        row(options, name, games, differing, f"{differing / games:.2%}")


def speed(options: Options, estimator: ModifierTables) -> None:
    """Milliseconds to list and value all plays of a roll, at real positions and those that follow."""
    chance, steps = random.Random(SEED), modifier_steps(options.finish)
    for name, kind in KINDS.items():
        took = []
        for position in sampled(kind, options, estimator):
            dice = thrown(chance)
            began = time.perf_counter()
            results = [play.result for play in legal_plays(position, dice, steps)]
            estimator.estimate([result for result in results if count_on_board(result.own)])
            took.append(1000 * (time.perf_counter() - began))
        row(options, name, len(took), *[f"{value:.2f}" for value in np.quantile(took, [0.5, 0.99, 1.0])])


KINDS = {"no contact": is_race, "all at home": is_at_home, "some outside": is_outside, "contact": is_contact}
PARTS = {part.__name__: part for part in (tables, race, contact, plays, few, extreme, archive, speed)}


def main() -> None:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("part", choices=PARTS, nargs="+")
    parser.add_argument("--finish", type=Finish, choices=Finish, default=Finish.EXACT)
    parser.add_argument("--count", type=int, default=300, help="how many positions")
    parser.add_argument("--playouts", type=int, default=36, help="how many for each position")
    parser.add_argument("--engine", action="append", default=[], help="a registered engine; may be repeated")
    options = parser.parse_args(namespace=Options())
    estimator = solve_estimator(options.finish)
    for part in options.part:
        print(f"\n{part}", flush=True)
        PARTS[part](options, estimator)


if __name__ == "__main__":
    main()
