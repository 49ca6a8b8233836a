"""What the procedure asks of the outside: an engine's opinion, and chances under the modifier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.board import Position


@dataclass(frozen=True, slots=True)
class EngineIdentity:
    """Which engine build answered: part of every result. ``settings`` hold whatever changes its answers.

    ``cross_checks`` are the builds asked besides, which decide nothing.
    """

    name: str
    version: str
    settings: Mapping[str, int | float | str] = field(default_factory=dict)
    cross_checks: tuple["EngineIdentity", ...] = ()

    def __str__(self) -> str:
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        besides = "".join(f", cross-checked by {build}" for build in self.cross_checks)
        return f"{self.name} {self.version}{f' ({settings})' if settings else ''}{besides}"


class Engine(Protocol):
    """An engine judges positions, by the ordinary rules unless it says otherwise; never what is legal."""

    @property
    def identity(self) -> EngineIdentity:
        """Which build this is.

        Raises: EngineUnavailableError; EngineFailureError where it cannot be known just now.
        """

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the games it can judge."""

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played, one answer a position, in order.

        Each position is seen by the side that has just played (``own``); its opponent is to roll. The same
        positions get the same answers.

        Raises: ValueError for a position that is impossible or finished, or, where the engine judges those of
        adjudications only, one in which no side is down to one checker; EngineFailureError,
        EngineUnavailableError.
        Source: HE-7.1.
        """

    def close(self) -> None:
        """Let go of processes and connections; may be called twice."""


class Estimator(Protocol):
    """Chances under the modifier, both sides playing on as strongly as they are known to."""

    @property
    def identity(self) -> str:
        """Name and number, ``"modifier-tables/3"``: whatever changes an answer raises the number."""

    def estimate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played, one answer a position, in order.

        Each position is seen by the side that has just played (``own``); its opponent is to roll. At least
        one side has exactly one checker left and nobody has finished. The same positions get the same
        answers.

        Raises: ValueError for a position in which no side is down to one checker, or one has finished.
        Source: HE-7.3, HE-7.5, HE-7.6.
        """
