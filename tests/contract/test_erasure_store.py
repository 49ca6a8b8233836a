"""The erasure's store keeps its port's promises on every database."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import DEFAULT_RULESET
from adjudicator.service.erasure import EXPIRED, Erasure
from adjudicator.service.values import Adjudication, Match, Result, Status, Ticket
from adjudicator.store.database import Database
from adjudicator.store.erasure_store import ErasureStore
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import batch_members, batches, callbacks, metadata
from tests.contract.databases import fresh_database
from tests.solved import solved_estimator

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
NEW = Result(b'{"new":1}', changed=False)


class Archive:
    """Matches m0, m1... a minute apart, each with an adjudication that is queued."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.matches, self.store = MatchStore(self.database), ErasureStore(self.database)

    def keep(self, number: int, white: str = "Anna", owner: str = "local") -> Match:
        at = NOON + number * MINUTE
        match = Match(
            id=f"m{number}",
            owner=owner,
            sha256=f"{number:064}",
            format="jellyfish_mat",
            media_type="text/plain",
            file_name="Anna.mat",
            variant="backgammon",
            match_length=7,
            white=white,
            black="Bea",
            received_at=at,
        )
        adjudication = Adjudication(
            id=f"a{number}",
            match_id=match.id,
            owner=owner,
            ruleset=DEFAULT_RULESET,
            engine=EngineIdentity("scripted", "1", {}),
            status=Status.QUEUED,
            attempt=1,
            submitted_at=at,
        )
        self.matches.keep(match, b"record", adjudication, last_attempt=1)
        return match

    def start(self, number: int) -> Ticket:
        ticket = Ticket(f"a{number}", 1)
        assert self.matches.start(ticket, worker="w", at=NOON, lease_until=NOON + MINUTE) is not None
        return ticket

    def finish(self, number: int) -> None:
        assert self.matches.finish(self.start(number), result=Result(b"{}", changed=True), at=NOON)

    def count(self) -> int:
        """How many rows there are in all tables."""
        with self.database.reading() as connection:
            return sum(
                connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
                for table in metadata.sorted_tables
            )


@pytest.fixture(params=["sqlite", "postgresql"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archive]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        archive = Archive(url)
        yield archive
        archive.matches.close()


def test_matches_that_hold_a_name_are_found_with_record_and_results(archive: Archive) -> None:
    for number, white, owner in ((0, "Anna", "local"), (1, "anna", "local"), (2, "Anna", "another")):
        archive.keep(number, white, owner)
    archive.keep(3)
    archive.finish(3)
    first, last = archive.store.holding("local", "Anna", limit=9)
    assert (first.match.id, first.content, dict(first.results)) == ("m0", b"record", {})
    assert (last.match.id, dict(last.results)) == ("m3", {"a3": b"{}"})
    assert archive.store.count_holding("local", "Anna") == 2
    assert len(archive.store.holding("local", "Bea", limit=2)) == 2


def test_a_redacted_match_takes_the_place_of_the_old_one(archive: Archive) -> None:
    match = archive.keep(0)
    archive.finish(0)
    redacted = replace(match, white="erased", sha256="f" * 64, original_sha256=match.sha256, file_name=None)
    archive.store.redact(redacted, b"other", {"a0": NEW}, at=NOON)
    assert archive.matches.match("m0", "local") == replace(redacted, adjudication_ids=("a0",))
    record = archive.matches.record("m0", "local")
    assert record is not None
    assert record.content == b"other"
    assert archive.matches.result("a0", "local") == NEW.content


def test_two_matches_may_become_the_same_record(archive: Archive) -> None:
    for number in (0, 1):
        match = archive.keep(number)
        archive.store.redact(replace(match, sha256="f" * 64), b"other", {}, at=NOON)
    assert archive.store.count_holding("local", "Anna") == 2


def test_what_has_read_the_old_record_begins_again_whatever_its_attempts(archive: Archive) -> None:
    match = archive.keep(0)
    ticket = archive.start(0)
    archive.store.redact(replace(match, white="erased"), b"other", {}, at=NOON)
    assert not archive.matches.finish(ticket, result=NEW, at=NOON)
    order = archive.matches.start(ticket.successor, worker="w", at=NOON, lease_until=NOON + MINUTE)
    assert order is not None
    assert order.content == b"other"


def test_a_result_that_came_meanwhile_is_made_again(archive: Archive) -> None:
    match = archive.keep(0)
    archive.finish(0)
    archive.store.redact(replace(match, white="erased"), b"other", {}, at=NOON)
    assert archive.matches.result("a0", "local") is None
    assert archive.matches.queued(before=NOON + MINUTE, limit=9) == [Ticket("a0", 2)]


def test_a_deleted_match_leaves_nothing_but_the_place_in_its_batch(archive: Archive) -> None:
    archive.keep(0)
    archive.finish(0)
    with archive.database.writing() as connection:
        connection.execute(sa.insert(callbacks).values(adjudication_id="a0", url="https://example.org"))
        connection.execute(
            sa.insert(batches).values(
                id="b0",
                owner="local",
                choice={},
                status="running",
                members=1,
                settled=1,
                lease_until=NOON,
                fed_at=NOON,
                faults=[],
                received_at=NOON,
            )
        )
        member = {"batch_id": "b0", "number": 1, "name": "Anna.mat", "adjudication_id": "a0"}
        connection.execute(sa.insert(batch_members).values(member))
    archive.store.delete("m0", EXPIRED)
    assert archive.count() == 2
    with archive.database.reading() as connection:
        row = connection.execute(sa.select(batch_members)).mappings().one()
    assert (row["name"], row["adjudication_id"], row["error"]["code"]) == ("m0", None, "expired")


def test_what_was_kept_for_long_enough_goes_unless_it_is_waited_for(archive: Archive) -> None:
    for number in range(4):
        archive.keep(number)
    for number in (0, 1, 3):
        archive.finish(number)

    now = NOON + timedelta(days=30, minutes=2, seconds=30)
    erasure = Erasure(archive.store, solved_estimator, retention=timedelta(days=30), clock=lambda: now)
    assert [erasure.delete_expired(), erasure.delete_expired()] == [2, 0]
    left = [number for number in range(4) if archive.matches.match(f"m{number}", "local")]
    assert left == [2, 3]
    assert Erasure(archive.store, solved_estimator, clock=lambda: now).delete_expired() == 0
