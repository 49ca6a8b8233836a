"""How fast engines answer: ``python bench/engines.py [SECONDS]``, ``SECONDS`` for each number (default 1).

Prints a table in Markdown, as docs/performance.md shows it. An engine that cannot run here is left out,
with the reason; wildbg is asked where ``ADJUDICATOR_WILDBG_URL`` names a server.
"""

import os
import random
import sys
import time
from collections.abc import Iterator

from adjudicator.engines.description import EngineDescription, Value
from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.engines.modifier import ModifierEngine
from adjudicator.engines.registry import engine_descriptions
from adjudicator.errors import EngineUnavailableError
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values import IDENTITY, solve_estimator
from adjudicator.rules.board import Position, checkers_from, count_on_board, has_contact
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.variants import BACKGAMMON

QUESTION_SIZE = 32


def main(seconds: float) -> None:
    contact, race = _positions(1500)
    print("| | contact, positions/s | race, positions/s | first answer, s |")
    print("| --- | --- | --- | --- |")
    print(_row("gnubg-nn 0-ply in the same process", GnubgNnEngine(), contact, race, QUESTION_SIZE, seconds))
    for description in engine_descriptions().values():
        for settings in _settings(description):
            depth = f" {settings['plies']}-ply" if "plies" in settings else ""
            engine = description.open(settings)
            try:
                _ = engine.identity
            except EngineUnavailableError as error:
                print(f"{description.name} is left out: {error.detail}", file=sys.stderr)
                break
            print(_row(f"{description.name}{depth}", engine, contact, race, QUESTION_SIZE, seconds))
            if settings.get("plies") == 0:
                print(_row(f"{description.name}{depth}, one a question", engine, contact, race, 1, seconds))
            engine.close()
    _print_modifier(contact, race, seconds)


def _settings(description: EngineDescription) -> Iterator[dict[str, Value]]:
    """All depths of an engine, the first one first."""
    own: dict[str, Value] = {}
    if description.name == "wildbg":
        own["url"] = os.environ.get("ADJUDICATOR_WILDBG_URL", "")
    if not description.plies:
        yield own
    for plies in description.plies:
        yield {**own, "plies": plies}


def _print_modifier(contact: list[Position], race: list[Position], seconds: float) -> None:
    """The values under the modifier, with one checker left to the side on roll, where its first stands."""
    started = time.perf_counter()
    estimator = solve_estimator(Finish.EXACT)
    solved_s = time.perf_counter() - started
    engine = ModifierEngine(lambda _finish: estimator, IDENTITY, Finish.EXACT)
    left_contact, left_race = map(_one_left, contact), map(_one_left, race)
    name = "modifier, in the same process"
    print(_row(name, engine, list(left_contact), list(left_race), QUESTION_SIZE, seconds))
    print(f"\nTables of modifier solved in {solved_s:.1f} s, once for a data folder.")


def _one_left(position: Position) -> Position:
    first = next(point for point in range(1, 26) if position.opponent[point])
    return Position(position.own, checkers_from({first: 1}, BACKGAMMON.checkers_per_side))


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


def _row(
    name: str, engine: Engine, contact: list[Position], race: list[Position], size: int, seconds: float
) -> str:
    """A row of the table; the first answer comes from a process that is not running yet."""
    started = time.perf_counter()
    engine.evaluate(race[-1:])
    first_s = time.perf_counter() - started
    rates = [_rate(engine, positions, size, seconds) for positions in (contact, race)]
    return f"| {name} | {rates[0]:,.0f} | {rates[1]:,.0f} | {first_s:.2f} |"


def _rate(engine: Engine, positions: list[Position], size: int, seconds: float) -> float:
    """Positions a second; stops at the end of ``positions``, since engines remember what they were asked."""
    done, started = 0, time.perf_counter()
    while done < len(positions) and time.perf_counter() - started < seconds:
        done += len(engine.evaluate(positions[done : done + size]))
    return done / (time.perf_counter() - started)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
