"""Whatever is killed, and when: every submitted match gets its one result."""

import json
import signal
import time
from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.bootstrap import build_adjudicator, open_offer
from adjudicator.logs.reading import read_log
from adjudicator.service.choice import Choice
from adjudicator.service.orders import make_order
from adjudicator.service.retry import run_too_long
from adjudicator.service.values import LOCAL_OWNER, Status
from tests.e2e.workshop import long_record, open_workshop, wait_until

LEASE_S = 1.5
RECONCILED_S = 1.0
QUICK = {"LEASE_S": str(LEASE_S), "QUEUE_GRACE_S": "0.5", "ATTEMPT_LIMIT": "20"}

MATCHES = 60
WORKER_KILLS = 5
QUEUE_KILL_AFTER = 2
"""Kills of workers that come before the queue server is killed and its data deleted."""


@pytest.mark.slow
def test_every_match_gets_exactly_one_result_whatever_is_killed(tmp_path: Path) -> None:
    with open_workshop(tmp_path, {**QUICK, "WORKERS": "2"}) as workshop:
        records = [long_record(number) for number in range(MATCHES)]
        submitted = [workshop.submit(record).id for record in records]
        killed = []
        for number in range(WORKER_KILLS):
            done = len(workshop.rows(Status.DONE))
            killed.append(workshop.kill_worker_at_work())
            if number == QUEUE_KILL_AFTER:
                workshop.kill_queue_with_its_data()
            workshop.await_done(done + WORKER_KILLS)
        workshop.await_done(MATCHES)

        rows = {row.id: row for row in workshop.rows()}
        assert sorted(submitted) == sorted(rows)
        assert all(rows[adjudication_id].attempt > 1 for adjudication_id in killed)
        assert workshop.result_writes() == [(row.id, row.attempt) for row in rows.values()]

        offer = open_offer(workshop.settings)
        content = records[submitted.index(killed[0])]
        order = make_order(content, read_log(content), choice=Choice(), offer=offer, owner=LOCAL_OWNER)
        in_this_process = build_adjudicator(workshop.settings, offer).adjudicate(order).content
        offer.close()
        assert workshop.service.result(killed[0], LOCAL_OWNER) == in_this_process
        assert json.loads(in_this_process)["id"] == killed[0]


@pytest.mark.slow
def test_a_backlog_is_worked_off_without_a_word(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with open_workshop(tmp_path, {**QUICK, "QUEUE_GRACE_S": "0.1", "WORKERS": "2"}) as workshop:
        for number in range(MATCHES):
            workshop.submit(long_record(number, games=4))
        workshop.await_done(MATCHES)
        assert {row.attempt for row in workshop.rows()} == {1}
    assert " ERROR " not in capfd.readouterr().err


@pytest.mark.slow
def test_the_work_of_a_killed_worker_is_taken_up_when_its_lease_runs_out(tmp_path: Path) -> None:
    with open_workshop(tmp_path, {**QUICK, "WORKERS": "2"}) as workshop:
        adjudication = workshop.submit(long_record(1, games=100))
        workshop.kill_worker_at_work()
        killed_at = time.monotonic()
        wait_until(
            lambda: any(row.attempt == 2 for row in workshop.rows(Status.RUNNING)),
            limit_s=LEASE_S + RECONCILED_S + 1.0,
        )
        assert time.monotonic() - killed_at < LEASE_S + RECONCILED_S + 1.0
        wait_until(lambda: workshop.rows(Status.DONE), limit_s=20)
        assert workshop.result_writes() == [(adjudication.id, 2)]


@pytest.mark.slow
def test_a_run_without_end_ends_its_worker_and_is_not_tried_again(tmp_path: Path) -> None:
    wishes = {**QUICK, "LEASE_S": "0.6", "RUN_LIMIT_S": "1", "WORKERS": "1"}
    with open_workshop(tmp_path, wishes) as workshop:
        adjudication = workshop.submit(long_record(1, games=600))
        wait_until(lambda: workshop.rows(Status.FAILED), limit_s=30)
        failed = workshop.adjudication(adjudication.id)
        assert (failed.attempt, failed.error) == (1, run_too_long(timedelta(seconds=1)))
        after = workshop.submit(long_record(2, games=5))
        workshop.await_done(1)
        assert workshop.result_writes() == [(after.id, 1)]


@pytest.mark.slow
def test_a_worker_asked_to_end_hands_back_what_it_cannot_finish(tmp_path: Path) -> None:
    wishes = {**QUICK, "LEASE_S": "60", "WORKERS": "0", "STOP_GRACE_S": "0", "ATTEMPT_LIMIT": "1"}
    with open_workshop(tmp_path, wishes) as workshop:
        adjudication = workshop.submit(long_record(1, games=150))
        with workshop.start_worker() as worker:
            wait_until(lambda: workshop.rows(Status.RUNNING), limit_s=20)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(10) == 0
        (row,) = workshop.rows()
        assert (row.status, row.attempt, row.last_attempt) == ("queued", 2, 2)
        with workshop.start_worker() as worker:
            wait_until(lambda: workshop.rows(Status.DONE), limit_s=20)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(10) == 0
        assert workshop.result_writes() == [(adjudication.id, 2)]


@pytest.mark.slow
def test_a_worker_asked_to_end_finishes_what_it_can(tmp_path: Path) -> None:
    wishes = {**QUICK, "WORKERS": "0", "STOP_GRACE_S": "20"}
    with open_workshop(tmp_path, wishes) as workshop:
        adjudication = workshop.submit(long_record(1, games=50))
        with workshop.start_worker() as worker:
            wait_until(lambda: workshop.rows(Status.RUNNING), limit_s=20)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(20) == 0
        assert workshop.result_writes() == [(adjudication.id, 1)]
