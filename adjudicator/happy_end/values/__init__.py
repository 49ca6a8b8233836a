"""Chances under the modifier: what is solved, what is estimated, and how well: see ``docs/values.md``."""

from pathlib import Path

from adjudicator.happy_end.ports import Estimator
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.estimator import IDENTITY, ModifierTables
from adjudicator.happy_end.values.storage import load_tables

__all__ = ["IDENTITY", "load_estimator"]


def load_estimator(finish: Finish, cache_dir: Path | None) -> Estimator:
    """The estimator for a finish, its tables read from ``cache_dir`` or solved now (seconds) and kept there.

    ``None`` keeps nothing.
    """
    return ModifierTables(load_tables(finish, cache_dir), finish)
