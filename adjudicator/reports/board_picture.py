"""The board as a picture of plain characters, seen by a side: it moves from 24 to 1, home is below right."""

from collections.abc import Sequence

from adjudicator.rules.board import BAR, OFF, Checkers
from adjudicator.rules.sides import Side

WHITE = "O"
BLACK = "X"
ROWS = 5
"""Checkers drawn one above the other; of more than these the outermost shows their number."""

_MARKS = {Side.WHITE: WHITE, Side.BLACK: BLACK}
_UPPER = tuple(range(13, 25))
_LOWER = tuple(range(12, 0, -1))
_LEFT = slice(0, 6)
_RIGHT = slice(6, 12)


def draw_board(white: Checkers, black: Checkers, seen_by: Side = Side.WHITE) -> list[str]:
    """The board as lines of text, from the checkers of either side in its own numbering.

    The points are numbered as ``seen_by`` counts them, whose checkers move from 24 to 1.
    """
    near, far = (white, black) if seen_by is Side.WHITE else (black, white)
    view = _View(near, far, _MARKS[seen_by], _MARKS[seen_by.opponent])
    return [
        _numbers(_UPPER),
        *(view.row(_UPPER, depth, is_far=True) for depth in range(ROWS)),
        f" |{'':18}|BAR|{'':18}|",
        *(view.row(_LOWER, depth, is_far=False) for depth in reversed(range(ROWS))),
        _numbers(_LOWER),
        f"  {WHITE} white, borne off {white[OFF]}; {BLACK} black, borne off {black[OFF]}",
    ]


def _numbers(points: Sequence[int]) -> str:
    left, right = (
        "-".join(f"{point:2}" for point in half).replace(" ", "-") for half in (points[_LEFT], points[_RIGHT])
    )
    return f" +{left}-+---+{right}-+"


class _View:
    """The board seen by the near side, whose numbering is used; the far side's bar is above."""

    def __init__(self, near: Checkers, far: Checkers, near_mark: str, far_mark: str) -> None:
        self.near, self.far = near, far
        self.near_mark, self.far_mark = near_mark, far_mark

    def row(self, points: Sequence[int], depth: int, *, is_far: bool) -> str:
        """One line of checkers, ``depth`` checkers away from the edge, with the bar of one side."""
        cells = [_cell(*self._stack(point), depth) for point in points]
        on_bar = (self.far_mark, self.far[BAR]) if is_far else (self.near_mark, self.near[BAR])
        left, right = "".join(cells[_LEFT]), "".join(cells[_RIGHT])
        return f" |{left}|{_cell(*on_bar, depth)}|{right}|"

    def _stack(self, point: int) -> tuple[str, int]:
        """Who stands on that point, and with how many checkers."""
        if self.near[point]:
            return self.near_mark, self.near[point]
        return self.far_mark, self.far[BAR - point]


def _cell(mark: str, count: int, depth: int) -> str:
    if count <= depth:
        return "   "
    is_outermost = depth == ROWS - 1
    return f"{count:^3}" if is_outermost and count > ROWS else f" {mark} "
