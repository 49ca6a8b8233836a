"""The actions of a game in the JSON match record: from JSON to records and back.

Plain code, since marshmallow took ten times as long for the few hundred actions of a match.

Source: ``docs/formats/match-record.md``, section "Actions".
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from adjudicator.errors import Place
from adjudicator.logs.limits import MAX_ACTIONS, MAX_NUMBER, MAX_STEPS
from adjudicator.logs.match_record.values import (
    FaultyValueError,
    format_board,
    json_type,
    parse_board,
)
from adjudicator.notation.play_text import format_play, parse_play
from adjudicator.rules.board import BAR, OFF
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import Action, CubeRecord, Movement, ResignRecord, RollRecord, Writing
from adjudicator.rules.score import Win
from adjudicator.rules.sides import Side

CANNOT_MOVE = "cannot move"
"""The ``moves`` of a roll of which the record says that it could not be played."""

NOT_KNOWN = "the position that the players agreed on is not known"
"""What an ``agreed`` of null says."""

_KEYS = {
    "roll": {"player", "roll", "moves", "agreed"},
    "cube": {"player", "cube", "value"},
    "resign": {"player", "resign"},
}
_USUAL = {"player", "roll", "moves"}
"""The keys of nearly all actions: of these nothing more need be asked."""
_Raw: TypeAlias = Mapping[str, Any]
_Faults: TypeAlias = dict[str, Any]
_SIDES = {side.label: side for side in Side}
_CUBE_ACTIONS = {action.value: action for action in CubeAction}
_WINS = {win.label: win for win in Win}
_ROLLS = {(first, second): Dice(first, second) for first in range(1, 7) for second in range(1, 7)}


def parse_actions(raw: object, total: int, where: str) -> tuple[Action, ...]:
    """The actions of a game; ``total``: checkers a side, ``where``: the JSON pointer of the list.

    Raises: FaultyValueError, with all that is wrong about any of them.
    """
    if not isinstance(raw, list):
        raise FaultyValueError([f"has to be a list of actions, not {json_type(raw)}"])
    if len(raw) > MAX_ACTIONS:
        raise FaultyValueError([f"holds {len(raw)} actions; a game has at most {MAX_ACTIONS}"])
    actions: list[Action] = []
    faults: dict[int, Any] = {}
    for index, action in enumerate(raw):
        try:
            actions.append(_parse_action(action, total, Place(pointer=f"{where}/{index}")))
        except FaultyValueError as error:
            faults[index] = error.messages
    if faults:
        raise FaultyValueError(faults)
    return tuple(actions)


def _parse_action(raw: object, total: int, place: Place) -> Action:
    if not isinstance(raw, dict):
        raise FaultyValueError([f"has to be an object, not {json_type(raw)}"])
    faults: _Faults = {}
    kind = "roll" if raw.keys() == _USUAL else _kind_of(raw, faults)
    player = raw.get("player")
    side = _SIDES.get(player) if isinstance(player, str) else None
    if side is None:
        faults["player"] = ["has to be white or black"]
    action = _parse_kind(kind, raw, side or Side.WHITE, total, place, faults)
    if faults or action is None:
        raise FaultyValueError(faults)
    return action


def _kind_of(raw: _Raw, faults: _Faults) -> str:
    """Which kind of action this is; keys that do not belong to it are faults."""
    kinds = [kind for kind in _KEYS if kind in raw]
    if len(kinds) != 1:
        raise FaultyValueError(["has to hold one of the keys roll, cube, resign"])
    for key in raw.keys() - _KEYS[kinds[0]]:
        faults[key] = ["unknown key"]
    return kinds[0]


def _parse_kind(kind: str, raw: _Raw, side: Side, total: int, place: Place, faults: _Faults) -> Action | None:
    if kind == "roll":
        return _parse_roll(raw, side, total, place, faults)
    if kind == "cube":
        return _parse_cube(raw, side, place, faults)
    return _parse_resignation(raw, side, place, faults)


def format_action(action: Action) -> dict[str, Any]:
    """The action as the record holds it."""
    player = {"player": action.side.label}
    if isinstance(action, ResignRecord):
        return player | {"resign": None if action.win is None else action.win.label}
    if isinstance(action, CubeRecord):
        value = {} if action.value is None else {"value": action.value}
        return player | {"cube": action.action.value} | value
    return player | {"roll": list(action.dice)} | _format_writing(action)


def _format_writing(roll: RollRecord) -> dict[str, Any]:
    if roll.writing is Writing.UNREAD:
        return {"agreed": None}
    if roll.agreed is not None:
        return {"agreed": format_board(roll.agreed if roll.side is Side.WHITE else roll.agreed.swapped())}
    if roll.writing is Writing.NOT_PLAYED:
        return {"moves": None}
    return {"moves": CANNOT_MOVE if roll.writing is Writing.CANNOT_MOVE else format_play(roll.movements)}


def _parse_roll(raw: _Raw, side: Side, total: int, place: Place, faults: _Faults) -> RollRecord | None:
    dice = _parse_dice(raw["roll"])
    if dice is None:
        faults["roll"] = ["has to be a list of two whole numbers, 1 to 6"]
        return None
    writing, agreed = Writing.NOT_PLAYED, None
    movements: tuple[Movement, ...] = ()
    try:
        if "agreed" in raw:
            writing = Writing.UNREAD if raw["agreed"] is None else Writing.POSITION
            agreed = None if raw["agreed"] is None else parse_board(raw["agreed"], total)
        elif raw.get("moves") is not None:
            writing, movements = _parse_moves(raw["moves"])
    except FaultyValueError as error:
        faults["agreed" if "agreed" in raw else "moves"] = error.messages
    if "agreed" in raw and "moves" in raw:
        faults["moves"] = ["is not taken beside agreed, which says what the play came to"]
    if agreed is not None and side is Side.BLACK:
        agreed = agreed.swapped()
    unread = NOT_KNOWN if writing is Writing.UNREAD else ""
    return RollRecord(side, dice, writing, movements, agreed, unread, place=place)


def _parse_dice(raw: object) -> Dice | None:
    """The dice of a roll; ``True``, which Python takes for 1, is no number here."""
    if not isinstance(raw, list) or len(raw) != 2:
        return None
    first, second = raw
    if type(first) is not int or type(second) is not int:
        return None
    return _ROLLS.get((first, second))


def _parse_moves(raw: object) -> tuple[Writing, tuple[Movement, ...]]:
    if isinstance(raw, str):
        return _parse_written(raw)
    if not isinstance(raw, list):
        raise FaultyValueError([f"has to be text, a list of pairs, or null, not {json_type(raw)}"])
    return _with_writing(_parse_pairs(raw))


@lru_cache(maxsize=4096)  # the same plays come again and again
def _parse_written(text: str) -> tuple[Writing, tuple[Movement, ...]]:
    if text.strip().lower() == CANNOT_MOVE:
        return Writing.CANNOT_MOVE, ()
    try:
        return _with_writing(parse_play(text))
    except ValueError as error:
        raise FaultyValueError([str(error)]) from error


def _with_writing(movements: tuple[Movement, ...]) -> tuple[Writing, tuple[Movement, ...]]:
    return (Writing.PLAY if movements else Writing.NOTHING), movements


def _parse_pairs(raw: list[object]) -> tuple[Movement, ...]:
    if len(raw) > MAX_STEPS:
        raise FaultyValueError([f"holds {len(raw)} pairs; a play has at most {MAX_STEPS}"])
    faults: dict[int, list[str]] = {}
    movements = []
    for index, pair in enumerate(raw):
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(point) is int for point in pair)):
            faults[index] = ["has to be a list of two points, from and to"]
        elif not BAR >= pair[0] > pair[1] >= OFF:
            faults[index] = [
                "has to lead downwards, from a point at most 25 (the bar) to one at least 0 (off)"
            ]
        else:
            movements.append(Movement(pair[0], pair[1]))
    if faults:
        raise FaultyValueError(faults)
    return tuple(movements)


def _parse_cube(raw: _Raw, side: Side, place: Place, faults: _Faults) -> CubeRecord | None:
    action = _CUBE_ACTIONS.get(raw["cube"]) if isinstance(raw["cube"], str) else None
    if action is None:
        faults["cube"] = [f"has to be {' or '.join(_CUBE_ACTIONS)}"]
        return None
    value = raw.get("value")
    if value is not None and not (type(value) is int and 1 <= value <= MAX_NUMBER):
        faults["value"] = ["has to be the number on the cube, a whole number from 1 on"]
    return CubeRecord(side, action, value, None, place)


def _parse_resignation(raw: _Raw, side: Side, place: Place, faults: _Faults) -> ResignRecord:
    win = raw["resign"]
    if win is not None and not (isinstance(win, str) and win in _WINS):
        faults["resign"] = [f"has to be {' or '.join(_WINS)}, or null where that is not known"]
        return ResignRecord(side, None, place)
    return ResignRecord(side, None if win is None else _WINS[win], place)
