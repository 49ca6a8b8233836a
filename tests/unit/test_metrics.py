"""The meter over the Prometheus client, by itself and with other processes."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
import requests

from adjudicator.errors import ConfigurationError
from adjudicator.metrics.folder import FOLDER_VARIABLE, make_empty
from adjudicator.metrics.prometheus import PrometheusMeter
from adjudicator.service.meter import Delivery, Ending, Load, Unmetered

LOAD = Load(queue_length=3, workers=2, oldest_s=1.5)


def lines(page: bytes) -> list[str]:
    return page.decode().splitlines()


def in_its_process(folder: Path, code: str) -> "subprocess.Popen[str]":
    """A process of a service that counts in the folder, and runs ``code`` with its ``meter``."""
    begin = "from adjudicator.metrics.prometheus import *\nmeter = PrometheusMeter()\n"
    return subprocess.Popen(
        [sys.executable, "-c", begin + dedent(code)],
        env={**os.environ, FOLDER_VARIABLE: str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_each_event_is_counted_where_it_belongs() -> None:
    meter = PrometheusMeter()
    meter.answered("GET", "/livez", 200, 0.003)
    meter.attempt_ended(Ending.FAILED, took_s=0.2, code="engine_failure")
    meter.attempt_ended(Ending.LOST, code="worker_lost")
    meter.engine_answered("gnubg-nn", 32, 0.004)
    meter.engine_failed("wildbg", "left_alone")
    meter.delivered(Delivery.GIVEN_UP)
    page = lines(meter.expose(LOAD))
    for line in (
        'adjudicator_http_requests_total{method="GET",route="/livez",status="200"} 1.0',
        'adjudicator_http_request_seconds_bucket{le="0.002",method="GET",route="/livez"} 0.0',
        'adjudicator_http_request_seconds_bucket{le="0.005",method="GET",route="/livez"} 1.0',
        'adjudicator_attempts_total{code="engine_failure",ending="failed"} 1.0',
        'adjudicator_attempts_total{code="worker_lost",ending="lost"} 1.0',
        'adjudicator_attempt_seconds_sum{ending="failed"} 0.2',
        'adjudicator_engine_positions_total{engine="gnubg-nn"} 32.0',
        'adjudicator_engine_failures_total{code="left_alone",engine="wildbg"} 1.0',
        'adjudicator_webhook_deliveries_total{outcome="given_up"} 1.0',
        "adjudicator_queue_length 3.0",
        "adjudicator_workers 2.0",
        "adjudicator_oldest_waiting_seconds 1.5",
    ):
        assert line in page
    assert not any(line.startswith("adjudicator_attempt_seconds") and "lost" in line for line in page)


def test_two_meters_of_one_process_do_not_mix() -> None:
    first, second = PrometheusMeter(), PrometheusMeter()
    first.submitted(is_new=True)
    assert 'adjudicator_submissions_total{new="yes"} 1.0' in lines(first.expose(LOAD))
    assert not any('new="yes"' in line for line in lines(second.expose(LOAD)))


def test_what_counts_nothing_takes_all_the_same() -> None:
    meant = {name for name in vars(Unmetered) if not name.startswith("_")}
    assert meant <= set(vars(PrometheusMeter))


def test_one_page_shows_all_processes_and_forgets_what_the_dead_were_at(tmp_path: Path) -> None:
    work = """
        meter.attempt_ended(Ending.DONE, took_s=0.5)
        meter.running(1)
        print("counted", flush=True)
        import time
        time.sleep(60)
    """
    show = "print(meter.expose(Load(None, None, None)).decode())"
    with in_its_process(tmp_path, work) as first, in_its_process(tmp_path, work) as second:
        for process in (first, second):
            assert process.stdout is not None
            assert process.stdout.readline() == "counted\n"
        both = in_its_process(tmp_path, show).communicate()[0].splitlines()
        first.send_signal(signal.SIGKILL)
        first.wait()
        one = in_its_process(tmp_path, show).communicate()[0].splitlines()
        second.kill()
    for page in (both, one):
        assert 'adjudicator_attempts_total{code="",ending="done"} 2.0' in page
        assert 'adjudicator_attempt_seconds_sum{ending="done"} 1.0' in page
    assert "adjudicator_attempts_running 2.0" in both
    assert "adjudicator_attempts_running 1.0" in one


def test_what_is_not_known_is_left_out() -> None:
    page = PrometheusMeter().expose(Load(queue_length=None, workers=None, oldest_s=0.0)).decode()
    assert 'adjudicator_reachable{part="queue"} 0.0' in page
    assert "adjudicator_oldest_waiting_seconds 0.0" in page
    assert "adjudicator_queue_length" not in page
    assert "adjudicator_workers" not in page


def test_a_folder_is_emptied_of_an_earlier_service(tmp_path: Path) -> None:
    folder = tmp_path / "metrics" / "8080"
    make_empty(folder)
    (folder / "counter_1.db").write_bytes(b"x")
    make_empty(folder)
    assert list(folder.iterdir()) == []
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "metrics").touch()
    with pytest.raises(ConfigurationError, match="for metrics cannot be made"):
        make_empty(tmp_path / "metrics" / "8080")


def test_a_process_alone_shows_its_own_and_one_of_a_service_does_not(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match="ADJUDICATOR_METRICS_PORT"):
            PrometheusMeter().serve("127.0.0.1", port)
        silent = in_its_process(tmp_path, f'meter.serve("127.0.0.1", {port}); print("went on")')
        assert silent.communicate()[0] == "went on\n"
    code = f"""
        import os
        meter.engine_answered("wildbg", 7, 0.1)
        meter.serve("127.0.0.1", {port})
        print("shown", flush=True)
        import time
        time.sleep(60)
    """
    begin = "from adjudicator.metrics.prometheus import *\nmeter = PrometheusMeter()\n"
    with subprocess.Popen(
        [sys.executable, "-c", begin + dedent(code)], stdout=subprocess.PIPE, text=True
    ) as alone:
        assert alone.stdout is not None
        assert alone.stdout.readline() == "shown\n"
        page = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=10).text
        alone.kill()
    assert 'adjudicator_engine_positions_total{engine="wildbg"} 7.0' in page
