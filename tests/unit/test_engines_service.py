"""An engine that fails costs the records that asked for it, and nobody else's."""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.engines.host import EngineHost, HostLimits, child_command
from adjudicator.engines.registry import WILDBG
from adjudicator.engines.scripted import ScriptedEngine, rough_chances
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.ruleset import Finish
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.choice import Choice
from adjudicator.service.offer import Offer, OfferedEngine
from adjudicator.service.values import LOCAL_OWNER, Adjudication, Status
from adjudicator.store.database import Database
from adjudicator.store.match_store import MatchStore
from adjudicator.store.schema import upgrade
from tests.listed_queue import ListedQueue
from tests.opinions import EvenEngine, EvenEstimator
from tests.records import LAST_CHECKER_RECORD
from tests.unit.office import POLICY
from tests.wildbg_server import WildbgServer, running

LIMITS = HostLimits(start_s=30, question_s=1, failures=99)
ALWAYS = 100
"""More questions than are asked here."""
WITHOUT_PAUSE = replace(POLICY, retry_pause=timedelta())

Open = Callable[[Engine], "Workshop"]


class Workshop:
    """A service with an engine that never fails, ``even``, and one on trial; its queue is worked off here."""

    def __init__(self, folder: Path, trial: Engine) -> None:
        url = f"sqlite:///{folder / 'workshop.db'}"
        upgrade(url)
        self.queue = ListedQueue()
        engines: list[Engine] = [EvenEngine(), trial]
        offered = {engine.identity.name: OfferedEngine(engine, "an engine", "MIT") for engine in engines}
        offer = Offer(offered, "even", EvenEstimator.identity)
        adjudicator = RecordAdjudicator(offer, lambda _finish: EvenEstimator())
        self.service = AdjudicationService(
            MatchStore(Database(url)), self.queue, adjudicator, offer, policy=WITHOUT_PAUSE, worker="test:1"
        )

    def submit(self, engine: str, **options: str) -> str:
        choice = Choice(engine=engine, options=options)
        return self.service.submit(LAST_CHECKER_RECORD, choice=choice, owner=LOCAL_OWNER).id

    def work(self) -> None:
        while self.queue.tickets:
            self.service.run(*self.queue.tickets.pop(0))

    def look_up(self, adjudication_id: str) -> Adjudication:
        return self.service.adjudication(adjudication_id, LOCAL_OWNER)


@pytest.fixture
def open_workshop(tmp_path: Path) -> Iterator[Open]:
    with contextlib.ExitStack() as opened:

        def open_one(trial: Engine) -> Workshop:
            workshop = Workshop(tmp_path, trial)
            opened.callback(workshop.service.close)
            return workshop

        yield open_one


def _hosted(script: str, folder: Path, limits: HostLimits = LIMITS) -> EngineHost:
    settings = {"script": script, "journal": str(folder / "journal")}
    command = child_command("adjudicator.engines.scripted:ScriptedEngine", settings)
    return EngineHost(lambda: ScriptedEngine().identity, command, limits)


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("exit", r"died \(exit code 3\)"),
        ("kill", r"died \(signal 9\)"),
        ("hang", "no answer within 1 s"),
        ("raise", "RuntimeError: told to"),
        ("not_a_number", r"no chances: \(nan"),
        ("too_few", r"\d+ answers to \d+ positions"),
    ],
)
def test_what_an_engine_cannot_do_is_tried_again_and_then_failed_with_its_reason(
    open_workshop: Open, tmp_path: Path, behaviour: str, complaint: str
) -> None:
    workshop = open_workshop(_hosted(" ".join([behaviour] * ALWAYS), tmp_path))
    failing, other = workshop.submit("scripted"), workshop.submit("even")
    workshop.work()
    failed = workshop.look_up(failing)
    assert (failed.status, failed.attempt) == (Status.FAILED, POLICY.attempt_limit)
    assert failed.error is not None
    assert failed.error.code == "engine_failure"
    assert failed.error.detail.startswith("scripted failed twice over the same ")
    assert re.search(complaint, failed.error.detail)
    assert workshop.look_up(other).status is Status.DONE
    assert (tmp_path / "journal").stat().st_size == 2 * POLICY.attempt_limit


def test_an_engine_that_is_left_alone_fails_none_of_those_that_wait_for_it(
    open_workshop: Open, tmp_path: Path
) -> None:
    limits = HostLimits(start_s=30, question_s=1, failures=2, rest_s=600)
    workshop = open_workshop(_hosted(" ".join(["exit"] * ALWAYS), tmp_path, limits))
    waiting = [workshop.submit("scripted", finish=finish.value) for finish in Finish]
    workshop.work()
    assert [workshop.look_up(one).status for one in waiting] == [Status.QUEUED] * len(Finish)
    assert workshop.queue.tickets == []
    assert (tmp_path / "journal").stat().st_size == limits.failures


def test_an_engine_that_fails_now_and_then_costs_nothing(open_workshop: Open, tmp_path: Path) -> None:
    workshop = open_workshop(_hosted("exit answer kill answer not_a_number", tmp_path))
    done = workshop.submit("scripted")
    workshop.work()
    assert (workshop.look_up(done).status, workshop.look_up(done).attempt) == (Status.DONE, 1)


def test_a_server_that_is_away_fails_its_records_only_and_serves_the_next_ones_when_back(
    open_workshop: Open,
) -> None:
    with running(WildbgServer(rough_chances)) as server:
        workshop = open_workshop(WILDBG.open({"url": server.url}, HostLimits(start_s=30, question_s=30)))
        failing, other = workshop.submit("wildbg"), workshop.submit("even")
        server.script = ["refuse"] * ALWAYS
        workshop.work()
        failed = workshop.look_up(failing)
        assert failed.error is not None
        assert "answered with status 400" in failed.error.detail
        assert workshop.look_up(other).status is Status.DONE
        server.script = []
        again = workshop.service.adjudicate_again(
            failed.match_id, choice=Choice(engine="wildbg"), owner=LOCAL_OWNER
        )
        workshop.work()
        assert workshop.look_up(again.id).status is Status.DONE
