"""All legal plays of a roll.

Which single steps a die allows is a function (``DieSteps``); what makes whole plays of steps is the same for
every such function: as many dice as possible, the larger if only one can be, and the game ends the moment
the last checker is off. The Happy-End modifier is another ``DieSteps``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from adjudicator.rules.board import BAR, HOME, OFF, Position, count_on_board
from adjudicator.rules.dice import Dice


class Step(NamedTuple):
    """One checker moved by one die: own points (25 the bar, 0 off), the die, whether it hit."""

    source: int
    target: int
    die: int
    hit: bool


class Play(NamedTuple):
    """All steps of a turn, in an order in which they can be made, and the position after them.

    ``steps`` is empty where nothing could be played. ``result`` is seen by the side that played.
    """

    steps: tuple[Step, ...]
    result: Position


DieSteps: TypeAlias = Callable[[Position, int, bool], Sequence[tuple[int, int]]]
"""``(position seen by the mover, die, whether the roll is a doublet)`` -> ``(source, target)`` of every step.

They come in falling order of the source.
"""


def ordinary_steps(position: Position, die: int, is_doublet: bool) -> list[tuple[int, int]]:  # noqa: ARG001, FBT001
    """The steps that the ordinary rules allow one die, as ``(source, target)``, the highest source first.

    Bar first; no step onto two or more opposing checkers; bearing off once all are home, with a larger die
    from the highest point only.
    """
    own, opponent = position
    if own[BAR]:
        return [(BAR, BAR - die)] if opponent[die] < 2 else []
    steps = []
    highest = 0
    for point in range(BAR - 1, OFF, -1):
        if not own[point]:
            continue
        highest = highest or point
        target = point - die
        if target > OFF:
            if opponent[BAR - target] < 2:
                steps.append((point, target))
        elif highest <= HOME and (target == OFF or point == highest):
            steps.append((point, OFF))
    return steps


def make_step(position: Position, source: int, target: int, die: int) -> tuple[Step, Position]:
    """Move one checker from ``source`` to ``target``, hitting a lone opposing one; legality is not asked."""
    own, opponent = list(position.own), position.opponent
    own[source] -= 1
    own[target] += 1
    hit = target != OFF and opponent[BAR - target] == 1
    if hit:
        struck = list(opponent)
        struck[BAR - target] = 0
        struck[BAR] += 1
        opponent = tuple(struck)
    return Step(source, target, die, hit), Position(tuple(own), opponent)


def legal_plays(position: Position, dice: Dice, die_steps: DieSteps = ordinary_steps) -> list[Play]:
    """Every legal play of ``dice``, one for each different position it can lead to.

    ``position`` is seen by the mover. A single play without steps where nothing is legal. A play that bears
    the last checker off is legal whatever dice it leaves unused. Where several orders of the steps lead to
    the same position, the one is given that takes the larger die, then the higher point first.

    Source: HE-1.4; ``die_steps`` decides between the ordinary rules and the modifier.

    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> len(legal_plays(BACKGAMMON.start, Dice(3, 1)))
    16
    """
    orders = [dice.numbers] if dice.is_doublet else [dice.numbers, dice.numbers[::-1]]
    ways = [list(_layers(position, order, die_steps, is_doublet=dice.is_doublet)) for order in orders]
    most = max(len(layers) for layers in ways)
    complete = [layers[-1] for layers in ways if len(layers) == most]
    if most == 2:  # one die only: the larger, which is tried first
        complete = complete[:1]
    plays: _Layer = {}
    for layer in (*map(_finished, ways), *complete):
        for result, steps in layer.items():
            plays.setdefault(result, steps)
    return [Play(steps, result) for result, steps in plays.items()]


_Layer: TypeAlias = dict[Position, tuple[Step, ...]]
"""Positions reached by the same number of steps, each with the first steps found that lead there."""


def _layers(
    position: Position, dice: Sequence[int], die_steps: DieSteps, *, is_doublet: bool
) -> Iterator[_Layer]:
    """The positions after 0, 1, ... steps with the dice in that order, as far as any can be made."""
    layer: _Layer = {position: ()}
    yield layer
    for die in dice:
        following: _Layer = {}
        for reached, steps in layer.items():
            if not count_on_board(reached.own):
                continue
            for source, target in die_steps(reached, die, is_doublet):
                step, result = make_step(reached, source, target, die)
                if result not in following:
                    following[result] = (*steps, step)
        if not following:
            return
        layer = following
        yield layer


def _finished(layers: Sequence[_Layer]) -> _Layer:
    """All positions of these layers in which the mover has nothing left on the board."""
    return {
        reached: steps
        for layer in layers
        for reached, steps in layer.items()
        if steps and not count_on_board(reached.own)
    }
