"""Finds the last-checker position: the first moment a side has exactly one checker left (HE-5)."""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position, count_on_board, highest_point
from adjudicator.rules.cube import Cube
from adjudicator.rules.plays import DieSteps, make_step, ordinary_steps
from adjudicator.rules.readings import Reading, readings
from adjudicator.rules.record import Movement
from adjudicator.rules.replay import ReplayedGame, ReplayedTurn
from adjudicator.rules.sides import Side


@dataclass(frozen=True, slots=True)
class LastChecker:
    """The last-checker position.

    ``turn`` is the roll of the game, from 1, after or within which it was reached, 0 for the start.
    ``side`` has the one checker, on its own ``point`` (25 the bar). ``position`` is seen by ``on_roll``.
    ``mid_turn``: the rest of that turn is lost (HE-5.3).
    """

    turn: int
    side: Side
    point: int
    mid_turn: bool
    on_roll: Side
    position: Position
    cube: Cube


@dataclass(frozen=True, slots=True)
class ExactFinish:
    """The turn that came down to one checker also bore it off as the modifier asks (HE-5.2)."""

    turn: int
    side: Side


def find_last_checker(game: ReplayedGame, finish: Finish) -> LastChecker | ExactFinish | None:
    """The last-checker position of a game, the exact finish in its place, or ``None`` if neither came."""
    if game.record.rolls and (at_start := _at_start(game)):
        return at_start
    for turn in game.turns:
        if count_on_board(turn.after.own) <= 1:
            return _reached_in(turn, finish)
        if count_on_board(turn.after.opponent) == 1:  # only by a position the players agreed on
            return _reached(turn, turn.side.opponent, turn.after, mid_turn=False)
    return None


def _at_start(game: ReplayedGame) -> LastChecker | None:
    """The start, if a side has one checker there: the side of the opening roll rolls first (HE-5.4)."""
    on_roll = game.record.rolls[0].side
    position = game.start if on_roll is Side.WHITE else game.start.swapped()
    for side, checkers in ((on_roll, position.own), (on_roll.opponent, position.opponent)):
        if count_on_board(checkers) == 1:
            return LastChecker(
                0,
                side,
                highest_point(checkers),
                mid_turn=False,
                on_roll=on_roll,
                position=position,
                cube=Cube(),
            )
    return None


def _reached_in(turn: ReplayedTurn, finish: Finish) -> LastChecker | ExactFinish:
    """What a turn that left its side one checker or none comes to under the modifier."""
    reading = _modifier_reading(turn, finish) if turn.movements else Reading((), turn.after, is_whole=True)
    if reading.is_whole and not count_on_board(reading.result.own):
        return ExactFinish(turn.number, turn.side)
    return _reached(turn, turn.side, reading.result, mid_turn=not reading.is_whole)


def _modifier_reading(turn: ReplayedTurn, finish: Finish) -> Reading:
    """The steps of a recorded play in an order that the modifier allows, or its longest allowed beginning.

    A play that no rule allows, and that stood, is cut where one checker is left.

    Source: HE-5.2, HE-5.3.
    """
    steps = modifier_steps(finish)
    longest = Reading((), turn.before, is_whole=False)
    for movements in _steps_written(turn, steps):
        for reading in readings(turn.before, turn.dice, movements, steps, each_one_step=True):
            if reading.is_whole:
                return reading
            longest = max(longest, reading, key=lambda one: len(one.steps))
    return longest if count_on_board(longest.result.own) <= 1 else _cut_at_one(turn)


def _steps_written(turn: ReplayedTurn, modified: DieSteps) -> Iterator[tuple[Movement, ...]]:
    """What single steps the written play may stand for: those that lead where the replay went."""
    for die_steps in (ordinary_steps, modified):
        for reading in readings(turn.before, turn.dice, turn.movements, die_steps):
            if reading.is_whole and reading.result == turn.after:
                yield tuple(Movement(step.source, step.target) for step in reading.steps)


def _cut_at_one(turn: ReplayedTurn) -> Reading:
    position = turn.before
    for movement in turn.movements:
        if count_on_board(position.own) == 1:
            return Reading((), position, is_whole=False)
        pips = movement.source - movement.target
        _, position = make_step(position, movement.source, movement.target, pips)
    return Reading((), turn.after, is_whole=True)


def _reached(turn: ReplayedTurn, side: Side, after: Position, *, mid_turn: bool) -> LastChecker:
    checkers = after.own if side is turn.side else after.opponent
    return LastChecker(
        turn=turn.number,
        side=side,
        point=highest_point(checkers),
        mid_turn=mid_turn,
        on_roll=turn.side.opponent,
        position=after.swapped(),
        cube=turn.cube,
    )
