"""Engines whose answers and failures are counted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from adjudicator.errors import AdjudicatorError, EngineFailureError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import Engine, EngineIdentity
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position
from adjudicator.service.meter import Meter
from adjudicator.service.offer import Offer, OfferedEngine

LEFT_ALONE = "left_alone"
"""Counted where an engine that kept failing was not even asked."""


class MeteredEngine:
    """Keeps the ``Engine`` port: another engine, known by ``name``, and what it does told to a meter."""

    def __init__(self, engine: Engine, name: str, meter: Meter) -> None:
        self._engine = engine
        self._name = name
        self._meter = meter

    @property
    def identity(self) -> EngineIdentity:
        """See ``Engine.identity``."""
        return self._engine.identity

    @property
    def variants(self) -> tuple[str, ...]:
        """See ``Engine.variants``."""
        return self._engine.variants

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """See ``Engine.evaluate``."""
        began = time.perf_counter()
        try:
            outcomes = self._engine.evaluate(positions)
        except AdjudicatorError as error:
            self._meter.engine_failed(self._name, _reason(error))
            raise
        self._meter.engine_answered(self._name, len(positions), time.perf_counter() - began)
        return outcomes

    def close(self) -> None:
        """See ``Engine.close``."""
        self._engine.close()


def metered(offer: Offer, meter: Meter) -> Offer:
    """The same offer, with all its engines counted."""
    return replace(
        offer, engines={name: _metered(offered, name, meter) for name, offered in offer.engines.items()}
    )


def _metered(offered: OfferedEngine, name: str, meter: Meter) -> OfferedEngine:
    under: Callable[[Finish], Engine] | None = None
    if (given := offered.under) is not None:

        def under(finish: Finish) -> Engine:
            return MeteredEngine(given(finish), name, meter)

    return replace(offered, engine=MeteredEngine(offered.engine, name, meter), under=under)


def _reason(error: AdjudicatorError) -> str:
    return LEFT_ALONE if isinstance(error, EngineFailureError) and error.rest_s else error.code
