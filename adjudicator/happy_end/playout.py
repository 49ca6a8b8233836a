"""Plays a game out from its last-checker position (HE-6)."""

from dataclasses import dataclass

from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.happy_end.series import DiceSeries
from adjudicator.happy_end.strongest_play import Judge, StrongestPlay, strongest_play
from adjudicator.rules.board import Position, count_on_board
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.score import Win, win_against
from adjudicator.rules.sides import Side


@dataclass(frozen=True, slots=True)
class PlayoutTurn:
    """One turn: who rolled, which roll of the game was used (from 1), its dice, and the play made."""

    side: Side
    series_roll: int
    dice: Dice
    strongest: StrongestPlay

    @property
    def position(self) -> Position:
        """The position after the play, seen by the side that rolls next."""
        return self.strongest.play.result.swapped()


@dataclass(frozen=True, slots=True)
class Playout:
    """A playout: its turns, and the winner and kind of win; both ``None`` where it is undecided (HE-6.6)."""

    start: LastChecker
    series: DiceSeries
    turns: tuple[PlayoutTurn, ...]
    winner: Side | None
    win: Win | None


def play_out(start: LastChecker, series: DiceSeries, ruleset: Ruleset, judge: Judge) -> Playout:
    """Play the game out: both sides in turn, with the dice of the series, the strongest plays.

    Raises: EngineFailureError, EngineUnavailableError from the judge.
    Source: HE-6.1 to HE-6.6.
    """
    steps = modifier_steps(ruleset.finish)
    position, side = start.position, start.on_roll
    turns: list[PlayoutTurn] = []
    seen: set[tuple[Position, Side, int]] = set()
    while True:
        series_roll = series.roll_at(len(turns))
        state = (position, side, series_roll)
        if state in seen:
            return Playout(start, series, tuple(turns), None, None)
        seen.add(state)
        dice = series.dice_of(series_roll)
        strongest = strongest_play(side, legal_plays(position, dice, steps), judge, ruleset.indifference)
        turns.append(PlayoutTurn(side, series_roll, dice, strongest))
        result = strongest.play.result
        if not count_on_board(result.own):
            return Playout(start, series, tuple(turns), side, win_against(result.opponent))
        position, side = result.swapped(), side.opponent
