"""The chances of how a game ends."""

import math
from typing import NamedTuple


class Outcomes(NamedTuple):
    """Five chances from one side's viewpoint, gammons inclusive of backgammons.

    ``win`` + chance to lose = 1; ``win_gammon`` is part of ``win``, ``win_backgammon`` part of that; the
    same for losses.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    def swapped(self) -> "Outcomes":
        """The same chances from the other side's viewpoint."""
        return Outcomes(
            1.0 - self.win, self.lose_gammon, self.lose_backgammon, self.win_gammon, self.win_backgammon
        )

    def is_sound(self, tolerance: float = 1e-4) -> bool:
        """Whether these are chances at all: finite, within 0 and 1, parts no larger than their whole."""
        if not all(math.isfinite(chance) and -tolerance <= chance <= 1 + tolerance for chance in self):
            return False
        return (
            self.win_backgammon <= self.win_gammon + tolerance
            and self.win_gammon <= self.win + tolerance
            and self.lose_backgammon <= self.lose_gammon + tolerance
            and self.lose_gammon <= 1.0 - self.win + tolerance
        )
