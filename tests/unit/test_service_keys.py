"""Keys: how they are made, known, revoked and rotated."""

import base64
import hashlib
import hmac
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.errors import NotFoundError, RequestError, StoreUnavailableError, UnauthenticatedError
from adjudicator.service.access import ALL_SCOPES, USUAL_SCOPES, Caller, Key, Scope
from adjudicator.service.keys import KNOWN_FOR, MOST_KNOWN, NOBODYS_DIGEST, REFUSED, KeyService
from adjudicator.service.values import LOCAL_OWNER
from adjudicator.store.database import Database
from adjudicator.store.key_store import KeyTable
from adjudicator.store.schema import upgrade
from tests.unit.office import NOON, HandSetClock

SECRET = bytes(range(32))


class WatchedTable(KeyTable):
    """The real store, which tells what was asked of it, and can be away for writes about uses."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.looked_up: list[str] = []
        self.touched: list[Mapping[str, datetime]] = []
        self.is_broken = False

    def key(self, key_id: str, owner: str | None = None) -> Key | None:
        self.looked_up.append(key_id)
        return super().key(key_id, owner)

    def touch(self, uses: Mapping[str, datetime]) -> None:
        self.touched.append(dict(uses))
        if self.is_broken:
            raise StoreUnavailableError("away")
        super().touch(uses)


@pytest.fixture
def clock() -> HandSetClock:
    return HandSetClock()


@pytest.fixture
def store(tmp_path: Path) -> WatchedTable:
    url = f"sqlite:///{tmp_path / 'keys.db'}"
    upgrade(url)
    return WatchedTable(Database(url))


@pytest.fixture
def keys(store: WatchedTable, clock: HandSetClock) -> Iterator[KeyService]:
    keys = KeyService(store, clock=clock, run=lambda write: write())
    yield keys
    keys.close()


def make(keys: KeyService, owner: str = "club", **lifetime: float) -> tuple[str, str]:
    """Id and text of a new key."""
    ends = timedelta(**lifetime) if lifetime else None
    new = keys.create(owner, label="server", scopes=USUAL_SCOPES, lifetime=ends)
    return new.key.id, new.text


def assert_refused(keys: KeyService, text: str) -> None:
    with pytest.raises(UnauthenticatedError) as raised:
        keys.verify(text)
    assert raised.value.key_was_sent


def test_a_key_is_made_of_the_randomness_given_and_only_the_digest_of_its_secret_is_kept(
    store: WatchedTable, clock: HandSetClock
) -> None:
    keys = KeyService(store, clock=clock, randomness=lambda number: SECRET[:number])
    new = keys.create("club", label="server", scopes=[Scope.READ])
    secret = base64.urlsafe_b64encode(SECRET).decode().rstrip("=")
    assert new.text == f"adj_kaaaqeayeaudaocajbifqydiob_{secret}"
    assert new.key.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert store.key(new.key.id) == new.key
    assert secret not in repr(new)
    assert new.key.digest not in repr(new)


def test_two_keys_have_nothing_in_common(keys: KeyService) -> None:
    (first_id, first), (second_id, second) = make(keys), make(keys)
    assert first_id != second_id
    assert first[-43:] != second[-43:]


def test_a_key_is_known_as_its_owner_with_its_scopes(keys: KeyService) -> None:
    key_id, text = make(keys)
    assert keys.verify(text) == Caller("club", USUAL_SCOPES, key_id)


def test_what_is_not_written_as_a_key_is_refused_without_a_look_at_the_database(
    keys: KeyService, store: WatchedTable
) -> None:
    _, text = make(keys)
    wrong = [
        "",
        "adj_",
        text[:-1],
        text + "A",
        f" {text}",
        f"{text}\n",
        text.upper(),
        text.replace("adj", "abj"),
    ]
    for other in wrong:
        assert_refused(keys, other)
    assert store.looked_up == []


def test_another_secret_is_refused(keys: KeyService) -> None:
    _, text = make(keys)
    _, other = make(keys)
    assert_refused(keys, text[:-43] + other[-43:])
    last = "B" if text[-1] != "B" else "C"
    assert_refused(keys, text[:-1] + last)


def test_an_unknown_id_costs_the_same_comparison(keys: KeyService, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(one: str, other: str) -> bool:
        compared.append((len(one), other))
        return one == other

    _, text = make(keys)
    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert_refused(keys, f"adj_k{'a' * 25}_{text[-43:]}")
    assert compared == [(64, NOBODYS_DIGEST)]


def test_refusals_do_not_say_why(keys: KeyService, clock: HandSetClock) -> None:
    (revoked_id, revoked), (_, expired) = make(keys), make(keys, hours=1)
    keys.revoke(revoked_id)
    clock.move(hours=2)
    for text in (revoked, expired, f"adj_k{'a' * 25}_{'A' * 43}"):
        with pytest.raises(UnauthenticatedError, match=REFUSED):
            keys.verify(text)


def test_a_key_ends_at_the_very_moment_it_says(keys: KeyService, clock: HandSetClock) -> None:
    _, text = make(keys, hours=1)
    clock.move(minutes=59, seconds=59)
    keys.verify(text)
    clock.move(seconds=1)
    assert_refused(keys, text)


def test_a_revocation_takes_effect_at_once_here_and_in_other_processes_within_the_time_stated(
    keys: KeyService, store: WatchedTable, clock: HandSetClock
) -> None:
    key_id, text = make(keys)
    elsewhere = KeyService(store, clock=clock, run=lambda write: write())
    keys.verify(text)
    elsewhere.verify(text)
    keys.revoke(key_id)
    assert_refused(keys, text)
    clock.move(seconds=KNOWN_FOR.total_seconds() - 0.001)
    elsewhere.verify(text)
    clock.move(seconds=0.001)
    assert_refused(elsewhere, text)


def test_a_known_key_is_not_looked_up_again_for_some_seconds_whatever_the_clock_does(
    keys: KeyService, store: WatchedTable, clock: HandSetClock
) -> None:
    key_id, text = make(keys)
    for _ in range(3):
        keys.verify(text)
    assert store.looked_up == [key_id]
    clock.move(hours=-1)
    keys.verify(text)
    assert store.looked_up == [key_id] * 2


def test_a_wrong_secret_of_a_known_key_is_refused(keys: KeyService) -> None:
    _, text = make(keys)
    keys.verify(text)
    assert_refused(keys, text[:-43] + "A" * 43)


def test_unknown_ids_are_not_remembered(keys: KeyService, store: WatchedTable) -> None:
    unknown = f"adj_k{'a' * 25}_{'A' * 43}"
    assert_refused(keys, unknown)
    assert_refused(keys, unknown)
    assert len(store.looked_up) == 2
    assert MOST_KNOWN > 0


def test_the_last_use_is_kept_to_the_minute_and_written_once_a_minute(
    keys: KeyService, store: WatchedTable, clock: HandSetClock
) -> None:
    key_id, text = make(keys)
    clock.move(seconds=7)
    for _ in range(5):
        keys.verify(text)
        clock.move(seconds=10)
    assert store.touched == [{key_id: NOON}]
    clock.move(seconds=10)
    keys.verify(text)
    assert keys.key(key_id).last_used_at == NOON + timedelta(minutes=1)
    assert len(store.touched) == 2


def test_a_use_that_cannot_be_noted_does_not_stop_the_request(
    keys: KeyService, store: WatchedTable, clock: HandSetClock, caplog: pytest.LogCaptureFixture
) -> None:
    key_id, text = make(keys)
    store.is_broken = True
    assert keys.verify(text).owner == "club"
    assert "The last use of 1 keys is not noted" in caplog.text
    store.is_broken = False
    clock.move(minutes=1)
    keys.verify(text)
    assert keys.key(key_id).last_used_at == NOON + timedelta(minutes=1)


def test_a_use_is_noted_beside_the_request(
    store: WatchedTable, clock: HandSetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = KeyService(store, clock=clock)
    key_id, text = make(keys)
    may_write, real_touch = threading.Event(), store.touch

    def touch(uses: Mapping[str, datetime]) -> None:
        assert may_write.wait(30)
        real_touch(uses)

    monkeypatch.setattr(store, "touch", touch)
    keys.verify(text)
    assert keys.key(key_id).last_used_at is None
    may_write.set()
    keys.close()
    assert keys.key(key_id).last_used_at == NOON


def test_the_first_key_is_made_once_with_all_scopes(keys: KeyService) -> None:
    first = keys.create_first()
    assert first is not None
    assert keys.verify(first.text) == Caller(LOCAL_OWNER, ALL_SCOPES, first.key.id)
    assert keys.create_first() is None
    keys.revoke(first.key.id)
    assert keys.create_first() is None


def test_everything_wrong_with_a_wish_is_said_at_once(keys: KeyService) -> None:
    with pytest.raises(RequestError) as raised:
        keys.create("-x", label=" ", scopes=[], lifetime=timedelta(0))
    assert [fault.place.parameter for fault in raised.value.faults] == [
        "owner",
        "label",
        "scopes",
        "lifetime",
    ]
    assert keys.keys() == []


@pytest.mark.parametrize("owner", ["", "a" * 101, "a b", "ä", "../x", "a\n", ".a"])
def test_an_owner_is_a_plain_name(keys: KeyService, owner: str) -> None:
    with pytest.raises(RequestError):
        keys.create(owner, label="x", scopes=ALL_SCOPES)


def test_a_rotated_key_and_its_successor_live_side_by_side_for_the_overlap(
    keys: KeyService, clock: HandSetClock
) -> None:
    key_id, text = make(keys)
    keys.verify(text)
    new = keys.rotate(key_id, overlap=timedelta(hours=2))
    assert (new.key.owner, new.key.label, new.key.scopes) == ("club", "server", USUAL_SCOPES)
    assert keys.key(key_id).successor_id == new.key.id
    clock.move(minutes=119)
    assert keys.verify(text).key_id == key_id
    assert keys.verify(new.text).key_id == new.key.id
    clock.move(minutes=1)
    assert_refused(keys, text)
    keys.verify(new.text)


def test_a_lifetime_begins_anew_with_a_rotation(keys: KeyService, clock: HandSetClock) -> None:
    key_id, _ = make(keys, days=10)
    clock.move(days=9.5)
    new = keys.rotate(key_id)
    assert new.key.expires_at == clock.now + timedelta(days=10)
    assert keys.key(key_id).expires_at == NOON + timedelta(days=10)


def test_a_key_without_a_lifetime_has_a_successor_without_one(keys: KeyService) -> None:
    key_id, _ = make(keys)
    assert keys.rotate(key_id).key.expires_at is None


def test_what_does_not_live_or_was_rotated_is_not_rotated(keys: KeyService, clock: HandSetClock) -> None:
    rotated, _ = make(keys)
    keys.rotate(rotated)
    revoked, _ = make(keys)
    keys.revoke(revoked)
    expired, _ = make(keys, seconds=1)
    clock.move(seconds=1)
    before = keys.keys()
    for key_id, reason in ((rotated, "rotated"), (revoked, "revoked"), (expired, "expired")):
        with pytest.raises(RequestError, match=reason):
            keys.rotate(key_id)
    assert keys.keys() == before


@pytest.mark.parametrize("overlap", [timedelta(seconds=-1), timedelta(days=31)])
def test_an_overlap_has_its_bounds(keys: KeyService, overlap: timedelta) -> None:
    key_id, _ = make(keys)
    with pytest.raises(RequestError, match="overlap"):
        keys.rotate(key_id, overlap=overlap)


def test_an_owner_does_not_reach_the_keys_of_another(keys: KeyService) -> None:
    key_id, text = make(keys)
    for act in (keys.key, keys.revoke, keys.rotate):
        with pytest.raises(NotFoundError):
            act(key_id, "other")
    assert keys.keys("other") == []
    assert keys.verify(text).owner == "club"
