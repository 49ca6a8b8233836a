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

import platform
import sys
from collections.abc import Sequence
from importlib import metadata, util

from adjudicator.engines.questions import require_answerable
from adjudicator.errors import EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Checkers, Position
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON

NAME = "gnubg-nn"
PLIES = (0, 1, 2)
"""The depths that are offered: about 70,000, 300 and 20 contact positions a second on one core."""
CHECKERS_PER_SIDE = 15
VARIANT_NAMES = (BACKGAMMON.name, NACKGAMMON.name)
DECIMALS = 5

_MODULE = "gnubg_nn"


def installed_version() -> str:
    """The version of the installed package; nothing is imported or started.

    Raises: EngineUnavailableError that says what to do.
    """
    try:
        version = metadata.version(NAME)
    except metadata.PackageNotFoundError:
        version = ""
    if not version or util.find_spec(_MODULE) is None:
        here = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}"
        raise EngineUnavailableError(
            f"The package {NAME} is not installed for {here} {platform.machine()}. It is made for "
            "CPython 3.10 to 3.13 on Linux x86_64, macOS arm64 and Windows x86_64: use CPython 3.11 to 3.13 "
            f"there and run 'python -m pip install {NAME}', or choose another engine."
        )
    return version


def is_available() -> bool:
    """Whether the package is installed here; nothing is imported or started."""
    try:
        installed_version()
    except EngineUnavailableError:
        return False
    return True


def identity(plies: int = 0) -> EngineIdentity:
    """Which build answers at this depth; nothing is imported or started.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """
    if plies not in PLIES:
        raise ValueError(f"{NAME} looks 0, 1 or 2 plies ahead, not {plies!r}")
    return EngineIdentity(NAME, installed_version(), {"plies": plies, "decimals": DECIMALS})


class GnubgNnEngine:
    """The networks in this very process: made in the engine process, never in a service's own.

    Native code cannot be interrupted and takes the process with it when it crashes (``engines.host``).

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """

    def __init__(self, plies: int = 0) -> None:
        self._identity = identity(plies)
        self._plies = plies
        try:
            import gnubg_nn  # noqa: PLC0415 (loads 50 MB and native code: only where the engine runs)
        except ImportError as error:
            raise EngineUnavailableError(
                f"The package {NAME} is installed but does not load: {error}"
            ) from error
        self._probabilities = gnubg_nn.probabilities

    @property
    def identity(self) -> EngineIdentity:
        """Which build this is."""
        return self._identity

    @property
    def variants(self) -> tuple[str, ...]:
        """The games of 15 checkers a side that are played as backgammon is."""
        return VARIANT_NAMES

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played (``own``), opponent to roll, in order.

        Raises: ValueError for an impossible or finished position; then nothing is asked.
        """
        require_answerable(positions, CHECKERS_PER_SIDE)
        return [self._evaluate(position) for position in positions]

    def close(self) -> None:
        """Nothing is held."""

    def _evaluate(self, position: Position) -> Outcomes:
        on_roll = self._probabilities([_board(position.own), _board(position.opponent)], self._plies)
        return Outcomes(*(round(chance, DECIMALS) for chance in Outcomes(*on_roll).swapped()))


def _board(checkers: Checkers) -> list[int]:
    return list(checkers[1:])
