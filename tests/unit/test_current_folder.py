"""Nothing that lies in the folder a person happens to stand in is imported by what we start."""

import os
import subprocess
from pathlib import Path

import pytest

from adjudicator.bootstrap import WORKER_COMMAND
from adjudicator.processes.leash import leashed


@pytest.mark.parametrize("command", [WORKER_COMMAND, leashed(WORKER_COMMAND)])
def test_a_worker_is_ours_wherever_it_is_started(command: tuple[str, ...], tmp_path: Path) -> None:
    for module in ("worker", "adjudicator", "redis"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit(33)")
    environment = {**os.environ, "ADJUDICATOR_DATA_DIR": str(tmp_path / "none")}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "There is no service to work for" in done.stderr
