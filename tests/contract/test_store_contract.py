"""The store keeps its port's promises on every database that it is made for."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adjudicator.errors import StoreUnavailableError
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import Finish, Numbering, Ruleset, format_ruleset
from adjudicator.service.values import Adjudication, FailureReason, Match, Record, Result, Status, Ticket
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import adjudications
from tests.contract.databases import fresh_database

NOON = datetime(2026, 11, 29, 12, 0, 0, 123_456, tzinfo=UTC)
LEASE = timedelta(seconds=30)
RESULT = Result('{"winner":"Ä"}'.encode(), changed=True)
OTHER = Result(b"{}", changed=False)
CONTENT = b"1 point match\r\n" * 50
BROKEN = FailureReason("engine_failure", "it broke\nover two lines")


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MatchStore]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        store = MatchStore(Database(url))
        yield store
        store.close()


def a_match(name: str = "m1", owner: str = "local") -> Match:
    return Match(
        id=name,
        owner=owner,
        sha256=f"{name:0>64}",
        format="jellyfish_mat",
        media_type="text/plain",
        file_name=None,
        variant="backgammon",
        match_length=7,
        white="Анна",
        black="",
        received_at=NOON,
    )


def an_adjudication(name: str = "a1", of: str = "m1", owner: str = "local", minute: int = 0) -> Adjudication:
    return Adjudication(
        id=name,
        match_id=of,
        owner=owner,
        ruleset=Ruleset(finish=Finish.EXACT_OR_DOUBLE, numbering=Numbering.MOVE, indifference=0.0125),
        engine=EngineIdentity("scripted", "1", {"plies": 0, "noise": 0.25}),
        status=Status.QUEUED,
        attempt=1,
        submitted_at=NOON + timedelta(minutes=minute),
    )


def keep(store: MatchStore, name: str = "a1", *, minute: int = 0, attempts: int = 3) -> Ticket:
    store.keep(a_match(), CONTENT, an_adjudication(name, minute=minute), last_attempt=attempts)
    return Ticket(name, 1)


def start(store: MatchStore, ticket: Ticket, at: datetime = NOON) -> None:
    assert store.start(ticket, worker="w:1", at=at, lease_until=at + LEASE) is not None


def status_of(store: MatchStore, name: str = "a1") -> tuple[Status, int]:
    adjudication = store.adjudication(name, "local")
    assert adjudication is not None
    return adjudication.status, adjudication.attempt


def test_what_is_kept_comes_back_as_it_was(store: MatchStore) -> None:
    kept, is_new = store.keep(a_match(), CONTENT, an_adjudication(), last_attempt=3)
    assert kept == an_adjudication() == store.adjudication("a1", "local")
    assert is_new
    assert store.record("m1", "local") == Record(CONTENT, "jellyfish_mat", "text/plain")
    match = store.match("m1", "local")
    assert match is not None
    assert match.adjudication_ids == ("a1",)
    assert (match.white, match.black, match.received_at, match.file_name) == ("Анна", "", NOON, None)


def test_what_is_kept_already_stays_as_it_is(store: MatchStore) -> None:
    start(store, keep(store))
    again, is_new = store.keep(a_match(), b"other bytes", an_adjudication(minute=5), last_attempt=9)
    assert (again.status, again.submitted_at, is_new) == (Status.RUNNING, NOON, False)
    assert store.record("m1", "local") == Record(CONTENT, "jellyfish_mat", "text/plain")


def test_adjudications_of_a_match_come_in_the_order_they_were_asked_for(store: MatchStore) -> None:
    keep(store, "a2", minute=1)
    keep(store, "a1", minute=2)
    match = store.match("m1", "local")
    assert match is not None
    assert match.adjudication_ids == ("a2", "a1")


def test_other_owners_see_nothing(store: MatchStore) -> None:
    keep(store)
    assert store.match("m1", "other") is None
    assert store.record("m1", "other") is None
    assert store.adjudication("a1", "other") is None


def test_text_that_a_database_refuses_is_kept_with_replacements(store: MatchStore) -> None:
    ticket = keep(store)
    assert store.fail(ticket, reason=FailureReason("bad", "a\x00b\ud800c"), at=NOON)
    adjudication = store.adjudication("a1", "local")
    assert adjudication is not None
    assert adjudication.error == FailureReason("bad", "a\ufffdb\ufffdc")


def test_an_order_holds_what_the_adjudication_needs(store: MatchStore) -> None:
    order = store.start(keep(store), worker="w:1", at=NOON, lease_until=NOON + LEASE)
    assert order is not None
    assert (order.adjudication_id, order.match_id, order.sha256) == ("a1", "m1", a_match().sha256)
    assert (order.format, order.content) == ("jellyfish_mat", CONTENT)
    assert (order.ruleset, order.engine) == (an_adjudication().ruleset, an_adjudication().engine)


def test_an_attempt_is_started_once(store: MatchStore) -> None:
    ticket = keep(store)
    start(store, ticket)
    assert store.start(ticket, worker="w:2", at=NOON, lease_until=NOON + LEASE) is None
    assert store.start(Ticket("a1", 2), worker="w:2", at=NOON, lease_until=NOON + LEASE) is None
    assert store.start(Ticket("none", 1), worker="w:2", at=NOON, lease_until=NOON + LEASE) is None


def test_of_many_workers_at_once_one_gets_the_attempt(store: MatchStore) -> None:
    ticket = keep(store)
    taken = []

    def take(number: int) -> None:
        order = store.start(ticket, worker=f"w:{number}", at=NOON, lease_until=NOON + LEASE)
        taken.append(order is not None)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 7 + [True]


def test_the_result_is_kept_with_its_time(store: MatchStore) -> None:
    ticket = keep(store)
    start(store, ticket)
    assert store.finish(ticket, result=RESULT, at=NOON + LEASE)
    done = store.adjudication("a1", "local")
    assert done is not None
    assert (done.status, done.changed, done.error) == (Status.DONE, True, None)
    assert store.result("a1", "local") == RESULT.content
    assert store.result("a1", "other") is None
    assert (done.started_at, done.finished_at) == (NOON, NOON + LEASE)


def test_a_result_is_written_once(store: MatchStore) -> None:
    ticket = keep(store)
    start(store, ticket)
    assert store.finish(ticket, result=RESULT, at=NOON)
    assert not store.finish(ticket, result=OTHER, at=NOON)
    assert not store.fail(ticket, reason=BROKEN, at=NOON)
    assert store.result("a1", "local") == RESULT.content


def test_there_is_no_result_before_it_is_done(store: MatchStore) -> None:
    ticket = keep(store)
    start(store, ticket)
    assert store.result("a1", "local") is None
    assert store.fail(ticket, reason=BROKEN, at=NOON)
    assert store.result("a1", "local") is None


def test_another_adjudication_of_a_kept_match_needs_no_record(store: MatchStore) -> None:
    keep(store)
    second = an_adjudication("a2", minute=1)
    assert store.keep_adjudication(second, last_attempt=3) == (second, True)
    assert store.adjudication("a2", "local") == second
    start(store, Ticket("a2", 1))
    again, is_new = store.keep_adjudication(an_adjudication("a2", minute=5), last_attempt=3)
    assert (again.status, again.submitted_at, is_new) == (Status.RUNNING, second.submitted_at, False)


def test_an_attempt_that_was_taken_over_changes_nothing_any_more(store: MatchStore) -> None:
    first = keep(store)
    start(store, first)
    second = store.next_attempt(first, at=NOON)
    assert second == Ticket("a1", 2)
    start(store, second)
    assert not store.renew(first, lease_until=NOON + LEASE)
    assert not store.finish(first, result=OTHER, at=NOON)
    assert not store.fail(first, reason=BROKEN, at=NOON)
    assert store.next_attempt(first, at=NOON) is None
    assert store.hand_back(first, at=NOON) is None
    assert status_of(store) == (Status.RUNNING, 2)
    assert store.finish(second, result=RESULT, at=NOON)


def test_attempts_end_at_their_limit(store: MatchStore) -> None:
    ticket = keep(store, attempts=2)
    start(store, ticket)
    last = store.next_attempt(ticket, at=NOON)
    assert last is not None
    start(store, last)
    assert store.next_attempt(last, at=NOON) is None
    assert status_of(store) == (Status.RUNNING, 2)


def test_what_is_handed_back_does_not_count_against_the_limit(store: MatchStore) -> None:
    ticket = keep(store, attempts=1)
    start(store, ticket)
    returned = store.hand_back(ticket, at=NOON)
    assert returned == Ticket("a1", 2)
    start(store, returned)
    assert store.next_attempt(returned, at=NOON) is None


def test_a_failed_adjudication_tells_why_and_can_be_reopened(store: MatchStore) -> None:
    ticket = keep(store, attempts=1)
    start(store, ticket)
    assert store.fail(ticket, reason=BROKEN, at=NOON)
    failed = store.adjudication("a1", "local")
    assert failed is not None
    assert (failed.status, failed.error, failed.finished_at) == (Status.FAILED, BROKEN, NOON)
    assert store.reopen(ticket, attempts=2, at=NOON)
    assert not store.reopen(ticket, attempts=2, at=NOON)
    reopened = store.adjudication("a1", "local")
    assert reopened is not None
    assert (reopened.status, reopened.attempt) == (Status.QUEUED, 2)
    assert (reopened.error, reopened.finished_at, reopened.started_at) == (None, None, None)
    start(store, Ticket("a1", 2))
    assert store.next_attempt(Ticket("a1", 2), at=NOON) == Ticket("a1", 3)


def test_only_what_failed_is_reopened(store: MatchStore) -> None:
    ticket = keep(store)
    assert not store.reopen(ticket, attempts=3, at=NOON)
    start(store, ticket)
    assert not store.reopen(ticket, attempts=3, at=NOON)


def test_leases_that_ran_out_are_found_oldest_first(store: MatchStore) -> None:
    for minute, name in enumerate(("a3", "a1", "a2")):
        start(store, keep(store, name), at=NOON + timedelta(minutes=minute))
    late = NOON + timedelta(minutes=1) + LEASE
    assert store.expired(at=late + timedelta(seconds=1), limit=9) == [Ticket("a3", 1), Ticket("a1", 1)]
    assert store.expired(at=late + timedelta(seconds=1), limit=1) == [Ticket("a3", 1)]
    assert store.expired(at=NOON, limit=9) == []


def test_a_renewed_lease_has_not_run_out(store: MatchStore) -> None:
    ticket = keep(store)
    start(store, ticket)
    assert store.renew(ticket, lease_until=NOON + 2 * LEASE)
    assert store.expired(at=NOON + LEASE + timedelta(seconds=1), limit=9) == []


def test_attempts_queued_for_long_are_found_oldest_first(store: MatchStore) -> None:
    for minute, name in enumerate(("a2", "a3", "a1")):
        keep(store, name, minute=minute)
    start(store, Ticket("a3", 1))
    before = NOON + timedelta(minutes=2)
    assert store.queued(before=before, limit=9) == [Ticket("a2", 1)]
    assert store.queued(before=before + LEASE, limit=9) == [Ticket("a2", 1), Ticket("a1", 1)]
    store.next_attempt(Ticket("a3", 1), at=NOON - LEASE)
    assert store.queued(before=before, limit=1) == [Ticket("a3", 2)]


def test_a_successor_that_is_due_later_is_queued_from_then_on(store: MatchStore) -> None:
    ticket = keep(store, attempts=2)
    start(store, ticket)
    store.next_attempt(ticket, at=NOON + LEASE)
    assert store.queued(before=NOON + LEASE, limit=9) == []
    assert store.queued(before=NOON + 2 * LEASE, limit=9) == [ticket.successor]


def test_what_only_a_newer_program_can_read_is_left_to_it(store: MatchStore) -> None:
    ticket = keep(store)
    newer = format_ruleset(an_adjudication().ruleset) | {"luck": "none"}
    with store._database.writing() as connection:
        connection.execute(sa.update(adjudications).values(ruleset=newer))
    with pytest.raises(StoreUnavailableError, match=r"this version of the program cannot read.*luck"):
        store.start(ticket, worker="w:1", at=NOON, lease_until=NOON + LEASE)
    assert store.queued(before=NOON + LEASE, limit=9) == [ticket]


def test_the_check_lets_a_sound_database_pass(store: MatchStore) -> None:
    store.require_ready()
    store.close()
    store.close()


@pytest.mark.parametrize(
    "url", ["sqlite:////nowhere/at/all.db", "postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=1"]
)
def test_a_database_that_cannot_be_reached_is_unavailable(url: str) -> None:
    store = MatchStore(Database(url))
    with pytest.raises(StoreUnavailableError):
        store.require_ready()
    with pytest.raises(StoreUnavailableError):
        store.finish(Ticket("a1", 1), result=RESULT, at=NOON)
    store.close()


def test_the_oldest_of_what_is_queued_is_told_by_its_moment(store: MatchStore) -> None:
    assert store.oldest_queued() is None
    first = keep(store, "a1", minute=1)
    keep(store, "a2", minute=2)
    assert store.oldest_queued() == NOON + timedelta(minutes=1)
    start(store, first)
    assert store.oldest_queued() == NOON + timedelta(minutes=2)
    start(store, Ticket("a2", 1))
    assert store.oldest_queued() is None
    store.next_attempt(first, at=NOON + timedelta(hours=1))
    assert store.oldest_queued() == NOON + timedelta(hours=1)
