"""Batches with real workers: overtaken by single matches, and whatever is killed, worked off once."""

import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from adjudicator.service.batch_values import Batch, BatchStatus, MemberStatus
from adjudicator.service.choice import Choice
from adjudicator.service.feeding import MOST_TICKETS
from adjudicator.service.values import LOCAL_OWNER, Status
from tests.archives import tarred
from tests.e2e.workshop import Workshop, long_record, open_workshop, wait_until

QUICK = {"LEASE_S": "1.5", "QUEUE_GRACE_S": "0.5", "ATTEMPT_LIMIT": "20", "WORKERS": "2"}
MEMBERS = 200
KILLS = 4


def send(workshop: Workshop, count: int, games: int) -> Batch:
    files = [(f"{number}.json", long_record(number, games)) for number in range(count)]
    return workshop.services.batches.receive(
        io.BytesIO(tarred(files)).read, choice=Choice(), owner=LOCAL_OWNER
    )


def status_of(workshop: Workshop, batch: Batch) -> BatchStatus:
    return workshop.services.batches.progress(batch.id, LOCAL_OWNER).batch.status


def await_end(workshop: Workshop, batch: Batch) -> list[dict[str, Any]]:
    """The lines of the results once the batch is done."""
    wait_until(lambda: status_of(workshop, batch) is BatchStatus.DONE, limit_s=150)
    lines = [json.loads(line) for line in workshop.services.batches.results(batch.id, LOCAL_OWNER)]
    assert lines.pop() == {"cursor": str(batch.members), "complete": True}
    return lines


@pytest.mark.slow
def test_a_single_match_overtakes_a_batch(tmp_path: Path) -> None:
    with open_workshop(tmp_path, QUICK) as workshop:
        batch = send(workshop, MEMBERS, games=3)
        workshop.await_done(20)
        done_before = len(workshop.rows(Status.DONE))
        single = workshop.submit(long_record(MEMBERS, games=3))
        await_end(workshop, batch)
        ended = {
            row.id: moment
            for row in workshop.rows()
            if (moment := workshop.adjudication(row.id).finished_at) is not None
        }
        assert len(ended) == MEMBERS + 1
        overtaken = sum(moment > ended[single.id] for moment in ended.values())
        # before it: those that were done, a full queue of each worker, and what they had in hand
        assert overtaken >= MEMBERS - done_before - 2 * (MOST_TICKETS + 1) - 10
        assert overtaken > MEMBERS / 2


@pytest.mark.slow
def test_whatever_is_killed_every_member_has_its_one_result(tmp_path: Path) -> None:
    with open_workshop(tmp_path, QUICK) as workshop:
        batch = send(workshop, MEMBERS, games=5)
        for number in range(KILLS):
            done = len(workshop.rows(Status.DONE))
            workshop.kill_worker_at_work()
            if number == 1:
                workshop.kill_queue_with_its_data()
            workshop.await_done(done + 10)
        lines = await_end(workshop, batch)
        assert [line["member"] for line in lines] == list(range(1, MEMBERS + 1))
        assert {line["status"] for line in lines} == {MemberStatus.DONE.value}
        ids = [line["adjudication_id"] for line in lines]
        assert len(set(ids)) == MEMBERS
        rows = workshop.rows()
        assert sorted(ids) == sorted(row.id for row in rows)
        assert workshop.result_writes() == [(row.id, row.attempt) for row in rows]


@pytest.mark.slow
def test_a_cancelled_batch_stops(tmp_path: Path) -> None:
    with open_workshop(tmp_path, QUICK) as workshop:
        batch = send(workshop, MEMBERS, games=5)
        workshop.await_done(5)
        workshop.services.batches.cancel(batch.id, LOCAL_OWNER)
        wait_until(lambda: not [row for row in workshop.rows() if row.status in {"queued", "running"}], 60)
        kept = len(workshop.rows())
        assert kept < MEMBERS
        time.sleep(2.5)  # two steps of the reconciler
        assert len(workshop.rows()) == kept
        progress = workshop.services.batches.progress(batch.id, LOCAL_OWNER)
        assert progress.counts[MemberStatus.CANCELLED] == MEMBERS - kept
