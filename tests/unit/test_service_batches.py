"""Batches: taken in as they come, fed at the pace of the queue, and nothing lost or doubled."""

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.errors import (
    AdjudicatorError,
    EngineFailureError,
    NotFoundError,
    RecordError,
    RequestError,
    StoreUnavailableError,
    TooLargeError,
    UnknownFormatError,
)
from adjudicator.logs.archives.limits import ArchiveLimits
from adjudicator.service import batches as batches_module
from adjudicator.service.batch_values import Batch, BatchStatus, MemberStatus
from adjudicator.service.batches import Batches
from adjudicator.service.choice import Choice
from adjudicator.service.feeding import FEWEST_TICKETS, MOST_TICKETS, PAUSE
from adjudicator.service.intake import LEASE, MEMBERS_AT_ONCE
from adjudicator.service.values import LOCAL_OWNER, Adjudication, Status, Ticket
from tests.archives import numbered_files, numbered_record, record_lines, tarred, zipped
from tests.contract.records import MAT
from tests.unit.office import DEFAULTS, Office

GOOD, BAD = MemberStatus.DONE, MemberStatus.REFUSED


@pytest.fixture
def office(tmp_path: Path) -> Iterable[Office]:
    office = Office(tmp_path)
    yield office
    office.service.close()


def in_pieces(content: bytes, piece: int = 1000) -> Callable[[int], bytes]:
    """A way to read that gives few bytes at a time."""
    left = content

    def read(count: int) -> bytes:
        nonlocal left
        data, left = left[: min(count, piece)], left[min(count, piece) :]
        return data

    return read


def send(
    office: Office, content: bytes, *, owner: str = LOCAL_OWNER, choice: Choice = DEFAULTS, **more: Any
) -> Batch:
    batches: Batches = more.pop("batches", office.batches)
    return batches.receive(in_pieces(content), choice=choice, owner=owner, **more)


def statuses(office: Office, batch: Batch) -> list[str]:
    members = office.batches.members(batch.id, batch.owner, after=0, limit=10_000)
    return [member.status.value for member in members]


def errors(office: Office, batch: Batch) -> dict[str, str]:
    """By name the code of a member's error and all that is said of it."""
    members = office.batches.members(batch.id, batch.owner, after=0, limit=10_000)
    return {
        member.name: f"{member.error.code}: {member.error.detail} {' '.join(map(str, member.error.faults))}"
        for member in members
        if member.error is not None
    }


def lines(office: Office, batch: Batch, after: int = 0) -> list[dict[str, Any]]:
    return [json.loads(line) for line in office.batches.results(batch.id, batch.owner, after=after)]


def status_of(office: Office, batch: Batch) -> BatchStatus:
    return office.batches.progress(batch.id, batch.owner).batch.status


def work_off(office: Office) -> None:
    office.batches.step()
    while office.queue.tickets:
        office.run_next()
        office.batches.feed()
    office.batches.step()


def nothing_is_kept(office: Office) -> bool:
    return office.batches.batches(LOCAL_OWNER).entries == []


