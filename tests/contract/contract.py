"""The contract in openapi.yaml, and a client that holds every answer to it."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import yaml
from flask import Flask
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

CONTRACT_FILE = Path(__file__).parents[2] / "openapi.yaml"
DOCUMENT_URI = "urn:contract"
METHODS = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace"})
TELLING_HEADERS = frozenset(
    {
        *("Accept-Encoding", "Content-Disposition", "ETag", "Link", "Location"),
        *("Preference-Applied", "Retry-After", "WWW-Authenticate"),
    }
)
"""An answer may carry these only where the contract says so."""
COMMON_HEADERS = {
    "RateLimit": "RateLimit",
    "RateLimit-Policy": "RateLimitPolicy",
    "Idempotency-Replayed": "IdempotencyReplayed",
}
"""Headers that many answers carry: told once, under these names of the contract's components."""
ANYWHERE = {"404": "NotFound", "405": "NotFound"}
"""Answers of addresses and methods that are not in the contract: problem documents."""


class Contract:
    """openapi.yaml, read so that whatever it does not name is a fault of an answer."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        closed = _closed(copy.deepcopy(document))
        self._registry: Registry[Any] = Registry().with_resource(
            DOCUMENT_URI, DRAFT202012.create_resource(closed)
        )

    @classmethod
    def load(cls) -> "Contract":
        return cls(yaml.safe_load(CONTRACT_FILE.read_text(encoding="utf-8")))

    @property
    def operations(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Every operation by method (upper case) and path template."""
        return {
            (method.upper(), path): operation
            for path, item in self.document["paths"].items()
            for method, operation in item.items()
            if method in METHODS
        }

    def faults(self, schema_pointer: str, value: object) -> list[str]:
        """What is wrong with a value by the schema at that pointer into the document."""
        validator = Draft202012Validator(
            {"$ref": f"{DOCUMENT_URI}#{schema_pointer}"},
            registry=self._registry,
            format_checker=Draft202012Validator.FORMAT_CHECKER,
        )
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]

    def check(self, method: str, path: str, answer: TestResponse) -> None:
        """Fails for an answer that the contract does not describe."""
        described = "GET" if method == "HEAD" else method
        pointer = self._response_pointer(described, path, str(answer.status_code))
        pointer, response = self._resolve(pointer)
        self._check_headers(pointer, response, answer)
        content = response.get("content", {})
        if not content or method == "HEAD":
            assert answer.data == b"", "a body that the contract does not know"
            return
        media_type = answer.mimetype or ""
        assert media_type in content, f"{media_type} is not in the contract: {sorted(content)}"
        if media_type.endswith(("/json", "+json")) and content[media_type]["schema"]:
            schema = f"{pointer}/content/{_escaped(media_type)}/schema"
            assert self.faults(schema, json.loads(answer.data)) == []

    def _response_pointer(self, method: str, path: str, status: str) -> str:
        for template in self.document["paths"]:
            pattern = re.sub(r"\{\w+\}", "[^/]+", template)
            known = method.lower() in self.document["paths"][template]
            if re.fullmatch(pattern, path) and known:
                responses = self.document["paths"][template][method.lower()]["responses"]
                assert status in responses, f"{method} {template} answered {status}"
                return f"/paths/{_escaped(template)}/{method.lower()}/responses/{status}"
        assert status in ANYWHERE, f"{method} {path}, not in the contract, answered {status}"
        return f"/components/responses/{ANYWHERE[status]}"

    def _check_headers(self, pointer: str, response: dict[str, Any], answer: TestResponse) -> None:
        described = response.get("headers", {})
        for name in COMMON_HEADERS.keys() & set(answer.headers.keys()):
            schema = f"/components/headers/{COMMON_HEADERS[name]}/schema"
            assert self.faults(schema, answer.headers[name]) == []
        undescribed = TELLING_HEADERS & set(answer.headers.keys()) - set(described)
        assert not undescribed, f"not in the contract: {sorted(undescribed)}"
        for name in described:
            header_pointer, header = self._resolve(f"{pointer}/headers/{name}")
            if name not in answer.headers:
                assert not header.get("required"), f"{name} is missing"
                continue
            text = answer.headers[name]
            value = int(text) if header["schema"].get("type") == "integer" else text
            assert self.faults(f"{header_pointer}/schema", value) == []

    def _resolve(self, pointer: str) -> tuple[str, dict[str, Any]]:
        node: Any = self.document
        for part in pointer.removeprefix("/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return self._resolve(node["$ref"].removeprefix("#")) if "$ref" in node else (pointer, node)


class CheckedClient:
    """A test client of the application that checks every answer against the contract.

    It shows ``key`` with every request that has no ``Authorization`` of its own; ``None`` shows nothing.
    """

    def __init__(self, app: Flask, contract: Contract, key: str | None = None) -> None:
        self._client = app.test_client()
        self._contract = contract
        self._key = key

    def get(self, path: str, **arguments: Any) -> TestResponse:
        return self.request("GET", path, **arguments)

    def delete(self, path: str, **arguments: Any) -> TestResponse:
        return self.request("DELETE", path, **arguments)

    def post(self, path: str, **arguments: Any) -> TestResponse:
        return self.request("POST", path, **arguments)

    def showing(self, key: str | None) -> "CheckedClient":
        """The same with another key, or with none."""
        return CheckedClient(self._client.application, self._contract, key)

    def request(self, method: str, path: str, **arguments: Any) -> TestResponse:
        headers = Headers(arguments.pop("headers", None))
        if self._key is not None:
            headers.setdefault("Authorization", f"Bearer {self._key}")
        answer = self._client.open(path, method=method, headers=headers, **arguments)
        self._contract.check(method, path.partition("?")[0], answer)
        return answer


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def _closed(node: Any) -> Any:
    """The document with every object closed that lists its members."""
    if isinstance(node, dict):
        for value in node.values():
            _closed(value)
        if node.get("type") == "object" and "properties" in node:
            node.setdefault("additionalProperties", False)
    elif isinstance(node, list):
        for value in node:
            _closed(value)
    return node
