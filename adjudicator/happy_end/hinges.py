"""On which choices the end of a playout hangs, if on any (HE-7.7)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adjudicator.happy_end.lines import Lines, State
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.playout import Playout
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.happy_end.strongest_play import Lead, StrongestPlay, is_equal, leads_of_others
from adjudicator.rules.board import count_on_board
from adjudicator.rules.plays import Play
from adjudicator.rules.sides import Side

STATE_LIMIT = 10_000
"""How many states are looked at before the question is left open."""


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
        return self.lead is not None and is_equal(self.lead.equity, indifference)


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
    lines = Lines(playout.series, modifier_steps(ruleset.finish))
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

    def __init__(self, lines: Lines, winner: Side | None) -> None:
        self._lines = lines
        self._winner = winner
        self._passed: list[State] = []
        self._same_end: set[State] = set()
        self._looked_at = 0

    def pass_through(self, state: State) -> None:
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

    def _has_other_end(self, root: State) -> bool:
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
        left: set[State] = set()
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
