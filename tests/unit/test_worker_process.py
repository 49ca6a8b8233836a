"""The worker as a program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.bootstrap import require_service
from adjudicator.config import Settings
from adjudicator.errors import ConfigurationError


def test_a_worker_without_a_service_ends_and_says_what_is_missing(tmp_path: Path) -> None:
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("ADJUDICATOR_")}
    ended = subprocess.run(
        [sys.executable, "-m", "adjudicator.cli", "worker"],
        env={**inherited, "ADJUDICATOR_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert f"{tmp_path / 'adjudicator.db'} does not exist" in ended.stderr
    for cure in ("adjudicator serve", "ADJUDICATOR_DATABASE_URL", "ADJUDICATOR_REDIS_URL"):
        assert cure in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_service_may_be_elsewhere_or_be_still_to_come(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        require_service(Settings(data_dir=tmp_path))
    require_service(Settings(data_dir=tmp_path, database_url="postgresql://db/matches"))
    require_service(Settings(data_dir=tmp_path, redis_url="redis://queue"))
    (tmp_path / "adjudicator.db").touch()
    require_service(Settings(data_dir=tmp_path))
