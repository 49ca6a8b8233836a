"""An engine of another package, installed as anybody would, adjudicates without a change of ours."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.records import LAST_CHECKER_RECORD

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "adjudicator-example-engine"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that it is installed to, without a network; built from a copy, which a build writes to."""
    folder = tmp_path_factory.mktemp("example")
    source, target = folder / "source", folder / "target"
    (source / "adjudicator_example_engine").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "adjudicator_example_engine/__init__.py"):
        (source / name).write_bytes((EXAMPLE / name).read_bytes())
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)]
    subprocess.run(command, check=True, timeout=120)
    return target


def _run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(installed),
        "ADJUDICATOR_DATA_DIR": str(folder / "data"),
    }
    command = [sys.executable, "-m", "adjudicator.cli", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_it_adjudicates_and_the_result_can_be_verified(installed: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    record.write_bytes(LAST_CHECKER_RECORD)
    ended = _run(installed, tmp_path, "adjudicate", "--engine", "pip-count", "--json", str(record))
    assert ended.returncode == 0, ended.stderr
    result: dict[str, Any] = json.loads(ended.stdout)
    file = tmp_path / "result.json"
    file.write_text(ended.stdout)
    assert (result["engine"]["name"], result["engine"]["version"]) == ("pip-count", "1.0")
    assert result["engine"]["settings"]["plies"] == 0
    assert [game["status"] for game in result["games"]] == ["played_out"]
    verified = _run(installed, tmp_path, "verify", "--ask-engine", str(file), str(record))
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_where_it_is_not_installed_its_name_is_unknown(tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    record.write_bytes(LAST_CHECKER_RECORD)
    ended = _run(tmp_path, tmp_path, "adjudicate", "--engine", "pip-count", str(record))
    assert ended.returncode != 0
    assert "'pip-count' is not known here" in ended.stderr
