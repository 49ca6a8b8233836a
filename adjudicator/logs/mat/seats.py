"""The score line of a .mat game: who sits in which column, and the score before the game.

Source: ``docs/formats/mat.md``, section "Seats".
"""

import re
from typing import NamedTuple

from adjudicator.rules.score import Score


class Seats(NamedTuple):
    """Both names without outer blanks (may be empty), and the score, ``None`` where it is missing.

    ``gap``: how many blanks stand between the two seats, 0 where there is no score line.
    """

    white: str
    black: str
    score: Score | None
    gap: int


NO_SEATS = Seats("", "", None, 0)

_SCORE = re.compile(r":\s{0,2}(?P<points>[0-9]{1,9})(?P<gap>\s*)")
_WIDE_GAP = re.compile(r"\s{3,}")


def parse_seats(line: str) -> Seats | None:
    """The seats of a score line, ``None`` if the line is none.

    A name may hold blanks and colons. So black's score is the one that ends the line, and white's that with
    the widest gap behind it, the first of equals.

    >>> parse_seats(" a: 1 : 2            b : c : 0 ")
    Seats(white='a: 1', black='b : c', score=Score(white=2, black=0), gap=12)
    """
    scores = list(_SCORE.finditer(line))
    if not scores:
        return _parse_names(line.strip())
    last = scores.pop()
    if not scores or last.end() != len(line):
        return None
    first = max(scores, key=lambda score: len(score["gap"]))
    score = Score(int(first["points"]), int(last["points"]))
    white, black = line[: first.start()], line[first.end() : last.start()]
    return Seats(white.strip(), black.strip(), score, len(first["gap"]))


def _parse_names(line: str) -> Seats | None:
    """Two names far apart, as written by programs that leave the score out."""
    gap = _WIDE_GAP.search(line)
    if gap is None:
        return None
    return Seats(line[: gap.start()], line[gap.end() :], None, gap.end() - gap.start())
