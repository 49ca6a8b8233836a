"""``adjudicator demo`` from outside: everything starts, works and is gone again."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.engines import gnubg_nn
from adjudicator.reports.text import format_report

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
LIMIT_S = 180
OF_ANOTHER_SERVICE = {"ADJUDICATOR_REDIS_URL": "redis://nowhere.invalid", "ADJUDICATOR_WORKERS": "0"}

pytestmark = pytest.mark.skipif(
    not gnubg_nn.PACKAGE.is_installed(), reason="gnubg-nn is not made for this Python"
)


def _run_demo(folder: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "adjudicator.cli", "demo", *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env={**os.environ, **OF_ANOTHER_SERVICE, "TMPDIR": str(folder)},
    )


def _commands_with(text: str) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if text in line]


def test_the_demo_adjudicates_over_http_and_leaves_nothing_running(tmp_path: Path) -> None:
    done = _run_demo(tmp_path, "--examples", EXAMPLES, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    address = re.search(r"http://127\.0\.0\.1:(\d+)", done.stdout)
    assert address
    assert _commands_with(f":{address.group(1)} ") == []
    assert list(tmp_path.glob("adjudicator-demo-*")) == []
    assert _commands_with(str(tmp_path)) == []
    assert re.search(r"^with the key adj_k[a-z2-7]{25}_[\w-]{43}$", done.stdout, re.MULTILINE)
    records = sorted(EXAMPLES.glob("*.mat"))
    assert re.findall(r"^(match-\d+\.mat)$", done.stdout, re.MULTILINE) == [record.name for record in records]
    assert {"changed", "stands"} <= set(done.stdout.split())
    for record in records:
        result = json.loads((tmp_path / "out" / f"{record.stem}.json").read_bytes())
        assert result["status"] == "done"
        assert (tmp_path / "out" / f"{record.stem}.txt").read_text(encoding="utf-8") == format_report(result)


def test_a_folder_without_matches_is_said_before_anything_starts(tmp_path: Path) -> None:
    done = _run_demo(tmp_path, "--examples", tmp_path, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "holds no .mat file" in done.stderr
    assert not (tmp_path / "out").exists()
