"""On which choices the end of a playout hangs, if on any (HE-7.7)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from adjudicator.happy_end.modifier import is_frozen, modifier_steps
from adjudicator.happy_end.playout import Playout
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.happy_end.series import DiceSeries
from adjudicator.happy_end.strongest_play import Lead, StrongestPlay, leads_of_others
from adjudicator.rules.board import (
    HOME,
    Checkers,
    Position,
    count_on_board,
    has_contact,
    highest_point,
    pip_count,
)
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import DieSteps, Play, legal_plays
from adjudicator.rules.sides import Side

STATE_LIMIT = 10_000
"""How many states are looked at before the question is left open."""

_State: TypeAlias = tuple[Position, Side, int]
"""The position seen by the side on roll, that side, and the roll of the game it uses, from 1."""


@dataclass(frozen=True, slots=True)
class Hinge:
    """A turn of a playout on which its end hung: after another play the game might have ended otherwise.

    ``turn`` counts the turns of the playout from 1. ``alternative`` is the closest such play; ``lead`` says
    how far the play that was made leads before it, ``None`` where it was made without comparing, since it
    won at once.
    """

    turn: int
    alternative: Play
    lead: Lead | None

    def is_close(self, indifference: float) -> bool:
        """Whether the choice was within that much equity, by the measure that decided it."""
        return self.lead is not None and self.lead.equity <= indifference + 1e-12


@dataclass(frozen=True, slots=True)
class Hinges:
    """The turns on which the end of a playout hung, in order.

    ``is_complete``: all lines were gone through; else there may be more.
    """

    found: tuple[Hinge, ...]
    is_complete: bool

    @property
    def is_forced(self) -> bool | None:
        """Whether all legal plays of both sides lead to the same end; ``None`` where that is not known."""
        if self.found:
            return False
        return True if self.is_complete else None


def find_hinges(playout: Playout, ruleset: Ruleset) -> Hinges:
    """The turns on which the end of a playout hung.

    All legal plays of both sides with the given series are gone through, up to ``STATE_LIMIT`` states. That
    nobody ever finishes is an end too.

    Source: HE-7.7.
    """
    lines = _Lines(playout.series, modifier_steps(ruleset.finish))
    search = _Search(lines, playout.winner)
    found = []
    state = playout.start.position, playout.start.on_roll, playout.series.first_roll
    try:
        for number, turn in enumerate(playout.turns, start=1):
            search.pass_through(state)
            for alternative, lead in _others(turn.strongest, lines.plays(state), ruleset.indifference):
                if search.may_end_otherwise(alternative):
                    found.append(Hinge(number, alternative, lead))
                    break
            state = lines.after(state, turn.strongest.play)
    except _LimitReachedError:
        return Hinges(tuple(found), is_complete=False)
    return Hinges(tuple(found), is_complete=True)


def _others(
    strongest: StrongestPlay, plays: Sequence[Play], indifference: float
) -> Iterator[tuple[Play, Lead | None]]:
    """The other plays of a turn, the closest first; what was not compared has no lead."""
    if strongest.candidates:
        yield from ((lead.over, lead) for lead in leads_of_others(strongest, indifference))
    else:
        yield from ((play, None) for play in plays if play != strongest.play)


class _LimitReachedError(Exception):
    """More states than ``STATE_LIMIT`` would have to be looked at."""


class _Search:
    """Looks for lines that end otherwise than with ``winner`` (``None``: nobody ever finishes).

    The states that the playout itself went through are told one by one, each before its other plays are
    asked about.
    """

    def __init__(self, lines: "_Lines", winner: Side | None) -> None:
        self._lines = lines
        self._winner = winner
        self._passed: list[_State] = []
        self._same_end: set[_State] = set()
        self._looked_at = 0

    def pass_through(self, state: _State) -> None:
        """The playout is in this state now."""
        self._passed.append(state)

    def may_end_otherwise(self, play: Play) -> bool:
        """Whether a line after this play, made in the state passed through last, ends otherwise.

        Raises: _LimitReachedError.
        """
        here = self._passed[-1]
        if not count_on_board(play.result.own):
            return here[1] is not self._winner
        return self._has_other_end(self._lines.after(here, play))

    def _has_other_end(self, root: _State) -> bool:
        """A search in depth. A state that comes back is the end that nobody finishes.

        What was left with nothing else to be found is kept for later searches; with an undecided playout
        only if the whole search found nothing, since a state that comes back was then not yet known.
        """
        if root in self._same_end:
            return False
        never_is_other = self._winner is not None
        under_way = {*(self._passed if never_is_other else ()), root}
        if never_is_other and root in self._passed:
            return True
        left: set[_State] = set()
        path = [(root, self._lines.following(root))]
        found = False
        while path and not found:
            state, successors = path[-1]
            successor = next(successors, None)
            if successor is None:
                path.pop()
                under_way.discard(state)
                left.add(state)
            elif isinstance(successor, Side):
                found = successor is not self._winner
            elif successor in under_way:
                found = never_is_other
            elif successor not in left and successor not in self._same_end:
                self._count()
                under_way.add(successor)
                path.append((successor, self._lines.following(successor)))
        if never_is_other or not found:
            self._same_end |= left
        return found

    def _count(self) -> None:
        self._looked_at += 1
        if self._looked_at > STATE_LIMIT:
            raise _LimitReachedError


class _Supply(NamedTuple):
    """What a side has to finish with: so many single dice, with so many pips."""

    dice: int = 0
    pips: int = 0

    def plus(self, roll: Dice) -> "_Supply":
        return _Supply(self.dice + len(roll.numbers), self.pips + roll.pips)


class _Lines:
    """All lines of play with one series."""

    def __init__(self, series: DiceSeries, steps: DieSteps) -> None:
        self._series = series
        self._steps = steps
        self._supplies: dict[tuple[int, int, bool], _Supply | None] = {}

    def plays(self, state: _State) -> list[Play]:
        """The legal plays of a state."""
        position, _, roll = state
        return legal_plays(position, self._series.dice_of(roll), self._steps)

    def after(self, state: _State, play: Play) -> _State:
        """The state that a play of a state leads to; nothing is said of a game that it ends."""
        _, side, roll = state
        return play.result.swapped(), side.opponent, self._series.roll_after(roll)

    def following(self, state: _State) -> Iterator[_State | Side]:
        """The states that the legal plays of a state lead to; the winner in place of a settled game."""
        winner = self._settled(state)
        if winner is not None:
            yield winner
            return
        for play in self.plays(state):
            yield self.after(state, play) if count_on_board(play.result.own) else state[1]

    def _settled(self, state: _State) -> Side | None:
        """The side that wins whatever both play: frozen, past all contact, and not to be overtaken.

        Which turn bears a frozen checker off is known from the series. Until then the other side has so many
        dice with so many pips, and that is not enough for its checkers, however it plays.
        """
        position, side, roll = state
        if has_contact(position):
            return None
        for frozen_side, frozen in ((side, position), (side.opponent, position.swapped())):
            if is_frozen(frozen):
                supply = self._supply_before_finish(frozen, roll, is_on_roll=frozen_side is side)
                if supply is not None and not _may_finish(frozen.opponent, supply):
                    return frozen_side
        return None

    def _supply_before_finish(self, frozen: Position, roll: int, *, is_on_roll: bool) -> _Supply | None:
        """What the other side gets before the frozen checker is borne off, ``None`` if that never comes."""
        key = highest_point(frozen.own), roll, is_on_roll
        if key not in self._supplies:
            self._supplies[key] = self._count_supply(frozen, roll, is_on_roll=is_on_roll)
        return self._supplies[key]

    def _count_supply(self, frozen: Position, roll: int, *, is_on_roll: bool) -> _Supply | None:
        supply = _Supply()
        for _ in range(2 * len(self._series.rolls)):
            dice = self._series.dice_of(roll)
            if not is_on_roll:
                supply = supply.plus(dice)
            elif any(self._steps(frozen, die, dice.is_doublet) for die in dice):
                return supply
            is_on_roll = not is_on_roll
            roll = self._series.roll_after(roll)
        return None


def _may_finish(checkers: Checkers, supply: _Supply) -> bool:
    """Whether so many dice and pips may be enough for these checkers; no play can do more.

    A doublet may bear the last checker off by a smaller die, which saves it up to five pips.
    """
    return supply.dice >= count_on_board(checkers) and supply.pips >= pip_count(checkers) - (HOME - 1)
