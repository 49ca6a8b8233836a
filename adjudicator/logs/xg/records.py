"""The records inside an .xg file: from 2,560 bytes to values.

Every function raises ValueError, with the reason, for a record that says something impossible.

Source: ``docs/formats/xg.md``, section "Records".
"""

import math
import struct
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from adjudicator.logs.limits import MAX_NUMBER
from adjudicator.rules.board import BAR, OFF
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import Movement
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

_UNLIMITED = 99999
"""The match length of a money session."""
_FORMAT_MARK = 0x494C4D44
_ILLEGAL = 2
_ENTRY_TYPE = 8
_DAY_0 = datetime(1899, 12, 30)  # noqa: DTZ001 (the file names no time zone)
_POINTS = struct.Struct("<26b")
_TEXT_UNITS = 129
_MAX_CUBE_LEVEL = 24
"""The power of two of a cube: what a beaver and a raccoon make of it is within ``MAX_NUMBER`` too."""


class Entry(IntEnum):
    """What a record is."""

    MATCH_HEAD = 0
    GAME_HEAD = 1
    CUBE = 2
    ROLL = 3
    GAME_END = 4
    MATCH_END = 5
    COMMENT = 6
    MISSING = 7


_ENTRIES = {entry.value: entry for entry in Entry}


class XgMatchHead(NamedTuple):
    """The head of the match. ``is_guessed``: whether the encoding of a text had to be guessed."""

    white: str
    black: str
    match_length: int
    variation: int
    crawford: bool
    jacoby: bool
    metadata: dict[str, str]
    is_guessed: bool


class XgGameHead(NamedTuple):
    """The head of a game; ``start`` are the signed counts of the board, seen by white."""

    score: Score
    is_crawford: bool
    start: tuple[int, ...]
    number: int
    auto_doubles: int


class XgCube(NamedTuple):
    """A cube decision.

    ``take``: 0 drop, 1 take, 2 beaver; ``beaver``: the same of the doubler, 2 a raccoon; ``raccoon``: the
    same of the other side; all else is no answer. ``value`` is the cube before it, ``dice`` what was thrown
    after it, ``None`` where nothing was.
    """

    side: Side
    is_double: bool
    take: int
    beaver: int
    raccoon: int
    value: int
    dice: Dice | None


