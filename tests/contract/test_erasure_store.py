"""The erasure's store keeps its port's promises on every database."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import DEFAULT_RULESET
from adjudicator.service.batch_values import (
    Batch,
    BatchMember,
    BatchStatus,
    MemberStatus,
    NewMember,
    Outcome,
    Refusal,
    Settlement,
)
from adjudicator.service.choice import Choice
from adjudicator.service.erasure import ERASED, EXPIRED, Erasure
from adjudicator.service.values import Adjudication, FailureReason, Match, Result, Status, Ticket
from adjudicator.service.webhooks.values import Event, EventType, Secret
from adjudicator.store.batch_store import BatchStore
from adjudicator.store.database import Database
from adjudicator.store.delivery_store import DeliveryStore
from adjudicator.store.erasure_store import ErasureStore
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import adjudications, callbacks, deliveries, metadata
from tests.contract.databases import fresh_database
from tests.solved import solved_estimator

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MONTH = timedelta(days=30)
NEW = Result(b'{"new":1}', changed=False)


class Archive:
    """Matches m0, m1... a minute apart, each with an adjudication that is queued."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.matches, self.store = MatchStore(self.database), ErasureStore(self.database)
        self.batches, self.hooks = BatchStore(self.database), DeliveryStore(self.database)

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
        self.matches.keep(match, b"record", self.adjudication(match), last_attempt=1)
        return match

    def adjudication(self, match: Match) -> Adjudication:
        return Adjudication(
            id=match.id.replace("m", "a"),
            match_id=match.id,
            owner=match.owner,
            ruleset=DEFAULT_RULESET,
            engine=EngineIdentity("scripted", "1", {}),
            status=Status.QUEUED,
            attempt=1,
            submitted_at=match.received_at,
        )

    def start(self, number: int) -> Ticket:
        ticket = Ticket(f"a{number}", 1)
        assert self.matches.start(ticket, worker="w", at=NOON, lease_until=NOON + MINUTE) is not None
        return ticket

    def finish(self, number: int) -> None:
        assert self.matches.finish(self.start(number), result=Result(b"{}", changed=True), at=NOON)

    def fail(self, number: int, detail: str) -> None:
        reason = FailureReason("engine_failure", detail)
        assert self.matches.fail(Ticket(f"a{number}", 1), reason=reason, at=NOON)

    def redact(self, match: Match, known: Mapping[str, Result] | None = None, *, was: str = "") -> bool:
        """Puts the match and another record in the place of what has the hash ``was``, its own by default."""
        return self.store.redact(
            match, b"other", known or {}, was=was or match.sha256, reword=str.upper, at=NOON
        )

    def erasure(self, now: datetime, retention: timedelta | None = None) -> Erasure:
        return Erasure(
            self.store, solved_estimator, lambda _owner: None, retention=retention, clock=lambda: now
        )

    def open_batch(self, *members: NewMember) -> None:
        """A batch b0 of these members, none of which was looked at yet."""
        batch = Batch(
            id="b0",
            owner="local",
            name=None,
            choice=Choice(),
            format_name=None,
            status=BatchStatus.RECEIVING,
            members=0,
            settled=0,
            faults=(),
            received_at=NOON,
        )
        self.batches.open(batch, lease_until=NOON)
        self.batches.append("b0", members, lease_until=NOON)
        self.batches.complete("b0", faults=(), at=NOON)

    def left(self) -> list[int]:
        """The numbers of the matches that are there."""
        return [number for number in range(9) if self.matches.match(f"m{number}", "local")]

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
    assert archive.store.holding("local", "Anna", limit=9) == ["m0", "m3"]
    first, last = archive.store.held("m0"), archive.store.held("m3")
    assert first is not None
    assert last is not None
    assert (first.match.id, first.content, dict(first.results)) == ("m0", b"record", {})
    assert (last.match.id, dict(last.results)) == ("m3", {"a3": b"{}"})
    assert archive.store.count_holding("local", "Anna") == 2
    assert len(archive.store.holding("local", "Bea", limit=2)) == 2
    assert archive.store.held("m9") is None


def test_a_name_is_found_as_it_is_kept(archive: Archive) -> None:
    archive.keep(0, "A\x00nna")
    name = archive.store.kept("A\x00nna")
    assert archive.store.holding("local", name, limit=9) == ["m0"]
    held = archive.store.held("m0")
    assert held is not None
    assert held.match.white == name