class TestReceiving:
    @pytest.mark.parametrize("pack", [zipped, tarred, lambda files: tarred(files, "w")])
    def test_the_members_of_an_archive_wait_in_its_order(
        self, office: Office, pack: Callable[[list[tuple[str, bytes]]], bytes]
    ) -> None:
        batch = send(office, pack(numbered_files(3)))
        assert (batch.status, batch.members, batch.settled, batch.faults) == (BatchStatus.RUNNING, 3, 0, ())
        members = office.batches.members(batch.id, LOCAL_OWNER, after=0, limit=10)
        assert [(member.number, member.name) for member in members] == [
            (1, "1.json"),
            (2, "2.json"),
            (3, "3.json"),
        ]
        assert statuses(office, batch) == ["waiting"] * 3
        assert office.queue.tickets == []

    def test_lines_of_records_are_members(self, office: Office) -> None:
        assert send(office, record_lines(5)).members == 5

    def test_one_line_that_is_said_to_be_one_is_enough(self, office: Office) -> None:
        assert send(office, record_lines(1), is_lines=True).members == 1
        with pytest.raises(UnknownFormatError):
            send(office, record_lines(1))

    def test_a_large_archive_is_kept_part_by_part(self, office: Office) -> None:
        seen: list[tuple[BatchStatus, int]] = []
        read = in_pieces(record_lines(MEMBERS_AT_ONCE * 2 + 50), 20_000)

        def read_and_look(count: int) -> bytes:
            seen.extend(
                (batch.status, batch.members) for batch in office.batches.batches(LOCAL_OWNER, most=1).entries
            )
            return read(count)

        batch = office.batches.receive(read_and_look, choice=DEFAULTS, owner=LOCAL_OWNER)
        assert {status for status, _ in seen} == {BatchStatus.RECEIVING}
        assert {count for _, count in seen} == {MEMBERS_AT_ONCE, MEMBERS_AT_ONCE * 2}
        assert (batch.status, batch.members) == (BatchStatus.RUNNING, MEMBERS_AT_ONCE * 2 + 50)

    @pytest.mark.parametrize("error", [ConnectionError("it broke off"), StoreUnavailableError("away")])
    def test_of_an_archive_that_breaks_off_nothing_is_kept(self, office: Office, error: Exception) -> None:
        read = in_pieces(record_lines(MEMBERS_AT_ONCE + 50), 20_000)

        def break_off(count: int) -> bytes:
            if not (data := read(count)):
                raise error
            return data

        with pytest.raises(type(error)):
            office.batches.receive(break_off, choice=DEFAULTS, owner=LOCAL_OWNER)
        assert nothing_is_kept(office)

    def test_so_it_is_behind_the_end_of_the_archive_too(self, office: Office) -> None:
        read = in_pieces(tarred(numbered_files(3), "w"))
        given = 0

        def break_off(count: int) -> bytes:
            nonlocal given
            given += 1
            if given > 9:  # behind the members, in the zeros at the end
                raise ConnectionError
            return read(count)

        with pytest.raises(ConnectionError):
            office.batches.receive(break_off, choice=DEFAULTS, owner=LOCAL_OWNER)
        assert nothing_is_kept(office)

    def test_what_a_dead_process_was_receiving_is_removed_after_a_while(self, office: Office) -> None:
        class DeadError(BaseException):
            pass

        class Dying(batches_module.Batches):
            def _discard(self, batch_id: str) -> None:
                raise DeadError(batch_id)

        dying = Dying(
            office.batch_store,
            office.queue,
            office.service.submit,
            office.batches._offer,
            open_scratch=office.batches._open_scratch,
            clock=office.clock,
        )
        read = in_pieces(record_lines(MEMBERS_AT_ONCE * 2), 20_000)

        def die(count: int) -> bytes:
            if not (data := read(count)):
                raise ConnectionError
            return data

        with pytest.raises(DeadError):
            dying.receive(die, choice=DEFAULTS, owner=LOCAL_OWNER)
        office.batches.step()
        assert not nothing_is_kept(office)
        office.clock.move(seconds=LEASE.total_seconds() + 1)
        office.batches.step()
        assert nothing_is_kept(office)

    @pytest.mark.parametrize("cut", [0.2, 0.5, 0.9])
    @pytest.mark.parametrize("mode", ["w", "w:gz"])
    def test_of_a_cut_archive_the_members_before_the_cut_are_kept(
        self, office: Office, cut: float, mode: str
    ) -> None:
        rng = random.Random(1)
        files = [
            (name, content + bytes(rng.choices(b" \t\r\n", k=3000))) for name, content in numbered_files(40)
        ]
        whole = tarred(files, mode)
        cut_at = int(len(whole) * cut) if mode == "w:gz" else int(40 * 4096 * cut)
        batch = send(office, whole[:cut_at])
        assert 0 < batch.members < 40
        (fault,) = batch.faults
        assert "The archive is broken at byte" in fault.reason
        assert "cut off" in fault.reason
        work_off(office)
        assert statuses(office, batch) == ["done"] * batch.members
        assert status_of(office, batch) is BatchStatus.DONE

    @pytest.mark.parametrize(
        ("content", "kind", "said"),
        [
            pytest.param(MAT, UnknownFormatError, "no archive", id="a record"),
            pytest.param(b"", UnknownFormatError, "no archive", id="nothing"),
            pytest.param(zipped([]), RecordError, "holds no file", id="an empty zip"),
            pytest.param(tarred([]), RecordError, "holds no file", id="an empty tar"),
            pytest.param(zipped([("a/", b"")]), RecordError, "holds no file", id="folders only"),
            pytest.param(
                zipped(numbered_files(3))[:-40], RecordError, "was the file cut off", id="a cut zip"
            ),
            pytest.param(b"\x1f\x8b\x08\0" + b"\0" * 20, RecordError, "broken", id="gzip of nothing"),
        ],
    )
    def test_what_has_no_member_is_refused(
        self, office: Office, content: bytes, kind: type[AdjudicatorError], said: str
    ) -> None:
        with pytest.raises(kind, match=said):
            send(office, content)
        assert nothing_is_kept(office)

    @pytest.mark.parametrize(
        ("limits", "content", "said"),
        [
            pytest.param(ArchiveLimits(members=4), record_lines(5), "more than 4 members", id="members"),
            pytest.param(
                ArchiveLimits(total_bytes=2000), tarred(numbered_files(9)), "unpacks to more", id="bytes"
            ),
            pytest.param(
                ArchiveLimits(ratio=5, ratio_free_bytes=1000),
                tarred([("a.mat", b" " * 90_000)]),
                "more than 5 times its size",
                id="bomb",
            ),
            pytest.param(
                ArchiveLimits(archive_bytes=500), zipped(numbered_files(9)), "more than 500 bytes", id="zip"
            ),
        ],
    )
    def test_an_archive_beyond_the_limits_is_refused_whole(
        self, office: Office, limits: ArchiveLimits, content: bytes, said: str
    ) -> None:
        batches = office.batches_of(office.service, limits=limits)
        with pytest.raises(TooLargeError, match=said):
            send(office, content, batches=batches)
        assert nothing_is_kept(office)

    def test_bad_members_are_told_and_stop_nothing(self, office: Office) -> None:
        files = [
            ("../a.json", numbered_record(1)),
            ("/b.json", numbered_record(2)),
            ("c.json", numbered_record(3)),
            ("d.mat", b"no record"),
            ("e.zip", zipped(numbered_files(1))),
            ("f.json", b" " * 200_000),
            ("g.json", numbered_record(4)),
        ]
        batch = send(office, tarred(files))
        work_off(office)
        assert statuses(office, batch) == ["refused"] * 2 + ["done"] + ["refused"] * 3 + ["done"]
        told = errors(office, batch)
        assert "leads out of the archive" in told["../a.json"]
        assert "it is absolute" in told["/b.json"]
        assert told["d.mat"].startswith("unknown_format: ")
        assert "an archive within an archive" in told["e.zip"]
        assert told["f.json"].startswith("too_large: ")
        assert status_of(office, batch) is BatchStatus.DONE

    @pytest.mark.parametrize(
        "choice",
        [Choice(ruleset="other"), Choice(engine="other"), Choice(options={"finish": "never"})],
    )
    def test_a_wrong_choice_is_refused_before_anything_is_read(self, office: Office, choice: Choice) -> None:
        def read(count: int) -> bytes:
            raise AssertionError

        with pytest.raises(RequestError):
            office.batches.receive(read, choice=choice, owner=LOCAL_OWNER)

    def test_a_batch_keeps_the_engine_it_was_taken_for(self, office: Office) -> None:
        assert send(office, record_lines(2)).choice.engine == "scripted"

    def test_an_unknown_format_is_refused(self, office: Office) -> None:
        with pytest.raises(RequestError):
            send(office, record_lines(2), format_name="other")

    def test_a_format_that_is_named_is_that_of_all_members(self, office: Office) -> None:
        batch = send(office, zipped([("a", MAT), ("b.json", numbered_record(1))]), format_name="match_record")
        work_off(office)
        assert statuses(office, batch) == ["refused", "done"]


