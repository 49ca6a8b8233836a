"""An engine that knows pip counts only: whoever has fewer pips to go is ahead."""

from collections.abc import Sequence
from importlib.metadata import version

from adjudicator.engines.description import EngineDescription, EngineSetting
from adjudicator.engines.questions import require_answerable
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Position, pip_count

NAME = "pip-count"
HALF_A_ROLL = 4


def identity(plies: int = 0) -> EngineIdentity:
    """Which build answers; nothing is started."""
    return EngineIdentity(NAME, version("adjudicator-example-engine"), {"plies": plies})


class PipCountEngine:
    """Made in the engine process, with the settings as keywords."""

    def __init__(self, plies: int = 0) -> None:
        self._identity = identity(plies)

    @property
    def identity(self) -> EngineIdentity:
        """Which build this is."""
        return self._identity

    @property
    def variants(self) -> tuple[str, ...]:
        """The games it judges."""
        return DESCRIPTION.variants

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played (``own``), its opponent to roll, in order.

        Raises: ValueError for an impossible or finished position.
        """
        require_answerable(positions)
        return [_chances(position) for position in positions]

    def close(self) -> None:
        """Nothing is held."""


def _chances(position: Position) -> Outcomes:
    """No gammons; the side on roll is half a roll ahead of what it has to go."""
    own, opponent = pip_count(position.own), max(0, pip_count(position.opponent) - HALF_A_ROLL)
    return Outcomes(opponent / (own + opponent), 0.0, 0.0, 0.0, 0.0)


DESCRIPTION = EngineDescription(
    name=NAME,
    title="Pip counts only, an example",
    licence="GPL-3.0-or-later",
    factory="adjudicator_example_engine:PipCountEngine",
    identify=identity,
    settings=(EngineSetting("plies", "how many rolls it looks ahead", 0, (0,)),),
)
