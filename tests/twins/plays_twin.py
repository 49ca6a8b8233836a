"""A second generator of plays, slow and obvious, that shares nothing with the first but the rules.

The board is one row of 26 signed numbers as the mover sees it: its own checkers are positive, the other
side's negative; 25 is the mover's bar, 0 the other side's. What the mover has borne off is not kept: it is
what is missing. All sequences of steps with the dice in every order are walked to their end, and the rules of
whole plays are then applied to what was found.
"""

from collections.abc import Iterator

from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position

Row = tuple[int, ...]
Ending = tuple[tuple[int, ...], Row]
"""The dice used, in order, and the row after them."""


def row_of(position: Position) -> Row:
    """The signed row of a position seen by the mover."""
    row = [0] * 26
    for point in range(1, 26):
        row[point] += position.own[point]
        row[25 - point] -= position.opponent[point]
    return tuple(row)


def twin_results(position: Position, one: int, other: int, finish: Finish | None = None) -> set[Row]:
    """The rows that the legal plays lead to, by the ordinary rules or, with ``finish``, the modifier's."""
    hand = [one] * 4 if one == other else [one, other]
    endings = set(_endings(row_of(position), hand, (), finish, is_doublet=one == other))
    most = max(len(used) for used, _ in endings)
    longest = [(used, row) for used, row in endings if len(used) == most]
    if most == 1 and one != other and any(used == (max(one, other),) for used, _ in longest):
        longest = [(used, row) for used, row in longest if used == (max(one, other),)]
    finished = [(used, row) for used, row in endings if used and not _own(row)]
    return {row for _, row in longest + finished}


def _own(row: Row) -> list[int]:
    """The mover's occupied points."""
    return [point for point in range(1, 26) if row[point] > 0]


def _endings(
    row: Row, hand: list[int], used: tuple[int, ...], finish: Finish | None, *, is_doublet: bool
) -> Iterator[Ending]:
    """Every end of a sequence: nothing left in hand, no step possible, or nothing left on the board."""
    stuck = True
    for place, die in enumerate(hand):
        if die in hand[:place]:
            continue
        for source in _own(row):
            if _may(row, source, die, finish, is_doublet=is_doublet):
                stuck = False
                rest = hand[:place] + hand[place + 1 :]
                after = _moved(row, source, 0 if _is_frozen(row, finish) else source - die)
                yield from _endings(after, rest, (*used, die), finish, is_doublet=is_doublet)
    if stuck:
        yield used, row


def _is_frozen(row: Row, finish: Finish | None) -> bool:
    """Whether the modifier holds and the mover's only checker stands in its home board."""
    return finish is not None and [count for count in row[1:] if count > 0] == [1] and _own(row)[0] <= 6


def _may(row: Row, source: int, die: int, finish: Finish | None, *, is_doublet: bool) -> bool:
    """Whether one checker of the mover may go from ``source`` with ``die``."""
    own = _own(row)
    if _is_frozen(row, finish):
        return die == source or (finish is Finish.EXACT_OR_DOUBLE and is_doublet)
    if 25 in own and source != 25:
        return False
    if source > die:
        return row[source - die] >= -1
    if max(own) > 6:
        return False
    return source == die or source == max(own)


def _moved(row: Row, source: int, target: int) -> Row:
    after = list(row)
    after[source] -= 1
    if target > 0:
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return tuple(after)
