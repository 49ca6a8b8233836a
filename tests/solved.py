"""The tables and estimators under test, solved once a run: never read from a cache that older code wrote."""

from functools import cache
from typing import NamedTuple

import numpy as np

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values import ModifierTables
from adjudicator.happy_end.values.net import load_net
from adjudicator.happy_end.values.race import Race
from adjudicator.happy_end.values.tables import Tables, build_tables
from adjudicator.rules.board import Checkers


class RaceChances(NamedTuple):
    """The chances of one position, as ``Chances``."""

    win: float
    first_off: float
    escaped: float

    @property
    def points(self) -> float:
        """The expected points."""
        return 2 * self.win + self.first_off + self.escaped - 3


@cache
def solved_tables(finish: Finish) -> Tables:
    """The tables of that finish."""
    return build_tables(finish)


@cache
def solved_race(finish: Finish) -> Race:
    """Chances against a frozen last checker that is passed."""
    return Race(solved_tables(finish), load_net("race", finish))


@cache
def solved_estimator(finish: Finish) -> ModifierTables:
    """The whole estimator."""
    return ModifierTables(solved_tables(finish), finish)


def race_chances(finish: Finish, checkers: Checkers) -> RaceChances:
    """The chances with these checkers on roll against a frozen last checker that is passed."""
    chances = solved_race(finish).chances(np.array([checkers], dtype=np.int8))
    return RaceChances(*[float(array[0]) for array in chances])
