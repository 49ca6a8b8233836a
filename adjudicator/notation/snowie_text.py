"""The one-line position text of Snowie, which .mat logs hold after the words ``Illegal play``.

Source: the Snowie text export of GNU Backgammon (``ExportSnowieTxt``), checked against public logs of
DailyGammon and eXtreme Gammon. Fields end with a semicolon: match length, Jacoby, two unknown, seat on roll,
the name of the side on roll, the other name, Crawford, two scores, cube value, cube owner, 26 counts, two
dice. The counts are signed (``notation.signed_counts``), the side on roll's checkers positive.
"""

import re
from typing import NamedTuple

from adjudicator.notation.signed_counts import parse_signed_counts, signed_counts
from adjudicator.rules.board import Position

_FIELDS_BEFORE_NAMES = 5
_FIELDS_AFTER_NAMES = 33
_COUNTS = slice(-28, -2)
_COUNT = re.compile(r"-?[0-9]{1,2}")


class SnowieText(NamedTuple):
    """A position seen by the side on roll, and both names, that side's first, joined by a semicolon."""

    names: str
    position: Position


def parse_snowie_text(text: str, total: int) -> SnowieText:
    """The position of a Snowie text; what is missing from ``total`` checkers a side is borne off.

    Names may hold anything, semicolons too: the fields are counted from both ends.

    Raises: ValueError, saying what is wrong.

    >>> line = "0;1;0;1;0;Ann;Bob;0;0;0;1;0;" + "-1;2;" + "0;" * 23 + "0;3;1;"
    >>> parse_snowie_text(line, 15).names, parse_snowie_text(line, 15).position.own[:2]
    ('Ann;Bob', (13, 2))
    """
    fields = text.strip().removesuffix(";").split(";")
    if len(fields) < _FIELDS_BEFORE_NAMES + 2 + _FIELDS_AFTER_NAMES:
        raise ValueError(f"a position text has at least 40 fields, not {len(fields)}")
    position = parse_signed_counts([_parse_count(field) for field in fields[_COUNTS]], total)
    return SnowieText(";".join(fields[_FIELDS_BEFORE_NAMES:-_FIELDS_AFTER_NAMES]), position)


def _parse_count(field: str) -> int:
    if _COUNT.fullmatch(field.strip()) is None:
        raise ValueError(f"{field[:20]!r} is no number of checkers")
    return int(field)


def format_snowie_text(names: str, position: Position, match_length: int) -> str:
    """The Snowie text of a position seen by the side on roll, as far as a position goes.

    Score, cube and dice are not stated: 0-0, a cube of 1 in the middle, no dice.
    """
    before = (match_length, 0, 0, int(not match_length), 0, names, 0, 0, 0, 1, 0)
    fields = (*before, *signed_counts(position), 0, 0)
    return "".join([f"{field};" for field in fields])
