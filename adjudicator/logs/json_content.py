"""Bytes to JSON values: what two readers could read in two ways is refused.

Refused are, besides what is no JSON, doubled keys, ``NaN`` and the infinities, and nesting without end.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from adjudicator.errors import MOST_FAULTS, Fault, Place, RecordError


def parse_json(content: bytes) -> Any:
    """The value of a JSON document.

    Raises: RecordError, with a JSON pointer for each fault where the document can be read at all.
    """
    suspicion = _Suspicion([], [])
    try:
        value = json.loads(
            content.decode("utf-8-sig"),
            object_pairs_hook=suspicion.take_object,
            parse_constant=suspicion.take_constant,
        )
    except UnicodeDecodeError as error:
        raise RecordError(
            f"The JSON record is not UTF-8 text: {error.reason} at byte {error.start}."
        ) from error
    except json.JSONDecodeError as error:
        detail = f"The record is no JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        raise RecordError(detail, [Fault(error.msg, Place(line=error.lineno))]) from error
    except RecursionError as error:
        raise _broken("", "nested too deeply: no log needs so many levels") from error
    except ValueError as error:
        raise _broken("", "a number of thousands of digits") from error
    if suspicion.doubled or suspicion.constants:
        raise RecordError("The JSON record is ambiguous.", suspicion.locate(value)[:MOST_FAULTS])
    return value


def format_pointer(*steps: object) -> str:
    """The JSON pointer of these keys and indexes, ``""`` for the whole document (RFC 6901).

    >>> format_pointer("games", 0, "a/b")
    '/games/0/a~1b'
    """
    return "".join([f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps])


class _Constant(NamedTuple):
    """``NaN`` or an infinity, until the place where it stands is found."""

    name: str


class _Suspicion(NamedTuple):
    """Objects with doubled keys, and constants: seen while reading, when nothing tells where they stand."""

    doubled: list[tuple[dict[str, Any], str]]
    constants: list[_Constant]

    def take_object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            self.doubled.append((value, next(key for key, count in counts.items() if count > 1)))
        return value

    def take_constant(self, name: str) -> _Constant:
        self.constants.append(_Constant(name))
        return self.constants[-1]

    def locate(self, document: Any) -> list[Fault]:
        faults = []
        doubled = {id(value): key for value, key in self.doubled}
        for value, steps in _walk(document):
            if isinstance(value, _Constant):
                faults.append(Fault(f"{value.name} is no JSON number", Place(pointer=format_pointer(*steps))))
            elif id(value) in doubled:
                key = doubled[id(value)]
                faults.append(Fault("this key is given twice", Place(pointer=format_pointer(*steps, key))))
        return faults or [Fault("a key is given twice, in a part that is itself given twice")]


def _walk(document: Any) -> Iterator[tuple[Any, tuple[object, ...]]]:
    """Every value of a document with the way to it, without recursion."""
    waiting: list[tuple[Any, tuple[object, ...]]] = [(document, ())]
    while waiting:
        value, steps = waiting.pop()
        yield value, steps
        if isinstance(value, dict):
            waiting += [(part, (*steps, key)) for key, part in value.items()]
        elif isinstance(value, list):
            waiting += [(part, (*steps, index)) for index, part in enumerate(value)]


def _broken(where: str, reason: str) -> RecordError:
    return RecordError("The JSON record cannot be read.", [Fault(reason, Place(pointer=where))])
