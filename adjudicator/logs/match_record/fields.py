"""Fields of the JSON match record that take their own JSON type and nothing else.

The fields of marshmallow turn ``"3"``, ``2.0`` and ``true`` into numbers; a record that means another thing
than it says is refused here.
"""

from typing import Any

from marshmallow import Schema, ValidationError, fields

from adjudicator.logs.json_content import format_pointer
from adjudicator.logs.limits import MAX_GAMES
from adjudicator.logs.match_record.actions import parse_actions
from adjudicator.logs.match_record.values import FaultyValueError, check_text, json_type, parse_board
from adjudicator.rules.board import OFF, Position
from adjudicator.rules.variants import Variant

_MESSAGES: dict[str, str | list[Any] | dict[Any, Any]] = {
    "required": "is missing",
    "null": "must not be null",
    "type": "has to be an object",
}


class Part(fields.Nested):
    """An object with a schema of its own."""

    default_error_messages = _MESSAGES


class WholeNumber(fields.Field[int]):
    """An integer from ``low`` to ``high``, both included; no text, no fraction, no boolean."""

    default_error_messages = _MESSAGES

    def __init__(self, low: int, high: int, **options: Any) -> None:
        super().__init__(**options)
        self.low, self.high = low, high

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> int:
        if type(value) is not int:
            raise ValidationError(f"has to be a whole number, not {json_type(value)}")
        if not self.low <= value <= self.high:
            raise ValidationError(f"has to be {self.low} to {self.high}, not {value}")
        return value


class Flag(fields.Field[bool]):
    """``true`` or ``false``."""

    default_error_messages = _MESSAGES

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError(f"has to be true or false, not {json_type(value)}")
        return value


class Text(fields.Field[str]):
    """Text that can be stored; one of ``choices``, if any are given."""

    default_error_messages = _MESSAGES

    def __init__(self, *choices: str, **options: Any) -> None:
        super().__init__(**options)
        self.choices = choices

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> str:
        complaint = check_text(value)
        if complaint is not None:
            raise ValidationError(complaint)
        if self.choices and value not in self.choices:
            raise ValidationError(f"has to be {' or '.join(self.choices)}, not {value[:40]!r}")
        return str(value)


class Metadata(fields.Field[dict[str, str]]):
    """An object of free-form text; keys are turned to lower case, as in the heads of other logs."""

    default_error_messages = _MESSAGES

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise ValidationError(f"has to be an object, not {json_type(value)}")
        texts: dict[str, str] = {}
        faults: dict[str, list[str]] = {}
        for key, text in value.items():
            complaint = check_text(key) or check_text(text)
            if complaint is None and key.lower() in texts:
                complaint = "is given twice, but for upper and lower case"
            if complaint is not None:
                faults[key] = [complaint]
            else:
                texts[key.lower()] = text
        if faults:
            raise ValidationError(faults)
        return texts


class Start(fields.Field[Position | None]):
    """``"standard"``, which is ``None``, or the checkers of both sides: a position seen by white."""

    default_error_messages = _MESSAGES

    def __init__(self, variant: Variant, **options: Any) -> None:
        super().__init__(**options)
        self.total = variant.checkers_per_side

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> Position | None:
        if value == "standard":
            return None
        if isinstance(value, str):
            raise ValidationError(f"has to be standard or an object, not {value[:40]!r}")
        try:
            position = parse_board(value, self.total)
        except FaultyValueError as error:
            raise ValidationError(error.messages) from error
        if self.total in (position.own[OFF], position.opponent[OFF]):
            raise ValidationError("leaves a side no checker on the board: that game is over")
        return position


class Games(fields.Field[list[dict[str, Any]]]):
    """The games, each an object of the given schema, and its actions, which know their pointer.

    The actions are left out of the schema: marshmallow takes ten times as long for them as plain code.
    """

    default_error_messages = _MESSAGES

    def __init__(self, schema: Schema, variant: Variant, **options: Any) -> None:
        super().__init__(**options)
        self.schema, self.total = schema, variant.checkers_per_side

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list):
            raise ValidationError(f"has to be a list, not {json_type(value)}")
        if not 1 <= len(value) <= MAX_GAMES:
            raise ValidationError(f"has to hold 1 to {MAX_GAMES} games, not {len(value)}")
        games: list[dict[str, Any]] = []
        faults: dict[int, Any] = {}
        for index, raw in enumerate(value):
            try:
                games.append(self._load_game(raw, format_pointer(self.name, index)))
            except FaultyValueError as error:
                faults[index] = error.messages
        if faults:
            raise ValidationError(faults)
        return games

    def _load_game(self, raw: Any, where: str) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise FaultyValueError([f"has to be an object, not {json_type(raw)}"])
        game: dict[str, Any] = {}
        faults: dict[str, Any] = {}
        try:
            game = dict(self.schema.load({key: value for key, value in raw.items() if key != "actions"}))
        except ValidationError as error:
            faults |= error.messages_dict
        try:
            game["actions"] = parse_actions(raw.get("actions"), self.total, f"{where}/actions")
        except FaultyValueError as error:
            faults["actions"] = error.messages
        if faults:
            raise FaultyValueError(faults)
        return game
