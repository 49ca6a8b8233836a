"""The chance to win a match from a score: the Kazaross-XG2 match equity table.

The numbers stand in ``kazaross_xg2.json``: Neil Kazaross's table for up to 25 points away, taken from GNU
Backgammon's ``met/Kazaross-XG2.xml``. Beyond 25 points it is extended the way GNU Backgammon extends any
table (``matchequity.c``, David Montgomery's algorithm), which stays monotone across the seam.
"""

import json
import math
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from adjudicator.rules.score import CrawfordState

NAME = "Kazaross-XG2"
"""How results name the table."""

SPREAD_PER_GAME = (0.0, 1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72, 1.77)
"""Standard deviation, in points, of what a side that is so many points away wins in a game; the last one
holds from there on. Used beyond the table only."""

TRAILER_GAMMONS = 0.25
"""How many of the trailer's wins after the Crawford game are gammons; used beyond the table only."""

HOPELESS = 4000
"""Points away from which the trailer's chance is too small for a float; nobody plays to so many, records may
say anything."""


class EquityTable(NamedTuple):
    """Rows and columns are points away less one; ``pre_crawford[a - 1][b - 1]`` is a's chance."""

    pre_crawford: tuple[tuple[float, ...], ...]
    post_crawford: tuple[float, ...]


def load_table() -> EquityTable:
    """The table as it is kept in the package."""
    text = files("adjudicator.happy_end").joinpath("kazaross_xg2.json").read_text(encoding="utf-8")
    kept = json.loads(text)
    return EquityTable(tuple(map(tuple, kept["pre_crawford"])), tuple(kept["post_crawford"]))


TABLE = load_table()
TABLE_LENGTH = len(TABLE.pre_crawford)


@lru_cache(maxsize=1 << 16)
def match_winning_chance(away: int, opponent_away: int, crawford: CrawfordState) -> float:
    """The chance to win the match of a side that needs ``away`` points, its opponent ``opponent_away``.

    The points are those after a game and ``crawford`` is the state of that game. After a game before the
    Crawford game a side that is 1 away is about to play the Crawford game; after the Crawford game or a later
    one it is not. ``UNKNOWN`` is read as ``AFTER``: whoever asks knows no more than the score, and a game
    that starts with a side 1 away is followed by none but post-Crawford games. 0 or less away is won.

    >>> match_winning_chance(3, 3, CrawfordState.BEFORE)
    0.5
    >>> match_winning_chance(2, 1, CrawfordState.BEFORE), match_winning_chance(2, 1, CrawfordState.AFTER)
    (0.32264, 0.48803)
    """
    if away <= 0 or opponent_away <= 0:
        return 1.0 if away <= 0 else 0.0
    if crawford is not CrawfordState.BEFORE and min(away, opponent_away) == 1:
        if opponent_away == 1:
            return _post_crawford_chance(away)
        return 1.0 - _post_crawford_chance(opponent_away)
    return _pre_crawford_chance(away, opponent_away)


def _pre_crawford_chance(away: int, opponent_away: int) -> float:
    """From the table, and beyond it as if the lead were a random walk with steps of ``SPREAD_PER_GAME``.

    About (away + opponent_away) / 2 games are to come; the trailer has to make up the difference in them.
    """
    if max(away, opponent_away) <= TABLE_LENGTH:
        return TABLE.pre_crawford[away - 1][opponent_away - 1]
    if away < opponent_away:
        return 1.0 - _pre_crawford_chance(opponent_away, away)
    games = (away + opponent_away) / 2
    spread = math.hypot(_spread(away), _spread(opponent_away)) * math.sqrt(games)
    return math.erfc((away - opponent_away) / spread / math.sqrt(2)) / 2


def _spread(away: int) -> float:
    return SPREAD_PER_GAME[min(away, len(SPREAD_PER_GAME) - 1)]


def _post_crawford_chance(away: int) -> float:
    """The trailer's chance when the leader is 1 away after the Crawford game.

    Beyond the table the trailer doubles at once and wins every other game, two points or four at a time.
    """
    if away >= HOPELESS:
        return 0.0
    chances = list(TABLE.post_crawford[:away])
    while len(chances) < away:
        chances.append((TRAILER_GAMMONS * chances[-4] + (1 - TRAILER_GAMMONS) * chances[-2]) / 2)
    return chances[-1]
