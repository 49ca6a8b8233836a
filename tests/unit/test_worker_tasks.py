"""The tasks of the worker."""

import importlib

import pytest

from adjudicator.errors import StoreUnavailableError
from adjudicator.jobs.queue import TASK
from worker import tasks


class ListedRuns:
    """Lists what it is asked to run; raises first if it is given an error."""

    def __init__(self, error: Exception | None = None) -> None:
        self.runs: list[tuple[str, int]] = []
        self.fed_after = 0
        self.error = error

    def run(self, adjudication_id: str, attempt: int) -> None:
        self.runs.append((adjudication_id, attempt))
        if self.error is not None:
            raise self.error

    def feed(self) -> int:
        self.fed_after = len(self.runs)
        if self.error is not None:
            raise self.error
        return 0


def test_the_task_that_the_queue_names_is_there() -> None:
    module, _, name = TASK.rpartition(".")
    assert getattr(importlib.import_module(module), name) is tasks.adjudicate


def test_a_task_has_the_service_run_its_attempt() -> None:
    service = ListedRuns()
    tasks.employ(service, service)
    tasks.adjudicate("a1", 2)
    assert service.runs == [("a1", 2)]
    assert service.fed_after == 1


def test_a_database_that_is_away_does_not_end_the_worker(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tasks, "PAUSE_S", 0.0)
    service = ListedRuns(StoreUnavailableError("away"))
    tasks.employ(service, service)
    tasks.adjudicate("a1", 2)
    assert "a1 is left to the reconciler: away" in caplog.text
    assert "Batches are left to the reconciler: away" in caplog.text
