"""Chances under the modifier: what is solved, what is estimated, and how well: see ``docs/values.md``."""

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.estimator import IDENTITY, ModifierTables
from adjudicator.happy_end.values.tables import Tables, build_tables

__all__ = ["IDENTITY", "ModifierTables", "Tables", "build_tables", "solve_estimator"]


def solve_estimator(finish: Finish) -> ModifierTables:
    """The estimator for a finish, its tables solved now: a few seconds."""
    return ModifierTables(build_tables(finish), finish)
