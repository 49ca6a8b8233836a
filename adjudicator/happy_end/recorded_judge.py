"""A judge that knows of the engine's opinion only what a result holds: for verifying without the engine."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from adjudicator.happy_end.judge import ModifierJudge
from adjudicator.happy_end.ports import Estimator
from adjudicator.notation.play_text import format_play
from adjudicator.rules.cube import Cube
from adjudicator.rules.plays import Play
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side

UNKNOWN_EQUITY = -1000.0
"""Stands for the equity of a legal play that a result does not hold, so that it is seen as a difference."""


class RecordedTurn(NamedTuple):
    """The engines' equities in one turn of a result, by play: the engine's, and of those asked besides."""

    equities: Mapping[str, float]
    cross_equities: Mapping[str, Mapping[str, float]]


_NOTHING = RecordedTurn({}, {})


class RecordedJudge(ModifierJudge):
    """Takes the engines' equities from the turns of a result, in order; values under the modifier are new."""

    def __init__(
        self,
        recorded: Sequence[RecordedTurn],
        estimator: Estimator,
        terms: GameTerms,
        cube: Cube,
        cross_engines: Sequence[str] = (),
    ) -> None:
        super().__init__(estimator, terms, cube)
        self._recorded = iter(recorded)
        self._turn = _NOTHING
        self._cross_engines = cross_engines

    def engine_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:  # noqa: ARG002
        """The recorded equity of each play, of the side that makes it."""
        self._turn = next(self._recorded, _NOTHING)
        return _looked_up(self._turn.equities, plays)

    def cross_equities(self, side: Side, plays: Sequence[Play]) -> dict[str, list[float]]:  # noqa: ARG002
        """What the engines asked besides thought of the plays whose equities were looked up last."""
        return {
            name: _looked_up(self._turn.cross_equities.get(name, {}), plays) for name in self._cross_engines
        }


def _looked_up(recorded: Mapping[str, float], plays: Sequence[Play]) -> list[float]:
    return [recorded.get(format_play(play.steps), UNKNOWN_EQUITY) for play in plays]


def recorded_turns(game: Mapping[str, Any]) -> list[RecordedTurn]:
    """The engines' equities in one game of a result, for each turn in which plays were compared.

    Raises: KeyError, TypeError, ValueError, AttributeError for a game that is no game of a result.
    """
    compared = [turn["candidates"] for turn in game.get("playout", {}).get("turns", ()) if turn["candidates"]]
    return [_recorded_turn(candidates) for candidates in compared]


def _recorded_turn(candidates: Sequence[Mapping[str, Any]]) -> RecordedTurn:
    cross: dict[str, dict[str, float]] = {}
    for candidate in candidates:
        for name, equity in candidate.get("cross_equities", {}).items():
            cross.setdefault(str(name), {})[str(candidate["play"])] = float(equity)
    equities = {str(candidate["play"]): float(candidate["equity"]) for candidate in candidates}
    return RecordedTurn(equities, cross)
