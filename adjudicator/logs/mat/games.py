"""One game of a .mat as a record.

A row that cannot be read breaks its game, never the file: what stands before it is kept, and the result is
still looked for behind it.

Source: ``docs/formats/mat.md``, section "Games".
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from adjudicator.errors import NOWHERE, Fault, Place
from adjudicator.logs.mat.asides import is_aside, is_comment
from adjudicator.logs.mat.cells import RESULTS
from adjudicator.logs.mat.results import find_result
from adjudicator.logs.mat.rolls import record_roll
from adjudicator.logs.mat.rows import PlacedCell, Row, parse_plain_row, parse_rows, place_cells
from adjudicator.logs.mat.seats import Seats
from adjudicator.rules.record import Action, CubeRecord, GameRecord, ResignRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score


@lru_cache(maxsize=4096)  # every log has a line 9: saves a seventh of the time
def _place_of_line(line: int) -> Place:
    return Place(line=line)


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
    """
    parsed = _read_section(section)
    end = math.inf if parsed.broken is None else parsed.broken.place.line or 0
    placed, results = list[PlacedCell](), list[PlacedCell]()
    for cell in place_cells(parsed.rows, section.seats.gap):
        if cell.cell.kind in RESULTS:
            results.append(cell)
        elif cell.row.line < end:
            placed.append(cell)
    actions = _read_actions(placed, section.seats, total)
    found = find_result(results, actions, total, section.seats.score, next_score)
    return GameRecord(
        number=section.number,
        actions=tuple(actions),
        result=found.result,
        score=section.seats.score,
        remarks=(*parsed.remarks, *found.remarks),
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
        plain = parse_plain_row(text, line)
        if plain is not None:
            self.rows.append(plain)
            return
        try:
            rows = parse_rows(text, line)
        except ValueError as error:
            self._take_unreadable(line, text, str(error))
            return
        if self.ended and not all(row.numbered or row.is_result for row in rows):
            self._pass_over(line, text)
            return
        self.rows += rows
        for row in rows:
            for cell in row.cells:
                if cell.kind in RESULTS:
                    self.ended = True
                    if cell.rest:
                        self._pass_over(line, cell.rest)

    def _take_unreadable(self, line: int, text: str, reason: str) -> None:
        if is_comment(text):
            return
        if is_aside(text, ended=self.ended):
            self._pass_over(line, text)
        elif self.broken is None:
            self.broken = Fault(reason, Place(line=line, game=self.number))

    def _pass_over(self, line: int, text: str) -> None:
        detail = f"not read: {text.strip()[:60]!r}"
        place = Place(line=line, game=self.number)
        self.remarks.append(Remark(RemarkCode.ROW_IGNORED, detail, place=place))


def _read_section(section: GameSection) -> _SectionReading:
    reading = _SectionReading(section.number)
    for line, text in section.lines:
        reading.take(line, text)
    return reading


def _read_actions(placed: Iterable[PlacedCell], seats: Seats, total: int) -> list[Action]:
    """The actions of these cells, in rows counted from 1 (HE-4.1).

    Rows count that have a roll or a cube action; a line without number goes on the row above.
    """
    actions: list[Action] = []
    number, counted, last, place = 0, False, None, NOWHERE
    for row, cell, side in placed:
        if side is None:
            continue
        if row is not last:
            last, place, counted = row, _place_of_line(row.line), False
        if not counted and (cell.roll is not None or cell.action is not None):
            counted = True
            number += row.numbered or number == 0
        if cell.roll is not None:
            actions.append(record_roll(cell.roll, side, seats, total, number, place))
        elif cell.action is not None:
            actions.append(CubeRecord(side, cell.action, cell.value, number, place))
        if cell.gives_up:
            actions.append(ResignRecord(side, cell.win, place))
    return actions
