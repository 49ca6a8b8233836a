"""One game of a .mat as a record.

A row that cannot be read breaks its game, never the file: what stands before it is kept, and the result is
still looked for behind it.

Source: ``docs/formats/mat.md``, section "Games".
"""

import math
import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from adjudicator.errors import Fault, Place
from adjudicator.logs.assembly import check_roll_count
from adjudicator.logs.mat.cells import GAVE_UP, RESULTS, Cell, CellKind
from adjudicator.logs.mat.results import find_result
from adjudicator.logs.mat.rolls import read_roll
from adjudicator.logs.mat.rows import PlacedCell, Row, parse_rows, place_cells
from adjudicator.logs.mat.seats import Seats
from adjudicator.notation.play_text import parse_play
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import Action, CubeRecord, GameRecord, ResignRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

_NUMBERED = re.compile(r"\s*[0-9]{1,5}\)")


class GameSection(NamedTuple):
    """The lines of one game with their numbers, without the line ``Game 1`` and the score line."""

    number: int
    line: int
    seats: Seats
    lines: list[tuple[int, str]]


def read_game(section: GameSection, total: int, next_score: Score | None) -> GameRecord:
    """The record of one game, whatever its rows hold.

    ``total``: checkers a side. ``next_score``: the score line of the next game, which tells the winner where
    the columns are lost.

    Raises: TooLargeError for a game of more than ``MAX_ROLLS`` rolls.
    """
    parsed = _read_section(section)
    placed = list(place_cells(parsed.rows, section.seats.gap))
    reading = _GameReading(section, total, remarks=parsed.remarks)
    end = math.inf if parsed.broken is None else parsed.broken.place.line or 0
    for cell in placed:
        if cell.row.line < end:
            reading.take(cell)
    found = find_result(placed, reading.actions, total, section.seats.score, next_score)
    return GameRecord(
        number=section.number,
        actions=tuple(reading.actions),
        result=found.result,
        score=section.seats.score,
        remarks=(*reading.remarks, *found.remarks),
        broken=parsed.broken,
        place=Place(line=section.line, game=section.number),
    )


@dataclass
class _SectionReading:
    """All rows that can be read so far, remarks on other text, and the first line that breaks the game.

    ``ended``: whether a row has held the result. What follows without a number belongs to no game.
    """

    number: int
    rows: list[Row] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    broken: Fault | None = None
    ended: bool = False

    def take(self, line: int, text: str) -> None:
        """Add the rows of a line, or what is to be said of it."""
        try:
            rows = parse_rows(text, line)
        except ValueError as error:
            if self._is_aside(text):
                self._pass_over(line, text)
            elif self.broken is None:
                self.broken = Fault(str(error), Place(line=line, game=self.number))
            return
        if self.ended and not all(row.numbered or row.is_result for row in rows):
            self._pass_over(line, text)
            return
        self.rows += rows
        for cell in (cell for row in rows for cell in row.cells if cell.kind in RESULTS):
            self.ended = True
            if cell.text:
                self._pass_over(line, cell.text)

    def _is_aside(self, text: str) -> bool:
        """Whether a line that cannot be read is some other text, not a row or the rest of one."""
        if _NUMBERED.match(text):
            return False
        return self.ended or not any(map(_is_part_of_play, text.split()))

    def _pass_over(self, line: int, text: str) -> None:
        detail = f"not read: {text.strip()[:60]!r}"
        place = Place(line=line, game=self.number)
        self.remarks.append(Remark(RemarkCode.ROW_IGNORED, detail, place=place))


def _read_section(section: GameSection) -> _SectionReading:
    reading = _SectionReading(section.number)
    for line, text in section.lines:
        if not text.lstrip().startswith(";"):
            reading.take(line, text)
    return reading


def _is_part_of_play(word: str) -> bool:
    """Whether a word is a part of a play by itself, such as ``24/18*``; a date or an address is not."""
    try:
        return bool(parse_play(word))
    except ValueError:
        return False


@dataclass
class _GameReading:
    """The record under way. ``row`` counts the rows with a roll or a cube action (HE-4.1)."""

    section: GameSection
    total: int
    remarks: list[Remark]
    actions: list[Action] = field(default_factory=list)
    rolls: int = 0
    row: int = 0
    last_row: Row | None = None

    def take(self, placed: PlacedCell) -> None:
        """Add the action of a cell, if it is one."""
        cell, side = placed.cell, placed.side
        place = Place(line=placed.row.line)
        if side is None or cell.kind in RESULTS or cell.kind is CellKind.NOTHING_THROWN:
            return
        if cell.kind is CellKind.RESIGNS:
            self.actions.append(ResignRecord(side, place=place))
            return
        self._count_row(placed.row)
        if cell.action is not None:
            self.actions.append(CubeRecord(side, cell.action, cell.value, self.row, place))
        elif cell.dice is not None:
            self._take_roll(cell, cell.dice, side, place)

    def _count_row(self, row: Row) -> None:
        goes_on = not row.numbered and self.row > 0
        if row is not self.last_row and not goes_on:
            self.row += 1
        self.last_row = row

    def _take_roll(self, cell: Cell, dice: Dice, side: Side, place: Place) -> None:
        self.rolls += 1
        check_roll_count(self.rolls, replace(place, game=self.section.number))
        roll = read_roll(cell, dice, side, self.section.seats, self.total, row=self.row, place=place)
        self.actions.append(roll)
        if cell.text == GAVE_UP:
            self.actions.append(ResignRecord(side, place=place))
