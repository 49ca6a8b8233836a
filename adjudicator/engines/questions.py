"""What may be asked of an engine: games, positions, depths."""

from collections.abc import Sequence

from adjudicator.rules.board import Position, check_position, count_on_board
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON

VARIANT_NAMES = (BACKGAMMON.name, NACKGAMMON.name)
"""The games of 15 checkers a side that are played as backgammon is: those that networks of it can judge."""
CHECKERS_PER_SIDE = BACKGAMMON.checkers_per_side
PLIES = (0, 1, 2)
"""The rolls looked ahead that are offered, of any engine that can look ahead."""


def require_answerable(positions: Sequence[Position], checkers_per_side: int = CHECKERS_PER_SIDE) -> None:
    """Refuse what no engine may be asked: engines do not check, and answer garbage or crash.

    A position is answerable if it is possible (26 counts a side, none negative, ``checkers_per_side`` a side,
    no point held by both) and nobody has borne off the last checker: finished games are settled by the rules.

    Raises: ValueError that names the place in ``positions`` (from 0) and what is wrong.
    """
    for index, position in enumerate(positions):
        complaints = check_position(position, checkers_per_side)
        if not complaints and not (count_on_board(position.own) and count_on_board(position.opponent)):
            complaints = ["the game is over"]
        if complaints:
            raise ValueError(f"position {index} cannot be evaluated: {'; '.join(complaints)}")


def require_plies(plies: int) -> None:
    """Refuse a depth that is not offered.

    Raises: ValueError.
    """
    if plies not in PLIES:
        raise ValueError(
            f"an engine looks {', '.join(map(str, PLIES[:-1]))} or {PLIES[-1]} plies ahead, not {plies!r}"
        )
