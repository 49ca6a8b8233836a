"""Open Sage, from the package ``bgsage``.

Source: https://github.com/markbgsage/bgsage (MPL-2.0, weights included). Its habits, seen with 2.0.20260907:

- Its N-ply is what this project, as GNU Backgammon, calls N - 1: depth 0 here is its ``1ply``.
- A board has 26 counts, the mover's positive from its point 1 on; ``[25]`` is the mover's bar, ``[0]`` the
  opponent's, positive too. ``post_move_analytics`` judges for the side that has just played.
- At depths 1 and 2 it picks the plays it looks ahead to as if the cube were in the middle; its public
  functions cannot be told that it is dead. The chances that are answered are those of played out games.
- A 16th checker is a crash at depth 1. A search starts threads, after which a fork never comes back: so it
  runs in an engine process, which starts nothing and forks nothing.
- Results may differ between types of CPU in the last digits.
"""

import platform
import sys
from collections.abc import Sequence
from importlib import metadata, util

from adjudicator.engines.questions import require_answerable
from adjudicator.errors import EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.notation.signed_counts import signed_counts
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON

NAME = "sage"
PACKAGE = "bgsage"
LEVELS = {0: "1ply", 1: "2ply", 2: "3ply"}
"""Its names of the depths that are offered."""
PLIES = tuple(LEVELS)
CHECKERS_PER_SIDE = 15
VARIANT_NAMES = (BACKGAMMON.name, NACKGAMMON.name)
DECIMALS = 5


def installed_version() -> str:
    """The version of the installed package; nothing is imported or started.

    Raises: EngineUnavailableError that says what to do.
    """
    try:
        version = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        version = ""
    if not version or util.find_spec(PACKAGE) is None:
        here = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}"
        raise EngineUnavailableError(
            f"The package {PACKAGE} is not installed for {here} {platform.machine()}. It is made for "
            "CPython 3.10 to 3.13 on Linux x86_64, macOS arm64 and Windows x86_64: run "
            "'python -m pip install adjudicator[sage]' there, or choose another engine."
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
    if plies not in LEVELS:
        raise ValueError(f"{NAME} looks 0, 1 or 2 plies ahead, not {plies!r}")
    return EngineIdentity(NAME, installed_version(), {"plies": plies, "decimals": DECIMALS})


class SageEngine:
    """Open Sage in this very process: made in the engine process, never in a service's own.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """

    def __init__(self, plies: int = 0) -> None:
        self._identity = identity(plies)
        try:
            # 50 MB and native code: only where it runs
            from bgsage import BgBotAnalyzer  # type: ignore[import-untyped]  # noqa: PLC0415
        except ImportError as error:
            raise EngineUnavailableError(
                f"The package {PACKAGE} is installed but does not load: {error}"
            ) from error
        self._analyzer = BgBotAnalyzer(eval_level=LEVELS[plies], cubeful=False, parallel_threads=1)

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
        chances = self._analyzer.post_move_analytics(
            _board(position), cube_owner="centered", jacoby=False
        ).probs
        return Outcomes(*(round(chance, DECIMALS) for chance in chances.to_list()))


def _board(position: Position) -> list[int]:
    opponents_bar, *rest = signed_counts(position)
    return [-opponents_bar, *rest]
