"""A judge that knows of the engine's opinion only what a result holds: for verifying without the engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.happy_end.judge import ModifierJudge
from adjudicator.happy_end.ports import Estimator
from adjudicator.notation.play_text import format_play
from adjudicator.rules.cube import Cube
from adjudicator.rules.plays import Play
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side

UNKNOWN_EQUITY = -1000.0
"""Stands for the equity of a legal play that a result does not hold, so that it is seen as a difference."""


class RecordedJudge(ModifierJudge):
    """Takes the engine's equities from the turns of a result, in order; values under the modifier are new."""

    def __init__(
        self, recorded: Sequence[Mapping[str, float]], estimator: Estimator, terms: GameTerms, cube: Cube
    ) -> None:
        super().__init__(estimator, terms, cube)
        self._recorded = iter(recorded)

    def engine_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:  # noqa: ARG002
        """The recorded equity of each play, of the side that makes it."""
        recorded = next(self._recorded, {})
        return [recorded.get(format_play(play.steps), UNKNOWN_EQUITY) for play in plays]


def recorded_equities(game: Mapping[str, Any]) -> list[dict[str, float]]:
    """The engine's equities in one game of a result, by play, for each turn in which plays were compared.

    Raises: KeyError, TypeError, ValueError for a game that is no game of a result.
    """
    compared = [turn["candidates"] for turn in game.get("playout", {}).get("turns", ()) if turn["candidates"]]
    return [
        {str(candidate["play"]): float(candidate["equity"]) for candidate in candidates}
        for candidates in compared
    ]
