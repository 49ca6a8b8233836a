"""The use cases around keys: make, list, revoke, rotate, and know a caller by one."""

import base64
import hmac
import re
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from adjudicator.errors import Fault, NotFoundError, Place, RequestError, UnauthenticatedError
from adjudicator.service.access import (
    ALL_SCOPES,
    Caller,
    Key,
    KeyState,
    NewKey,
    Scope,
    format_key,
    parse_key,
    secret_digest,
)
from adjudicator.service.access_ports import KeyStore
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.identifiers import Randomness, random_id
from adjudicator.service.last_uses import LastUses, Run
from adjudicator.service.values import LOCAL_OWNER

SECRET_BYTES = 32
OVERLAP = timedelta(hours=24)
"""How long a rotated key lives on beside its successor, unless it is said otherwise."""
LONGEST_OVERLAP = timedelta(days=30)
LONGEST_LIFETIME = timedelta(days=3650)
KNOWN_FOR = timedelta(seconds=5)
"""For so long a process goes by what it read of a key: a revocation elsewhere takes effect within it."""
MOST_KNOWN = 10_000
LONGEST_LABEL = 100
FIRST_LABEL = "first key"
OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
NOBODYS_DIGEST = secret_digest("")
"""What the secret of a key is compared with that does not exist: no secret is empty."""
REFUSED = "The key is unknown, revoked or expired."
"""All that is said of a key that does not count: which of the three it is helps the wrong people only."""


class _Known(NamedTuple):
    """A key as the database had it at that moment."""

    key: Key
    read_at: datetime


