"""What this program can judge with: its engines, and the values under the modifier that break ties."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.happy_end.adjudication import full_identity
from adjudicator.happy_end.ports import Engine, EngineIdentity
from adjudicator.happy_end.ruleset import Finish


@dataclass(frozen=True, slots=True)
class OfferedEngine:
    """An engine that can be asked for, and what people may want to know of it.

    ``plies`` are the depths it can be set to, empty where it has none. ``under`` is there where it answers by
    the rules of the modifier, and gives the same engine for another way to finish.
    """

    engine: Engine
    title: str
    licence: str
    plies: tuple[int, ...] = ()
    under: Callable[[Finish], Engine] | None = None

    @property
    def plays_whole_games(self) -> bool:
        """Whether it judges positions by the ordinary rules, as those of a game before its last checker."""
        return self.under is None


@dataclass(frozen=True, slots=True)
class Offer:
    """The engines by name, the one that is asked where none is named, and what breaks ties.

    ``tie_break`` is the ``identity`` of the estimators that would be loaded, without loading any.
    """

    engines: Mapping[str, OfferedEngine]
    default_engine: str
    tie_break: str

    def engine(self, name: str, finish: Finish) -> Engine | None:
        """The engine of that name that judges games which finish so, ``None`` where there is none."""
        offered = self.engines.get(name)
        if offered is None:
            return None
        return offered.engine if offered.under is None else offered.under(finish)

    def judged_by(self, engines: Sequence[Engine]) -> EngineIdentity:
        """The build of the first engine with all that judges, or is asked, besides it.

        It is what an adjudication is known by.

        Raises: EngineUnavailableError, EngineFailureError.
        """
        identity, *cross_checks = [engine.identity for engine in engines]
        return full_identity(identity, self.tie_break, cross_checks)

    def close(self) -> None:
        """Lets go of all engines; may be called twice."""
        for offered in self.engines.values():
            offered.engine.close()
