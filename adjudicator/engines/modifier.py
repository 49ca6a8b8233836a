"""The values under the modifier as an engine: the strongest play is decided by them alone."""

from collections.abc import Callable, Sequence

from adjudicator.engines.questions import VARIANT_NAMES, require_answerable
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity, Estimator
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position

NAME = "modifier"
TITLE = "The values under the modifier"
LICENCE = "GPL-3.0-or-later"


class ModifierEngine:
    """An ``Engine`` over the estimator that breaks ties, in this very process: no foreign code runs.

    It judges positions in which a side is down to one checker, those that the procedure asks about, and by
    the rules of the modifier with the given finish. ``load`` gives the estimator of a finish, ``version`` the
    identity that all of them have, without loading any.
    """

    variants = VARIANT_NAMES

    def __init__(self, load: Callable[[Finish], Estimator], version: str, finish: Finish) -> None:
        self._load = load
        self._identity = EngineIdentity(NAME, version, {})
        self._finish = finish

    @property
    def identity(self) -> EngineIdentity:
        """The estimator's; a result names the finish with its ruleset."""
        return self._identity

    def under(self, finish: Finish) -> "ModifierEngine":
        """The same engine for another way to finish."""
        return ModifierEngine(self._load, self._identity.version, finish)

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances under the modifier of the side that just played (``own``), opponent to roll, in order.

        Raises: ValueError for an impossible or finished position, or one without a last checker.
        """
        require_answerable(positions)
        return self._load(self._finish).estimate(positions)

    def close(self) -> None:
        """Nothing is held."""
