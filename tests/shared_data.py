"""The facts and records that lie beside the project, worked out by other programs; not part of it."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2] / "shared" / "data"
IS_HERE = ROOT.is_dir()

needs_shared_data = pytest.mark.skipif(not IS_HERE, reason="shared/data does not lie beside the project")


def load_json(name: str, default: Any) -> Any:
    """What that file holds, the default where the data are absent (its tests are skipped then)."""
    return json.loads((ROOT / name).read_text("utf-8")) if IS_HERE else default
