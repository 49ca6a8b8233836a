"""How many rolls hit a last checker. Nothing else of its side is on the board, so nothing blocks the way."""

from functools import lru_cache

from adjudicator.rules.board import BAR, Checkers
from adjudicator.rules.dice import ALL_ROLLS, Dice

ROLLS = 36


def hitting_chance(mine: Checkers, point: int) -> float:
    """The chance that a roll hits the opponent's checker on ``point`` (1-24, numbered as ``mine`` is).

    Checkers on the bar have to enter first, and so use up dice.

    >>> from adjudicator.rules.board import checkers_from
    >>> hitting_chance(checkers_from({7: 2}, 15), 6) * 36
    11.0
    """
    behind = frozenset(source - point for source in range(point + 1, BAR) if mine[source])
    return _chance(behind, mine[BAR], BAR - point)


@lru_cache(maxsize=1 << 16)
def _chance(behind: frozenset[int], on_bar: int, from_bar: int) -> float:
    hits = sum(1 if dice.is_doublet else 2 for dice in ALL_ROLLS if _hits(dice, behind, on_bar, from_bar))
    return hits / ROLLS


def _hits(dice: Dice, behind: frozenset[int], on_bar: int, from_bar: int) -> bool:
    """Whether a roll hits: ``behind`` are the distances of the checkers not on the bar."""
    steps = dice.numbers
    if on_bar and from_bar in steps:
        return True
    spare = len(steps) - on_bar
    if spare < 0:
        return False
    reaches = {sum(steps[:count]) for count in range(1, spare + 1)}
    if spare:
        reaches |= set(steps)
    from_bar_reaches = {sum(steps[: count + 1]) for count in range(1, spare + 1)} if on_bar else set()
    return bool(reaches & behind) or from_bar in from_bar_reaches
