"""GNU Backgammon's neural networks, from the package ``gnubg-nn``.

Source: https://github.com/StonesAndDice/gnubg-nn-pypi (GPL-3.0). Its habits, measured with 1.1.0a11:

- ``probabilities([opponent, on_roll], plies)`` takes 25 counts a side, points 1 to 24 and then the bar, and
  answers for the side on roll, wins inclusive of gammons and those of backgammons.
- Nothing is checked: too many checkers or a finished game give garbage, a negative count a SystemError.
- An answer does not depend on what was asked before, to the last bit (3,000 positions in several orders and
  processes), though there are caches inside.
- The wheel for Linux x86_64 uses no instruction beyond the baseline of its architecture and chooses nothing
  by the type of the CPU, so there every machine gives the same bits. Wheels of other platforms are other
  compilations of sums of 32-bit floats, and may differ by some 1e-7. Answers are rounded to ``DECIMALS``,
  which is a hundred times finer than what is told apart (HE-7.3) and makes most such differences vanish; it
  cannot make all vanish, so a promise of equal bytes holds for one version on one platform.
"""

from collections.abc import Sequence

from adjudicator.engines.answers import DECIMALS, rounded
from adjudicator.engines.packages import EnginePackage
from adjudicator.engines.questions import VARIANT_NAMES, require_answerable, require_plies
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Checkers, Position

NAME = "gnubg-nn"
PACKAGE = EnginePackage(name=NAME, module="gnubg_nn", requirement=NAME)


def identity(plies: int = 0) -> EngineIdentity:
    """Which build answers at this depth; nothing is imported or started.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """
    require_plies(plies)
    return EngineIdentity(NAME, PACKAGE.version(), {"plies": plies, "decimals": DECIMALS})


class GnubgNnEngine:
    """The networks in this very process: made in the engine process, never in a service's own.

    Native code cannot be interrupted and takes the process with it when it crashes (``engines.host``).

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """

    variants = VARIANT_NAMES

    def __init__(self, plies: int = 0) -> None:
        self._identity = identity(plies)
        self._plies = plies
        try:
            import gnubg_nn  # noqa: PLC0415 (loads 50 MB and native code: only where the engine runs)
        except ImportError as error:
            raise PACKAGE.unloadable(error) from error
        self._probabilities = gnubg_nn.probabilities

    @property
    def identity(self) -> EngineIdentity:
        """Which build this is."""
        return self._identity

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played (``own``), opponent to roll, in order.

        Raises: ValueError for an impossible or finished position; then nothing is asked.
        """
        require_answerable(positions)
        return [self._evaluate(position) for position in positions]

    def close(self) -> None:
        """Nothing is held."""

    def _evaluate(self, position: Position) -> Outcomes:
        on_roll = self._probabilities([_board(position.own), _board(position.opponent)], self._plies)
        return rounded(Outcomes(*on_roll).swapped())


def _board(checkers: Checkers) -> list[int]:
    return list(checkers[1:])
