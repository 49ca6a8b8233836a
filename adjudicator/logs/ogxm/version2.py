"""The match in an OGXM file of version 2 (.ogxm, .gvab).

Every function raises ValueError, with the reason, for a section that says something impossible.

Source: ``docs/formats/ogxm.md``, section "Version 2".
"""

from dataclasses import replace
from typing import Any

from adjudicator.errors import Place
from adjudicator.logs.assembly import check_game_count
from adjudicator.logs.ogxm.byte_reading import ByteReading, Record
from adjudicator.logs.ogxm.container import Container
from adjudicator.logs.ogxm.match_values import (
    DICE,
    OgxmGame,
    OgxmMatch,
    Ply,
    PlyAction,
    parse_side,
    parse_win,
)
from adjudicator.logs.ogxm.version1 import MAX_PLIES, parse_step
from adjudicator.rules.dice import Dice
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

_ESCAPE = 63
"""The action of a ply whose real action is among its extra fields."""
_MAX_STEPS = 8

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
    bodies = container.named(b"GAME")
    check_game_count(len(bodies))
    games = tuple(_game(body, index) for index, body in enumerate(bodies))
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
        first_score=None if start is None else Score(*start),
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


def _game(body: bytes, index: int) -> OgxmGame:
    reading = ByteReading(body)
    fields = _fields(reading.record(), _GAME_FIELDS)
    plies: list[Ply] = []
    broken = ""
    while not reading.is_over and not broken:
        if len(plies) == MAX_PLIES:
            raise ValueError(f"game {index + 1} has more than {MAX_PLIES} plies")
        try:
            plies.append(_ply(reading, Place(game=index + 1)))
        except ValueError as error:
            broken = f"ply {len(plies) + 1} cannot be read: {error}"
    return OgxmGame(
        plies=tuple(plies),
        winner=parse_side(fields.get("winner", -1)),
        points=fields.get("points_won", 0),
        board=fields.get("initial_board"),
        cube=fields.get("initial_cube_value", 1) << min(fields.get("auto_doubles", 0), 30),
        broken=broken,
    )


def _ply(reading: ByteReading, place: Place) -> Ply:
    first = reading.unsigned(1)
    action = first & 0x3F
    ply = Ply(Side(first >> 6 & 1), action, place=place)
    if action < len(DICE):
        ply = replace(ply, dice=DICE[action], steps=tuple(map(parse_step, _steps(reading, DICE[action]))))
    return _with_extras(ply, reading.record()) if first & 0x80 else ply


def _steps(reading: ByteReading, dice: Dice) -> bytes:
    """The bytes of the steps, which end with a zero or with the dice."""
    steps = bytearray()
    for _ in dice.numbers:
        byte = reading.unsigned(1)
        if not byte:
            break
        steps.append(byte)
    return bytes(steps)


def _with_extras(ply: Ply, record: Record) -> Ply:
    """The ply with its extra fields.

    The side of an illegal play that a board corrects is written as the one that acts next.
    """
    reading = record.reading
    dice = Dice.of(reading.unsigned(1), reading.unsigned(1)) if record.has(0) else ply.dice
    win = parse_win(reading.number()) if record.has(1) else None
    if record.has(2):
        reading.number()
    if record.has(4):
        reading.take(4)
    steps = ply.steps
    if record.has(5):
        count = reading.number()
        if count > _MAX_STEPS:
            raise ValueError(f"a play of {count} steps")
        steps = tuple(parse_step(reading.unsigned(1)) for _ in range(count))
    board = reading.board() if record.has(6) else None
    action = reading.number() if record.has(7) and ply.action == _ESCAPE else ply.action
    side = ply.side
    if action == PlyAction.SET_POSITION and dice is not None:
        side = side.opponent
    return replace(ply, side=side, action=action, dice=dice, steps=steps, board=board, win=win)
