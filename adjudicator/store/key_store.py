"""The key store port over SQLAlchemy."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adjudicator.service.access import Key, Scope
from adjudicator.store.database import Database
from adjudicator.store.schema import require_revision
from adjudicator.store.tables import keys


class KeyTable:
    """Keeps the ``KeyStore`` port; see there for what each method promises. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, key: Key) -> None:
        """See ``KeyStore.keep``."""
        with self._database.writing() as connection:
            connection.execute(sa.insert(keys).values(_row(key)))

    def key(self, key_id: str, owner: str | None = None) -> Key | None:
        """See ``KeyStore.key``."""
        with self._database.reading() as connection:
            return _one(connection, key_id, owner)

    def keys(self, owner: str | None = None) -> Sequence[Key]:
        """See ``KeyStore.keys``."""
        found = sa.select(keys).where(*_of(owner)).order_by(keys.c.created_at, keys.c.id)
        with self._database.reading() as connection:
            return [_value(row) for row in connection.execute(found).mappings()]

    def has_keys(self) -> bool:
        """See ``KeyStore.has_keys``."""
        with self._database.reading() as connection:
            return connection.execute(sa.select(keys.c.id).limit(1)).first() is not None

    def revoke(self, key_id: str, *, owner: str | None, at: datetime) -> Key | None:
        """See ``KeyStore.revoke``."""
        revoked = (
            sa.update(keys)
            .where(keys.c.id == key_id, keys.c.revoked_at.is_(None), *_of(owner))
            .values(revoked_at=at)
        )
        with self._database.writing() as connection:
            connection.execute(revoked)
            return _one(connection, key_id, owner)

    def rotate(self, old_id: str, new: Key, *, until: datetime) -> bool:
        """See ``KeyStore.rotate``."""
        lives_longer = sa.or_(keys.c.expires_at.is_(None), keys.c.expires_at > until)
        rotated = (
            sa.update(keys)
            .where(keys.c.id == old_id, keys.c.revoked_at.is_(None), keys.c.successor_id.is_(None))
            .values(successor_id=new.id, expires_at=sa.case((lives_longer, until), else_=keys.c.expires_at))
        )
        with self._database.writing() as connection:
            if connection.execute(rotated).rowcount != 1:
                return False
            connection.execute(sa.insert(keys).values(_row(new)))
            return True

    def touch(self, uses: Mapping[str, datetime]) -> None:
        """See ``KeyStore.touch``."""
        with self._database.writing() as connection:
            for key_id, at in sorted(uses.items()):
                is_later = sa.or_(keys.c.last_used_at.is_(None), keys.c.last_used_at < at)
                used = sa.update(keys).where(keys.c.id == key_id, is_later).values(last_used_at=at)
                connection.execute(used)

    def require_ready(self) -> None:
        """See ``KeyStore.require_ready``."""
        with self._database.reading() as connection:
            require_revision(connection)

    def close(self) -> None:
        """See ``KeyStore.close``."""
        self._database.close()


def _one(connection: sa.Connection, key_id: str, owner: str | None) -> Key | None:
    named = sa.select(keys).where(keys.c.id == key_id, *_of(owner))
    row = connection.execute(named).mappings().one_or_none()
    return None if row is None else _value(row)


def _of(owner: str | None) -> list[sa.ColumnElement[bool]]:
    return [] if owner is None else [keys.c.owner == owner]


def _row(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "owner": key.owner,
        "label": key.label,
        "scopes": sorted(scope.value for scope in key.scopes),
        "digest": key.digest,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
        "last_used_at": key.last_used_at,
        "successor_id": key.successor_id,
    }


def _value(row: sa.RowMapping) -> Key:
    return Key(**{**row, "scopes": frozenset(map(Scope, row["scopes"]))})