def test_a_redacted_match_takes_the_place_of_the_old_one(archive: Archive) -> None:
    match = archive.keep(0)
    archive.finish(0)
    redacted = replace(match, white="erased", sha256="f" * 64, original_sha256=match.sha256, file_name=None)
    assert archive.redact(redacted, {"a0": NEW}, was=match.sha256)
    assert archive.matches.match("m0", "local") == replace(redacted, adjudication_ids=("a0",))
    record = archive.matches.record("m0", "local")
    assert record is not None
    assert record.content == b"other"
    assert archive.matches.result("a0", "local") == NEW.content


def test_two_matches_may_become_the_same_record(archive: Archive) -> None:
    for number in (0, 1):
        match = archive.keep(number)
        assert archive.redact(replace(match, sha256="f" * 64), was=match.sha256)
    assert archive.store.count_holding("local", "Anna") == 2


def test_what_has_read_the_old_record_begins_again_whatever_its_attempts(archive: Archive) -> None:
    match = archive.keep(0)
    ticket = archive.start(0)
    assert archive.redact(replace(match, white="erased"))
    assert not archive.matches.finish(ticket, result=NEW, at=NOON)
    order = archive.matches.start(ticket.successor, worker="w", at=NOON, lease_until=NOON + MINUTE)
    assert order is not None
    assert order.content == b"other"


def test_a_result_that_came_meanwhile_is_made_again(archive: Archive) -> None:
    match = archive.keep(0)
    archive.finish(0)
    assert archive.redact(replace(match, white="erased"))
    assert archive.matches.result("a0", "local") is None
    assert archive.matches.queued(before=NOON + MINUTE, limit=9) == [Ticket("a0", 2)]


def test_what_was_changed_meanwhile_is_left(archive: Archive) -> None:
    match = archive.keep(0)
    first = replace(match, white="erased", sha256="f" * 64)
    assert archive.redact(first, was=match.sha256)
    assert not archive.redact(replace(match, black="erased", sha256="e" * 64), was=match.sha256)
    assert not archive.store.delete(match, ERASED)
    assert archive.matches.match("m0", "local") == replace(first, adjudication_ids=("a0",))
    assert archive.store.delete(first, ERASED)
    assert not archive.store.delete(first, ERASED)
    assert archive.count() == 0


def test_what_starts_in_this_moment_begins_again(archive: Archive) -> None:
    match = archive.keep(0)
    redaction = threading.Thread(target=archive.redact, args=[replace(match, white="erased")])
    running = {"status": "running", "lease_until": NOON, "worker": "w"}
    with archive.database.writing() as connection:
        connection.execute(sa.update(adjudications).values(running))
        redaction.start()
        redaction.join(0.3)  # so long it has to see what is not committed yet
    redaction.join()
    assert archive.matches.queued(before=NOON + MINUTE, limit=9) == [Ticket("a0", 2)]


def test_a_failure_is_told_without_the_name(archive: Archive) -> None:
    match = archive.keep(0)
    archive.fail(0, "Anna broke it")
    assert archive.redact(replace(match, white="erased"))
    failed = archive.matches.adjudication("a0", "local")
    assert failed is not None
    assert failed.error == FailureReason("engine_failure", "ANNA BROKE IT")


def test_a_deleted_match_leaves_nothing_but_the_place_in_its_batch(archive: Archive) -> None:
    match = archive.keep(0)
    archive.finish(0)
    with archive.database.writing() as connection:
        connection.execute(sa.insert(callbacks).values(adjudication_id="a0", url="https://example.org"))
    archive.hooks.call_back("a0", "local", "https://example.com", at=NOON)
    archive.open_batch(NewMember("Anna.mat", b"record"))
    archive.batches.settle("b0", [Settlement(1, "a0")], due_at=NOON)
    assert archive.store.delete(match, EXPIRED)
    assert archive.count() == 2
    member = BatchMember(1, "m0", MemberStatus.REFUSED, None, Refusal(EXPIRED.code, EXPIRED.detail))
    assert archive.batches.members("b0", after=0, limit=9, status=None) == [member]
    assert archive.batches.outcomes("b0", after=0, limit=9) == [Outcome(member, None)]


