"""Plays as people and programs write them: ``bar/20 8/5*(2) 6/off``.

Source: the play notation of the match record (``docs/formats/match-record.md``) and of the .mat dialects
(``docs/formats/mat.md``).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from adjudicator.rules.board import BAR, OFF
from adjudicator.rules.record import Movement

MAX_REPEATS = 4
"""The largest multiplicity: a doublet is played four times."""


class WrittenStep(Protocol):
    """Anything that can be written as one part of a play: a step of the rules, or a movement of a record."""

    @property
    def source(self) -> int:
        """The point it leaves, of the mover's own numbering, 25 the bar."""

    @property
    def target(self) -> int:
        """The point it comes to, 0 off."""

    @property
    def hit(self) -> bool:
        """Whether it hits there."""


# One part: points joined by slashes, stars after any of them, a multiplicity before or after the last star.
_PART = re.compile(
    r"(?P<chain>[a-z0-9]+\*?(?:/[a-z0-9]+\*?)*)(?:\((?P<repeats>[0-9]{1,2})\)(?P<star>\*?))?", re.IGNORECASE
)
_NAMED_POINTS = {"bar": BAR, "b": BAR, "off": OFF}


def parse_play(text: str) -> tuple[Movement, ...]:
    """The movements that a written play consists of, in written order; empty for blank text.

    Chains are split (``24/18/13`` is two movements), multiplicities expanded. A star belongs to the point
    it stands after; of a repeated part the first one hits, since a blot is hit once.

    Raises: ValueError, saying which part is wrong and why.

    >>> [(m.source, m.target, m.hit) for m in parse_play("b/20 6/1*(2)")]
    [(25, 20, False), (6, 1, True), (6, 1, False)]
    """
    movements: list[Movement] = []
    for part in (text.replace(" (", "(") if "(" in text else text).split():
        movements += _parse_part(part)
    return tuple(movements)


def format_play(steps: Sequence[WrittenStep]) -> str:
    """The written play: each step by itself, in the given order, hits starred; ``""`` for none.

    >>> format_play([Movement(25, 20), Movement(6, 1, hit=True), Movement(1, 0)])
    'bar/20 6/1* 1/off'
    """
    return " ".join([_format_step(step) for step in steps])


def _format_step(step: WrittenStep) -> str:
    source = "bar" if step.source == BAR else str(step.source)
    target = "off" if step.target == OFF else str(step.target)
    return f"{source}/{target}{'*' if step.hit else ''}"


@lru_cache(maxsize=2048)  # a few hundred parts make up nearly all plays: halves the time to read a log
def _parse_part(part: str) -> tuple[Movement, ...]:
    match = _PART.fullmatch(part)
    if match is None:
        raise ValueError(f"{_shown(part)} is no part of a play, such as 13/8, bar/20*, 6/off or 8/5(2)")
    chain = match["chain"] + (match["star"] or "")
    return tuple(_repeated(_parse_chain(chain, part), int(match["repeats"] or 1), part))


def _parse_chain(chain: str, part: str) -> list[Movement]:
    names = chain.split("/")
    if len(names) < 2:
        raise ValueError(f"{_shown(part)} names no point to move to")
    if names[0].endswith("*"):
        raise ValueError(f"{_shown(part)} has a star where nothing can be hit")
    points = [_parse_point(name.removesuffix("*"), part) for name in names]
    movements = []
    for index, name in enumerate(names[1:], start=1):
        source, target = points[index - 1], points[index]
        if target >= source:
            raise ValueError(f"{_shown(part)} does not move downwards")
        movements.append(Movement(source, target, hit=name.endswith("*")))
    return movements


def _parse_point(name: str, part: str) -> int:
    point = _NAMED_POINTS.get(name.lower(), -1)
    if point < 0 and name.isdecimal() and len(name) <= 2:
        point = int(name)
    if not OFF <= point <= BAR:
        raise ValueError(f"{_shown(part)}: there is no point {_shown(name)}")
    return point


def _repeated(movements: list[Movement], repeats: int, part: str) -> Iterable[Movement]:
    if not 1 <= repeats <= MAX_REPEATS:
        raise ValueError(f"{_shown(part)}: a part of a play is made 1 to {MAX_REPEATS} times, not {repeats}")
    again = [Movement(movement.source, movement.target) for movement in movements]
    return movements + again * (repeats - 1)


def _shown(text: str) -> str:
    """The text as a message may hold it: quoted, and short."""
    return repr(text if len(text) <= 24 else text[:21] + "...")