class KeyService:
    """What the doors call; safe to share between threads.

    An ``owner`` given restricts a call to that owner's keys; those of others are not found. ``None``, for the
    operator at the machine, restricts nothing.
    """

    def __init__(
        self,
        store: KeyStore,
        *,
        clock: Clock = utc_clock,
        randomness: Randomness = secrets.token_bytes,
        run: Run | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._randomness = randomness
        self._uses = LastUses(store, run)
        self._known: dict[str, _Known] = {}

    def create(
        self, owner: str, *, label: str, scopes: Collection[Scope], lifetime: timedelta | None = None
    ) -> NewKey:
        """Makes a key; without a lifetime it lives until it is revoked.

        Raises: RequestError with everything that is wrong, StoreUnavailableError.
        """
        _require_sound(owner, label, scopes, lifetime)
        new = self._new(owner, label, frozenset(scopes), lifetime)
        self._store.keep(new.key)
        return new

    def create_first(self) -> NewKey | None:
        """A key of the local owner with all scopes where there never was a key, else ``None``.

        Raises: StoreUnavailableError.
        """
        if self._store.has_keys():
            return None
        return self.create(LOCAL_OWNER, label=FIRST_LABEL, scopes=ALL_SCOPES)

    def keys(self, owner: str | None = None) -> Sequence[Key]:
        """All keys, also those that do not count any more, the oldest first.

        Raises: StoreUnavailableError.
        """
        return self._store.keys(owner)

    def key(self, key_id: str, owner: str | None = None) -> Key:
        """What is known of a key.

        Raises: NotFoundError, StoreUnavailableError.
        """
        return _found(self._store.key(key_id, owner), key_id)

    def state(self, key: Key) -> KeyState:
        """How a key stands now."""
        return key.state(self._clock())

    def revoke(self, key_id: str, owner: str | None = None) -> Key:
        """Ends a key for good; doing it again changes nothing.

        Here it takes effect at once, in other processes within ``KNOWN_FOR``.

        Raises: NotFoundError, StoreUnavailableError.
        """
        revoked = _found(self._store.revoke(key_id, owner=owner, at=self._clock()), key_id)
        self._known.pop(key_id, None)
        return revoked

    def rotate(self, key_id: str, owner: str | None = None, *, overlap: timedelta = OVERLAP) -> NewKey:
        """Makes a key like a live one, which lives on for the overlap. A lifetime begins anew.

        Raises: NotFoundError; RequestError for a key that does not count or was rotated before, and for an
        overlap out of bounds; StoreUnavailableError.
        """
        if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
            most_s = LONGEST_OVERLAP.total_seconds()
            raise RequestError(f"The overlap has to be from 0 to {most_s:.0f} seconds.")
        old = self.key(key_id, owner)
        now = self._clock()
        if old.state(now) is not KeyState.LIVE:
            raise RequestError(f"The key {key_id} is {old.state(now).value}: make a new one.")
        lifetime = None if old.expires_at is None else old.expires_at - old.created_at
        new = self._new(old.owner, old.label, old.scopes, lifetime)
        if not self._store.rotate(old.id, new.key, until=now + overlap):
            raise RequestError(f"The key {key_id} was rotated or revoked before: rotate its successor.")
        self._known.pop(key_id, None)
        return new

    def verify(self, text: str) -> Caller:
        """The caller who shows this key; notes that it was used.

        The secret of a key that does not exist is compared with one all the same.

        Raises: UnauthenticatedError, StoreUnavailableError.
        """
        parts = parse_key(text)
        if parts is None:
            raise UnauthenticatedError("This is no key of this service.", key_was_sent=True)
        key_id, secret = parts
        now = self._clock()
        key = self._look_up(key_id, now)
        fits = hmac.compare_digest(secret_digest(secret), key.digest if key else NOBODYS_DIGEST)
        if key is None or not fits or key.state(now) is not KeyState.LIVE:
            raise UnauthenticatedError(REFUSED, key_was_sent=True)
        self._uses.note(key.id, now)
        return Caller(key.owner, key.scopes, key.id)

    def require_ready(self) -> None:
        """Lets pass a database that answers and has the tables of this program.

        Raises: StoreUnavailableError with what is wrong.
        """
        self._store.require_ready()

    def close(self) -> None:
        """Lets go of the database; may be called twice."""
        self._uses.close()
        self._store.close()

    def _look_up(self, key_id: str, now: datetime) -> Key | None:
        """The key, as it is or was a moment ago; one that does not exist is looked for every time."""
        known = self._known.get(key_id)
        if known is not None and timedelta(0) <= now - known.read_at < KNOWN_FOR:
            return known.key
        key = self._store.key(key_id)
        if key is not None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key_id] = _Known(key, now)
        return key

    def _new(self, owner: str, label: str, scopes: frozenset[Scope], lifetime: timedelta | None) -> NewKey:
        now = self._clock()
        key_id = random_id("k", self._randomness)
        secret = base64.urlsafe_b64encode(self._randomness(SECRET_BYTES)).decode().rstrip("=")
        key = Key(
            id=key_id,
            owner=owner,
            label=label,
            scopes=scopes,
            digest=secret_digest(secret),
            created_at=now,
            expires_at=None if lifetime is None else now + lifetime,
        )
        return NewKey(key, format_key(key_id, secret))


def _require_sound(owner: str, label: str, scopes: Collection[Scope], lifetime: timedelta | None) -> None:
    faults = []
    if not OWNER.fullmatch(owner):
        reason = "An owner is 1 to 100 of the characters A-Z a-z 0-9 . _ - and begins with a letter or digit."
        faults.append(Fault(reason, Place(parameter="owner")))
    if not (label.isprintable() and label.strip() and len(label) <= LONGEST_LABEL):
        reason = f"A label is 1 to {LONGEST_LABEL} printable characters."
        faults.append(Fault(reason, Place(parameter="label")))
    if not scopes:
        faults.append(Fault("A key needs a scope at least.", Place(parameter="scopes")))
    if lifetime is not None and not timedelta(0) < lifetime <= LONGEST_LIFETIME:
        reason = f"A key lives for more than 0 and at most {LONGEST_LIFETIME.days} days."
        faults.append(Fault(reason, Place(parameter="lifetime")))
    if faults:
        raise RequestError("No such key can be made.", faults)


def _found(key: Key | None, key_id: str) -> Key:
    if key is None:
        raise NotFoundError(f"There is no key {key_id!r}")
    return key
