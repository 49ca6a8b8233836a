"""The strongest play of a turn of the playout (HE-7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.board import Position, count_on_board, pip_count
from adjudicator.rules.plays import Play
from adjudicator.rules.sides import Side

EQUAL = 1e-9
"""Values under the modifier this close are equal (HE-7.4)."""
ROUNDING = 1e-12
"""What subtracting two equities may be off by."""


class Choice(Enum):
    """What decided a turn of the playout."""

    NONE = "none"
    """Nothing could be played."""
    ONLY = "only"
    """One resulting position: no engine is asked (HE-6.2)."""
    WINS = "wins"
    """It wins the game at once (HE-7.2)."""
    ENGINE = "engine"
    """The engine holds it better than all others by more than ``indifference`` (HE-7.1)."""
    TIE_BREAK = "tie_break"
    """Equal for the engine, the best under the modifier (HE-7.3, HE-7.4)."""


class Judge(Protocol):
    """Judges plays by both measures, as normalised equities of the side that made them (HE-7.1)."""

    def engine_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:
        """What the engine thinks of each play, by the ordinary rules."""

    def modifier_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:
        """What each play is worth under the modifier."""

    def cross_equities(self, side: Side, plays: Sequence[Play]) -> Mapping[str, list[float]]:
        """What each engine asked besides, by name, thinks of the same plays; asked after the engine."""

    def chances(self, position: Position) -> Outcomes:
        """The chances under the modifier of the side that just played, by which the position is seen."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that was considered, with its equities, of the side that makes it.

    ``cross_equities`` are those of the engines asked besides, by name: they decide nothing.
    """

    play: Play
    equity: float
    modifier_equity: float
    cross_equities: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StrongestPlay:
    """The play that is made, what decided, and all plays considered, the strongest first.

    ``candidates`` is empty where nothing had to be compared. ``cross_choices`` are the plays that would have
    been made by the engines asked besides, by name.
    """

    play: Play
    choice: Choice
    candidates: tuple[Candidate, ...] = ()
    cross_choices: Mapping[str, Play] = field(default_factory=dict)


class Measure(Enum):
    """By what one play was preferred to another."""

    ENGINE = "engine"
    MODIFIER = "modifier"


class Lead(NamedTuple):
    """How far the play that was made leads ``over`` another, in equity by the measure that decided it.

    By the engine that is how far the other is behind the engine's best.
    """

    over: Play
    equity: float
    measure: Measure


def strongest_play(side: Side, plays: Sequence[Play], judge: Judge, indifference: float) -> StrongestPlay:
    """The strongest of the legal plays of a side, of which there is at least one, all to different positions.

    Source: HE-6.2, HE-7.2 to HE-7.4.
    """
    if len(plays) == 1:
        return StrongestPlay(plays[0], Choice.ONLY if plays[0].steps else Choice.NONE)
    for play in plays:
        if not count_on_board(play.result.own):
            return StrongestPlay(play, Choice.WINS)
    candidates = _judged(side, plays, judge)
    equal = _equal_for_engine(candidates, [candidate.equity for candidate in candidates], indifference)
    chosen = _best_under_modifier(equal)
    others = sorted((one for one in candidates if one is not chosen), key=_report_order)
    choice = Choice.ENGINE if len(equal) == 1 else Choice.TIE_BREAK
    cross_choices = {
        name: _best_under_modifier(
            _equal_for_engine(candidates, [one.cross_equities[name] for one in candidates], indifference)
        ).play
        for name in chosen.cross_equities
    }
    return StrongestPlay(chosen.play, choice, (chosen, *others), cross_choices)


def leads_of_others(strongest: StrongestPlay, indifference: float) -> list[Lead]:
    """The lead over every other play that was considered, the closest first."""
    chosen, *others = strongest.candidates or (None,)
    if chosen is None:
        return []
    best_equity = max(candidate.equity for candidate in strongest.candidates)
    by_modifier, by_engine = [], []
    for other in others:
        behind = best_equity - other.equity
        if is_equal(behind, indifference):
            lead_under_modifier = max(chosen.modifier_equity - other.modifier_equity, 0.0)
            by_modifier.append(Lead(other.play, lead_under_modifier, Measure.MODIFIER))
        else:
            by_engine.append(Lead(other.play, behind, Measure.ENGINE))
    return [*sorted(by_modifier, key=_closeness), *sorted(by_engine, key=_closeness)]


def _closeness(lead: Lead) -> float:
    return lead.equity


def _judged(side: Side, plays: Sequence[Play], judge: Judge) -> list[Candidate]:
    equities = judge.engine_equities(side, plays)
    cross = judge.cross_equities(side, plays)
    measured = zip(plays, equities, judge.modifier_equities(side, plays), strict=True)
    return [
        Candidate(play, equity, modifier_equity, {name: cross[name][index] for name in cross})
        for index, (play, equity, modifier_equity) in enumerate(measured)
    ]


def _equal_for_engine(
    candidates: Sequence[Candidate], equities: Sequence[float], indifference: float
) -> list[Candidate]:
    """The candidates that an engine with these equities of them holds equal to the best (HE-7.3)."""
    best = max(equities)
    return [
        candidate
        for candidate, equity in zip(candidates, equities, strict=True)
        if is_equal(best - equity, indifference)
    ]


def is_equal(behind: float, indifference: float) -> bool:
    """Whether a play that much equity behind the best is within the indifference."""
    return behind <= indifference + ROUNDING


def _best_under_modifier(candidates: Sequence[Candidate]) -> Candidate:
    """The best under the modifier; of what is equal there, the first in the order of HE-7.4."""
    best = max(candidate.modifier_equity for candidate in candidates)
    equal = (candidate for candidate in candidates if best - candidate.modifier_equity <= EQUAL)
    return min(equal, key=_last_order)


def _last_order(candidate: Candidate) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The mover's pip count, then its checkers from point 1 to the bar, then the opponent's (HE-7.4)."""
    own, opponent = candidate.play.result
    return pip_count(own), own[1:], opponent[1:]


def _report_order(candidate: Candidate) -> tuple[float, float, tuple[int, tuple[int, ...], tuple[int, ...]]]:
    return -candidate.equity, -candidate.modifier_equity, _last_order(candidate)
