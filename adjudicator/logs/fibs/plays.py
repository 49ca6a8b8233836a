"""Plays in the numbers of FIBS: the points of the board count one way for both players.

One of them plays from 24 to 1, the other from 1 to 24. Every step shows which way it goes, so a player's
first step of a game tells whose numbers these are.

Source: ``docs/formats/fibs.md``, section "Directions".
"""

import re
from enum import Enum

from adjudicator.logs.limits import MAX_STEPS
from adjudicator.rules.board import BAR, HOME, OFF
from adjudicator.rules.record import Movement


class Direction(Enum):
    """Which way a player's checkers go by the numbers of the board."""

    DOWN = "down"
    UP = "up"


_WORD = re.compile(r"bar|b|off|o|[0-9]{1,2}")
_BARS, _OFFS = ("bar", "b"), ("off", "o")
_HIGH_HOME = BAR - HOME
"""The lowest point of the home board that lies at the high numbers."""


def parse_fibs_play(text: str, direction: Direction | None) -> tuple[tuple[Movement, ...], Direction]:
    """The movements of a play, in the player's own numbering, and the way they go.

    ``direction`` is the player's in this game, ``None`` while nothing has told it.

    Raises: ValueError for text that is no play, or a step that goes the other way.

    >>> movements, way = parse_fibs_play("12-18 1-5 .", None)
    >>> [(movement.source, movement.target) for movement in movements], way
    ([(13, 7), (24, 20)], <Direction.UP: 'up'>)
    """
    words = text.removesuffix(".").replace("-", " ").split()
    if not words or len(words) % 2 or len(words) > 2 * MAX_STEPS:
        raise ValueError(f"{text[:40]!r} is no play, such as 24-18 13-11")
    movements = []
    for source, target in zip(words[::2], words[1::2], strict=True):
        way = _direction(source, target)
        direction = direction or way
        if way is not direction:
            raise ValueError(f"{source}-{target} goes the other way than the player's checkers do")
        movements.append(_movement(source, target, direction))
    if direction is None:
        raise ValueError(f"{text[:40]!r} is no play, such as 24-18 13-11")
    return tuple(movements), direction


def _direction(source: str, target: str) -> Direction:
    """Which way a step goes: bars and homes lie at both ends. Raises: ValueError if it goes no way."""
    for word in (source, target):
        if _WORD.fullmatch(word) is None:
            raise ValueError(f"{word[:20]!r} is no point, bar or off")
    if source in _BARS and target.isdecimal():
        return _at_end(int(target), low=Direction.UP)
    if target in _OFFS and source.isdecimal():
        return _at_end(int(source), low=Direction.DOWN)
    if not (source.isdecimal() and target.isdecimal()) or int(source) == int(target):
        raise ValueError(f"{source}-{target} is no step")
    return Direction.UP if int(target) > int(source) else Direction.DOWN


def _at_end(point: int, low: Direction) -> Direction:
    """The way of a step in a home board; ``low``: that of one at the low numbers."""
    if HOME < point < _HIGH_HOME:
        raise ValueError(f"nobody enters or bears off at {point}")
    if point <= HOME:
        return low
    return Direction.UP if low is Direction.DOWN else Direction.DOWN


def _movement(source: str, target: str, direction: Direction) -> Movement:
    own_source = BAR if source in _BARS else _own_point(source, direction)
    own_target = OFF if target in _OFFS else _own_point(target, direction)
    return Movement(own_source, own_target)


def _own_point(text: str, direction: Direction) -> int:
    point = int(text)
    if not 1 <= point < BAR:
        raise ValueError(f"there is no point {point}")
    return BAR - point if direction is Direction.UP else point
