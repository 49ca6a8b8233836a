"""``adjudicator serve`` from outside: the key that it prints, and what a key is good for."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.contract.records import MAT
from tests.e2e.workshop import free_port, wait_until

START_LIMIT_S = 60
REVOKED_WITHIN_S = 30
COMMAND = [sys.executable, "-m", "adjudicator.cli"]


def environment(folder: Path, **settings: str) -> dict[str, str]:
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("ADJUDICATOR_")}
    chosen = {"DATA_DIR": str(folder), "WORKERS": "0", "RATE_LIMIT": "1000/hour", **settings}
    return inherited | {f"ADJUDICATOR_{name}": text for name, text in chosen.items()}


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[tuple[str, list[str]]]:
    """The address of a service, and what it wrote of keys to standard output before it was up."""
    port = free_port()
    output = folder / "output"
    with output.open("w") as file:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--port", str(port)],
            env=environment(folder, **settings),
            stdout=file,
            stderr=subprocess.DEVNULL,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: _is_up(address, process), START_LIMIT_S)
            lines = output.read_text().splitlines()
            yield address, [line for line in lines if re.match("KEY|curl|This", line)]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(START_LIMIT_S)


def _is_up(address: str, process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, "the service ended"
    try:
        return requests.get(f"{address}/readyz", timeout=10).ok
    except requests.ConnectionError:
        time.sleep(0.1)
        return False


def get(address: str, key: str | None) -> requests.Response:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return requests.get(f"{address}/v1/engines", headers=headers, timeout=60)


def test_the_first_start_prints_a_key_that_works_and_no_other_start_does(tmp_path: Path) -> None:
    with served(tmp_path) as (address, lines):
        text = "\n".join(lines)
        found = re.search(r"^KEY=(adj_\S+)$", text, re.MULTILINE)
        assert found
        key = found[1]
        assert f'curl -H "Authorization: Bearer $KEY" {address}/v1/engines' in lines
        assert get(address, None).status_code == 401
        answer = get(address, key)
        assert answer.status_code == 200
        assert answer.headers["RateLimit"].startswith('"reads";r=999;t=')
        sent = {"Authorization": f"Bearer {key}", "Content-Type": "text/plain", "Idempotency-Key": '"a"'}
        first, again = (
            requests.post(f"{address}/v1/matches", data=MAT, headers=sent, timeout=60) for _ in range(2)
        )
        assert (first.status_code, again.content) == (202, first.content)
        assert again.headers["Idempotency-Replayed"] == "true"
        secret = key.rpartition("_")[2].encode()
        assert not any(secret in file.read_bytes() for file in tmp_path.glob("adjudicator.db*"))
    with served(tmp_path) as (address, lines):
        assert lines == []
        assert get(address, key).headers["RateLimit"].startswith('"reads";r=')
        ended = subprocess.run(
            [*COMMAND, "keys", "revoke", key[4:30], "--json"],
            env=environment(tmp_path),
            capture_output=True,
            check=True,
        )
        assert json.loads(ended.stdout)["keys"][0]["state"] == "revoked"
        wait_until(lambda: get(address, key).status_code == 401, REVOKED_WITHIN_S)


def test_of_many_requests_at_once_under_one_key_one_is_carried_out(tmp_path: Path) -> None:
    with served(tmp_path, KEYS="open") as (address, _):

        def submit(_: int) -> requests.Response:
            wish = {"label": "once", "scopes": ["read"]}
            return requests.post(
                f"{address}/v1/keys", json=wish, headers={"Idempotency-Key": "k"}, timeout=60
            )

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(submit, range(24)))
        assert {answer.status_code for answer in answers} <= {201, 409}
        first = [answer for answer in answers if "key" in answer.json()]
        assert len(first) == 1
        listed = requests.get(f"{address}/v1/keys", timeout=60).json()["keys"]
        assert [key["id"] for key in listed] == [first[0].json()["id"]]


def test_an_open_door_asks_for_no_key_and_prints_none(tmp_path: Path) -> None:
    with served(tmp_path, KEYS="open") as (address, lines):
        assert lines == []
        assert get(address, None).status_code == 200
        foreign = requests.get(f"{address}/v1/engines", headers={"Host": "evil.example"}, timeout=60)
        assert foreign.status_code == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 - it is refused
def test_an_open_door_is_refused_where_others_could_come_in(tmp_path: Path, host: str) -> None:
    ended = subprocess.run(
        [*COMMAND, "serve", "--host", host, "--port", str(free_port())],
        env=environment(tmp_path, KEYS="open"),
        capture_output=True,
        text=True,
        timeout=START_LIMIT_S,
        check=False,
    )
    assert ended.returncode == 2
    assert "ADJUDICATOR_KEYS is 'open'" in ended.stderr
    assert list(tmp_path.iterdir()) == []
