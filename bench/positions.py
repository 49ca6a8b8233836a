"""Last-checker positions of real games, and those that come up when they are played on with fresh dice.

Where the archive does not lie beside the project, games of two sides that play at random stand in.
"""

import random
import zipfile
from collections.abc import Callable, Iterator
from functools import cache

from adjudicator.errors import AdjudicatorError
from adjudicator.happy_end.adjudication import adjudicate
from adjudicator.happy_end.modifier import is_frozen, modifier_steps
from adjudicator.happy_end.ports import Estimator
from adjudicator.happy_end.ruleset import Finish, Ruleset
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import HOME, Position, count_on_board, has_contact, highest_point
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.variants import BACKGAMMON
from bench.playouts import points_of
from tests.opinions import EvenEngine, EvenEstimator
from tests.shared_data import ROOT

ARCHIVE = ROOT / "archive" / "galaxy.zip"
INVENTED_GAMES = 600

Kind = Callable[[Position], bool]


@cache
def last_checker_positions() -> tuple[Position, ...]:
    """The last-checker positions of all games, seen by the side on roll, in the order of the logs."""
    return tuple(_real() if ARCHIVE.is_file() else _invented())


def logs() -> Iterator[bytes]:
    """The real logs: the archive's, then those that lie beside it."""
    with zipfile.ZipFile(ARCHIVE) as opened:
        for name in sorted(opened.namelist()):
            if name.endswith((".mat", ".txt")):
                yield opened.read(name)
    for path in sorted((ROOT / "matches").rglob("*")):
        if path.is_file():
            yield path.read_bytes()


def _real() -> Iterator[Position]:
    for content in logs():
        try:
            games = adjudicate(read_log(content), Ruleset(), EvenEngine(), EvenEstimator()).games
        except AdjudicatorError:
            continue
        yield from (game.played.playout.start.position for game in games if game.played is not None)


def _invented() -> Iterator[Position]:
    chance = random.Random(1)
    for _ in range(INVENTED_GAMES):
        position = BACKGAMMON.start
        while count_on_board(position.opponent) > 1:
            position = chance.choice(legal_plays(position, thrown(chance))).result.swapped()
        if count_on_board(position.opponent):
            yield position


def is_at_home(position: Position) -> bool:
    """A race against a frozen checker, all checkers of the side on roll at home."""
    return is_race(position) and highest_point(position.own) <= HOME


def is_outside(position: Position) -> bool:
    """A race against a frozen checker, the side on roll with some checkers outside."""
    return is_race(position) and highest_point(position.own) > HOME


def is_race(position: Position) -> bool:
    """The other side's last checker is frozen and passed."""
    return is_frozen(position.swapped()) and not has_contact(position) and count_on_board(position.own) > 1


def is_contact(position: Position) -> bool:
    """The last checker is not frozen, or may still be hit; the side on roll has the others."""
    if count_on_board(position.opponent) != 1 or count_on_board(position.own) == 1:
        return False
    return has_contact(position) or not is_frozen(position.swapped())


def positions_of(kind: Kind, count: int, finish: Finish, estimator: Estimator, seed: int) -> list[Position]:
    """So many different positions of a kind, from real starts and from playing them on, seen by who rolls."""
    chance, steps, plays_on = random.Random(seed), modifier_steps(finish), kind in (is_at_home, is_race)
    found: dict[Position, None] = {}
    while len(found) < count:
        starts = last_checker_positions()
        for start in chance.sample(starts, len(starts)):
            position = start
            while count_on_board(position.opponent) and (is_contact_of_any(position) or plays_on):
                if kind(position):
                    found[position] = None
                results = [play.result for play in legal_plays(position, thrown(chance), steps)]
                position = advised(results, estimator).swapped()
            if len(found) >= count:
                return list(found)[:count]
    return list(found)


def is_contact_of_any(position: Position) -> bool:
    """Whether more than tables of checkers at home have a say."""
    highest = max(highest_point(position.own), highest_point(position.opponent))
    return highest > HOME or has_contact(position)


def advised(results: list[Position], estimator: Estimator) -> Position:
    """Where the play leads that the estimator advises."""
    for result in results:
        if not count_on_board(result.own):
            return result
    points = [points_of(outcomes) for outcomes in estimator.estimate(results)]
    return results[points.index(max(points))]


def thrown(chance: random.Random) -> Dice:
    """A roll."""
    return Dice.of(chance.randint(1, 6), chance.randint(1, 6))
