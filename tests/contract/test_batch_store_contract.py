"""The batch store keeps its port's promises on every database that it is made for."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adjudicator.errors import Fault, Place
from adjudicator.service.batch_values import (
    Batch,
    BatchMember,
    BatchStatus,
    MemberStatus,
    NewMember,
    Outcome,
    Refusal,
    Settlement,
    WaitingMember,
)
from adjudicator.service.choice import Choice
from adjudicator.service.pages import Mark
from adjudicator.service.values import FailureReason, Result, Ticket
from adjudicator.store.batch_store import BatchStore
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from tests.contract.databases import fresh_database
from tests.contract.test_store_contract import LEASE, NOON, a_match, an_adjudication

REFUSAL = Refusal("too_large", "it is too large", (Fault("9 bytes", Place(file="ü.mat", line=3)),))
SECOND = timedelta(seconds=1)


class Stores:
    """Both stores over one database; what they tell of ended batches is listed."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.matches = MatchStore(self.database)
        self.told: list[Batch] = []
        self.batches = BatchStore(self.database, self._tell)

    def _tell(self, connection: sa.Connection, batch: Batch) -> None:
        assert connection.in_transaction()
        self.told.append(batch)

    def adjudicate(self, name: str, *, fails: bool = False, at: datetime = NOON) -> None:
        """Has an adjudication of that name end."""
        ticket = self.queue(name)
        assert self.matches.start(ticket, worker="w", at=at, lease_until=at + LEASE)
        if fails:
            assert self.matches.fail(ticket, reason=FailureReason("engine_failure", "it broke"), at=at)
        else:
            result = Result(b'{"n":"' + name.encode() + b'"}', True, {"played_out": 2, "stands": 1}, 2)
            assert self.matches.finish(ticket, result=result, at=at)

    def queue(self, name: str) -> Ticket:
        self.matches.keep(a_match(), b"", an_adjudication(name), last_attempt=1)
        return Ticket(name, 1)


