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

from collections.abc import Sequence

from adjudicator.engines.answers import DECIMALS, rounded
from adjudicator.engines.packages import EnginePackage
from adjudicator.engines.questions import PLIES, VARIANT_NAMES, require_answerable, require_plies
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.notation.signed_counts import signed_counts
from adjudicator.rules.board import Position

NAME = "sage"
PACKAGE = EnginePackage(name="bgsage", module="bgsage", requirement="adjudicator[sage]")
LEVELS = dict(zip(PLIES, ("1ply", "2ply", "3ply"), strict=True))
"""Its names of the depths that are offered."""


def identity(plies: int = 0) -> EngineIdentity:
    """Which build answers at this depth; nothing is imported or started.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """
    require_plies(plies)
    return EngineIdentity(NAME, PACKAGE.version(), {"plies": plies, "decimals": DECIMALS})


class SageEngine:
    """Open Sage in this very process: made in the engine process, never in a service's own.

    Raises: ValueError for a depth that is not offered, EngineUnavailableError.
    """

    variants = VARIANT_NAMES

    def __init__(self, plies: int = 0) -> None:
        self._identity = identity(plies)
        try:
            # 50 MB and native code: only where it runs
            from bgsage import BgBotAnalyzer  # type: ignore[import-untyped]  # noqa: PLC0415
        except ImportError as error:
            raise PACKAGE.unloadable(error) from error
        self._analyzer = BgBotAnalyzer(eval_level=LEVELS[plies], cubeful=False, parallel_threads=1)

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
        chances = self._analyzer.post_move_analytics(
            _board(position), cube_owner="centered", jacoby=False
        ).probs
        return rounded(Outcomes(*chances.to_list()))


def _board(position: Position) -> list[int]:
    opponents_bar, *rest = signed_counts(position)
    return [-opponents_bar, *rest]
