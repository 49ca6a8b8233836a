"""How fast the values under the modifier are, and how large: ``python -m bench.values``.

Solves both finishes, loads them, and looks positions up, in rows of Markdown tables.
"""

import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values import ModifierTables
from adjudicator.rules.board import Position, checkers_from
from adjudicator.store.value_tables import load_tables, tables_path


def main() -> None:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for finish in Finish:
            solving = cpu_seconds(partial(load_tables, finish, Path(folder)))
            loading = cpu_seconds(partial(load_tables, finish, Path(folder)))
            size = tables_path(finish, Path(folder)).stat().st_size / 1e6
            print(f"| {finish.value} | {solving:.1f} s | {loading * 1000:.0f} ms | {size:.1f} MB |")
        estimator = ModifierTables(load_tables(Finish.EXACT, Path(folder)), Finish.EXACT)
    kinds = {
        "all at home": [alone(rng, 6, 12, 4) for _ in range(500)],
        "some outside": [alone(rng, 14, 15, 4) for _ in range(500)],
        "last checker running": [alone(rng, 6, 15, 14) for _ in range(100)],
    }
    for name, positions in kinds.items():
        together = cpu_seconds(partial(estimator.estimate, positions)) / len(positions)
        singly = cpu_seconds(partial(one_by_one, estimator, positions)) / len(positions)
        print(f"| {name} | {together * 1e6:.0f} | {singly * 1e6:.0f} |")


def alone(rng: random.Random, highest: int, checkers: int, last: int) -> Position:
    """Checkers on random points up to ``highest``, who have just played, against a last checker."""
    points = [rng.randint(1, highest) for _ in range(checkers)]
    return Position(
        checkers_from({point: points.count(point) for point in points}, 15), checkers_from({last: 1}, 15)
    )


def one_by_one(estimator: ModifierTables, positions: list[Position]) -> None:
    for position in positions:
        estimator.estimate([position])


def cpu_seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


if __name__ == "__main__":
    main()
