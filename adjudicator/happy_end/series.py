"""The dice series: the game's own dice, reused from the roll number on (HE-3, HE-4)."""

from dataclasses import dataclass

from adjudicator.happy_end.ruleset import Numbering
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, GameRecord, RollRecord, rows_of_game


@dataclass(frozen=True, slots=True)
class DiceSeries:
    """All rolls of a game in the order they were made, and the roll the series starts with, from 1."""

    rolls: tuple[Dice, ...]
    first_roll: int

    @property
    def last_roll(self) -> Dice:
        """The last recorded roll of the game, which gives the roll number."""
        return self.rolls[-1]

    @property
    def roll_number(self) -> int:
        """The sum of the last roll's two dice, 2 to 12 (HE-3.1)."""
        return self.last_roll.total

    def roll_at(self, turn: int) -> int:
        """Which roll of the game, from 1, the playout's turn uses; turns count from 0, without end (HE-4.2).

        >>> DiceSeries((Dice(3, 1), Dice(2, 2), Dice(6, 5)), 3).roll_at(1)
        1
        """
        return (self.first_roll - 1 + turn) % len(self.rolls) + 1

    def roll_after(self, roll: int) -> int:
        """The roll of the game, from 1, that the series goes on with after that one."""
        return roll % len(self.rolls) + 1

    def dice_of(self, roll: int) -> Dice:
        """The dice of that roll of the game, which counts from 1."""
        return self.rolls[roll - 1]


def dice_series(game: GameRecord, numbering: Numbering) -> DiceSeries:
    """The dice series of a game that holds at least one roll.

    Raises: ValueError for a game without rolls.
    """
    rolls = tuple(roll.dice for roll in game.rolls)
    if not rolls:
        raise ValueError("a game without rolls has no dice series")
    number = rolls[-1].total
    if numbering is Numbering.MOVE:
        starts = _first_roll_of_lines(game)
        return DiceSeries(rolls, starts[(number - 1) % len(starts)])
    return DiceSeries(rolls, (number - 1) % len(rolls) + 1)


def _first_roll_of_lines(game: GameRecord) -> list[int]:
    """For every line of the transcript the first roll, from 1, in that line or after it (HE-4.1)."""
    entries = [action for action in game.actions if isinstance(action, RollRecord | CubeRecord)]
    starts: list[int] = []
    rolls_before = 0
    line = None
    for entry, row in zip(entries, rows_of_game(entries), strict=True):
        if row != line:
            line = row
            starts.append(rolls_before % len(game.rolls) + 1)
        rolls_before += isinstance(entry, RollRecord)
    return starts
