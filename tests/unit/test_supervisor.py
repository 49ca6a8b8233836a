import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.processes.supervisor import Part, Supervisor

LIMIT_S = 20


def _part(name: str, code: str, *arguments: str) -> Part:
    return Part(name, (sys.executable, "-c", textwrap.dedent(code), *arguments), stop_limit_s=5)


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


SERVING = """
    import os, signal, sys
    def stop(*_):
        open(sys.argv[1], "a").write(f"stop {sys.argv[2]}\\n"); sys.exit(0)
    signal.signal(signal.SIGTERM, stop)
    open(sys.argv[1], "a").write(f"start {sys.argv[2]}\\n")
    open(sys.argv[1] + sys.argv[2], "w").write(str(os.getpid()))
    while True: signal.pause()
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def _run_beside(supervisor: Supervisor) -> tuple[threading.Thread, list[bool]]:
    ended: list[bool] = []
    thread = threading.Thread(target=lambda: ended.append(supervisor.run()))
    thread.start()
    return thread, ended


def test_what_others_need_stops_last(log: Path) -> None:
    parts = [_part(name, SERVING, str(log), name) for name in ("queue", "worker")]
    parts[0] = replace(parts[0], needed_by_others=True)
    supervisor = Supervisor(parts, os.environ)
    thread, ended = _run_beside(supervisor)
    _wait_for(lambda: sum(line.startswith("start") for line in _lines(log)) == 2)
    supervisor.stop()
    thread.join(LIMIT_S)
    assert ended == [True]
    assert _lines(log)[2:] == ["stop worker", "stop queue"]


def test_a_part_that_is_killed_is_started_again(log: Path) -> None:
    supervisor = Supervisor([_part("worker", SERVING, str(log), "worker")], os.environ)
    thread, ended = _run_beside(supervisor)
    _wait_for(lambda: Path(f"{log}worker").exists() and bool(Path(f"{log}worker").read_text()))
    os.kill(int(Path(f"{log}worker").read_text()), signal.SIGKILL)
    _wait_for(lambda: _lines(log) == ["start worker", "start worker"])
    supervisor.stop()
    thread.join(LIMIT_S)
    assert ended == [True]


def test_a_part_that_always_fails_stops_everything(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.processes.supervisor.FIRST_PAUSE_S", 0.01)
    parts = [_part("queue", SERVING, str(log), "queue"), _part("web", "raise SystemExit(3)")]
    assert Supervisor(parts, os.environ).run() is False
    assert _lines(log) in (["start queue", "stop queue"], [])


def test_the_others_stop_at_once_not_one_after_the_other(log: Path) -> None:
    deaf = SERVING.replace("sys.exit(0)", "pass")
    parts = [replace(_part(name, deaf, str(log), name), stop_limit_s=0.5) for name in "abcdef"]
    supervisor = Supervisor(parts, os.environ)
    thread, _ = _run_beside(supervisor)
    _wait_for(lambda: len(_lines(log)) == len(parts))
    supervisor.stop()
    before = time.monotonic()
    thread.join(LIMIT_S)
    assert time.monotonic() - before < 0.5 * len(parts)


def test_a_part_that_does_not_end_is_killed(log: Path) -> None:
    deaf = SERVING.replace("sys.exit(0)", "pass")
    supervisor = Supervisor([Part("deaf", _part("deaf", deaf, str(log), "deaf").command, 0.2)], os.environ)
    thread, ended = _run_beside(supervisor)
    _wait_for(lambda: bool(_lines(log)))
    supervisor.stop()
    thread.join(LIMIT_S)
    assert ended == [True]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_nothing_survives_a_killed_supervisor(log: Path) -> None:
    program = f"""
        import os, sys
        from adjudicator.processes.supervisor import Part, Supervisor
        command = (sys.executable, "-c", {textwrap.dedent(SERVING)!r}, {str(log)!r}, "p")
        Supervisor([Part("p", command)], os.environ).run()
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)])
    _wait_for(lambda: bool(_lines(log)))
    process.kill()
    process.wait()
    _wait_for(lambda: _lines(log) == ["start p", "stop p"])
