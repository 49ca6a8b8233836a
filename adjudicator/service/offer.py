"""What this program can judge with: its engines, and the values under the modifier that break ties."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.happy_end.adjudication import full_identity
from adjudicator.happy_end.ports import Engine, EngineIdentity
from adjudicator.happy_end.ruleset import Finish


@dataclass(frozen=True, slots=True)
class OfferedEngine:
    """An engine that can be asked for, and what people may want to know of it."""

    engine: Engine
    title: str
    licence: str


@dataclass(frozen=True, slots=True)
class Offer:
    """The engines by name, the one that is asked where none is named, and the tie-break of each finish.

    ``tie_break_of`` gives the ``identity`` of the estimator that would be loaded, without loading it.
    """

    engines: Mapping[str, OfferedEngine]
    default_engine: str
    tie_break_of: Callable[[Finish], str]

    def engine(self, name: str) -> Engine | None:
        """The engine of that name, ``None`` where there is none."""
        offered = self.engines.get(name)
        return None if offered is None else offered.engine

    def judged_by(self, engines: Sequence[Engine], finish: Finish) -> EngineIdentity:
        """The build of the first engine with all that judges, or is asked, besides it.

        It is what an adjudication is known by.

        Raises: EngineUnavailableError.
        """
        identity, *cross_checks = [engine.identity for engine in engines]
        return full_identity(identity, self.tie_break_of(finish), cross_checks)

    def close(self) -> None:
        """Lets go of all engines; may be called twice."""
        for offered in self.engines.values():
            offered.engine.close()