class TestFeeding:
    def test_the_queue_holds_a_few_tickets_for_each_worker_only(self, office: Office) -> None:
        batch = send(office, record_lines(100))
        office.queue.workers = {"one", "two"}
        office.batches.step()
        assert len(office.queue.tickets) == MOST_TICKETS * 2
        assert statuses(office, batch) == ["queued"] * MOST_TICKETS * 2 + ["waiting"] * (
            100 - MOST_TICKETS * 2
        )
        office.batches.step()
        assert len(office.queue.tickets) == MOST_TICKETS * 2
        while len(office.queue.tickets) >= FEWEST_TICKETS * 2:
            office.run_next()
        office.batches.feed()
        assert len(office.queue.tickets) == MOST_TICKETS * 2

    def test_all_of_it_is_worked_off_once(self, office: Office) -> None:
        batch = send(office, record_lines(60))
        work_off(office)
        assert statuses(office, batch) == ["done"] * 60
        orders = [order.adjudication_id for order in office.adjudicator.orders]
        assert len(orders) == len(set(orders)) == 60
        assert status_of(office, batch) is BatchStatus.DONE

    def test_a_single_submission_waits_behind_a_few_of_a_batch(self, office: Office) -> None:
        send(office, record_lines(100))
        office.batches.step()
        single = office.submit()
        for _ in range(MOST_TICKETS + 1):
            office.run_next()
            office.batches.feed()
        assert office.adjudication(single.id).status is Status.DONE

    def test_owners_take_turns_whatever_they_sent(self, office: Office) -> None:
        first = send(office, record_lines(100), owner="first")
        office.clock.move(seconds=1)
        again = send(office, record_lines(100), owner="first")
        office.clock.move(seconds=1)
        other = send(office, record_lines(100), owner="other")
        for _ in range(8):
            office.clock.move(seconds=1)
            office.queue.tickets.clear()
            office.batches.feed()
        fed = {
            batch.id: office.batches.progress(batch.id, batch.owner).batch.settled
            for batch in (first, again, other)
        }
        assert fed == {
            first.id: 2 * MOST_TICKETS,
            again.id: 2 * MOST_TICKETS,
            other.id: 4 * MOST_TICKETS,
        }

    def test_a_feeder_that_died_in_its_turn_loses_and_doubles_nothing(self, office: Office) -> None:
        class DiedError(BaseException):
            pass

        count = 0

        def die_midway(content: bytes, **more: Any) -> Adjudication:
            nonlocal count
            count += 1
            if count > 3:
                raise DiedError
            return office.service.submit(content, **more)

        batch = send(office, record_lines(10))
        dying = Batches(
            office.batch_store,
            office.queue,
            die_midway,
            office.batches._offer,
            open_scratch=office.batches._open_scratch,
            clock=office.clock,
        )
        with pytest.raises(DiedError):
            dying.feed()
        assert statuses(office, batch) == ["waiting"] * 10
        assert len(office.queue.tickets) == 3
        while office.queue.tickets:
            office.run_next()
        assert office.batches.feed() == 0
        office.clock.move(seconds=31)
        work_off(office)
        assert statuses(office, batch) == ["done"] * 10
        assert len({order.adjudication_id for order in office.adjudicator.orders}) == 10
        assert len(office.adjudicator.orders) == 10

    def test_two_who_feed_the_same_members_come_to_the_same(self, office: Office) -> None:
        batch = send(office, record_lines(10))
        submitted: list[str] = []

        def overtaken(content: bytes, **more: Any) -> Adjudication:
            if not submitted:
                office.clock.move(seconds=31)
                office.batches.feed()
            adjudication = office.service.submit(content, **more)
            submitted.append(adjudication.id)
            return adjudication

        slow = Batches(
            office.batch_store,
            office.queue,
            overtaken,
            office.batches._offer,
            open_scratch=office.batches._open_scratch,
            clock=office.clock,
        )
        assert slow.feed() == MOST_TICKETS
        assert len(submitted) == len(office.queue.tickets) == MOST_TICKETS
        work_off(office)
        assert statuses(office, batch) == ["done"] * 10
        assert len(office.adjudicator.orders) == 10

    def test_what_is_away_lets_the_batch_wait_and_fails_no_member(self, office: Office) -> None:
        batch = send(office, record_lines(4))
        is_away = True

        def submit(content: bytes, **more: Any) -> Adjudication:
            if is_away and b"Ann 3" in content:
                raise EngineFailureError("it is away")
            return office.service.submit(content, **more)

        batches = Batches(
            office.batch_store,
            office.queue,
            submit,
            office.batches._offer,
            open_scratch=office.batches._open_scratch,
            clock=office.clock,
        )
        batches.step()
        assert statuses(office, batch) == ["queued", "queued", "waiting", "waiting"]
        office.queue.tickets.clear()
        is_away = False
        assert batches.feed() == 0
        office.clock.move(seconds=PAUSE.total_seconds() + 1)
        assert batches.feed() == 2
        assert statuses(office, batch) == ["queued"] * 4

    def test_a_fault_of_this_program_refuses_the_member_only(
        self, office: Office, caplog: pytest.LogCaptureFixture
    ) -> None:
        batch = send(office, record_lines(3))

        def submit(content: bytes, **more: Any) -> Adjudication:
            if b"Ann 2" in content:
                raise ZeroDivisionError
            return office.service.submit(content, **more)

        office.batches._feeder._submit = submit
        work_off(office)
        assert statuses(office, batch) == ["done", "refused", "done"]
        assert errors(office, batch)["line 2"].startswith("internal_error: ")
        assert "ZeroDivisionError" in caplog.text

    def test_a_queue_that_is_away_is_fed_when_it_is_back(self, office: Office) -> None:
        batch = send(office, record_lines(3))
        office.queue.broken = "away"
        office.batches.step()
        assert statuses(office, batch) == ["waiting"] * 3
        office.queue.broken = None
        work_off(office)
        assert statuses(office, batch) == ["done"] * 3

    def test_the_same_record_twice_is_one_adjudication_of_two_members(self, office: Office) -> None:
        batch = send(office, zipped([("a.json", numbered_record(1)), ("b.json", numbered_record(1))]))
        work_off(office)
        first, second, end = lines(office, batch)
        assert first["adjudication_id"] == second["adjudication_id"]
        assert len(office.adjudicator.orders) == 1
        assert end == {"cursor": "2", "complete": True}

    def test_a_batch_is_done_with_its_last_member_and_not_before(self, office: Office) -> None:
        batch = send(office, record_lines(2))
        office.batches.step()
        office.run_next()
        office.batches.step()
        assert status_of(office, batch) is BatchStatus.RUNNING
        office.clock.move(seconds=7)
        office.run_next()
        office.batches.step()
        progress = office.batches.progress(batch.id, LOCAL_OWNER)
        assert progress.batch.status is BatchStatus.DONE
        assert progress.batch.finished_at == office.clock.now


