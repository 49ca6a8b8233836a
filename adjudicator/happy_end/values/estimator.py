"""The estimator behind the port: exact tables where they reach, stated estimates elsewhere."""

from collections.abc import Sequence
from typing import Final

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.contact import Fight
from adjudicator.happy_end.values.duel import duel_slot
from adjudicator.happy_end.values.race import Race
from adjudicator.happy_end.values.tables import Tables
from adjudicator.rules.board import Position, count_on_board, highest_point

IDENTITY: Final = "modifier-tables/1"
"""Raised with every change that alters an answer."""


class ModifierTables:
    """Chances under the modifier by exact tables, a race estimate and a first estimate of contact.

    Source: HE-7.3, HE-7.5, HE-7.6.
    """

    def __init__(self, tables: Tables, finish: Finish) -> None:
        self._fight = Fight(Race(tables, finish), finish)
        self._duel = tables.duel

    @property
    def identity(self) -> str:
        """Name and number: whatever changes an answer raises the number."""
        return IDENTITY

    def estimate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played, one answer a position, in order.

        Raises: ValueError for a position in which no side is down to one checker, one has finished, or one
        has more than 15 checkers.
        """
        return [self._estimate(position) for position in positions]

    def _estimate(self, position: Position) -> Outcomes:
        own, opponent = position
        counts = count_on_board(own), count_on_board(opponent)
        if 1 not in counts or 0 in counts:
            raise ValueError(
                f"{counts[0]} and {counts[1]} checkers on the board: one side must have one left"
            )
        if counts == (1, 1):
            on_roll = float(self._duel[duel_slot(highest_point(opponent), highest_point(own))])
            return Outcomes(1.0 - on_roll, 0.0, 0.0, 0.0, 0.0)
        if counts[1] == 1:
            chances = self._fight.after_turn(own, highest_point(opponent))
            return Outcomes(chances.win, 0.0, 0.0, 1.0 - chances.first_off, 1.0 - chances.escaped)
        chances = self._fight.on_roll(opponent, highest_point(own))
        return Outcomes(1.0 - chances.win, 1.0 - chances.first_off, 1.0 - chances.escaped, 0.0, 0.0)
