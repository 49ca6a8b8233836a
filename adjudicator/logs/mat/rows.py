"""The rows of one game of a .mat, and in which of the two columns each cell stands.

Left is white, right is black. A row with two cells says it by their order. A single cell says it by its
distance from the row number or the margin; where the blanks were squeezed out on the way, the turn decides,
since the columns take turns without exception.

Source: ``docs/formats/mat.md``, section "Columns".
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudicator.logs.mat.cells import (
    PLAIN_CELL,
    RESULTS,
    Cell,
    CellKind,
    FoundCell,
    find_cells,
    remembered_cell,
)
from adjudicator.logs.mat.letters import plain_letters
from adjudicator.rules.sides import Side

_RIGHT_AFTER_NUMBER = 8
"""A single cell so many blanks behind its number is a right one: left ones have 1 or 2, right ones 29 on."""
_RIGHT_AFTER_MARGIN = 12
"""The same for a line without number: left cells have 3 to 8 blanks before them, right ones 30 to 50."""
_ACTIONS = (CellKind.ROLL, CellKind.CUBE, CellKind.RESIGNS, CellKind.NOTHING_THROWN)

_BOTH = tuple(Side)
_PLAIN_ROW = re.compile(f"(?: *+([0-9]{{1,5}}+)\\)(?= ))?+( *+)({PLAIN_CELL})(?:( +)({PLAIN_CELL}))? *")
"""Rows without anything uncommon: nearly all."""


class Row(NamedTuple):
    """One row: its line in the file, and its one or two cells.

    ``number`` is the number it begins with, ``None`` where it has none. ``indent``: blanks between that, or
    the margin, and the first cell. ``gap``: blanks between the two cells, 0 where there is one.
    """

    line: int
    number: int | None
    indent: int
    gap: int
    cells: tuple[Cell, ...]

    @property
    def numbered(self) -> bool:
        """Whether it begins with a number."""
        return self.number is not None

    @property
    def only_rolls(self) -> bool:
        """Whether every cell of the row is a roll."""
        return self.cells[0].roll is not None and self.cells[-1].roll is not None

    @property
    def is_result(self) -> bool:
        """Whether the row tells the result and nothing else."""
        return all(cell.kind in RESULTS for cell in self.cells)

    @property
    def action(self) -> Cell | None:
        """The single action of the row; ``None`` where it has none, or two cells."""
        return self.cells[0] if len(self.cells) == 1 and self.cells[0].kind in _ACTIONS else None


def parse_plain_row(text: str, line: int) -> Row | None:
    """The row of a line that holds nothing but a number and plain cells, ``None`` for any other line.

    It is what ``parse_rows`` finds, in a tenth of the time.
    """
    plain = _PLAIN_ROW.fullmatch(text)
    if plain is None:
        return None
    written, indent, cell, gap, other = plain.groups()
    number = None if written is None else int(written)
    if other is None:
        return Row(line, number, len(indent), 0, (remembered_cell(cell),))
    return Row(line, number, len(indent), len(gap), (remembered_cell(cell), remembered_cell(other)))


def parse_rows(text: str, line: int) -> list[Row]:
    """The rows of one line: one, or more where they were run together (``9) 22: 13/9   9) Losses 1 point``).

    Raises: ValueError, saying what cannot be read.
    """
    rows: list[Row] = []
    number, margin, found = None, 0, list[FoundCell]()
    for cell in find_cells(plain_letters(text)):
        if cell.cell.kind is CellKind.NUMBER:
            rows += _row(line, number, margin, found)
            number, margin, found = cell.cell.value, cell.end, []
        else:
            found.append(cell)
    return rows + _row(line, number, margin, found)


def _row(line: int, number: int | None, margin: int, found: Sequence[FoundCell]) -> list[Row]:
    """The row of these cells, if there are any; ``margin`` is where its number ends, 0 without."""
    if len(found) > 2:
        raise ValueError(f"{len(found)} actions in one row; a row has two columns")
    if not found:
        return []
    first, last = found[0], found[-1]
    indent = first.start - margin
    if first is last:
        return [Row(line, number, indent, 0, (first.cell,))]
    return [Row(line, number, indent, last.start - first.end, (first.cell, last.cell))]


def place_rows(rows: Sequence[Row], seats_gap: int) -> Iterator[tuple[Row, tuple[Side | None, ...]]]:
    """All rows of a game in order, each with the sides of its cells; ``None`` where nothing tells a side.

    ``seats_gap``: how many blanks part the two names of its score line, 0 where it has none.
    """
    squeezed = seats_gap <= 1 and _is_squeezed(rows)
    turn = _first_side(rows) if squeezed else Side.WHITE
    for row in rows:
        if len(row.cells) == 2:
            white, black = row.cells
            yield row, _BOTH
            if black.kind in _ACTIONS:
                turn = Side.WHITE
            elif white.kind in _ACTIONS:
                turn = Side.BLACK
        else:
            side = _single_side(row, turn, squeezed=squeezed)
            yield row, (side,)
            if side is not None and row.action is not None:
                turn = side.opponent


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
    return all(row.gap <= 1 for row in rows if len(row.cells) == 2)


def _first_side(rows: Sequence[Row]) -> Side:
    """Who begins a squeezed game: black, if the first row of several holds one cell only."""
    begins_alone = bool(rows) and rows[0].action is not None and any(map(_has_action, rows[1:]))
    return Side.BLACK if begins_alone else Side.WHITE


def _has_action(row: Row) -> bool:
    return any(cell.kind in _ACTIONS for cell in row.cells)
