"""The embedded queue server, run for real."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from adjudicator.errors import ConfigurationError
from adjudicator.jobs.embedded import LONGEST_SOCKET_PATH, EmbeddedQueue
from tests.queue_server import wait_ready

HOLD = """
import sys, time
from pathlib import Path
from adjudicator.jobs.embedded import EmbeddedQueue
with EmbeddedQueue(Path(sys.argv[1])).held():
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def running(queue: EmbeddedQueue) -> Iterator[redis.Redis]:
    with subprocess.Popen(queue.command()) as server:
        wait_ready(queue)
        with redis.Redis.from_url(queue.url) as client:
            yield client
        server.terminate()


def test_what_is_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    queue = EmbeddedQueue(tmp_path / "queue")
    with queue.held():
        with running(queue) as client:
            client.rpush("list", *range(100))
            process_id = client.info("server")["process_id"]
            subprocess.run(["kill", "-9", str(process_id)], check=True)
        with running(queue) as client:
            assert client.llen("list") == 100


def test_it_listens_in_its_folder_only_and_for_its_owner_only(tmp_path: Path) -> None:
    queue = EmbeddedQueue(tmp_path / "queue")
    with queue.held(), running(queue) as client:
        assert client.config_get("port") == {"port": "0"}
        assert queue.socket.stat().st_mode & 0o777 == 0o700
        assert queue.folder.stat().st_mode & 0o777 == 0o700
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


@pytest.mark.parametrize("name", ["x" * 120, "with space & 100%"])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    queue = EmbeddedQueue(tmp_path / name)
    assert len(str(queue.socket)) <= LONGEST_SOCKET_PATH
    with queue.held(), running(queue) as client:
        assert client.ping()
    assert EmbeddedQueue(tmp_path / name).url == queue.url


def test_a_folder_in_use_is_refused_with_the_process_that_uses_it(tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(ConfigurationError, match=f"in use by another service .process {holder.pid}."):
            EmbeddedQueue(folder).held().__enter__()
        holder.kill()
    with EmbeddedQueue(folder).held():
        pass


def test_a_server_that_a_killed_service_left_behind_is_ended(tmp_path: Path) -> None:
    queue = EmbeddedQueue(tmp_path / "queue")
    with queue.held():
        orphan = subprocess.Popen(queue.command())
        wait_ready(queue)
    with queue.held():
        assert orphan.wait(10) == 0


def test_a_machine_without_a_server_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudicator.jobs.embedded._wheel_program", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"install Valkey or Redis .* or set ADJUDICATOR_REDIS_URL"):
        EmbeddedQueue(tmp_path).command()


def test_a_server_on_the_path_is_the_second_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.jobs.embedded._wheel_program", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / "redis-server"
    program.touch(mode=0o755)
    assert EmbeddedQueue(tmp_path).command()[0] == str(program)
