"""One scrape shows what all processes of a service did, and their log is JSON throughout."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import requests

from adjudicator.engines import modifier
from tests.contract.records import match_record
from tests.e2e.workshop import solved_tables, wait_until

LIMIT_S = 90


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_ready(address: str) -> bool:
    try:
        answer = requests.get(f"{address}/readyz", timeout=10)
    except requests.RequestException:
        return False
    return bool(answer.json()["checks"]["workers"] == "ok")


def metrics(address: str) -> list[str]:
    return requests.get(f"{address}/metrics", timeout=30).text.splitlines()


def test_the_web_process_shows_the_workers_and_all_of_them_log_json(tmp_path: Path) -> None:
    shutil.copytree(solved_tables(), tmp_path / "tables")
    port = free_port()
    left_over = tmp_path / "metrics" / str(port) / "counter_1.db"
    left_over.parent.mkdir(parents=True)
    left_over.write_bytes(b"of an earlier service")
    address = f"http://127.0.0.1:{port}"
    wishes = {"DATA_DIR": str(tmp_path), "PORT": str(port), "ENGINE": modifier.NAME, "LOG_FORMAT": "json"}
    wishes["KEYS"] = "open"
    service = subprocess.Popen(
        [sys.executable, "-P", "-m", "adjudicator.cli", "serve"],
        env=os.environ | {f"ADJUDICATOR_{name}": text for name, text in wishes.items()},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: is_ready(address), LIMIT_S)
        answer = requests.post(
            f"{address}/v1/matches", json=match_record(), headers={"Prefer": "wait=30"}, timeout=60
        )
        wait_until(lambda: "adjudicator_workers 2.0" in metrics(address), LIMIT_S)
        page = metrics(address)
    finally:
        service.send_signal(signal.SIGTERM)
        log = service.communicate(timeout=LIMIT_S)[1].splitlines()
    assert answer.json()["status"] == "done"
    for line in (
        'adjudicator_attempts_total{code="",ending="done"} 1.0',
        'adjudicator_http_requests_total{method="POST",route="/v1/matches",status="200"} 1.0',
        "adjudicator_workers 2.0",
    ):
        assert line in page
    assert any(
        line.startswith(f'adjudicator_engine_positions_total{{engine="{modifier.NAME}"') for line in page
    )
    told = [json.loads(line) for line in log]
    assert {"adjudicator.cli.serve", "gunicorn.error", "worker.process"} <= {line["logger"] for line in told}
    (request,) = [line for line in told if line.get("route") == "/v1/matches"]
    assert (request["status"], request["request_id"]) == (200, answer.headers["X-Request-Id"])
