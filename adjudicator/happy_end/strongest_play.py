"""The strongest play of a turn of the playout (HE-7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from adjudicator.rules.board import count_on_board, pip_count
from adjudicator.rules.plays import Play
from adjudicator.rules.sides import Side

EQUAL = 1e-9
"""Values under the modifier this close are equal (HE-7.4)."""


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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that was considered, with both its equities, of the side that makes it."""

    play: Play
    equity: float
    modifier_equity: float


@dataclass(frozen=True, slots=True)
class StrongestPlay:
    """The play that is made, what decided, and all plays considered, the strongest first.

    ``candidates`` is empty where nothing had to be compared.
    """

    play: Play
    choice: Choice
    candidates: tuple[Candidate, ...] = ()


def strongest_play(side: Side, plays: Sequence[Play], judge: Judge, indifference: float) -> StrongestPlay:
    """The strongest of the legal plays of a side, of which there is at least one, all to different positions.

    Source: HE-6.2, HE-7.2 to HE-7.4.
    """
    if len(plays) == 1:
        return StrongestPlay(plays[0], Choice.ONLY if plays[0].steps else Choice.NONE)
    for play in plays:
        if not count_on_board(play.result.own):
            return StrongestPlay(play, Choice.WINS)
    candidates = [
        Candidate(play, equity, modifier_equity)
        for play, equity, modifier_equity in zip(
            plays, judge.engine_equities(side, plays), judge.modifier_equities(side, plays), strict=True
        )
    ]
    best_equity = max(candidate.equity for candidate in candidates)
    equal = [candidate for candidate in candidates if best_equity - candidate.equity <= indifference + 1e-12]
    chosen = _best_under_modifier(equal)
    others = sorted((one for one in candidates if one is not chosen), key=_report_order)
    choice = Choice.ENGINE if len(equal) == 1 else Choice.TIE_BREAK
    return StrongestPlay(chosen.play, choice, (chosen, *others))


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
