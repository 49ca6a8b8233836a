"""What may be asked of an engine."""

from collections.abc import Sequence

from adjudicator.rules.board import Position, check_position, count_on_board


def require_answerable(positions: Sequence[Position], checkers_per_side: int) -> None:
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
