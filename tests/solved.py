"""The tables and estimators under test, solved once a run: never read from a cache that older code wrote."""

from functools import cache

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values import ModifierTables
from adjudicator.happy_end.values.race import Race
from adjudicator.happy_end.values.tables import Tables, build_tables


@cache
def solved_tables(finish: Finish) -> Tables:
    """The tables of that finish."""
    return build_tables(finish)


@cache
def solved_race(finish: Finish) -> Race:
    """Chances against a frozen last checker that is passed."""
    return Race(solved_tables(finish), finish)


@cache
def solved_estimator(finish: Finish) -> ModifierTables:
    """The whole estimator."""
    return ModifierTables(solved_tables(finish), finish)
