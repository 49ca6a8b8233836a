"""Judges plays by an engine and by the chances under the modifier, as normalised equities (HE-7.1)."""

from collections.abc import Sequence

from adjudicator.happy_end.equity import outcome_worths
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import Engine, Estimator
from adjudicator.rules.board import Position
from adjudicator.rules.cube import Cube
from adjudicator.rules.plays import Play
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side

ENGINE_DIGITS = 6
"""Decimals of an engine's equity that count: its nets answer in single precision, whose last bits differ
between processors."""

MODIFIER_DIGITS = 12
"""Decimals of an equity under the modifier that count; plays are equal to 1e-9 (HE-7.4)."""


class ModifierJudge:
    """Judges the plays of one game under the modifier, at its terms and with its cube.

    Equities are rounded before anything is decided by them, so that a result holds just what decided.
    """

    def __init__(self, estimator: Estimator, terms: GameTerms, cube: Cube) -> None:
        self._estimator = estimator
        self._worths = {side: outcome_worths(terms, cube, side) for side in Side}

    def chances(self, position: Position) -> Outcomes:
        """The chances under the modifier of the side that just played, by which the position is seen."""
        return self._estimator.estimate([position])[0]

    def modifier_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:
        """What each play is worth under the modifier, of the side that makes it."""
        return self._equities(side, self._estimator.estimate(_results(plays)), MODIFIER_DIGITS)

    def _equities(self, side: Side, chances: Sequence[Outcomes], digits: int) -> list[float]:
        worths = self._worths[side]
        return [round(worths.equity(outcomes), digits) + 0.0 for outcomes in chances]  # never -0.0


class EngineJudge(ModifierJudge):
    """Judges by an engine as well, and hears others besides."""

    def __init__(
        self,
        engine: Engine,
        estimator: Estimator,
        terms: GameTerms,
        cube: Cube,
        cross_engines: Sequence[Engine] = (),
    ) -> None:
        super().__init__(estimator, terms, cube)
        self._engine = engine
        self._cross_engines = cross_engines

    def engine_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:
        """What the engine thinks of each play, of the side that makes it.

        Raises: EngineFailureError, EngineUnavailableError.
        """
        return self._asked(self._engine, side, plays)

    def cross_equities(self, side: Side, plays: Sequence[Play]) -> dict[str, list[float]]:
        """What the engines asked besides, by name, think of each play.

        Raises: EngineFailureError, EngineUnavailableError.
        """
        return {engine.identity.name: self._asked(engine, side, plays) for engine in self._cross_engines}

    def _asked(self, engine: Engine, side: Side, plays: Sequence[Play]) -> list[float]:
        return self._equities(side, engine.evaluate(_results(plays)), ENGINE_DIGITS)


def _results(plays: Sequence[Play]) -> list[Position]:
    return [play.result for play in plays]
