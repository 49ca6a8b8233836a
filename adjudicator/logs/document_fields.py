"""Values taken out of a JSON document that other programs wrote, each of the kind it has to be.

Every function raises ValueError, naming the key, for a value of another kind.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from adjudicator.logs.limits import MAX_NUMBER, MAX_TEXT_LENGTH

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")

Fields: TypeAlias = Mapping[str, Any]


def take_number(fields: Fields, key: str, default: int | None = None, *, least: int = 0) -> int:
    """The whole number under that key; the default, where there is one, if it is missing or null.

    >>> take_number({"points": 2}, "points"), take_number({}, "points", 1)
    (2, 1)
    """
    value = fields.get(key)
    if value is None and default is not None:
        return default
    if type(value) is not int or not least <= value <= MAX_NUMBER:
        raise ValueError(f"{key} has to be a whole number from {least} on, not {_shown(value)}")
    return value


def take_flag(fields: Fields, key: str) -> bool:
    """Whether the key is there and true."""
    value = fields.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{key} has to be true or false, not {_shown(value)}")  # noqa: TRY004
    return value


def take_text(fields: Fields, key: str) -> str:
    """The text under that key, ``""`` where it is missing or null."""
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{key} has to be text, not {_shown(value)}")  # noqa: TRY004
    if len(value) > MAX_TEXT_LENGTH:
        raise ValueError(f"{key} has {len(value)} characters; at most {MAX_TEXT_LENGTH} are taken")
    if _UNSTORABLE.search(value):
        raise ValueError(f"{key} holds a character that cannot be stored")
    return value


def take_object(value: object, name: str) -> Fields:
    """The value, which has to be an object."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} has to be an object, not {_shown(value)}")  # noqa: TRY004
    return value


def take_list(fields: Fields, key: str) -> list[Any]:
    """The list under that key, empty where it is missing or null."""
    value = fields.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{key} has to be a list, not {_shown(value)}")  # noqa: TRY004
    return value


def take_numbers(fields: Fields, key: str) -> list[int]:
    """The list of whole numbers under that key, of either sign."""
    values = take_list(fields, key)
    if not all(type(value) is int and abs(value) <= MAX_NUMBER for value in values):
        raise ValueError(f"{key} has to be a list of whole numbers")
    return values


def take_texts(fields: Fields, keys: Mapping[str, str]) -> dict[str, str]:
    """The texts under these keys by the names they get, without empty ones.

    >>> take_texts({"event": "Cup", "location": ""}, {"event": "event", "location": "site"})
    {'event': 'Cup'}
    """
    texts = {name: take_text(fields, key) for key, name in keys.items()}
    return {name: text for name, text in texts.items() if text}


def _shown(value: object) -> str:
    """The value as it stands in JSON, cut short; of objects and lists their kind alone."""
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)[:40]
