"""Who calls, and what that caller may do: keys, scopes, and how a key is written."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple

KEY_TEXT = re.compile(r"adj_(k[a-z2-7]{25})_([A-Za-z0-9_-]{43})", re.ASCII)


class Scope(Enum):
    """What a key allows. None implies another.

    ``SUBMIT``: to send matches, and to see what the answers to these requests hold, no more. ``READ``: to see
    everything of its owner. ``ADMIN``: to manage the keys of its owner, whatever their scopes, and to see
    how the service fares.
    """

    SUBMIT = "submit"
    READ = "read"
    ADMIN = "admin"


ALL_SCOPES = frozenset(Scope)
USUAL_SCOPES = frozenset({Scope.SUBMIT, Scope.READ})
"""What a server that sends its matches needs."""


class KeyState(Enum):
    """Whether a key counts, and if not, why."""

    LIVE = "live"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key, which does not include its secret. Times are in UTC, ``None`` until they come.

    ``digest`` is the SHA-256 of the secret. No slow hash: the secret is 256 random bits, not a password that
    somebody chose, so there is nothing to guess at whatever speed. ``last_used_at`` is kept to the minute.
    ``successor_id`` is the key that this one was rotated to.
    """

    id: str
    owner: str
    label: str
    scopes: frozenset[Scope]
    digest: str = field(repr=False)
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    successor_id: str | None = None

    def state(self, at: datetime) -> KeyState:
        """How the key stands at that moment."""
        if self.revoked_at is not None:
            return KeyState.REVOKED
        if self.expires_at is not None and self.expires_at <= at:
            return KeyState.EXPIRED
        return KeyState.LIVE


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made, with its text: the only time that anybody sees it."""

    key: Key
    text: str = field(repr=False)


class Caller(NamedTuple):
    """Whose request it is, and what it may do; ``key_id`` is ``None`` where no key was needed."""

    owner: str
    scopes: frozenset[Scope]
    key_id: str | None = None


def format_key(key_id: str, secret: str) -> str:
    """A key as its holder keeps it."""
    return f"adj_{key_id}_{secret}"


def parse_key(text: str) -> tuple[str, str] | None:
    """Id and secret of a key, ``None`` for what cannot be one.

    >>> parse_key("adj_k" + "a" * 25 + "_" + "S" * 43) == ("k" + "a" * 25, "S" * 43)
    True
    >>> parse_key("adj_short") is None
    True
    """
    found = KEY_TEXT.fullmatch(text)
    return None if found is None else (found[1], found[2])


def secret_digest(secret: str) -> str:
    """The SHA-256 of a secret, as 64 hexadecimal digits: all that is kept of it."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()
