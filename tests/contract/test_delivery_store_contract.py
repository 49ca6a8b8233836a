"""The store of webhooks keeps its port's promises on every database that it is made for."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.service.pages import Mark
from adjudicator.service.values import Adjudication, FailureReason, Match, Result, Status, Ticket
from adjudicator.service.webhooks.ports import Room
from adjudicator.service.webhooks.values import (
    Claim,
    Delivery,
    DeliveryStatus,
    Endpoint,
    Event,
    EventType,
    Outcome,
    Secret,
)
from adjudicator.store.database import Database
from adjudicator.store.delivery_store import DeliveryStore
from adjudicator.store.match_store import MatchStore
from adjudicator.store.outbox import enqueue_event
from adjudicator.store.schema import upgrade
from adjudicator.store.tables import adjudications
from tests.contract.databases import fresh_database

NOON = datetime(2026, 11, 29, 12, 0, 0, 123_456, tzinfo=UTC)
SECOND = timedelta(seconds=1)
HOOK = "https://hooks.example/done"
OTHER_HOOK = "https://other.example:8443/done"
ROOM = Room(most=100, a_host=100, an_owner=100, hosts={}, owners={})
DELIVERED = Outcome(DeliveryStatus.DELIVERED, 204)
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass
class Stores:
    database: Database
    hooks: DeliveryStore
    matches: MatchStore

    def keep(self, name: str = "a1", owner: str = "local") -> Ticket:
        """A queued adjudication."""
        match = Match(
            id=f"m{name}",
            owner=owner,
            sha256=f"{name:0>64}",
            format="jellyfish_mat",
            media_type="text/plain",
            file_name=None,
            variant="backgammon",
            match_length=1,
            white="A",
            black="B",
            received_at=NOON,
        )
        adjudication = Adjudication(
            id=name,
            match_id=match.id,
            owner=owner,
            ruleset=Ruleset(),
            engine=EngineIdentity("scripted", "1", {}),
            status=Status.QUEUED,
            attempt=1,
            submitted_at=NOON,
        )
        self.matches.keep(match, b"x", adjudication, last_attempt=3)
        return Ticket(name, 1)

    def finish(self, ticket: Ticket, *, changed: bool = True) -> bool:
        self.matches.start(ticket, worker="w", at=NOON, lease_until=NOON + SECOND)
        return self.matches.finish(ticket, result=Result(b"{}", changed=changed), at=NOON + SECOND)

    def all(self, owner: str = "local") -> list[Delivery]:
        return list(self.hooks.deliveries(owner, status=None, after=None, limit=1000))

    def claim(self, at: datetime = NOON + SECOND, room: Room = ROOM, lease_s: int = 60) -> list[Claim]:
        until = at + timedelta(seconds=lease_s)
        return list(self.hooks.claim(room, at=at, until=until, new_secret=a_secret))

    def ping(self, occasion: str = "1", owner: str = "local", at: datetime = NOON) -> list[Delivery]:
        return list(self.hooks.tell(Event(owner, EventType.PING, "", occasion, at, {})))


@pytest.fixture(params=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        database = Database(url)
        yield Stores(database, DeliveryStore(database), MatchStore(database))
        database.close()


def a_secret(owner: str = "local", name: str = "s1", at: datetime = NOON) -> Secret:
    return Secret(name if owner == "local" else f"{name}-{owner}", owner, f"key of {name}".encode(), at)


def test_the_end_of_an_adjudication_is_told_with_the_commit_that_makes_it(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    ticket = stores.keep()
    stores.hooks.call_back("a1", "local", OTHER_HOOK, at=NOON)
    assert stores.all() == []
    assert stores.finish(ticket)
    told = stores.all()
    assert {(delivery.url, delivery.to_endpoint) for delivery in told} == {(HOOK, True), (OTHER_HOOK, False)}
    for delivery in told:
        assert delivery.payload == {
            "type": "adjudication.done",
            "timestamp": "2026-11-29T12:00:01.123Z",
            "data": {
                "id": "a1",
                "match": {"id": "ma1"},
                "status": "done",
                "changed": True,
                "location": "/v1/adjudications/a1",
            },
        }
        assert (delivery.event, delivery.subject_id) == (EventType.ADJUDICATION_DONE, "a1")
        assert (delivery.status, delivery.attempt, delivery.due_at) == (
            DeliveryStatus.PENDING,
            0,
            NOON + SECOND,
        )


def test_a_failure_is_told_with_its_code(stores: Stores) -> None:
    ticket = stores.keep()
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    reason = FailureReason("engine_failure", "it broke in a way that is nobody's business")
    assert stores.matches.fail(ticket, reason=reason, at=NOON)
    (delivery,) = stores.all()
    assert delivery.event is EventType.ADJUDICATION_FAILED
    assert delivery.payload["data"] == {
        "id": "a1",
        "match": {"id": "ma1"},
        "status": "failed",
        "error": {"code": "engine_failure"},
        "location": "/v1/adjudications/a1",
    }


def test_an_end_that_did_not_count_is_not_told(stores: Stores) -> None:
    ticket = stores.keep()
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    assert not stores.matches.finish(ticket, result=Result(b"{}", changed=True), at=NOON)
    assert not stores.matches.fail(ticket.successor, reason=FailureReason("error", ""), at=NOON)
    assert stores.all() == []


def test_nobody_is_told_of_what_nobody_wants_to_know(stores: Stores) -> None:
    assert stores.finish(stores.keep())
    assert stores.all() == []


def test_what_has_ended_already_is_told_at_once_and_again_under_the_same_id(stores: Stores) -> None:
    stores.finish(stores.keep())
    stores.hooks.call_back("a1", "local", HOOK, at=NOON + 5 * SECOND)
    (first,) = stores.all()
    assert (first.due_at, first.payload["timestamp"]) == (NOON + 5 * SECOND, "2026-11-29T12:00:01.123Z")
    stores.hooks.call_back("a1", "local", HOOK, at=NOON + 6 * SECOND)
    assert stores.all() == [first]
    (claim,) = stores.claim(NOON + 7 * SECOND)
    stores.hooks.settle(claim.delivery, DELIVERED, at=NOON + 8 * SECOND)
    stores.hooks.call_back("a1", "local", HOOK, at=NOON + 9 * SECOND)
    (again,) = stores.all()
    assert (again.id, again.status, again.due_at) == (first.id, DeliveryStatus.PENDING, NOON + 9 * SECOND)
    assert (again.attempt, again.tries, again.ended_at, again.answered) == (1, 0, None, None)


def test_another_attempt_that_ends_is_another_event(stores: Stores) -> None:
    ticket = stores.keep()
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    stores.matches.fail(ticket, reason=FailureReason("engine_failure", ""), at=NOON)
    stores.matches.reopen(ticket, attempts=3, at=NOON)
    stores.finish(ticket.successor)
    told = {delivery.event for delivery in stores.all()}
    assert told == {EventType.ADJUDICATION_DONE, EventType.ADJUDICATION_FAILED}
    assert len({delivery.id for delivery in stores.all()}) == 2


def test_nobody_has_others_adjudications_told(stores: Stores) -> None:
    stores.finish(stores.keep(owner="somebody"))
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    stores.hooks.call_back("a2", "local", HOOK, at=NOON)
    assert (stores.all(), stores.all("somebody")) == ([], [])


@pytest.mark.parametrize("rounds", range(5))
def test_an_end_and_a_wish_to_be_told_that_come_at_once_do_not_miss_each_other(
    stores: Stores, rounds: int
) -> None:
    ticket = stores.keep()
    stores.matches.start(ticket, worker="w", at=NOON, lease_until=NOON + SECOND)
    together = threading.Barrier(2)

    def finish() -> None:
        together.wait()
        stores.matches.finish(ticket, result=Result(b"{}", changed=False), at=NOON)

    thread = threading.Thread(target=finish)
    thread.start()
    together.wait()
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    thread.join()
    assert [delivery.url for delivery in stores.all()] == [HOOK]


def test_others_write_events_of_theirs_in_transactions_of_theirs(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    event = Event("local", EventType.BATCH_DONE, "b1", "1", NOON, {"id": "b1"}, TRACE)
    with stores.database.writing() as connection:
        ids = enqueue_event(connection, event, [OTHER_HOOK, HOOK], at=NOON)
    told = {delivery.url: delivery for delivery in stores.all()}
    assert {delivery.id for delivery in told.values()} == set(ids)
    assert (told[HOOK].to_endpoint, told[OTHER_HOOK].to_endpoint) == (True, False)
    assert told[HOOK].traceparent == TRACE
    assert told[HOOK].payload == {
        "type": "batch.done",
        "timestamp": "2026-11-29T12:00:00.123Z",
        "data": {"id": "b1"},
    }


def test_what_is_undone_is_not_told(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)

    def write_and_break() -> None:
        with stores.database.writing() as connection:
            enqueue_event(connection, Event("local", EventType.PING, "", "1", NOON, {}), at=NOON)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_break()
    assert stores.all() == []


def test_the_trace_of_a_submission_goes_on_into_what_is_told(stores: Stores) -> None:
    ticket = stores.keep()
    with stores.database.writing() as connection:
        connection.execute(sa.update(adjudications).values(traceparent=TRACE))
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    stores.finish(ticket)
    assert [delivery.traceparent for delivery in stores.all()] == [TRACE]


def test_an_endpoint_comes_back_as_it_was_set(stores: Stores) -> None:
    assert stores.hooks.endpoint("local") is None
    assert stores.hooks.put_endpoint("local", HOOK, at=NOON) == Endpoint("local", HOOK, NOON)
    stores.hooks.put_endpoint("local", OTHER_HOOK, at=NOON + SECOND)
    assert stores.hooks.endpoint("local") == Endpoint("local", OTHER_HOOK, NOON + SECOND)
    assert stores.hooks.endpoint("somebody") is None
    assert not stores.hooks.delete_endpoint("somebody", at=NOON)
    assert stores.hooks.delete_endpoint("local", at=NOON)
    assert stores.hooks.endpoint("local") is None


def test_what_is_pending_for_an_endpoint_follows_it(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping()
    stores.keep()
    stores.hooks.call_back("a1", "local", HOOK, at=NOON)
    stores.matches.fail(Ticket("a1", 1), reason=FailureReason("error", ""), at=NOON)
    stores.hooks.put_endpoint("local", OTHER_HOOK, at=NOON)
    assert {delivery.url for delivery in stores.all()} == {OTHER_HOOK}
    room = replace(ROOM, a_host=1, hosts={"other.example:8443": 1})
    assert stores.claim(room=room) == []


def test_without_an_endpoint_what_was_pending_for_it_is_failed(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping()
    stores.keep()
    stores.hooks.call_back("a1", "local", OTHER_HOOK, at=NOON)
    stores.finish(Ticket("a1", 1))
    stores.hooks.delete_endpoint("local", at=NOON + SECOND)
    told = {delivery.url: delivery for delivery in stores.all() if delivery.event is not EventType.PING}
    assert (told[HOOK].status, told[HOOK].error, told[HOOK].ended_at) == (
        DeliveryStatus.FAILED,
        "The endpoint was deleted.",
        NOON + SECOND,
    )
    assert told[OTHER_HOOK].status is DeliveryStatus.PENDING
    assert stores.ping("2") == []


def test_an_endpoint_that_is_given_up_is_told_nothing_more_until_it_is_set_again(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping("1")
    (claim,) = stores.claim()
    stores.ping("2")
    gone = Outcome(DeliveryStatus.FAILED, 410, "gone")
    assert stores.hooks.give_up_endpoint(claim.delivery, gone, at=NOON + SECOND)
    assert stores.hooks.endpoint("local") == Endpoint("local", HOOK, NOON, NOON + SECOND, "gone")
    assert [(delivery.status, delivery.error) for delivery in stores.all()] == [
        (DeliveryStatus.FAILED, "gone")
    ] * 2
    assert stores.ping("3") == []
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    assert len(stores.ping("4")) == 1


def test_a_url_to_call_back_that_is_gone_takes_no_endpoint_with_it(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.keep()
    stores.hooks.call_back("a1", "local", OTHER_HOOK, at=NOON)
    stores.finish(Ticket("a1", 1))
    (claim,) = [claim for claim in stores.claim() if claim.delivery.url == OTHER_HOOK]
    stores.hooks.give_up_endpoint(claim.delivery, Outcome(DeliveryStatus.FAILED, 410, "gone"), at=NOON)
    endpoint = stores.hooks.endpoint("local")
    assert endpoint is not None
    assert endpoint.disabled_at is None


def test_what_is_claimed_is_due_again_only_when_its_lease_is_over(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping()
    assert stores.claim(NOON - SECOND) == []
    (claim,) = stores.claim(NOON, lease_s=60)
    assert (claim.delivery.attempt, claim.delivery.tries, claim.delivery.tried_at) == (1, 1, NOON)
    assert stores.claim(NOON + 59 * SECOND) == []
    (again,) = stores.claim(NOON + 60 * SECOND)
    assert (again.delivery.id, again.delivery.attempt) == (claim.delivery.id, 2)


def test_who_comes_late_with_an_outcome_is_fenced_off(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping()
    (first,) = stores.claim(NOON, lease_s=1)
    (second,) = stores.claim(NOON + SECOND)
    assert not stores.hooks.settle(first.delivery, DELIVERED, at=NOON)
    gone = Outcome(DeliveryStatus.FAILED, 410, "gone")
    assert not stores.hooks.give_up_endpoint(first.delivery, gone, at=NOON)
    endpoint = stores.hooks.endpoint("local")
    assert endpoint is not None
    assert endpoint.disabled_at is None
    assert stores.hooks.settle(second.delivery, DELIVERED, at=NOON + 2 * SECOND)
    assert not stores.hooks.settle(second.delivery, DELIVERED, at=NOON)
    (delivery,) = stores.all()
    assert (delivery.status, delivery.answered, delivery.ended_at, delivery.due_at, delivery.error) == (
        DeliveryStatus.DELIVERED,
        204,
        NOON + 2 * SECOND,
        None,
        None,
    )


def test_what_is_to_be_tried_again_waits_for_its_time(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping()
    (claim,) = stores.claim()
    later = Outcome(DeliveryStatus.PENDING, 500, "broken", NOON + 300 * SECOND)
    assert stores.hooks.settle(claim.delivery, later, at=NOON + 2 * SECOND)
    (delivery,) = stores.all()
    assert (delivery.status, delivery.error, delivery.ended_at) == (DeliveryStatus.PENDING, "broken", None)
    assert stores.claim(NOON + 299 * SECOND) == []
    (again,) = stores.claim(NOON + 300 * SECOND)
    assert (again.delivery.attempt, again.delivery.tries) == (2, 2)


def test_claims_keep_to_the_room_and_pass_over_what_is_full(stores: Stores) -> None:
    for owner, url in (("a", HOOK), ("b", HOOK), ("c", OTHER_HOOK)):
        stores.hooks.put_endpoint(owner, url, at=NOON)
        for number in range(4):
            stores.ping(str(number), owner, NOON + number * SECOND)

    def claimed(room: Room, at: datetime = NOON + 9 * SECOND) -> list[str]:
        return sorted(claim.delivery.owner for claim in stores.claim(at, room, lease_s=0))

    assert claimed(replace(ROOM, most=3)) == ["a", "b", "c"]
    assert claimed(replace(ROOM, an_owner=1)) == ["a", "b", "c"]
    assert len(claimed(replace(ROOM, a_host=1))) == 2
    assert claimed(replace(ROOM, a_host=3, hosts={"hooks.example:443": 3})) == ["c", "c", "c"]
    assert claimed(replace(ROOM, an_owner=2, owners={"a": 2, "b": 1})) == ["b", "c", "c"]


def test_of_many_that_claim_at_once_one_has_each(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    for number in range(40):
        stores.ping(str(number))
    claimed: list[str] = []

    def claim() -> None:
        claimed.extend(claim.delivery.id for claim in stores.claim(room=replace(ROOM, most=10)))

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) > 0


def test_an_owner_without_a_secret_gets_one_when_it_is_needed(stores: Stores) -> None:
    for owner in ("a", "b"):
        stores.hooks.put_endpoint(owner, HOOK, at=NOON)
        stores.ping(owner=owner)
    stores.hooks.add_secret(a_secret("b", "s2"), others_until=NOON, most=10)
    keys = {claim.delivery.owner: claim.secrets for claim in stores.claim()}
    assert keys == {"a": (b"key of s1",), "b": (b"key of s2",)}
    assert [secret.key for secret in stores.hooks.secrets("a", at=NOON)] == [b"key of s1"]


def test_secrets_overlap_and_expire(stores: Stores) -> None:
    day = timedelta(days=1)
    first, second = a_secret(), a_secret(name="s2", at=NOON + SECOND)
    assert stores.hooks.add_secret(first, others_until=NOON + day, most=10)
    assert stores.hooks.secrets("local", at=NOON) == [first]
    assert stores.hooks.add_secret(second, others_until=NOON + day, most=10)
    assert stores.hooks.secrets("local", at=NOON) == [second, replace(first, expires_at=NOON + day)]
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping()
    (claim,) = stores.claim(NOON + SECOND, lease_s=1)
    assert claim.secrets == (b"key of s2", b"key of s1")
    (claim,) = stores.claim(NOON + day)
    assert claim.secrets == (b"key of s2",)
    third = a_secret(name="s3", at=NOON + 2 * day)
    assert stores.hooks.add_secret(third, others_until=NOON + 3 * day, most=2)
    assert [secret.id for secret in stores.hooks.secrets("local", at=NOON)] == ["s3", "s2"]
    assert not stores.hooks.add_secret(
        a_secret(name="s4", at=NOON + 2 * day), others_until=NOON + 3 * day, most=2
    )


def test_a_secret_that_is_deleted_is_gone_and_only_its_owner_can(stores: Stores) -> None:
    stores.hooks.add_secret(a_secret(), others_until=NOON, most=10)
    assert not stores.hooks.delete_secret("s1", "somebody")
    assert stores.hooks.delete_secret("s1", "local")
    assert not stores.hooks.delete_secret("s1", "local")
    assert stores.hooks.secrets("local", at=NOON) == []


def test_deliveries_are_listed_by_pages_the_newest_first(stores: Stores) -> None:
    for owner in ("local", "somebody"):
        stores.hooks.put_endpoint(owner, HOOK, at=NOON)
    ids = [stores.ping(str(number), at=NOON + number // 2 * SECOND)[0].id for number in range(7)]
    stores.ping(owner="somebody")
    seen: list[str] = []
    after: Mark | None = None
    while page := stores.hooks.deliveries("local", status=None, after=after, limit=3):
        assert len(page) <= 3
        seen += [delivery.id for delivery in page]
        after = Mark(page[-1].created_at, page[-1].id)
    assert sorted(seen) == sorted(ids)
    assert seen == [delivery.id for delivery in sorted(stores.all(), key=_order, reverse=True)]


def _order(delivery: Delivery) -> tuple[datetime, str]:
    return delivery.created_at, delivery.id


def test_deliveries_are_listed_by_status(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    stores.ping("1")
    (claim,) = stores.claim()
    stores.hooks.settle(claim.delivery, DELIVERED, at=NOON)
    stores.ping("2")
    for status, number in (
        (DeliveryStatus.DELIVERED, 1),
        (DeliveryStatus.PENDING, 1),
        (DeliveryStatus.FAILED, 0),
    ):
        page = stores.hooks.deliveries("local", status=status, after=None, limit=10)
        assert [delivery.status for delivery in page] == [status] * number


def test_what_has_ended_is_replayed_by_the_schedule_from_its_start(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    (told,) = stores.ping()
    assert not stores.hooks.replay(told.id, "local", at=NOON)
    (claim,) = stores.claim()
    stores.hooks.settle(claim.delivery, Outcome(DeliveryStatus.FAILED, 500, "broken"), at=NOON)
    stores.hooks.put_endpoint("local", OTHER_HOOK, at=NOON)
    assert not stores.hooks.replay(told.id, "somebody", at=NOON)
    assert stores.hooks.replay(told.id, "local", at=NOON + 5 * SECOND)
    again = stores.hooks.delivery(told.id, "local")
    assert again is not None
    assert (again.status, again.due_at, again.url) == (DeliveryStatus.PENDING, NOON + 5 * SECOND, OTHER_HOOK)
    assert (again.attempt, again.tries, again.error, again.answered, again.ended_at) == (
        1,
        0,
        None,
        None,
        None,
    )
    assert again.payload == told.payload


def test_a_delivery_is_shown_to_its_owner_only(stores: Stores) -> None:
    stores.hooks.put_endpoint("local", HOOK, at=NOON)
    (told,) = stores.ping()
    assert stores.hooks.delivery(told.id, "local") == told
    assert stores.hooks.delivery(told.id, "somebody") is None
