"""The score line of a .mat game: who sits in which column, and the score before the game.

Source: ``docs/formats/mat.md``, section "Seats".
"""

import re
from typing import NamedTuple

from adjudicator.rules.score import Score


class Seats(NamedTuple):
    """Both names without outer blanks (may be empty), and the score, ``None`` where it is missing."""

    white: str
    black: str
    score: Score | None


_SCORE = re.compile(r":[^\S\n]?[^\S\n]?(?P<points>[0-9]{1,9})(?P<gap>\s+|$)")
_NO_SCORE = re.compile(r"\S\s{3,}\S")


def parse_seats(line: str) -> Seats | None:
    """The seats of a score line, ``None`` if the line is none.

    A name may hold blanks and colons. So black's score is the last one in the line, and white's that with
    the widest gap behind it, the first of equals.

    >>> parse_seats(" a: 1 : 2            b : c : 0 ")
    Seats(white='a: 1', black='b : c', score=Score(white=2, black=0))
    """
    scores = list(_SCORE.finditer(line))
    if len(scores) < 2:
        return _parse_names_only(line) if not scores else None
    last = scores[-1]
    if last.end() != len(line):
        return None
    first = max(scores[:-1], key=lambda score: len(score["gap"]))
    score = Score(int(first["points"]), int(last["points"]))
    white, black = line[: first.start()], line[first.end("points") : last.start()]
    return Seats(white.strip(), black.strip(), score)


def _parse_names_only(line: str) -> Seats | None:
    """Two names far apart, as written by programs that leave the score out."""
    gap = _NO_SCORE.search(line.strip())
    if gap is None:
        return None
    names = line.strip()
    return Seats(names[: gap.start() + 1].strip(), names[gap.end() - 1 :].strip(), None)
