"""The estimator behind the port: exact tables, and trained nets for other races and for contact."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Chances, Places, Rows
from adjudicator.happy_end.values.contact import Fight
from adjudicator.happy_end.values.families import CHECKERS
from adjudicator.happy_end.values.net import load_net
from adjudicator.happy_end.values.race import Race
from adjudicator.happy_end.values.tables import Tables
from adjudicator.rules.board import Checkers, Position, count_on_board, highest_point

IDENTITY: Final = "modifier-tables/3"
"""Raised with every change that alters an answer."""


class ModifierTables:
    """Chances under the modifier by exact tables, and by trained nets for other races and for contact.

    Source: HE-7.3, HE-7.5, HE-7.6.
    """

    def __init__(self, tables: Tables, finish: Finish) -> None:
        race = Race(tables, load_net("race", finish))
        self.fight = Fight(tables, race, load_net("contact", finish), finish)

    @property
    def identity(self) -> str:
        """Name and number: whatever changes an answer raises the number."""
        return IDENTITY

    def estimate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played, one answer a position, in order.

        An answer does not depend on what else is asked.

        Raises: ValueError for a position in which no side is down to one checker, one has finished, or one
        has more than 15 checkers.
        """
        is_last_to_roll = np.array([_is_last_to_roll(position) for position in positions], dtype=np.bool_)
        answers: list[Outcomes] = [Outcomes(0.0, 0.0, 0.0, 0.0, 0.0)] * len(positions)
        played = np.flatnonzero(is_last_to_roll).tolist()
        if played:
            sides = [(positions[number].own, positions[number].opponent) for number in played]
            chances = self.fight.after_turn(*_arrays(sides))
            for number, (win, first_off, escaped) in zip(played, _by_position(chances), strict=True):
                answers[number] = Outcomes(win, 0.0, 0.0, 1.0 - first_off, 1.0 - escaped)
        to_roll = np.flatnonzero(~is_last_to_roll).tolist()
        if to_roll:
            sides = [(positions[number].opponent, positions[number].own) for number in to_roll]
            chances = self.fight.on_roll(*_arrays(sides))
            for number, (win, first_off, escaped) in zip(to_roll, _by_position(chances), strict=True):
                answers[number] = Outcomes(1.0 - win, 1.0 - first_off, 1.0 - escaped, 0.0, 0.0)
        return answers


def _is_last_to_roll(position: Position) -> bool:
    """Whether the side to roll is the one with a single checker.

    Raises: ValueError.
    """
    own, opponent = (count_on_board(checkers) for checkers in position)
    if 1 not in (own, opponent) or 0 in (own, opponent):
        raise ValueError(f"{own} and {opponent} checkers on the board: one side must have one left")
    if max(own, opponent) > CHECKERS:
        raise ValueError(f"{max(own, opponent)} checkers on the board, 1 to {CHECKERS} are possible")
    return opponent == 1


def _arrays(sides: Sequence[tuple[Checkers, Checkers]]) -> tuple[Rows, Places]:
    """The boards of the sides with more checkers, and the points of the last ones."""
    rows = np.array([many for many, _ in sides], dtype=np.int8)
    return rows, np.array([highest_point(last) for _, last in sides], dtype=np.intp)


def _by_position(chances: Chances) -> list[list[float]]:
    listed: list[list[float]] = np.stack(chances, axis=1).tolist()
    return listed
