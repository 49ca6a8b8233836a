"""JSON schemas as people read them: a phrase for what a value is, facts about it, and its members."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from markupsafe import Markup

from adjudicator.api.reference.prose import format_prose

Schema: TypeAlias = Mapping[str, Any]

SHOWN_KEYWORDS = frozenset(
    {
        *("$ref", "type", "const", "enum", "anyOf", "oneOf", "allOf"),
        *("properties", "required", "additionalProperties", "propertyNames", "items"),
        *("pattern", "format", "default", "description", "example", "examples"),
        *("minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems"),
        *("minProperties", "maxProperties", "uniqueItems", "readOnly", "writeOnly", "deprecated"),
        "discriminator",
    }
)
"""What a schema may say. A discriminator only repeats what its alternatives say; a test finds any other."""

ANY_NAME = "(any name)"
_LIMITS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "more than {}"),
    ("maximum", "at most {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "at least {} entries"),
    ("maxItems", "at most {} entries"),
    ("minProperties", "at least {} members"),
    ("maxProperties", "at most {} members"),
    ("pattern", "pattern {}"),
    ("format", "format {}"),
)
_FLAGS = (
    ("uniqueItems", "no entry twice"),
    ("readOnly", "in answers only"),
    ("writeOnly", "in requests only"),
    ("deprecated", "not to be used any more"),
)


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a phrase; ``schema`` names the schema that it is to lead to, if it is one."""

    text: str
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value is: ``phrase``, ``facts`` about it, what is said of it, and the members it has."""

    phrase: tuple[Word, ...]
    facts: tuple[str, ...]
    description: Markup
    members: tuple["Member", ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object."""

    name: str
    is_required: bool
    shape: Shape


def shape_of(schema: Schema) -> Shape:
    """The shape that a schema describes; other schemas it only names."""
    return Shape(
        tuple(_phrase(schema)),
        tuple(_facts(schema)),
        format_prose(schema.get("description", "")),
        tuple(_members(schema)),
        tuple(format_example(example) for example in _examples(schema)),
    )


def format_example(example: object) -> str:
    """An example as it would be sent.

    >>> format_example("7/1"), format_example([3, 1])
    ('7/1', '[3, 1]')
    """
    if isinstance(example, str):
        return example
    flat = json.dumps(example, ensure_ascii=False, default=str)
    return flat if len(flat) <= 60 else json.dumps(example, ensure_ascii=False, default=str, indent=2)


def _examples(schema: Schema) -> Sequence[object]:
    return [schema["example"]] if "example" in schema else schema.get("examples", [])


def _phrase(schema: Schema) -> Iterator[Word]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield Word(name, name)
    elif alternatives := schema.get("anyOf") or schema.get("oneOf"):
        yield from _joined(alternatives, " or ")
    elif parts := schema.get("allOf"):
        yield from _joined(parts, " and ")
    elif "const" in schema:
        yield Word(json.dumps(schema["const"], ensure_ascii=False))
    elif "enum" in schema:
        yield Word(" | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"]))
    else:
        yield from _typed(schema)


def _joined(schemas: Sequence[Schema], conjunction: str) -> Iterator[Word]:
    for number, schema in enumerate(schemas):
        if number:
            yield Word(conjunction)
        yield from _phrase(schema)


def _typed(schema: Schema) -> Iterator[Word]:
    kinds = schema.get("type", "anything")
    more = schema.get("additionalProperties")
    if kinds == "array" and "items" in schema:
        yield Word("list of ")
        yield from _phrase(schema["items"])
    elif kinds == "object" and isinstance(more, Mapping) and "properties" not in schema:
        yield Word("object of ")
        yield from _phrase(more)
    else:
        yield Word(kinds if isinstance(kinds, str) else " or ".join(kinds))


def _facts(schema: Schema) -> Iterator[str]:
    for keyword, told in _LIMITS:
        if keyword in schema:
            yield told.format(schema[keyword])
    for keyword, told in _FLAGS:
        if schema.get(keyword):
            yield told
    if "default" in schema:
        yield f"default {json.dumps(schema['default'], ensure_ascii=False)}"
    if schema.get("additionalProperties") is False:
        yield "no other members"
    if "propertyNames" in schema:
        names = shape_of(schema["propertyNames"])
        yield f"names: {', '.join(names.facts) or ''.join(word.text for word in names.phrase)}"
    if isinstance(items := schema.get("items"), Mapping):
        yield from (f"each {fact}" for fact in _facts(items))


def _members(schema: Schema) -> Iterator[Member]:
    """Those of the object itself, or of the objects that it holds or is one of, where they have no name."""
    required = schema.get("required", ())
    for name, described in schema.get("properties", {}).items():
        yield Member(name, name in required, shape_of(described))
    if isinstance(more := schema.get("additionalProperties"), Mapping):
        if "properties" in schema:
            yield Member(ANY_NAME, is_required=False, shape=shape_of(more))
        else:
            yield from _members(more)
    if isinstance(items := schema.get("items"), Mapping):
        yield from _members(items)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for alternative in schema.get(keyword, ()):
            yield from _members(alternative)
