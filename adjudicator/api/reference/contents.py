"""What the reference page shows, drawn from an OpenAPI document with every reference followed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from markupsafe import Markup

from adjudicator.api.reference.prose import format_prose
from adjudicator.api.reference.shapes import Shape, format_example, shape_of

Document: TypeAlias = Mapping[str, Any]

METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
WEBHOOKS = "webhooks"
OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a header: ``place`` is where it stands, such as ``"query"``."""

    name: str
    place: str
    is_required: bool
    description: Markup
    shape: Shape
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """A body under one media type."""

    media_type: str
    shape: Shape
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What may come back under one status."""

    status: str
    description: Markup
    headers: tuple[Field, ...]
    contents: tuple[Content, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path; ``keys`` are the ways to prove who asks, one of which is needed, if any is."""

    anchor: str
    method: str
    path: str
    summary: str
    description: Markup
    keys: tuple[str, ...]
    fields: tuple[Field, ...]
    body_is_required: bool
    bodies: tuple[Content, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The operations of one tag."""

    name: str
    description: Markup
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """The whole page. ``keys`` are the security schemes, ``schemas`` all named shapes, each by name."""

    title: str
    version: str
    summary: str
    description: Markup
    groups: tuple[Group, ...]
    keys: tuple[tuple[str, Markup], ...]
    schemas: tuple[tuple[str, Shape], ...]


class ContentsReader:
    """Reads one OpenAPI document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def read(self) -> Contents:
        """Everything in it that people want to see."""
        info = self._document["info"]
        components = self._document.get("components", {})
        return Contents(
            info["title"],
            info["version"],
            info.get("summary", ""),
            format_prose(info.get("description", "")),
            tuple(self._groups()),
            tuple(
                (name, format_prose(scheme.get("description", "")))
                for name, scheme in components.get("securitySchemes", {}).items()
            ),
            tuple((name, shape_of(schema)) for name, schema in components.get("schemas", {}).items()),
        )

    def _groups(self) -> Iterator[Group]:
        """Tags in the order of the document, then what it says of webhooks, then what has no tag."""
        operations = [
            *self._operations(self._document["paths"], OTHERS),
            *self._operations(self._document.get("webhooks", {}), WEBHOOKS),
        ]
        told = {tag["name"]: tag.get("description", "") for tag in self._document.get("tags", ())}
        for name in dict.fromkeys([*told, *(tag for tag, _ in operations)]):
            those = tuple(operation for tag, operation in operations if tag == name)
            if those:
                yield Group(name, format_prose(told.get(name, "")), those)

    def _operations(self, paths: Document, default_tag: str) -> Iterator[tuple[str, Operation]]:
        for path, named in paths.items():
            item = self._followed(named)
            for method in METHODS:
                if method in item:
                    tag = item[method].get("tags", [default_tag])[0]
                    yield tag, self._operation(path, item, method)

    def _operation(self, path: str, item: Document, method: str) -> Operation:
        operation = item[method]
        body = self._followed(operation.get("requestBody", {}))
        needed = operation.get("security", self._document.get("security", ()))
        parameters = [
            self._followed(one) for one in (*item.get("parameters", ()), *operation.get("parameters", ()))
        ]
        return Operation(
            operation.get("operationId", f"{method}-{path}"),
            method.upper(),
            path,
            operation.get("summary", ""),
            format_prose(operation.get("description", "")),
            tuple(
                f"{name} ({', '.join(scopes)})" if scopes else name
                for way in needed
                for name, scopes in way.items()
            ),
            tuple(self._field(one["name"], one["in"], one) for one in parameters),
            body.get("required", False),
            tuple(self._contents(body)),
            tuple(self._answer(str(status), answer) for status, answer in operation["responses"].items()),
        )

    def _answer(self, status: str, named: Document) -> Answer:
        answer = self._followed(named)
        headers = {name: self._followed(header) for name, header in answer.get("headers", {}).items()}
        return Answer(
            status,
            format_prose(answer.get("description", "")),
            tuple(self._field(name, "header", header) for name, header in headers.items()),
            tuple(self._contents(answer)),
        )

    def _field(self, name: str, place: str, field: Document) -> Field:
        return Field(
            name,
            place,
            field.get("required", False),
            format_prose(field.get("description", "")),
            shape_of(field.get("schema", {})),
            self._examples(field),
        )

    def _contents(self, holder: Document) -> Iterator[Content]:
        for media_type, content in holder.get("content", {}).items():
            yield Content(media_type, shape_of(content.get("schema", {})), self._examples(content))

    def _examples(self, holder: Document) -> tuple[str, ...]:
        named = [self._followed(example)["value"] for example in holder.get("examples", {}).values()]
        return tuple(format_example(one) for one in ([holder["example"]] if "example" in holder else named))

    def _followed(self, node: Document) -> Document:
        """The node, or what it refers to."""
        while "$ref" in node:
            found: Any = self._document
            for step in node["$ref"].removeprefix("#/").split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")]
            node = found
        return node
