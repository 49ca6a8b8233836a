"""Where the checkers stand.

``Checkers`` are one side's: a tuple of 26 counts indexed by the point in the owner's own numbering. Index 0
holds what is borne off, 1 to 24 the points from home, 25 the bar. A checker moves downwards.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

OFF = 0
BAR = 25
HOME = 6
"""The highest point of the home board."""

Checkers: TypeAlias = tuple[int, ...]


class Position(NamedTuple):
    """Both sides' checkers, each in its own numbering, seen by one side: ``own`` and ``opponent``."""

    own: Checkers
    opponent: Checkers

    def swapped(self) -> "Position":
        """The same board seen by the other side."""
        return Position(self.opponent, self.own)


def checkers_from(points: Mapping[int, int], total: int) -> Checkers:
    """One side's checkers from counts by own point; what is missing from ``total`` is borne off.

    Raises: ValueError for a point outside 1-25, a negative count or more than ``total`` checkers.

    >>> checkers_from({6: 2, 25: 1}, total=15)[:7]
    (12, 0, 0, 0, 0, 0, 2)
    """
    counts = [0] * 26
    for point, count in points.items():
        if not 1 <= point <= BAR:
            raise ValueError(f"there is no point {point}: points are 1 to 24, 25 is the bar")
        if count < 0:
            raise ValueError(f"point {point} cannot hold {count} checkers")
        counts[point] += count
    if sum(counts) > total:
        raise ValueError(f"{sum(counts)} checkers on the board, a side has {total}")
    counts[OFF] = total - sum(counts)
    return tuple(counts)


def count_on_board(checkers: Checkers) -> int:
    """How many checkers are left on the board, the bar included."""
    return sum(checkers) - checkers[OFF]


def pip_count(checkers: Checkers) -> int:
    """How many pips the side still has to move to bear everything off.

    >>> pip_count(checkers_from({24: 2, 13: 5, 8: 3, 6: 5}, 15))
    167
    """
    return sum([point * count for point, count in enumerate(checkers)])


def highest_point(checkers: Checkers) -> int:
    """The highest occupied own point, 25 for the bar, 0 where nothing is left on the board."""
    for point in range(BAR, OFF, -1):
        if checkers[point]:
            return point
    return OFF


def has_contact(position: Position) -> bool:
    """Whether any checker of one side still has to pass one of the other side's."""
    own, opponent = highest_point(position.own), highest_point(position.opponent)
    return own > 0 and opponent > 0 and own + opponent > BAR


def as_points(checkers: Checkers) -> dict[int, int]:
    """The occupied points, the bar as 25, without what is borne off.

    >>> as_points(checkers_from({6: 2, 25: 1}, 15))
    {6: 2, 25: 1}
    """
    return {point: count for point, count in enumerate(checkers) if count and point != OFF}


def check_position(position: Position, total: int) -> list[str]:
    """What is impossible about a position; empty where nothing is.

    Looked at: 26 counts a side, none negative, ``total`` checkers a side, no point held by both sides.
    """
    complaints = []
    for name, checkers in zip(("own", "opponent"), position, strict=True):
        if len(checkers) != 26:
            complaints.append(f"{name}: {len(checkers)} counts instead of 26")
        elif min(checkers) < 0:
            complaints.append(f"{name}: a negative count")
        elif sum(checkers) != total:
            complaints.append(f"{name}: {sum(checkers)} checkers instead of {total}")
    if not complaints:
        complaints += [
            f"point {point} is held by both sides"
            for point in range(1, BAR)
            if position.own[point] and position.opponent[BAR - point]
        ]
    return complaints