def test_what_was_kept_for_long_enough_goes_unless_it_is_waited_for(archive: Archive) -> None:
    for number in range(4):
        archive.keep(number)
    for number in (0, 1, 3):
        archive.finish(number)

    now = NOON + MONTH + 2.5 * MINUTE
    erasure = archive.erasure(now, MONTH)
    assert [erasure.delete_expired(), erasure.delete_expired()] == [2, 0]
    assert archive.left() == [2, 3]
    assert archive.erasure(now).delete_expired() == 0


def test_what_was_sent_asked_for_or_found_out_again_is_kept_as_long_again(archive: Archive) -> None:
    matches = [archive.keep(number) for number in range(4)]
    for number in (0, 1, 2):
        archive.finish(number)
    later = NOON + MONTH
    first = archive.adjudication(matches[0])
    archive.matches.keep(replace(matches[0], received_at=later), b"", first, last_attempt=1)
    archive.matches.keep_adjudication(
        replace(archive.adjudication(matches[1]), id="again", submitted_at=later), last_attempt=1
    )
    assert archive.matches.fail(Ticket("again", 1), reason=EXPIRED, at=NOON)
    assert archive.matches.fail(Ticket("a3", 1), reason=EXPIRED, at=later)
    erasure = archive.erasure(later + MONTH - MINUTE, MONTH)
    assert erasure.delete_expired() == 1
    assert archive.left() == [0, 1, 3]
    assert archive.erasure(later + MONTH + MINUTE, MONTH).delete_expired() == 3


def test_what_was_sent_again_meanwhile_does_not_expire(archive: Archive) -> None:
    match = archive.keep(0)
    archive.finish(0)
    before = NOON + MINUTE
    assert archive.store.received(before=before, limit=9) == ["m0"]
    sent_again = replace(match, received_at=before)
    archive.matches.keep(sent_again, b"", archive.adjudication(match), last_attempt=1)
    assert not archive.store.expire("m0", EXPIRED, before=before)
    assert archive.store.expire("m0", EXPIRED, before=before + MINUTE)


def test_a_batch_that_ended_long_enough_ago_goes_in_slices(archive: Archive) -> None:
    refusal = Refusal("too_large", "Anna.mat is too large")
    archive.open_batch(*(NewMember(f"{number}.mat", None, refusal) for number in range(5)))
    ended = NOON + MINUTE
    assert archive.store.clear_batches(before=ended + MONTH, limit=2) == 0
    archive.batches.cancel("b0", at=ended)
    assert archive.store.clear_batches(before=ended, limit=2) == 0
    before = ended + MINUTE
    assert [archive.store.clear_batches(before=before, limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert archive.count() == 0


def test_only_with_a_retention_batches_go(archive: Archive) -> None:
    archive.open_batch(NewMember("Anna.mat", b"record"))
    archive.batches.cancel("b0", at=NOON)
    archive.erasure(NOON + MONTH + MINUTE).delete_expired()
    assert archive.count() == 2
    archive.erasure(NOON + MONTH + MINUTE, MONTH).delete_expired()
    assert archive.count() == 0


@pytest.mark.parametrize(
    ("retention", "kept_for"),
    [(None, timedelta(days=30)), (timedelta(days=99), timedelta(days=30)), (MINUTE, MINUTE)],
)
def test_deliveries_that_ended_are_kept_for_a_month_at_most(
    archive: Archive, retention: timedelta | None, kept_for: timedelta
) -> None:
    archive.hooks.put_endpoint("local", "https://example.org", at=NOON)
    for occasion in ("1", "2"):
        archive.hooks.tell(Event("local", EventType.PING, "", occasion, NOON, {}))
    ended = {"status": "delivered", "due_at": None, "ended_at": NOON}
    with archive.database.writing() as connection:
        one = sa.select(deliveries.c.id).limit(1).scalar_subquery()
        connection.execute(sa.update(deliveries).where(deliveries.c.id == one).values(ended))
    counts = []
    for age in (kept_for, kept_for + MINUTE):
        archive.erasure(NOON + age, retention).delete_expired()
        counts.append(len(archive.hooks.deliveries("local", status=None, after=None, limit=9)))
    assert counts == [2, 1]


def test_secrets_of_webhooks_go_when_they_expire(archive: Archive) -> None:
    for name in ("old", "new"):
        secret = Secret(name, "local", b"key", NOON)
        assert archive.hooks.add_secret(secret, others_until=NOON + MINUTE, most=2)
    counts = []
    for now in (NOON, NOON + MINUTE):
        archive.erasure(now).delete_expired()
        counts.append(archive.count())
    assert counts == [2, 1]
