"""The store of keys keeps its port's promises on every database that it is made for."""

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.errors import StoreUnavailableError
from adjudicator.service.access import Key, Scope, secret_digest
from adjudicator.store.database import Database
from adjudicator.store.key_store import KeyTable
from adjudicator.store.schema import upgrade
from tests.contract.databases import fresh_database

NOON = datetime(2026, 11, 29, 12, 0, 0, 123_456, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KeyTable]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        store = KeyTable(Database(url))
        yield store
        store.close()


def a_key(name: str = "k1", owner: str = "club", hour: int = 0, ends: datetime | None = None) -> Key:
    return Key(
        id=name,
        owner=owner,
        label="Сервер",
        scopes=frozenset({Scope.SUBMIT, Scope.READ}),
        digest=secret_digest(name),
        created_at=NOON + hour * HOUR,
        expires_at=ends,
    )


def test_a_key_comes_back_as_it_was_kept(store: KeyTable) -> None:
    key = dataclasses.replace(a_key(ends=NOON + HOUR), last_used_at=NOON, successor_id="k2")
    store.keep(key)
    assert store.key("k1") == key
    assert store.key("k1", "club") == key


def test_of_another_owner_there_is_no_key(store: KeyTable) -> None:
    store.keep(a_key())
    assert store.key("k1", "other") is None
    assert store.key("k2") is None
    assert store.keys("other") == []
    assert store.revoke("k1", owner="other", at=NOON) is None
    assert store.key("k1") == a_key()


def test_keys_are_listed_in_the_order_in_which_they_were_made(store: KeyTable) -> None:
    assert not store.has_keys()
    for key in (a_key("k3", hour=2), a_key("k1", hour=1), a_key("k2", "other", hour=0)):
        store.keep(key)
    assert [key.id for key in store.keys(None)] == ["k2", "k1", "k3"]
    assert [key.id for key in store.keys("club")] == ["k1", "k3"]
    assert store.has_keys()


def test_a_revoked_key_keeps_the_time_of_its_first_revocation(store: KeyTable) -> None:
    store.keep(a_key())
    first = store.revoke("k1", owner=None, at=NOON)
    assert first == dataclasses.replace(a_key(), revoked_at=NOON)
    assert store.revoke("k1", owner="club", at=NOON + HOUR) == first
    assert store.revoke("k2", owner=None, at=NOON) is None


@pytest.mark.parametrize(
    ("ends", "expected"),
    [(None, NOON + HOUR), (NOON + 2 * HOUR, NOON + HOUR), (NOON + HOUR / 2, NOON + HOUR / 2)],
)
def test_a_rotated_key_ends_with_the_overlap_at_the_latest(
    store: KeyTable, ends: datetime | None, expected: datetime
) -> None:
    store.keep(a_key(ends=ends))
    assert store.rotate("k1", a_key("k2"), until=NOON + HOUR)
    assert store.key("k1") == dataclasses.replace(a_key(), expires_at=expected, successor_id="k2")
    assert store.key("k2") == a_key("k2")


def test_a_key_that_is_revoked_or_was_rotated_is_not_rotated(store: KeyTable) -> None:
    store.keep(a_key())
    assert store.rotate("k1", a_key("k2"), until=NOON)
    assert not store.rotate("k1", a_key("k3"), until=NOON)
    store.revoke("k2", owner=None, at=NOON)
    assert not store.rotate("k2", a_key("k3"), until=NOON)
    assert not store.rotate("k9", a_key("k3"), until=NOON)
    assert store.key("k3") is None


def test_a_rotation_that_fails_leaves_the_old_key_as_it_was(store: KeyTable) -> None:
    store.keep(a_key())
    store.keep(a_key("k2"))
    with pytest.raises(StoreUnavailableError):
        store.rotate("k1", a_key("k2"), until=NOON)
    assert store.key("k1") == a_key()


def test_the_last_use_goes_forward_only(store: KeyTable) -> None:
    store.keep(a_key())
    store.touch({"k1": NOON, "nobody": NOON})
    store.touch({"k1": NOON - HOUR})
    assert store.key("k1") == dataclasses.replace(a_key(), last_used_at=NOON)
    store.touch({"k1": NOON + HOUR})
    assert store.key("k1") == dataclasses.replace(a_key(), last_used_at=NOON + HOUR)


def test_a_database_without_tables_is_not_ready(tmp_path: Path, store: KeyTable) -> None:
    store.require_ready()
    bare = KeyTable(Database(f"sqlite:///{tmp_path / 'bare.db'}"))
    with pytest.raises(StoreUnavailableError, match="start `adjudicator serve` once"):
        bare.require_ready()
    bare.close()
