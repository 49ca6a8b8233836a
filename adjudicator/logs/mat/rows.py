"""The rows of one game of a .mat, and in which of the two columns each cell stands.

Left is white, right is black. A row with two cells says it by their order. A single cell says it by its
distance from the row number or the margin; where the blanks were squeezed out on the way, the turn decides,
since the columns take turns without exception.

Source: ``docs/formats/mat.md``, section "Columns".
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudicator.logs.mat.cells import RESULTS, Cell, CellKind, find_cells
from adjudicator.rules.sides import Side

_RIGHT_AFTER_NUMBER = 8
"""A single cell so many blanks behind its number is a right one: left ones have 1 or 2, right ones 29 on."""
_RIGHT_AFTER_MARGIN = 12
"""The same for a line without number: left cells have 3 to 8 blanks before them, right ones 30 to 50."""
_ACTIONS = (CellKind.ROLL, CellKind.CUBE, CellKind.RESIGNS, CellKind.NOTHING_THROWN)


class Row(NamedTuple):
    """One row: its line in the file, and its one or two cells.

    ``indent``: blanks between the row number, or the margin, and the first cell.
    """

    line: int
    numbered: bool
    indent: int
    cells: tuple[Cell, ...]

    @property
    def is_result(self) -> bool:
        """Whether the row tells the result and nothing else."""
        return all(cell.kind in RESULTS for cell in self.cells)

    @property
    def action(self) -> Cell | None:
        """The single action of the row; ``None`` where it has none, or two cells."""
        return self.cells[0] if len(self.cells) == 1 and self.cells[0].kind in _ACTIONS else None


class PlacedCell(NamedTuple):
    """A cell and the side whose column it stands in; ``None`` where nothing in the row tells."""

    row: Row
    cell: Cell
    side: Side | None


def parse_rows(text: str, line: int) -> list[Row]:
    """The rows of one line: one, or more where they were run together (``9) 22: 13/9   9) Losses 1 point``).

    Raises: ValueError, saying what cannot be read.
    """
    groups: list[tuple[bool, int, list[Cell]]] = [(False, 0, [])]
    for cell in find_cells(text):
        if cell.kind is CellKind.NUMBER:
            groups.append((True, cell.end, []))
        else:
            groups[-1][2].append(cell)
    rows = []
    for numbered, margin, cells in groups:
        if len(cells) > 2:
            raise ValueError(f"{len(cells)} actions in one row; a row has two columns")
        if cells:
            rows.append(Row(line, numbered, cells[0].start - margin, tuple(cells)))
    return rows


def place_cells(rows: Sequence[Row], seats_gap: int) -> Iterator[PlacedCell]:
    """All cells of a game in order, each with its side.

    ``seats_gap``: how many blanks part the two names of its score line, 0 where it has none.
    """
    squeezed = seats_gap <= 1 and _is_squeezed(rows)
    turn = _first_side(rows) if squeezed else Side.WHITE
    for row in rows:
        if len(row.cells) == 2:
            sides: tuple[Side | None, ...] = (Side.WHITE, Side.BLACK)
        else:
            sides = (_single_side(row, turn, squeezed=squeezed),)
        for cell, side in zip(row.cells, sides, strict=True):
            if cell.kind in _ACTIONS and side is not None:
                turn = side.opponent
            yield PlacedCell(row, cell, side)


def _single_side(row: Row, turn: Side, *, squeezed: bool) -> Side | None:
    """The side of the only cell of a row; ``turn`` is the side to act by the cells before it."""
    if row.indent >= (_RIGHT_AFTER_NUMBER if row.numbered else _RIGHT_AFTER_MARGIN):
        return Side.BLACK
    if row.action is not None:
        return turn if squeezed or not row.numbered else Side.WHITE
    if row.indent >= 2 or (row.numbered and not squeezed):
        return Side.WHITE
    return None


def _is_squeezed(rows: Sequence[Row]) -> bool:
    """Whether the two columns are one blank apart throughout, as in text that lost its fixed width."""
    return all(row.cells[1].start - row.cells[0].end <= 1 for row in rows if len(row.cells) == 2)


def _first_side(rows: Sequence[Row]) -> Side:
    """Who begins a squeezed game: black, if the first row of several holds one cell only."""
    begins_alone = bool(rows) and rows[0].action is not None and any(map(_has_action, rows[1:]))
    return Side.BLACK if begins_alone else Side.WHITE


def _has_action(row: Row) -> bool:
    return any(cell.kind in _ACTIONS for cell in row.cells)
