"""One game of a .mat as a record.

A row that cannot be read breaks its game, never the file: what stands before it is kept, and the result is
still looked for behind it.

Source: ``docs/formats/mat.md``, section "Games".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from adjudicator.errors import Fault, Place
from adjudicator.logs.mat.asides import NUMBERED, is_aside, is_comment
from adjudicator.logs.mat.cells import RESULTS
from adjudicator.logs.mat.results import ResultCell, find_result
from adjudicator.logs.mat.rolls import record_agreed
from adjudicator.logs.mat.rows import Row, parse_plain_row, parse_rows, place_rows
from adjudicator.logs.mat.seats import Seats
from adjudicator.rules.record import Action, CubeRecord, GameRecord, ResignRecord, RollRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score


@lru_cache(maxsize=4096)  # every log has a line 9: saves a seventh of the time
def _place_of_line(line: int) -> Place:
    return Place(line=line)


class GameSection(NamedTuple):
    """The lines of one game, without the line ``Game 1`` and the score line.

    ``line`` is that of its title, ``first`` that of its first row; both count from 1.
    """

    number: int
    line: int
    seats: Seats
    first: int
    lines: list[str]


def read_game(section: GameSection, total: int, next_score: Score | None, *, stars_used: bool) -> GameRecord:
    """The record of one game, whatever its rows hold.

    ``total``: checkers a side. ``next_score``: the score line of the next game, which tells the winner where
    the columns are lost. ``stars_used``: whether there is a star anywhere in the log.
    """
    parsed = _read_section(section)
    end = math.inf if parsed.broken is None else parsed.broken.place.line or 0
    actions, ends = _read_rows(parsed.rows, section.seats, total, end)
    found = find_result(ends, actions, total, section.seats.score, next_score)
    return GameRecord(
        number=section.number,
        actions=tuple(actions),
        result=found.result,
        score=section.seats.score,
        stars_used=stars_used,
        remarks=(*parsed.remarks, *found.remarks),
        broken=parsed.broken,
        place=Place(line=section.line, game=section.number),
    )


@dataclass
class _SectionReading:
    """All rows that can be read so far, remarks on other text, and the first line that breaks the game.

    ``ended``: whether a row has held the result. What follows without a number belongs to no game.
    ``last_row`` is the number of the row before, 0 where there is none.
    """

    number: int
    rows: list[Row] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    broken: Fault | None = None
    ended: bool = False
    last_row: int = 0

    def remark_order(self, line: int, number: int) -> None:
        """Remark a row whose number does not follow: rows are missing, doubled, or not in their order."""
        before = f"row {self.last_row}" if self.last_row else "the title"
        detail = f"row {number} follows {before}: rows may be missing or not in their order"
        place = Place(line=line, game=self.number)
        self.remarks.append(Remark(RemarkCode.ROW_OUT_OF_ORDER, detail, place=place))

    def begins_another_game(self) -> bool:
        """Whether a row 1 here is the first of a game without a title: it is behind the result."""
        return self.ended and self.last_row > 1

    def leave_the_rest(self, line: int) -> None:
        """Remark that nothing is read from that line on: its rolls are none of this game."""
        detail = "row 1 follows the result: another game, whose title cannot be read, is left out from here"
        self.remarks.append(Remark(RemarkCode.PART_IGNORED, detail, place=Place(line=line, game=self.number)))

    def take(self, line: int, text: str, rows: Sequence[Row]) -> None:
        """Add the rows of a line, or remark on those that belong to no game."""
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

    def take_unreadable(self, line: int, text: str, reason: str) -> None:
        """Say that the line breaks the game, if it is not some other text."""
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
    rows = reading.rows
    for line, text in enumerate(section.lines, section.first):
        plain = parse_plain_row(text, line)
        number = _row_number(text) if plain is None else plain.number
        if number is not None:
            if number == 1 and reading.begins_another_game():
                reading.leave_the_rest(line)
                break
            if number != reading.last_row + 1:
                reading.remark_order(line, number)
            reading.last_row = number
        if plain is None:
            if not text or text.isspace():
                continue
            try:
                reading.take(line, text, parse_rows(text, line))
            except ValueError as error:
                reading.take_unreadable(line, text, str(error))
        elif number is not None and plain.only_rolls:
            rows.append(plain)
        else:
            reading.take(line, text, [plain])
    return reading


def _row_number(text: str) -> int | None:
    numbered = NUMBERED.match(text)
    return None if numbered is None else int(numbered["number"])


def _read_rows(
    rows: Sequence[Row], seats: Seats, total: int, end: float
) -> tuple[list[Action], list[ResultCell]]:
    """The actions before the line ``end``, in rows counted from 1 (HE-4.1), and all cells that tell a result.

    Rows count that have a roll or a cube action; a line without number goes on the row above.
    """
    actions, ends = list[Action](), list[ResultCell]()
    count = 0
    for row, sides in place_rows(rows, seats.gap):
        line, place, counted = row.line, _place_of_line(row.line), False
        for cell, side in zip(row.cells, sides, strict=True):
            roll, action = cell.roll, cell.action
            if roll is None and cell.kind in RESULTS:
                ends.append(ResultCell(line, cell, side))
            elif side is not None and line < end:
                if not counted and (roll is not None or action is not None):
                    counted = True
                    count += row.number is not None or count == 0
                if roll is not None:
                    dice, writing, movements, agreed, unread = roll
                    actions.append(
                        RollRecord(side, dice, writing, movements, None, unread, count, place)
                        if agreed is None
                        else record_agreed(roll, agreed, side, seats, total, count, place)
                    )
                elif action is not None:
                    actions.append(CubeRecord(side, action, cell.value, count, place))
                if cell.gives_up:
                    actions.append(ResignRecord(side, cell.win, place))
    return actions, ends
