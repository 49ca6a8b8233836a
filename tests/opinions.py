"""An engine and an estimator without opinions, and one adjudication as its JSON result."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from adjudicator.happy_end.adjudication import adjudicate
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import Engine, EngineIdentity, Estimator
from adjudicator.happy_end.result import format_result
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import Position, pip_count
from adjudicator.rules.variants import VARIANTS

EVEN = Outcomes(0.5, 0.1, 0.0, 0.1, 0.0)


class EvenEngine:
    """Gives every position the same chances, so that all plays are equal for the engine."""

    identity = EngineIdentity("even", "1")
    variants = tuple(VARIANTS)

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        return [EVEN] * len(positions)

    def close(self) -> None:
        """Nothing is held."""


class EvenEstimator:
    """Gives every position the same chances, so that HE-7.4 decides."""

    identity = "even/1"

    def estimate(self, positions: Sequence[Position]) -> list[Outcomes]:
        return [EVEN] * len(positions)


class PipEngine(EvenEngine):
    """Holds the side that leads by pips to win more, so that plays differ."""

    identity = EngineIdentity("pips", "1")

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        return [_by_pips(position) for position in positions]


def _by_pips(position: Position) -> Outcomes:
    lead_pips = pip_count(position.opponent) - pip_count(position.own)
    return Outcomes(0.5 + lead_pips / 2_000, 0.0, 0.0, 0.0, 0.0)


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def result_of(
    content: bytes,
    ruleset: Ruleset | None = None,
    *,
    engine: Engine | None = None,
    estimator: Estimator | None = None,
    cross_engines: Sequence[Engine] = (),
) -> dict[str, Any]:
    """The JSON result of that record, after a round trip through JSON text."""
    adjudication = adjudicate(
        read_log(content),
        ruleset or Ruleset(),
        engine or EvenEngine(),
        estimator or EvenEstimator(),
        cross_engines,
    )
    result = format_result(
        adjudication, adjudication_id="a1", match_id="m1", record_sha256=sha256_of(content)
    )
    loaded: dict[str, Any] = json.loads(json.dumps(result, allow_nan=False))
    assert loaded == result
    return loaded