class TestProgress:
    def test_members_are_counted_by_status_with_rate_and_estimated_end(self, office: Office) -> None:
        batch = send(office, tarred([*numbered_files(8), ("../x", b""), ("z.mat", b"no record")]))
        office.queue.workers = {"one", "two"}
        office.batches.step()
        office.clock.move(seconds=20)
        for _ in range(4):
            office.run_next()
        office.act(RecordError("it is bad"))
        office.run_next()
        progress = office.batches.progress(batch.id, LOCAL_OWNER)
        counted = {status.value: count for status, count in progress.counts.items() if count}
        assert counted == {"done": 4, "failed": 1, "queued": 3, "refused": 2}
        assert progress.rate_per_s == 5 / 20
        assert progress.estimated_end is not None
        assert (progress.estimated_end - office.clock.now).total_seconds() == 3 / (5 / 20)

    def test_the_rate_is_that_of_the_last_minute(self, office: Office) -> None:
        batch = send(office, record_lines(6))
        office.batches.step()
        office.run_next()
        office.clock.move(seconds=90)
        for _ in range(3):
            office.run_next()
        progress = office.batches.progress(batch.id, LOCAL_OWNER)
        assert progress.rate_per_s == 3 / 60
        office.clock.move(seconds=90)
        progress = office.batches.progress(batch.id, LOCAL_OWNER)
        assert (progress.rate_per_s, progress.estimated_end) == (0.0, None)

    def test_other_owners_see_nothing(self, office: Office) -> None:
        batch = send(office, record_lines(2))
        for ask in (
            lambda: office.batches.progress(batch.id, "other"),
            lambda: office.batches.cancel(batch.id, "other"),
            lambda: office.batches.members(batch.id, "other", after=0, limit=1),
            lambda: office.batches.results(batch.id, "other"),
            lambda: office.batches.tally(batch.id, "other"),
        ):
            with pytest.raises(NotFoundError):
                ask()
        assert office.batches.batches("other").entries == []
        assert status_of(office, batch) is BatchStatus.RUNNING

    def test_batches_come_page_by_page_the_latest_first(self, office: Office) -> None:
        sent = []
        for _ in range(5):
            sent += [send(office, record_lines(2)).id, send(office, record_lines(2)).id]
            office.clock.move(seconds=1)
        found: list[str] = []
        after, is_over = None, False
        while not is_over:
            page = office.batches.batches(LOCAL_OWNER, after=after, most=3)
            found += [batch.id for batch in page.entries]
            after, is_over = page.last, page.last is None
        assert sorted(found) == sorted(sent)
        assert [set(found[2 * k : 2 * k + 2]) for k in range(5)] == [
            set(sent[8 - 2 * k : 10 - 2 * k]) for k in range(5)
        ]

    def test_members_of_one_status_come_page_by_page(self, office: Office) -> None:
        batch = send(office, tarred([("../x", b""), *numbered_files(4), ("../y", b""), ("../z", b"")]))
        page = office.batches.members(batch.id, LOCAL_OWNER, after=0, limit=2, status=MemberStatus.REFUSED)
        assert [member.number for member in page] == [1, 6]
        page = office.batches.members(batch.id, LOCAL_OWNER, after=6, limit=2, status=MemberStatus.REFUSED)
        assert [member.number for member in page] == [7]


