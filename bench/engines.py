"""How fast engines answer: ``python bench/engines.py [SECONDS]``, ``SECONDS`` for each number (default 1).

Prints a table in Markdown, as docs/engines.md shows it.
"""

import random
import sys
import time
from collections.abc import Callable

from adjudicator.engines.gnubg_nn import PLIES, GnubgNnEngine
from adjudicator.engines.registry import GNUBG_NN
from adjudicator.happy_end.ports import Engine
from adjudicator.rules.board import Position, count_on_board, has_contact
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.variants import BACKGAMMON


def main(seconds: float) -> None:
    contact, race = _positions(1500)
    print("| | contact, positions/s | race, positions/s |")
    print("| --- | --- | --- |")
    for plies in PLIES:
        inside = GnubgNnEngine(plies)
        hosted = GNUBG_NN.open({"plies": plies})
        hosted.evaluate([BACKGAMMON.start])
        for name, engine, size in (
            ("in the same process", inside, 32),
            ("in its own, 32 a question", hosted, 32),
            ("in its own, one a question", hosted, 1),
        ):
            rates = [_rate(engine, positions, size, seconds) for positions in (contact, race)]
            print(f"| {plies}-ply, {name} | {rates[0]:,.0f} | {rates[1]:,.0f} |")
        hosted.close()
    print(f"\nFrom nothing to the first answer: {_timed(_first_answer):.2f} s")


def _positions(count: int) -> tuple[list[Position], list[Position]]:
    """That many positions of random games with contact, and as many without; none asked twice."""
    chance = random.Random(1)
    found: dict[bool, dict[Position, None]] = {True: {}, False: {}}
    position = BACKGAMMON.start
    while min(map(len, found.values())) < count:
        dice = Dice.of(chance.randint(1, 6), chance.randint(1, 6))
        result = chance.choice(legal_plays(position, dice)).result
        if count_on_board(result.own):
            found[has_contact(result)][result] = None
            position = result.swapped()
        else:
            position = BACKGAMMON.start
    return list(found[True])[:count], list(found[False])[:count]


def _rate(engine: Engine, positions: list[Position], size: int, seconds: float) -> float:
    """Positions a second; stops at the end of ``positions``, since engines remember what they were asked."""
    done, started = 0, time.perf_counter()
    while done < len(positions) and time.perf_counter() - started < seconds:
        done += len(engine.evaluate(positions[done : done + size]))
    return done / (time.perf_counter() - started)


def _first_answer() -> None:
    engine = GNUBG_NN.open()
    engine.evaluate([BACKGAMMON.start])
    engine.close()


def _timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
