"""Ids that follow from what they name, so that the same submission is the same thing everywhere."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import TypeAlias

from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.result import format_engine
from adjudicator.happy_end.ruleset import Ruleset, format_ruleset

ID_CHARACTERS = 25
"""Base32 characters after the letter: 125 bits, too many for two things ever to share an id."""

ID_BYTES = 16
"""What is enough to make so many characters of."""

Randomness: TypeAlias = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee, as ``secrets.token_bytes``."""


def canonical_json(value: object) -> bytes:
    """The value as UTF-8 JSON in one form only: keys sorted, no spaces, no escapes beyond the needed.

    An unpaired surrogate, which UTF-8 cannot hold, becomes a question mark.

    >>> canonical_json({"b": 1.5, "a": "é"}).decode()
    '{"a":"é","b":1.5}'

    Raises: ValueError for a number that is not finite.
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def record_digest(content: bytes) -> str:
    """The SHA-256 of a record's bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def match_id(owner: str, sha256: str) -> str:
    """The id of a record that an owner sent: ``m`` and 25 characters."""
    return _derived("m", [owner, sha256])


def adjudication_id(of_match: str, ruleset: Ruleset, engine: EngineIdentity) -> str:
    """The id of a match's adjudication by this ruleset and engine build: ``a`` and 25 characters."""
    return _derived("a", [of_match, format_ruleset(ruleset), format_engine(engine)])


def delivery_id(owner: str, event: str, subject_id: str, occasion: str, url: str) -> str:
    """The id of what tells one receiver of one event: ``msg_`` and 25 characters."""
    return _derived("msg_", [owner, event, subject_id, occasion, url])


def random_id(letter: str, randomness: Randomness) -> str:
    """An id for what nothing else tells apart: the letter and 25 characters.

    >>> random_id("b", lambda count: bytes(count))
    'baaaaaaaaaaaaaaaaaaaaaaaaa'
    """
    return letter + _base32(randomness(ID_BYTES))


def _derived(letter: str, parts: list[object]) -> str:
    digest = hashlib.sha256(canonical_json(parts)).digest()
    return letter + _base32(digest)


def _base32(raw: bytes) -> str:
    return base64.b32encode(raw).decode().lower()[:ID_CHARACTERS]
