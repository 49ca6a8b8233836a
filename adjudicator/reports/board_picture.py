"""The board as a picture of plain characters, seen by white: it moves from 24 to 1, home is below right."""

from collections.abc import Sequence

from adjudicator.rules.board import BAR, OFF, Checkers

WHITE = "O"
BLACK = "X"
ROWS = 5
"""Checkers drawn one above the other; of more than these the outermost shows their number."""

_UPPER = tuple(range(13, 25))
_LOWER = tuple(range(12, 0, -1))
_LEFT = slice(0, 6)
_RIGHT = slice(6, 12)


def draw_board(white: Checkers, black: Checkers) -> list[str]:
    """The board as lines of text, from the checkers of either side in its own numbering."""
    upper = [_row(_UPPER, white, black, depth, BLACK) for depth in range(ROWS)]
    lower = [_row(_LOWER, white, black, depth, WHITE) for depth in reversed(range(ROWS))]
    return [
        _numbers(_UPPER),
        *upper,
        f" |{'':18}|BAR|{'':18}|",
        *lower,
        _numbers(_LOWER),
        f"  {WHITE} white, borne off {white[OFF]}; {BLACK} black, borne off {black[OFF]}",
    ]


def _numbers(points: Sequence[int]) -> str:
    left, right = (
        "-".join(f"{point:2}" for point in half).replace(" ", "-") for half in (points[_LEFT], points[_RIGHT])
    )
    return f" +{left}-+---+{right}-+"


def _row(points: Sequence[int], white: Checkers, black: Checkers, depth: int, on_bar: str) -> str:
    """One line of checkers, ``depth`` checkers away from the edge, with the bar of side ``on_bar``."""
    cells = [_cell(*_stack(point, white, black), depth) for point in points]
    bar = _cell(on_bar, (black if on_bar == BLACK else white)[BAR], depth)
    left, right = "".join(cells[_LEFT]), "".join(cells[_RIGHT])
    return f" |{left}|{bar}|{right}|"


def _stack(point: int, white: Checkers, black: Checkers) -> tuple[str, int]:
    """Who stands on that point of white's numbering, and with how many checkers."""
    return (WHITE, white[point]) if white[point] else (BLACK, black[BAR - point])


def _cell(mark: str, count: int, depth: int) -> str:
    if count <= depth:
        return "   "
    is_outermost = depth == ROWS - 1
    return f"{count:^3}" if is_outermost and count > ROWS else f" {mark} "
