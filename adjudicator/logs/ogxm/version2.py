"""The match in an OGXM file of version 2 (.ogxm, .gvab).

Every function raises ValueError, with the reason, for a section that says something impossible.

Source: ``docs/formats/ogxm.md``, section "Version 2".
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from adjudicator.errors import Place
from adjudicator.logs.ogxm.byte_reading import ByteReading, Record
from adjudicator.logs.ogxm.container import Container
from adjudicator.logs.ogxm.match_values import (
    DICE,
    MAX_LISTED_STEPS,
    OgxmAction,
    OgxmEntry,
    OgxmGame,
    OgxmMatch,
    read_games,
    require_number,
    resigned_win,
    take_entries,
    winner_of,
)
from adjudicator.logs.ogxm.version1 import step_in
from adjudicator.rules.dice import Dice
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

_ESCAPE = 63
"""The action of an entry whose real action is among its extra fields."""

_NUMBER, _NUMBER_64, _PAIR, _TEXT, _FLAG, _BOARD, _RECORD = range(7)
_MATCH_FIELDS = (
    ("white_name", _TEXT),
    ("black_name", _TEXT),
    ("rules", _NUMBER),
    ("cube_limit", _NUMBER),
    ("score_start", _PAIR),
    ("score_final", _PAIR),
    ("result", _NUMBER),
    ("source", _NUMBER),
    ("started_at", _NUMBER_64),
    ("completed_at", _NUMBER_64),
    ("player_seat", _NUMBER),
    ("crawford_before_start", _FLAG),
    ("event", _TEXT),
    ("event_year", _NUMBER),
    ("date_precision", _NUMBER),
    ("stage", _TEXT),
    ("round", _NUMBER),
    ("table", _TEXT),
    ("city", _TEXT),
    ("country", _TEXT),
    ("event_url", _TEXT),
    ("site", _TEXT),
    ("match_ref", _TEXT),
)
_GAME_FIELDS = (
    ("winner", _NUMBER),
    ("points_won", _NUMBER),
    ("is_last_game", _FLAG),
    ("initial_board", _BOARD),
    ("initial_cube_value", _NUMBER),
    ("initial_cube_owner", _NUMBER),
    ("auto_doubles", _NUMBER),
)
_METADATA = ("event", "stage", "table", "city", "country", "site", "match_ref")


def parse_version2(container: Container) -> OgxmMatch:
    """The match in these sections."""
    record = ByteReading(container.only(b"MTCH")).record()
    match_length, variant = record.reading.number(), record.reading.number()
    fields = _fields(record, _MATCH_FIELDS)
    games = read_games(container.named(b"GAME"), _game)
    if match_length and fields.get("crawford_before_start"):
        games = tuple(replace(game, crawford=False) for game in games)
    rules = fields.get("rules", 0)
    start = fields.get("score_start")
    return OgxmMatch(
        match_length=match_length,
        variant=variant,
        white=fields.get("white_name", ""),
        black=fields.get("black_name", ""),
        crawford=bool(rules & 1),
        jacoby=bool(rules & 2),
        games=games,
        metadata={key.replace("_", " "): fields[key] for key in _METADATA if fields.get(key)},
        first_score=None if start is None else Score(*map(require_number, start)),
    )


def _fields(record: Record, known: tuple[tuple[str, int], ...]) -> dict[str, Any]:
    """The optional fields of a record by name; what a later version adds behind them is not read."""
    return {name: _field(record.reading, kind) for bit, (name, kind) in enumerate(known) if record.has(bit)}


def _field(reading: ByteReading, kind: int) -> Any:
    if kind == _FLAG:
        return True
    if kind == _TEXT:
        return reading.text()
    if kind == _PAIR:
        return reading.number(), reading.number()
    if kind == _BOARD:
        return reading.board()
    return reading.number(64 if kind == _NUMBER_64 else 32)


def _game(body: bytes, number: int) -> OgxmGame:
    reading = ByteReading(body)
    fields = _fields(reading.record(), _GAME_FIELDS)
    entries, broken = take_entries(_entries(reading, Place(game=number)), number)
    return OgxmGame(
        entries=entries,
        winner=winner_of(fields.get("winner", -1)),
        points=require_number(fields.get("points_won", 0)),
        board=fields.get("initial_board"),
        cube=fields.get("initial_cube_value", 1) << min(fields.get("auto_doubles", 0), 30),
        broken=broken,
    )


def _entries(reading: ByteReading, place: Place) -> Iterator[OgxmEntry]:
    while not reading.is_over:
        yield _entry(reading, place)


def _entry(reading: ByteReading, place: Place) -> OgxmEntry:
    first = reading.unsigned(1)
    action = first & 0x3F
    entry = OgxmEntry(Side(first >> 6 & 1), action, place=place)
    if action < len(DICE):
        dice = DICE[action]
        entry = entry._replace(dice=dice, steps=tuple(map(step_in, _steps(reading, dice))))
    return _with_extras(entry, reading.record()) if first & 0x80 else entry


def _steps(reading: ByteReading, dice: Dice) -> bytes:
    """The bytes of the steps, which end with a zero or with the dice."""
    steps = bytearray()
    for _ in dice.numbers:
        byte = reading.unsigned(1)
        if not byte:
            break
        steps.append(byte)
    return bytes(steps)


def _with_extras(entry: OgxmEntry, record: Record) -> OgxmEntry:
    """The entry with its extra fields.

    The side of an illegal play that a board corrects is written as the one that acts next.
    """
    reading = record.reading
    dice = Dice.of(reading.unsigned(1), reading.unsigned(1)) if record.has(0) else entry.dice
    win = resigned_win(reading.number()) if record.has(1) else None
    if record.has(2):
        reading.number()
    if record.has(4):
        reading.take(4)
    steps = entry.steps
    if record.has(5):
        count = reading.number()
        if count > MAX_LISTED_STEPS:
            raise ValueError(f"a play of {count} steps")
        steps = tuple(step_in(reading.unsigned(1)) for _ in range(count))
    board = reading.board() if record.has(6) else None
    action = reading.number() if record.has(7) and entry.action == _ESCAPE else entry.action
    side = entry.side
    if action == OgxmAction.SET_POSITION and dice is not None:
        side = side.opponent
    return entry._replace(side=side, action=action, dice=dice, steps=steps, board=board, win=win)
