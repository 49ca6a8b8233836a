"""The modifier itself: which steps Happy-End allows (HE-1)."""

from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import HOME, OFF, Position, count_on_board, highest_point
from adjudicator.rules.plays import DieSteps, ordinary_steps


def modifier_steps(finish: Finish) -> DieSteps:
    """The steps of one die under the modifier.

    A side's only checker left, once it stands in its home board, may not be moved: only a die equal to its
    point bears it off, with ``exact_or_double`` also any die of a doublet. All else is as by the ordinary
    rules, also for an only checker that is still on the bar or outside its home board.

    Source: HE-1.1 to HE-1.4.
    """
    any_doublet = finish is Finish.EXACT_OR_DOUBLE

    def steps(position: Position, die: int, is_doublet: bool) -> list[tuple[int, int]]:  # noqa: FBT001
        if not is_frozen(position):
            return ordinary_steps(position, die, is_doublet)
        point = highest_point(position.own)
        return [(point, OFF)] if die == point or (is_doublet and any_doublet) else []

    return steps


def is_frozen(position: Position) -> bool:
    """Whether the side that sees the position has one checker left, in its home board (HE-1.1, HE-1.3).

    >>> from adjudicator.rules.board import checkers_from
    >>> one, two = checkers_from({6: 1}, 15), checkers_from({6: 2}, 15)
    >>> is_frozen(Position(one, two)), is_frozen(Position(two, one))
    (True, False)
    """
    return count_on_board(position.own) == 1 and highest_point(position.own) <= HOME
