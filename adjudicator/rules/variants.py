"""The games that are known, as data."""

from dataclasses import dataclass

from adjudicator.rules.board import Checkers, Position, checkers_from


@dataclass(frozen=True, slots=True)
class Variant:
    """One game: its name in records, how many checkers a side has, and the standard start (both alike)."""

    name: str
    checkers_per_side: int
    start_checkers: Checkers

    @property
    def start(self) -> Position:
        """The standard start."""
        return Position(self.start_checkers, self.start_checkers)


BACKGAMMON = Variant("backgammon", 15, checkers_from({24: 2, 13: 5, 8: 3, 6: 5}, 15))
NACKGAMMON = Variant("nackgammon", 15, checkers_from({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, 15))
HYPERGAMMON = Variant("hypergammon", 3, checkers_from({24: 1, 23: 1, 22: 1}, 3))

VARIANTS = {variant.name: variant for variant in (BACKGAMMON, NACKGAMMON, HYPERGAMMON)}
