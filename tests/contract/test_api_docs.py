"""GET /docs."""

import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest

from adjudicator.api.reference.contents import ContentsReader
from adjudicator.api.reference.shapes import SHOWN_KEYWORDS, shape_of
from tests.contract.contract import CheckedClient, Contract

VOID = frozenset(
    {"meta", "link", "img", "br", "hr", "input", "source", "base", "embed", "col", "wbr", "area"}
)
LOADING = frozenset(
    {"script", "img", "iframe", "object", "embed", "video", "audio", "source", "link", "base", "form"}
)


class Outline(HTMLParser):
    """What stands in a page, and whether its tags are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.style = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "style":
            self.style += data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def values(self, name: str) -> list[str]:
        return [value for known, value in self.attributes if known == name]


@pytest.fixture
def outline(client: CheckedClient) -> Outline:
    return Outline(client.get("/docs").get_data(as_text=True))


def test_every_operation_is_on_the_page(outline: Outline, contract: Contract) -> None:
    for (method, path), operation in contract.operations.items():
        assert operation["operationId"] in outline.values("id")
        assert f"{method} {path} {operation['summary']}" in outline.text
        assert f"#{operation['operationId']}" in outline.values("href")


def test_every_parameter_schema_and_member_is_on_the_page(outline: Outline, contract: Contract) -> None:
    components = contract.document["components"]
    for name, schema in components["schemas"].items():
        assert f"schema-{name}" in outline.values("id")
        assert set(schema.get("properties", {})) <= set(outline.text.split())
    for parameter in components["parameters"].values():
        assert parameter["name"] in outline.text
    example = components["schemas"]["MatchRecord"]["example"]
    assert f'"schema": "{example["schema"]}"' in outline.text


def test_every_status_is_on_the_page(outline: Outline, contract: Contract) -> None:
    told = [item["post"] for item in contract.document["webhooks"].values()]
    operations = [*contract.operations.values(), *told]
    statuses = sum(len(operation["responses"]) for operation in operations)
    assert len([name for name in outline.values("class") if name == "status"]) == statuses


def test_every_link_within_leads_somewhere_and_no_place_is_named_twice(outline: Outline) -> None:
    places = outline.values("id")
    assert len(places) == len(set(places))
    assert {link[1:] for link in outline.values("href") if link.startswith("#")} <= set(places)


def test_nothing_is_loaded_from_anywhere(outline: Outline) -> None:
    assert not LOADING & set(outline.tags)
    assert not {"src", "srcset", "style", "action", "background", "data"} & {
        name for name, _ in outline.attributes
    }
    assert not any(name.startswith("on") for name, _ in outline.attributes)
    assert not re.search(r"url\(|@import|image-set|expression", outline.style)


def test_the_policy_allows_the_style_sheet_of_the_page_alone(client: CheckedClient, outline: Outline) -> None:
    digest = base64.b64encode(hashlib.sha256(outline.style.encode()).digest()).decode()
    policy = dict(
        part.strip().split(" ", 1)
        for part in client.get("/docs").headers["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


def test_it_is_html_and_not_sent_twice(client: CheckedClient) -> None:
    answer = client.get("/docs")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.data.startswith(b"<!DOCTYPE html>")
    again = client.get("/docs", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_contract_says_nothing_that_the_page_leaves_out(contract: Contract) -> None:
    unknown = set()

    def look(schema: Any) -> None:
        if not isinstance(schema, dict):
            return
        unknown.update(set(schema) - SHOWN_KEYWORDS)
        for part in (
            *schema.get("properties", {}).values(),
            schema.get("items"),
            schema.get("additionalProperties"),
        ):
            look(part)
        for keyword in ("anyOf", "oneOf", "allOf"):
            for part in schema.get(keyword, ()):
                look(part)

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            for name, value in node.items():
                look(value) if name == "schema" else walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(contract.document["paths"])
    for schema in contract.document["components"]["schemas"].values():
        look(schema)
    assert unknown == set()


def said(schema: dict[str, Any]) -> str:
    return "".join(word.text for word in shape_of(schema).phrase)


@pytest.mark.parametrize(
    ("schema", "phrase"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["integer", "null"]}, "integer or null"),
        ({"enum": ["white", "black", None]}, '"white" | "black" | null'),
        ({"const": "alive"}, '"alive"'),
        ({"$ref": "#/components/schemas/Side"}, "Side"),
        ({"anyOf": [{"$ref": "#/components/schemas/Side"}, {"type": "null"}]}, "Side or null"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Dice"}}, "list of Dice"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
        ({}, "anything"),
    ],
)
def test_a_type_is_said_in_words(schema: dict[str, Any], phrase: str) -> None:
    assert said(schema) == phrase


def test_facts_and_members_of_a_schema_are_all_there() -> None:
    shape = shape_of(
        {
            "type": "object",
            "required": ["a"],
            "additionalProperties": False,
            "properties": {
                "a": {"type": "array", "maxItems": 2, "items": {"type": "integer", "minimum": 1}},
                "b": {"type": "array", "items": {"type": "object", "properties": {"c": {"default": "x"}}}},
            },
        }
    )
    first, second = shape.members
    assert shape.facts == ("no other members",)
    assert (first.name, first.is_required, first.shape.facts) == (
        "a",
        True,
        ("at most 2 entries", "each at least 1"),
    )
    assert (second.is_required, second.shape.members[0].name) == (False, "c")
    assert second.shape.members[0].shape.facts == ('default "x"',)


def test_keys_webhooks_and_hostile_prose_are_shown_as_they_are() -> None:
    contents = ContentsReader(
        {
            "info": {"title": "t", "version": "1", "description": "<script>x</script> ![x](http://h/x.png)"},
            "security": [{"bearer": ["read"]}],
            "paths": {
                "/a": {"get": {"responses": {"200": {"description": "yes"}}}},
                "/b": {"get": {"security": [], "responses": {}}},
            },
            "webhooks": {"done": {"post": {"operationId": "told", "responses": {}}}},
            "components": {"securitySchemes": {"bearer": {"type": "http", "description": "a `key`"}}},
        }
    ).read()
    assert "<script" not in contents.description
    assert "<img" not in contents.description
    assert [group.name for group in contents.groups] == ["others", "webhooks"]
    first, second = contents.groups[0].operations
    assert (first.anchor, first.keys, second.keys) == ("get-/a", ("bearer (read)",), ())
    assert contents.keys[0][0] == "bearer"
