"""How a written play is read: which single steps its movements stand for.

``24/14`` with 6-4 hides the point between, and a play does not say in which order its steps were made. So a
written play has readings; which of them holds is for the caller to say.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from adjudicator.rules.board import BAR, OFF, Position
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import DieSteps, Step, make_step
from adjudicator.rules.record import Movement


class Reading(NamedTuple):
    """Steps in an order in which they can be made, the position after them, and whether that was all.

    ``result`` is seen by the mover. ``is_whole``: every written movement was made to its end.
    """

    steps: tuple[Step, ...]
    result: Position
    is_whole: bool

    def hidden_hits(self, movements: Sequence[Movement]) -> bool:
        """Whether a hit falls on a point that is no written target: between the ends of a movement."""
        targets = {movement.target for movement in movements}
        return any(step.hit and step.target not in targets for step in self.steps)


_Part: TypeAlias = tuple[int, int]
"""What is left of a movement: where its checker stands now, and its written target."""


def readings(
    position: Position,
    dice: Dice,
    movements: Sequence[Movement],
    die_steps: DieSteps,
    *,
    each_one_step: bool = False,
) -> Iterator[Reading]:
    """Every reading of the movements by steps that ``die_steps`` allows, larger die and written order first.

    Comes whole (all written movements made) or cut where no further step of it is allowed; one for each set
    of steps and dice used. ``each_one_step``: no movement stands for more than one step.
    """
    parts = tuple((movement.source, movement.target) for movement in movements)
    seen: set[tuple[tuple[int, ...], tuple[_Part, ...], tuple[tuple[int, int], ...]]] = set()

    def extended(
        reached: Position, left: tuple[int, ...], parts: tuple[_Part, ...], steps: tuple[Step, ...]
    ) -> Iterator[Reading]:
        state = left, parts, tuple(sorted((step.source, step.target) for step in steps))
        if state in seen:
            return
        seen.add(state)
        if not parts:
            yield Reading(steps, reached, is_whole=True)
            return
        is_stuck = True
        for die in dict.fromkeys(left):
            allowed = die_steps(reached, die, dice.is_doublet)
            for index, (source, target) in _continuations(parts, allowed):
                if each_one_step and target != parts[index][1]:
                    continue
                is_stuck = False
                step, result = make_step(reached, source, target, die)
                yield from extended(
                    result, _without(left, die), _advanced(parts, index, target), (*steps, step)
                )
        if is_stuck:
            yield Reading(steps, reached, is_whole=False)

    return extended(position, dice.numbers, parts, ())


def _continuations(
    parts: tuple[_Part, ...], allowed: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The allowed steps that carry one of the parts on, with the place of that part; equal parts once."""
    for index, part in enumerate(parts):
        if part in parts[:index]:
            continue
        for source, target in allowed:
            if source == part[0] and target >= part[1]:
                yield index, (source, target)


def _advanced(parts: tuple[_Part, ...], index: int, target: int) -> tuple[_Part, ...]:
    """The parts after the checker of the one at ``index`` came to ``target``."""
    rest = () if target == parts[index][1] else ((target, parts[index][1]),)
    return (*parts[:index], *rest, *parts[index + 1 :])


def _without(numbers: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = numbers.index(die)
    return (*numbers[:at], *numbers[at + 1 :])


def literal_reading(position: Position, dice: Dice, movements: Sequence[Movement]) -> Reading | str:
    """The movements made as written though no rule allows them, or why they cannot be made at all.

    They cannot where no checker stands, a target is blocked, or they take more pips than the dice have.
    ``Step.die`` is then the number of pips of the movement.
    """
    takes_pips = sum(movement.source - movement.target for movement in movements)
    steps: list[Step] = []
    for movement in movements:
        source, target = movement.source, movement.target
        if source <= target:
            return f"a checker cannot go from {_point(source)} to {_point(target)}"
        if not position.own[source]:
            return f"there is no checker on {_point(source)}"
        if target != OFF and position.opponent[BAR - target] > 1:
            return f"{_point(target)} is blocked"
        step, position = make_step(position, source, target, source - target)
        steps.append(step)
    if takes_pips > dice.pips:
        return f"it takes {takes_pips} pips, {dice} has {dice.pips}"
    return Reading(tuple(steps), position, is_whole=True)


def _point(point: int) -> str:
    return {BAR: "the bar", OFF: "off"}.get(point, f"the {point} point")
