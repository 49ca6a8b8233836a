"""Values inside the JSON match record: text and boards, checked by plain code.

Source: ``docs/formats/match-record.md``.
"""

import re
from typing import Any

from adjudicator.logs.limits import MAX_TEXT_LENGTH
from adjudicator.rules.board import BAR, Checkers, Position, as_points, check_position, checkers_from
from adjudicator.rules.sides import Side

_POINT = re.compile(r"[1-9][0-9]?")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class FaultyValueError(ValueError):
    """A value that is not as it has to be.

    ``messages``: by key or index the same again, down to lists of sentences.
    """

    def __init__(self, messages: dict[Any, Any] | list[str]) -> None:
        super().__init__(str(messages))
        self.messages = messages


def json_type(value: object) -> str:
    """What a JSON value is, as a message names it.

    >>> json_type(True), json_type([])
    ('true or false', 'a list')
    """
    names = {str: "text", bool: "true or false", int: "a whole number", float: "a fraction"}
    names |= {list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), "no JSON value")


def check_text(value: object) -> str | None:
    """What is wrong with a text value; ``None`` where nothing is."""
    if not isinstance(value, str):
        return f"has to be text, not {json_type(value)}"
    if len(value) > MAX_TEXT_LENGTH:
        return f"has {len(value)} characters; at most {MAX_TEXT_LENGTH} are taken"
    return "holds a character that cannot be stored" if _UNSTORABLE.search(value) else None


def parse_board(raw: object, total: int) -> Position:
    """The position ``{"white": {"24": 2, ...}, "black": {...}}`` as white sees it.

    Raises: FaultyValueError.
    """
    if not isinstance(raw, dict):
        raise FaultyValueError([f"has to be an object with the checkers of both sides, not {json_type(raw)}"])
    faults: dict[str, Any] = {key: ["unknown key"] for key in raw if key not in ("white", "black")}
    sides = []
    for side in Side:
        try:
            sides.append(_parse_checkers(raw.get(side.label), total))
        except FaultyValueError as error:
            faults[side.label] = error.messages
    if faults:
        raise FaultyValueError(faults)
    position = Position(*sides)
    complaints = check_position(position, total)
    if complaints:
        raise FaultyValueError(complaints)
    return position


def _parse_checkers(raw: object, total: int) -> Checkers:
    if not isinstance(raw, dict):
        raise FaultyValueError([f"has to be an object of counts by point, not {json_type(raw)}"])
    faults: dict[str, list[str]] = {}
    for point, count in raw.items():
        if _POINT.fullmatch(point) is None or int(point) > BAR:
            faults[point] = ["there is no such point: points are 1 to 24, 25 is the bar"]
        elif type(count) is not int or not 0 <= count <= total:
            faults[point] = [f"has to be a number of checkers, 0 to {total}"]
    if faults:
        raise FaultyValueError(faults)
    try:
        return checkers_from({int(point): count for point, count in raw.items()}, total)
    except ValueError as error:
        raise FaultyValueError([str(error)]) from error


def format_board(position: Position) -> dict[str, dict[str, int]]:
    """The board of a position seen by white, as the record holds it."""
    return {
        side.label: {str(point): count for point, count in as_points(checkers).items()}
        for side, checkers in zip(Side, position, strict=True)
    }