class TestCancelling:
    def test_what_was_not_queued_never_is_and_what_was_runs_on(self, office: Office) -> None:
        batch = send(office, record_lines(50))
        office.batches.step()
        office.run_next()
        progress = office.batches.cancel(batch.id, LOCAL_OWNER)
        assert progress.batch.status is BatchStatus.CANCELLED
        work_off(office)
        assert statuses(office, batch) == ["done"] * MOST_TICKETS + ["cancelled"] * (50 - MOST_TICKETS)
        assert len(office.adjudicator.orders) == MOST_TICKETS
        assert lines(office, batch)[-1] == {"cursor": "50", "complete": True}

    def test_again_it_is_as_it_was(self, office: Office) -> None:
        batch = send(office, record_lines(5))
        first = office.batches.cancel(batch.id, LOCAL_OWNER)
        office.clock.move(seconds=5)
        assert office.batches.cancel(batch.id, LOCAL_OWNER) == first
        assert first.batch.finished_at == batch.received_at

    def test_a_batch_that_is_done_stays_so(self, office: Office) -> None:
        batch = send(office, record_lines(2))
        work_off(office)
        assert office.batches.cancel(batch.id, LOCAL_OWNER).batch.status is BatchStatus.DONE

    def test_the_bytes_of_its_members_are_forgotten(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(batches_module, "ROWS_AT_ONCE", 4)
        batch = send(office, record_lines(10))
        office.batches.cancel(batch.id, LOCAL_OWNER)
        kept = []
        for _ in range(4):
            with office.batch_store._database.reading() as connection:
                query = "SELECT count(*) FROM batch_members WHERE content IS NOT NULL"
                kept.append(connection.exec_driver_sql(query).scalar())
            office.batches.step()
        assert kept == [10, 6, 2, 0]

    def test_while_it_comes_the_rest_is_not_looked_at(self, office: Office) -> None:
        read = in_pieces(record_lines(MEMBERS_AT_ONCE * 3), 20_000)

        def read_and_cancel(count: int) -> bytes:
            for batch in office.batches.batches(LOCAL_OWNER, most=1).entries:
                office.batches.cancel(batch.id, LOCAL_OWNER)
            return read(count)

        batch = office.batches.receive(read_and_cancel, choice=DEFAULTS, owner=LOCAL_OWNER)
        assert (batch.status, batch.members) == (BatchStatus.CANCELLED, MEMBERS_AT_ONCE)

    def test_a_turn_under_way_is_kept(self, office: Office) -> None:
        batch = send(office, record_lines(10))

        def submit(content: bytes, **more: Any) -> Adjudication:
            office.batches.cancel(batch.id, LOCAL_OWNER)
            office.batches._store.drop_contents(limit=100)
            return office.service.submit(content, **more)

        office.batches._feeder._submit = submit
        office.batches.feed()
        assert statuses(office, batch) == ["queued"] * MOST_TICKETS + ["cancelled"] * (10 - MOST_TICKETS)


class TestResults:
    def test_lines_come_in_order_and_stop_at_the_first_that_has_not_ended(self, office: Office) -> None:
        batch = send(office, tarred([("../x", b""), *numbered_files(4)]))
        office.batches.step()
        second = office.queue.tickets.pop(1)
        while office.queue.tickets:
            office.run_next()
        first, one, end = lines(office, batch)
        assert (first["member"], first["name"], first["status"]) == (1, "../x", "refused")
        assert first["error"]["code"] == "unreadable_record"
        assert (one["member"], one["status"]) == (2, "done")
        assert one["result"] == {"id": one["adjudication_id"]}
        assert end == {"cursor": "2", "complete": False}
        office.service.run(*second)
        *rest, end = lines(office, batch, after=2)
        assert [line["member"] for line in rest] == [3, 4, 5]
        assert end == {"cursor": "5", "complete": True}
        assert lines(office, batch, after=5) == [{"cursor": "5", "complete": True}]

    def test_they_are_read_page_by_page_while_they_are_taken(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(batches_module, "RESULTS_AT_ONCE", 3)
        batch = send(office, record_lines(8))
        office.batches.step()
        office.run_next()
        office.run_next()
        office.run_next()
        taken = office.batches.results(batch.id, LOCAL_OWNER)
        assert [json.loads(next(taken))["member"] for _ in range(3)] == [1, 2, 3]
        work_off(office)
        assert [json.loads(line).get("member") for line in taken] == [4, 5, 6, 7, 8, None]

    def test_a_failure_is_told_with_its_code(self, office: Office) -> None:
        batch = send(office, record_lines(2))
        office.act(RecordError("it is bad"))
        work_off(office)
        failed, done, _ = lines(office, batch)
        assert failed["error"] == {"code": "unreadable_record", "detail": "it is bad"}
        assert "result" not in failed
        assert "error" not in done


def test_a_ticket_that_was_lost_is_no_matter_of_the_batch(office: Office) -> None:
    batch = send(office, record_lines(3))
    office.batches.step()
    lost: list[Ticket] = list(office.queue.tickets)
    office.queue.tickets.clear()
    office.clock.move(seconds=10)
    assert [office.service.requeue_lost() for _ in range(2)] == [0, len(lost)]
    work_off(office)
    assert statuses(office, batch) == ["done"] * 3