@pytest.fixture(params=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        stores = Stores(url)
        yield stores
        stores.database.close()


@pytest.fixture
def store(stores: Stores) -> BatchStore:
    return stores.batches


def a_batch(name: str = "b1", owner: str = "local", minute: int = 0) -> Batch:
    return Batch(
        id=name,
        owner=owner,
        name="сезон.zip",
        choice=Choice(engine="scripted", options={"finish": "exact", "indifference": 0.0125}),
        format_name=None,
        status=BatchStatus.RECEIVING,
        members=0,
        settled=0,
        faults=(),
        received_at=NOON + timedelta(minutes=minute),
    )


def members(*names: str) -> list[NewMember]:
    return [NewMember(name, name.encode() * 3) for name in names]


def keep(store: BatchStore, *names: str, batch: Batch | None = None) -> Batch:
    """A running batch with those members."""
    batch = batch or a_batch()
    store.open(batch, lease_until=NOON + LEASE)
    assert store.append(batch.id, members(*names), lease_until=NOON + LEASE) is BatchStatus.RECEIVING
    store.complete(batch.id, faults=(), at=NOON)
    return batch


def found(store: BatchStore, name: str = "b1", owner: str = "local") -> Batch:
    batch = store.batch(name, owner)
    assert batch is not None
    return batch


def take(store: BatchStore, at: datetime = NOON, limit: int = 2) -> tuple[str, list[int]] | None:
    """Whose turn it is, and the numbers of the members."""
    turn = store.take(at=at, lease_until=at + LEASE, limit=limit)
    return None if turn is None else (turn.batch.id, [member.number for member in turn.members])


def statuses(store: BatchStore, name: str = "b1") -> list[str]:
    return [member.status.value for member in store.members(name, after=0, limit=100, status=None)]


def test_a_batch_comes_back_as_it_was_kept(store: BatchStore) -> None:
    store.open(a_batch(), lease_until=NOON + LEASE)
    assert found(store) == a_batch()
    assert store.batch("b1", "other") is None
    assert store.batch("b2", "local") is None


def test_members_are_added_in_order_until_it_is_complete(store: BatchStore) -> None:
    store.open(a_batch(), lease_until=NOON + LEASE)
    store.append("b1", members("a", "b"), lease_until=NOON + LEASE)
    store.append("b1", [NewMember("c", None, REFUSAL), *members("d")], lease_until=NOON + LEASE)
    assert (found(store).status, found(store).members) == (BatchStatus.RECEIVING, 4)
    assert take(store) is None
    faults = (Fault("it is cut off", Place(file="d")),)
    store.complete("b1", faults=faults, at=NOON)
    assert found(store) == replace(a_batch(), status=BatchStatus.RUNNING, members=4, faults=faults)
    assert store.append("b1", members("e"), lease_until=NOON) is BatchStatus.RUNNING
    assert store.append("b2", members("e"), lease_until=NOON) is None
    kept = store.members("b1", after=0, limit=10, status=None)
    assert [(member.number, member.name) for member in kept] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert kept[2] == BatchMember(3, "c", MemberStatus.REFUSED, None, REFUSAL)


def test_a_batch_being_received_is_discarded_bit_by_bit(store: BatchStore) -> None:
    store.open(a_batch(), lease_until=NOON + LEASE)
    store.append("b1", members("a", "b", "c"), lease_until=NOON + LEASE)
    assert store.discard("b1", limit=2)
    assert (found(store).members, len(statuses(store))) == (1, 1)
    assert not store.discard("b1", limit=2)
    assert store.batch("b1", "local") is None
    assert not store.discard("b1", limit=2)


def test_no_other_batch_is_discarded(store: BatchStore) -> None:
    keep(store, "a", "b")
    assert not store.discard("b1", limit=2)
    assert found(store).members == 2


def test_a_batch_being_received_is_given_up_when_its_lease_runs_out(store: BatchStore) -> None:
    keep(store, "a", batch=a_batch("b0"))
    store.open(a_batch(), lease_until=NOON + LEASE)
    assert store.given_up(at=NOON + LEASE) is None
    assert store.given_up(at=NOON + LEASE + SECOND) == "b1"
    store.append("b1", members("a"), lease_until=NOON + LEASE * 3)
    assert store.given_up(at=NOON + LEASE + SECOND) is None


def test_batches_are_listed_from_the_latest_on(store: BatchStore) -> None:
    for name, minute in (("b1", 1), ("b3", 2), ("b2", 2), ("b4", 3)):
        store.open(a_batch(name, minute=minute), lease_until=NOON)
    store.open(a_batch("b5", owner="other", minute=4), lease_until=NOON)
    listed = store.batches("local", after=None, limit=10)
    assert [batch.id for batch in listed] == ["b4", "b3", "b2", "b1"]
    assert [
        batch.id for batch in store.batches("local", after=Mark(listed[1].received_at, listed[1].id), limit=1)
    ] == ["b2"]
    nowhere = Mark(NOON, "b0")
    assert store.batches("local", after=nowhere, limit=1) == []


def test_a_turn_has_the_next_members_with_their_bytes(store: BatchStore) -> None:
    keep(store, "a", "b", "c")
    turn = store.take(at=NOON, lease_until=NOON + LEASE, limit=2)
    assert turn is not None
    assert turn.members == (WaitingMember(1, "a", b"aaa"), WaitingMember(2, "b", b"bbb"))
    assert (turn.batch.id, turn.batch.choice) == ("b1", a_batch().choice)


def test_while_it_lasts_nobody_else_has_it(store: BatchStore) -> None:
    keep(store, "a", "b", "c")
    assert take(store) == ("b1", [1, 2])
    assert take(store, NOON + LEASE - SECOND) is None
    assert take(store, NOON + LEASE) == ("b1", [1, 2])


def test_of_many_at_once_one_has_the_turn(store: BatchStore) -> None:
    keep(store, "a", "b", "c")
    taken = []
    threads = [threading.Thread(target=lambda: taken.append(take(store))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [turn for turn in taken if turn is not None] == [("b1", [1, 2])]


def test_settled_members_are_behind(stores: Stores, store: BatchStore) -> None:
    keep(store, "a", "b", "c")
    stores.queue("a1")
    take(store)
    settlements = [Settlement(1, "a1"), Settlement(2, refusal=REFUSAL)]
    store.settle("b1", settlements, due_at=NOON + SECOND)
    assert found(store).settled == 2
    assert statuses(store) == ["queued", "refused", "waiting"]
    assert take(store) is None
    assert take(store, NOON + SECOND) == ("b1", [3])
    store.settle("b1", [], due_at=NOON)
    assert found(store).settled == 2


def test_whoever_settles_a_member_first_counts(stores: Stores, store: BatchStore) -> None:
    keep(store, "a", "b")
    stores.queue("a1")
    stores.queue("a2")
    store.settle("b1", [Settlement(1, "a1"), Settlement(2, refusal=REFUSAL)], due_at=NOON)
    store.settle("b1", [Settlement(1, refusal=REFUSAL)], due_at=NOON)
    store.settle("b1", [Settlement(2, "a2")], due_at=NOON)
    assert found(store).settled == 2
    assert statuses(store) == ["queued", "refused"]


def test_a_member_refused_as_it_came_is_settled_as_it_is(store: BatchStore) -> None:
    store.open(a_batch(), lease_until=NOON + LEASE)
    store.append("b1", [NewMember("a", None, REFUSAL)], lease_until=NOON + LEASE)
    store.complete("b1", faults=(), at=NOON)
    turn = store.take(at=NOON, lease_until=NOON + LEASE, limit=2)
    assert turn is not None
    assert turn.members == (WaitingMember(1, "a", None),)
    store.settle("b1", [Settlement(1)], due_at=NOON)
    assert store.members("b1", after=0, limit=1, status=None)[0].error == REFUSAL


def test_owners_take_turns_and_so_do_the_batches_of_each(store: BatchStore) -> None:
    for name, owner in (("b1", "one"), ("b2", "one"), ("b3", "other")):
        keep(store, "a", "b", "c", "d", batch=a_batch(name, owner))
    turns = []
    for number in range(1, 9):
        at = NOON + number * SECOND
        turn = take(store, at, limit=1)
        assert turn is not None
        turns.append(turn[0])
        store.settle(turn[0], [], due_at=at)
    assert turns[:2] == ["b1", "b3"]
    assert sorted(turns[0::2]) == ["b1", "b1", "b2", "b2"]
    assert turns[1::2] == ["b3"] * 4
    assert turns[0] != turns[2]


def test_a_batch_ends_with_its_last_member_and_is_told_of_once(stores: Stores, store: BatchStore) -> None:
    keep(store, "a", "b")
    keep(store, "a", batch=a_batch("b2"))
    for name in ("a1", "a2"):
        stores.queue(name)
    store.settle("b1", [Settlement(1, "a1")], due_at=NOON)
    stores.matches.start(Ticket("a1", 1), worker="w", at=NOON, lease_until=NOON + LEASE)
    stores.matches.finish(Ticket("a1", 1), result=Result(b"{}", changed=False), at=NOON)
    assert store.end(at=NOON) == []
    store.settle("b1", [Settlement(2, "a2")], due_at=NOON)
    assert store.end(at=NOON) == []
    stores.matches.start(Ticket("a2", 1), worker="w", at=NOON, lease_until=NOON + LEASE)
    assert store.end(at=NOON) == []
    stores.matches.fail(Ticket("a2", 1), reason=FailureReason("x", "y"), at=NOON)
    assert stores.told == []
    assert store.end(at=NOON + SECOND) == ["b1"]
    assert store.end(at=NOON + SECOND) == []
    assert (found(store).status, found(store).finished_at) == (BatchStatus.DONE, NOON + SECOND)
    assert stores.told == [found(store)]


def test_what_is_told_of_the_end_is_written_with_it_or_not_at_all(stores: Stores) -> None:
    class TellingError(Exception):
        pass

    def fail_to_tell(_connection: sa.Connection, _batch: Batch) -> None:
        raise TellingError

    keep(stores.batches, "a")
    stores.batches.settle("b1", [Settlement(1, refusal=REFUSAL)], due_at=NOON)
    with pytest.raises(TellingError):
        BatchStore(stores.database, fail_to_tell).end(at=NOON)
    assert found(stores.batches).status is BatchStatus.RUNNING
    assert stores.batches.end(at=NOON) == ["b1"]


def test_an_end_that_cannot_be_told_holds_up_no_other(stores: Stores) -> None:
    def refuse_the_first(connection: sa.Connection, batch: Batch) -> None:
        if batch.id == "b1":
            connection.exec_driver_sql("INSERT INTO no_such_table VALUES (1)")

    for name in ("b1", "b2"):
        keep(stores.batches, "a", batch=a_batch(name))
        stores.batches.settle(name, [Settlement(1, refusal=REFUSAL)], due_at=NOON)
    assert BatchStore(stores.database, refuse_the_first).end(at=NOON) == ["b2"]
    assert stores.batches.end(at=NOON) == ["b1"]


def test_a_cancelled_batch_has_no_more_turns(stores: Stores, store: BatchStore) -> None:
    keep(store, "a", "b", "c")
    stores.queue("a1")
    store.settle("b1", [Settlement(1, "a1")], due_at=NOON)
    store.cancel("b1", at=NOON + SECOND)
    store.cancel("b1", at=NOON + LEASE)
    assert (found(store).status, found(store).finished_at) == (BatchStatus.CANCELLED, NOON + SECOND)
    assert statuses(store) == ["queued", "cancelled", "cancelled"]
    assert take(store, NOON + LEASE * 2) is None
    assert store.end(at=NOON) == []


def test_its_bytes_are_forgotten_and_a_turn_under_way_still_counts(stores: Stores, store: BatchStore) -> None:
    keep(store, "a", "b", "c")
    stores.queue("a1")
    take(store)
    store.cancel("b1", at=NOON)
    assert [store.drop_contents(limit=2) for _ in range(3)] == [2, 2, 0]
    store.settle("b1", [Settlement(1, "a1")], due_at=NOON)
    assert statuses(store) == ["queued", "cancelled", "cancelled"]
    assert found(store).settled == 3


def test_a_batch_that_has_ended_is_not_cancelled(store: BatchStore) -> None:
    keep(store, "a")
    store.settle("b1", [Settlement(1, refusal=REFUSAL)], due_at=NOON)
    assert store.end(at=NOON) == ["b1"]
    store.cancel("b1", at=NOON)
    assert found(store).status is BatchStatus.DONE


def settled_in_every_way(stores: Stores) -> None:
    """A batch whose members are done (two of them, one twice), failed, queued, refused, waiting."""
    keep(stores.batches, *"abcdefg")
    for name in ("a1", "a2"):
        stores.adjudicate(name, at=NOON + LEASE)
    stores.adjudicate("a3", fails=True)
    stores.queue("a4")
    ids = ["a1", "a2", "a2", "a3", "a4"]
    settlements = [Settlement(number, name) for number, name in enumerate(ids, start=1)]
    stores.batches.settle("b1", [*settlements, Settlement(6, refusal=REFUSAL)], due_at=NOON)
    keep(stores.batches, "x", batch=a_batch("b2"))


def test_members_are_counted_by_status(stores: Stores, store: BatchStore) -> None:
    settled_in_every_way(stores)
    by_status, ended_lately = store.counts("b1", since=NOON + SECOND)
    assert by_status == {
        MemberStatus.DONE: 3,
        MemberStatus.FAILED: 1,
        MemberStatus.QUEUED: 1,
        MemberStatus.REFUSED: 1,
        MemberStatus.WAITING: 1,
    }
    assert ended_lately == 3


def test_the_tally_adds_up_what_is_done(stores: Stores, store: BatchStore) -> None:
    settled_in_every_way(stores)
    tally = store.tally("b1")
    assert tally.members == store.counts("b1", since=NOON).by_status
    assert (tally.changed_matches, tally.changed_games) == (3, 6)
    assert tally.games == {"played_out": 6, "stands": 3, "undecided": 0, "no_result": 0, "unreadable": 0}
    assert tally.failures == {"engine_failure": 1, "too_large": 1}


def test_text_that_a_database_refuses_is_kept_with_replacements(store: BatchStore) -> None:
    refusal = Refusal("bad", "a\x00b", (Fault("\ud800c", Place(file="d\x00")),))
    store.open(a_batch(), lease_until=NOON + LEASE)
    store.append("b1", [NewMember("e\x00\udfff", None, refusal)], lease_until=NOON + LEASE)
    (member,) = store.members("b1", after=0, limit=1, status=None)
    assert member.name == "e\ufffd\ufffd"
    assert member.error == Refusal("bad", "a\ufffdb", (Fault("\ufffdc", Place(file="d\ufffd")),))
    assert store.tally("b1").failures == {"bad": 1}


def test_outcomes_come_in_order_with_their_results(stores: Stores, store: BatchStore) -> None:
    settled_in_every_way(stores)
    outcomes = store.outcomes("b1", after=2, limit=4)
    broken = Refusal("engine_failure", "it broke")
    assert outcomes == [
        Outcome(BatchMember(3, "c", MemberStatus.DONE, "a2"), b'{"n":"a2"}'),
        Outcome(BatchMember(4, "d", MemberStatus.FAILED, "a3", broken), None),
        Outcome(BatchMember(5, "e", MemberStatus.QUEUED, "a4"), None),
        Outcome(BatchMember(6, "f", MemberStatus.REFUSED, None, REFUSAL), None),
    ]
    queued = store.members("b1", after=0, limit=10, status=MemberStatus.QUEUED)
    assert [member.number for member in queued] == [5]
    done = store.members("b1", after=1, limit=1, status=MemberStatus.DONE)
    assert [member.number for member in done] == [2]
