"""What this program can judge with: its engines, and the values under the modifier that break ties."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.happy_end.adjudication import full_identity
from adjudicator.happy_end.ports import Engine, EngineIdentity
from adjudicator.happy_end.ruleset import Finish


@dataclass(frozen=True, slots=True)
class OfferedEngine:
    """An engine that can be asked for, and what people may want to know of it.

    ``plies`` are the depths it can be set to, empty where it has none. ``under`` gives the engine for a
    finish where its answers depend on that; ``None`` where ``engine`` answers for all.
    """

    engine: Engine
    title: str
    licence: str
    plies: tuple[int, ...] = ()
    under: Callable[[Finish], Engine] | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """The engines by name, the one that is asked where none is named, and the tie-break of each finish.

    ``tie_break_of`` gives the ``identity`` of the estimator that would be loaded, without loading it.
    """

    engines: Mapping[str, OfferedEngine]
    default_engine: str
    tie_break_of: Callable[[Finish], str]

    def engine(self, name: str, finish: Finish | None = None) -> Engine | None:
        """The engine of that name, ``None`` where there is none; to judge games, tell how they finish."""
        offered = self.engines.get(name)
        if offered is None:
            return None
        return offered.engine if finish is None or offered.under is None else offered.under(finish)

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