class XgRoll(NamedTuple):
    """A roll and its play; ``is_illegal``: whether the file calls the play illegal.

    The boards are signed counts, that ``before`` seen by white, that ``after`` by the mover.
    """

    side: Side
    dice: Dice
    movements: tuple[Movement, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    is_illegal: bool


class XgGameEnd(NamedTuple):
    """How a game ended.

    ``winner`` is ``None`` where nobody has won yet. ``termination``: 0 drop, 1 to 3 the kind of win, 100 more
    for a resignation, 1000 more for a settlement.
    """

    winner: Side | None
    points: int
    termination: int


def entry_of(record: bytes) -> Entry:
    """What the record is."""
    entry = _ENTRIES.get(record[_ENTRY_TYPE])
    if entry is None:
        raise ValueError(f"its kind, {record[_ENTRY_TYPE]}, is not known here")
    return entry


def parse_match_head(record: bytes) -> XgMatchHead:
    """The head of the match."""
    match_length, variation, crawford, jacoby = struct.unpack_from("<iiBB", record, 92)
    (mark,) = struct.unpack_from("<I", record, 556)
    if mark != _FORMAT_MARK:
        raise ValueError("the head of the match does not bear the mark of the format")
    _require_number("match length", match_length)
    texts = {
        "white": _read_text(record, 880, 9),
        "black": _read_text(record, 1138, 50),
        "event": _read_text(record, 622, 136),
        "site": _read_text(record, 1396, 283),
        "round": _read_text(record, 1654, 417),
    }
    values = {key: text for key, (text, _) in texts.items()}
    (date,) = struct.unpack_from("<d", record, 128)
    metadata = {key: values[key] for key in ("event", "site", "round") if values[key]}
    return XgMatchHead(
        white=values["white"],
        black=values["black"],
        match_length=0 if match_length == _UNLIMITED else match_length,
        variation=variation,
        crawford=bool(crawford),
        jacoby=bool(jacoby),
        metadata=metadata | _read_date(date),
        is_guessed=any(is_guessed for _, is_guessed in texts.values()),
    )


def parse_game_head(record: bytes) -> XgGameHead:
    """The head of a game."""
    white, black, is_crawford = struct.unpack_from("<iiB", record, 12)
    (number,) = struct.unpack_from("<i", record, 48)
    for name, value in (("score", white), ("score", black), ("game number", number)):
        _require_number(name, value)
    (auto_doubles,) = struct.unpack_from("<i", record, 64)
    return XgGameHead(
        Score(white, black), bool(is_crawford), _POINTS.unpack_from(record, 21), number, auto_doubles
    )


def parse_cube(record: bytes) -> XgCube:
    """A cube decision."""
    side, doubled, take, beaver, raccoon, level = struct.unpack_from("<6i", record, 12)
    if abs(level) > _MAX_CUBE_LEVEL:
        raise ValueError(f"a cube of 2 to the power of {abs(level)}")
    return XgCube(
        _side(side), doubled == 1, take, beaver, raccoon, 1 << abs(level), _read_dice_text(record[208:211])
    )


def parse_roll(record: bytes) -> XgRoll:
    """A roll and its play."""
    (side,) = struct.unpack_from("<i", record, 64)
    (judged,) = struct.unpack_from("<i", record, 2480)
    return XgRoll(
        _side(side),
        Dice.of(*struct.unpack_from("<2i", record, 100)),
        tuple(_movements(struct.unpack_from("<8i", record, 68))),
        _POINTS.unpack_from(record, 9),
        _POINTS.unpack_from(record, 35),
        judged == _ILLEGAL,
    )


def parse_game_end(record: bytes) -> XgGameEnd:
    """How a game ended."""
    winner, points, termination = struct.unpack_from("<3i", record, 24)
    _require_number("win", points)
    return XgGameEnd(_side(winner) if winner else None, points, termination)


def _require_number(name: str, value: int) -> None:
    if not 0 <= value <= MAX_NUMBER:
        raise ValueError(f"a {name} of {value}")


def _side(sign: int) -> Side:
    if sign not in (1, -1):
        raise ValueError(f"a player numbered {sign}; there are 1 and -1")
    return Side.WHITE if sign == 1 else Side.BLACK


def _movements(numbers: tuple[int, ...]) -> Iterator[Movement]:
    """Pairs of points counted from 0, the bar 24, off and the end of the list -1."""
    for source, target in zip(numbers[::2], numbers[1::2], strict=True):
        if source == -1:
            return
        if not (0 <= source < BAR and -1 <= target < BAR):
            raise ValueError(f"a step from {source} to {target}")
        yield Movement(source + 1, OFF if target == -1 else target + 1)


def _read_dice_text(text: bytes) -> Dice | None:
    """The dice in a text such as ``"31"``; a 7 stands where nothing was thrown."""
    if text[0] != 2 or not all(ord("1") <= die <= ord("6") for die in text[1:]):
        return None
    return Dice.of(text[1] - ord("0"), text[2] - ord("0"))


def _read_text(record: bytes, start: int, ansi_start: int) -> tuple[str, bool]:
    """A text in UTF-16, or where it is empty the one of old versions, and whether its encoding is a guess."""
    units = struct.unpack_from(f"<{_TEXT_UNITS}H", record, start)
    length = units.index(0) if 0 in units else _TEXT_UNITS
    wide = record[start : start + 2 * length]
    if wide:
        text = wide.decode("utf-16-le", errors="replace")
        return text, "\ufffd" in text
    narrow = record[ansi_start + 1 : ansi_start + 1 + record[ansi_start]].partition(b"\0")[0]
    return narrow.decode("cp1252", errors="replace"), not narrow.isascii()


def _read_date(days: float) -> dict[str, str]:
    """The day of the match, from days since the end of 1899; nothing where there is none."""
    if not (math.isfinite(days) and 1 <= days < 1_000_000):
        return {}
    return {"date": (_DAY_0 + timedelta(days=days)).date().isoformat()}
