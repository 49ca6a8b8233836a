"""Attempts: run, tried again, ended, taken over, made good."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import adjudicator.errors
from adjudicator.errors import (
    AdjudicatorError,
    EngineFailureError,
    EngineUnavailableError,
    StoreUnavailableError,
)
from adjudicator.happy_end.ruleset import DEFAULT_RULESET
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.retry import INTERNAL_ERROR, WORKER_LOST, may_try_again, run_too_long
from adjudicator.service.values import FailureReason, Status, Ticket
from adjudicator.store.match_store import MatchStore
from tests.unit.office import POLICY, Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.service.close()


def status_of(office: Office, adjudication_id: str) -> tuple[Status, int]:
    adjudication = office.adjudication(adjudication_id)
    return adjudication.status, adjudication.attempt


def test_a_run_keeps_the_result(office: Office) -> None:
    adjudication = office.submit()
    office.run_next()
    done = office.adjudication(adjudication.id)
    assert (done.status, done.changed) == (Status.DONE, True)
    assert office.result(adjudication.id) == f'{{"id":"{adjudication.id}"}}'.encode()


def test_a_ticket_that_comes_twice_is_run_once(office: Office) -> None:
    adjudication = office.submit()
    for _ in range(2):
        office.service.run(adjudication.id, 1)
    assert len(office.adjudicator.orders) == 1


def wait_until_due(office: Office, pause_s: float) -> None:
    """Lets the pause and the grace of the queue pass; nothing may be queued before."""
    office.clock.move(seconds=pause_s)
    assert [office.service.requeue_lost() for _ in range(2)] == [0, 0]
    office.clock.move(seconds=6)
    assert [office.service.requeue_lost() for _ in range(3)] == [0, 1, 0]


def test_an_engine_that_fails_gets_another_try_after_a_pause(office: Office) -> None:
    adjudication = office.submit()
    office.act(EngineFailureError("it crashed"))
    office.run_next()
    assert status_of(office, adjudication.id) == (Status.QUEUED, 2)
    assert office.queue.tickets == []
    wait_until_due(office, pause_s=30)
    office.run_next()
    assert status_of(office, adjudication.id) == (Status.DONE, 2)


def test_attempts_that_met_an_engine_left_alone_do_not_count(office: Office) -> None:
    adjudication = office.submit()
    office.act(*[EngineFailureError("left alone", rest_s=20)] * 4)
    for attempt in range(1, 5):
        office.run_next()
        assert status_of(office, adjudication.id) == (Status.QUEUED, attempt + 1)
        wait_until_due(office, pause_s=20)
    office.run_next()
    assert status_of(office, adjudication.id) == (Status.DONE, 5)


def test_attempts_count_again_once_the_engine_is_asked(office: Office) -> None:
    adjudication = office.submit()
    office.act(
        EngineFailureError("it crashed"),
        EngineFailureError("left alone", rest_s=20),
        EngineFailureError("it crashed again"),
    )
    for pause_s in (30, 20):
        office.run_next()
        wait_until_due(office, pause_s)
    office.run_next()
    failed = office.adjudication(adjudication.id)
    assert failed.error == FailureReason("engine_failure", "it crashed again")


def test_an_engine_that_always_fails_ends_at_the_limit(office: Office) -> None:
    adjudication = office.submit()
    office.act(EngineFailureError("it crashed"), EngineFailureError("it hung"))
    office.run_next()
    wait_until_due(office, pause_s=30)
    office.run_next()
    assert office.queue.tickets == []
    failed = office.adjudication(adjudication.id)
    assert (failed.status, failed.error) == (Status.FAILED, FailureReason("engine_failure", "it hung"))


def test_what_cannot_get_better_fails_at_once(office: Office) -> None:
    adjudication = office.submit()
    office.act(EngineUnavailableError("not here"))
    office.run_next()
    failed = office.adjudication(adjudication.id)
    assert (failed.status, failed.attempt) == (Status.FAILED, 1)
    assert failed.error == FailureReason("engine_unavailable", "not here")


def test_an_unexpected_exception_fails_the_record_and_is_logged_whole(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    adjudication = office.submit()
    office.act(ZeroDivisionError("oops"))
    office.run_next()
    assert office.adjudication(adjudication.id).error == INTERNAL_ERROR
    (logged,) = [record for record in caplog.records if record.exc_info]
    assert adjudication.id in logged.getMessage()
    assert logged.exc_info is not None
    assert isinstance(logged.exc_info[1], ZeroDivisionError)


def test_a_failed_one_is_tried_anew_on_demand(office: Office) -> None:
    adjudication = office.submit()
    office.act(EngineUnavailableError("not here"))
    office.run_next()
    assert office.submit().status is Status.FAILED
    again = office.adjudicate_again(adjudication.match_id)
    assert (again.id, again.status, again.attempt) == (adjudication.id, Status.QUEUED, 2)
    office.run_next()
    assert status_of(office, adjudication.id) == (Status.DONE, 2)


def test_what_is_done_is_not_done_again(office: Office) -> None:
    adjudication = office.submit()
    office.run_next()
    again = office.adjudicate_again(adjudication.match_id)
    assert again == office.adjudication(adjudication.id)
    assert office.queue.tickets == []


def test_the_result_of_a_worker_that_was_given_up_is_not_kept(office: Office) -> None:
    adjudication = office.submit()
    colleague = office.colleague()

    def freeze() -> None:
        office.clock.move(seconds=31)
        assert colleague.requeue_lost() == 1
        office.adjudicator.act = lambda _: b'{"by":"colleague"}'
        colleague.run(*office.queue.tickets.pop(0))

    office.act(freeze)
    office.run_next()
    colleague.close()
    done = office.adjudication(adjudication.id)
    assert (done.attempt, office.result(done.id)) == (2, b'{"by":"colleague"}')


def test_a_record_that_kills_its_workers_fails_at_the_limit(office: Office) -> None:
    adjudication = office.submit()
    for attempt in (1, 2):
        with _dying(office):
            office.run_next()
        assert status_of(office, adjudication.id) == (Status.RUNNING, attempt)
        office.clock.move(seconds=31)
        assert office.service.requeue_lost() == 1
    failed = office.adjudication(adjudication.id)
    assert (failed.status, failed.error) == (Status.FAILED, WORKER_LOST)
    assert office.service.requeue_lost() == 0


def test_many_reconcilers_at_once_queue_a_lost_one_once(office: Office) -> None:
    adjudication = office.submit()
    with _dying(office):
        office.run_next()
    office.clock.move(seconds=31)
    colleagues = [office.colleague() for _ in range(6)]
    requeued: list[int] = []

    def reconcile(colleague: AdjudicationService) -> None:
        requeued.append(colleague.requeue_lost())

    threads = [threading.Thread(target=reconcile, args=(colleague,)) for colleague in colleagues]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for colleague in colleagues:
        colleague.close()
    assert sum(requeued) == 1
    assert office.queue.tickets == [Ticket(adjudication.id, 2)]


def test_what_fell_out_of_the_queue_is_queued_again_after_the_grace(office: Office) -> None:
    adjudication = office.submit()
    office.queue.tickets.clear()
    assert office.service.requeue_lost() == 0
    office.clock.move(seconds=6)
    assert [office.service.requeue_lost() for _ in range(3)] == [0, 1, 0]
    assert office.queue.tickets == [Ticket(adjudication.id, 1)]


def test_a_ticket_in_the_hand_of_a_worker_is_not_lost(office: Office) -> None:
    adjudication = office.submit()
    office.clock.move(seconds=6)
    office.queue.tickets.clear()
    assert office.service.requeue_lost() == 0
    office.act(office.service.requeue_lost)
    office.service.run(adjudication.id, 1)
    assert office.queue.tickets == []


def test_what_is_handed_back_is_run_by_others(office: Office) -> None:
    adjudication = office.submit()
    colleague = office.colleague()

    def end() -> None:
        office.service.hand_back()
        colleague.run(*office.queue.tickets.pop(0))

    office.act(end)
    office.run_next()
    colleague.close()
    assert len(office.adjudicator.orders) == 2
    assert status_of(office, adjudication.id) == (Status.DONE, 2)


def test_the_lease_is_renewed_while_the_work_lasts(tmp_path: Path) -> None:
    office = Office(tmp_path, replace(POLICY, lease=timedelta(seconds=0.3)))
    office.submit()
    colleague = office.colleague()
    waited = threading.Event()

    def work_long() -> None:
        for _ in range(4):
            office.clock.move(seconds=0.2)
            waited.wait(0.25)
            assert colleague.requeue_lost() == 0

    office.act(work_long)
    office.run_next()
    assert len(office.adjudicator.orders) == 1
    colleague.close()
    office.service.close()


def test_a_run_beyond_its_limit_fails_at_once_and_for_good(tmp_path: Path) -> None:
    limit = timedelta(seconds=0.1)
    office = Office(tmp_path, replace(POLICY, lease=timedelta(seconds=0.06), run_limit=limit))
    adjudication = office.submit()
    office.act(lambda: office.overran.wait(10))
    office.run_next()
    assert office.overrun == [Ticket(adjudication.id, 1)]
    failed = office.adjudication(adjudication.id)
    assert (failed.status, failed.attempt, failed.error) == (Status.FAILED, 1, run_too_long(limit))
    assert "than the 0.1 s" in run_too_long(limit).detail
    office.clock.move(seconds=60)
    assert (office.service.requeue_lost(), office.queue.tickets) == (0, [])
    office.service.close()


def test_a_worker_ends_over_an_overrun_that_it_cannot_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = Office(
        tmp_path, replace(POLICY, lease=timedelta(seconds=0.06), run_limit=timedelta(seconds=0.1))
    )

    def refuse(*_: object, **__: object) -> bool:
        raise StoreUnavailableError("away")

    office.submit()
    office.act(lambda: office.overran.wait(10))
    with monkeypatch.context() as patched:
        patched.setattr(MatchStore, "fail", refuse)
        office.run_next()
    assert len(office.overrun) == 1
    office.service.close()


def test_time_in_which_a_worker_was_stopped_is_no_time_of_its_run(tmp_path: Path) -> None:
    office = Office(tmp_path, replace(POLICY, lease=timedelta(seconds=0.06)))
    adjudication = office.submit()
    waited = threading.Event()

    def sleep() -> None:
        office.clock.move(seconds=3600)
        waited.wait(0.1)

    office.act(sleep)
    office.run_next()
    assert (office.overrun, status_of(office, adjudication.id)) == ([], (Status.DONE, 1))
    office.service.close()


def test_every_error_says_whether_another_try_can_help() -> None:
    transient = {
        error.code for error in _all_errors(AdjudicatorError) if may_try_again(error("something is wrong"))
    }
    of_workers = {"engine_failure", "store_unavailable", "queue_unavailable"}
    of_callers = {"rate_limited", "answer_pending", "busy"}
    assert transient == of_workers | of_callers


def _all_errors(base: type[AdjudicatorError]) -> Iterator[type[AdjudicatorError]]:
    for error in base.__subclasses__():
        if error.__module__ == adjudicator.errors.__name__:
            yield error
        yield from _all_errors(error)


@contextmanager
def _dying(office: Office) -> Iterator[None]:
    """Ends the block as a killed process would: nothing after the adjudicator's call is done."""
    usual = office.adjudicator.act

    def die(_: object) -> bytes:
        raise KeyboardInterrupt

    office.adjudicator.act = die
    with pytest.raises(KeyboardInterrupt):
        yield
    office.adjudicator.act = usual


def test_what_the_default_ruleset_needs_is_loaded_before_the_first_order(office: Office) -> None:
    office.service.prepare()
    assert office.adjudicator.prepared == [DEFAULT_RULESET]
