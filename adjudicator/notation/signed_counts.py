"""The 26 signed counts of a board: one side's checkers positive, the other's negative.

Counts 1 to 24 are the points as the positive side counts them, 25 is its bar, 0 the opponent's. What is borne
off is not among them.

Source: GNU Backgammon (its Snowie text, and the FIBS boards of its ``external`` interface), wildbg's HTTP
interface and the position records of eXtreme Gammon all write boards so.
"""

from collections.abc import Sequence

from adjudicator.rules.board import BAR, OFF, Position, checkers_from

_COUNTS = BAR + 1


def signed_counts(position: Position) -> tuple[int, ...]:
    """The 26 counts of a position: ``own`` positive, ``opponent`` negative, in the numbering of ``own``.

    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> signed_counts(BACKGAMMON.start)[:14]
    (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5)
    """
    own, opponent = position
    points = [own[point] - opponent[BAR - point] for point in range(1, BAR)]
    return (-opponent[BAR], *points, own[BAR])


def parse_signed_counts(counts: Sequence[int], total: int) -> Position:
    """The position of 26 counts, ``own`` positive; what is missing from ``total`` a side is borne off.

    Raises: ValueError for another number of counts, a bar that holds the wrong side's checkers, or more than
    ``total`` checkers of a side.

    >>> position = parse_signed_counts([-1, 2] + [0] * 24, total=15)
    >>> position.own[:2], position.opponent[BAR]
    ((13, 2), 1)
    """
    if len(counts) != _COUNTS:
        raise ValueError(f"a board has {_COUNTS} counts, not {len(counts)}")
    if counts[OFF] > 0 or counts[BAR] < 0:
        raise ValueError("a bar holds the wrong side's checkers")
    own = {point: count for point, count in enumerate(counts) if count > 0}
    opponent = {BAR - point: -count for point, count in enumerate(counts) if count < 0}
    return Position(checkers_from(own, total), checkers_from(opponent, total))
