"""Replays what is written after one roll."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from adjudicator.rules.board import Position
from adjudicator.rules.dice import Dice
from adjudicator.rules.plays import DieSteps, legal_plays
from adjudicator.rules.readings import Reading, literal_reading, readings
from adjudicator.rules.record import Movement, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode

_Said: TypeAlias = tuple[RemarkCode, str]
"""A remark in the making: its code and its sentence."""


@dataclass(frozen=True, slots=True)
class ReplayedPlay:
    """What became of one roll.

    ``after`` is seen by the mover; ``None`` where the play cannot be made, ``reason`` then says why.
    ``movements`` are as written, or as supplied. ``remarks`` are codes with a sentence.
    """

    movements: tuple[Movement, ...]
    after: Position | None
    remarks: tuple[_Said, ...] = ()
    reason: str = ""


def replay_roll(
    roll: RollRecord,
    before: Position,
    legal_by: Sequence[DieSteps],
    *,
    stars_used: bool,
) -> ReplayedPlay:
    """Replay one roll from ``before``, seen by the side that rolled."""
    if roll.writing is Writing.PLAY:
        return _replay_written(roll, before, legal_by, stars_used=stars_used)
    if roll.writing is Writing.UNREAD:
        return ReplayedPlay((), None, reason=f"the play for {roll.dice} cannot be read: {roll.unread}")
    if roll.agreed is not None:
        remark = (RemarkCode.POSITION_AGREED, "an illegal play; the position the players agreed on is taken")
        return ReplayedPlay((), roll.agreed, (remark,))
    if roll.writing is Writing.NOT_PLAYED:
        return ReplayedPlay((), before)
    return _replay_blank(roll, before, legal_by)


def had_to_play(roll: RollRecord, before: Position, legal_by: Sequence[DieSteps]) -> bool:
    """Whether every one of the rules allows a play, so that to make none is legal by none of them."""
    return all(legal_plays(before, roll.dice, die_steps)[0].steps for die_steps in legal_by)


def _replay_blank(roll: RollRecord, before: Position, legal_by: Sequence[DieSteps]) -> ReplayedPlay:
    """Nothing written: no legal play, or the only one (made, with a remark), or nothing moved.

    Where one of the rules allows no play, none was made. Which play is the only one, the first of them says.
    """
    if not had_to_play(roll, before, legal_by):
        return ReplayedPlay((), before)
    plays = legal_plays(before, roll.dice, legal_by[0])
    if len(plays) == 1 and roll.writing is Writing.NOTHING:
        movements = tuple(Movement(step.source, step.target, step.hit) for step in plays[0].steps)
        detail = f"no play is written for {roll.dice}; the only legal one is made"
        return ReplayedPlay(movements, plays[0].result, ((RemarkCode.PLAY_SUPPLIED, detail),))
    count = "a play was" if len(plays) == 1 else f"{len(plays)} plays were"
    detail = f"no play is written for {roll.dice} though {count} legal; nothing is moved"
    return ReplayedPlay((), before, ((RemarkCode.PLAY_OMITTED, detail),))


def _replay_written(
    roll: RollRecord,
    before: Position,
    legal_by: Sequence[DieSteps],
    *,
    stars_used: bool,
) -> ReplayedPlay:
    illegal: tuple[Reading, _Said] | None = None
    for die_steps in legal_by:
        whole = _whole(roll, before, die_steps)
        if stars_used:
            whole.sort(key=lambda reading: reading.hidden_hits(roll.movements))
        legal = [reading for reading in whole if _is_legal(reading, before, roll.dice, die_steps)]
        if legal:
            chosen = _check_path(roll, legal, stars_used=stars_used)
            return _replayed(roll, legal[0], *chosen, stars_used=stars_used)
        if whole and illegal is None:
            illegal = whole[0], _say_incomplete(roll.dice, whole[0], before, die_steps)
    if illegal is not None:
        return _replayed(roll, *illegal, stars_used=stars_used)
    literal = literal_reading(before, roll.dice, roll.movements)
    if isinstance(literal, str):
        return ReplayedPlay(
            roll.movements, None, reason=f"the play for {roll.dice} cannot be made: {literal}"
        )
    detail = f"{roll.dice} does not allow this play; it stood"
    return _replayed(roll, literal, (RemarkCode.ILLEGAL_PLAY, detail), stars_used=stars_used)


def _whole(roll: RollRecord, before: Position, die_steps: DieSteps) -> list[Reading]:
    """The whole readings, one for each position they lead to."""
    by_result: dict[Position, Reading] = {}
    for reading in readings(before, roll.dice, roll.movements, die_steps):
        if reading.is_whole:
            by_result.setdefault(reading.result, reading)
    return list(by_result.values())


def _is_legal(reading: Reading, before: Position, dice: Dice, die_steps: DieSteps) -> bool:
    """Whether the reading is a complete play; with all dice used it is, without listing the others."""
    if len(reading.steps) == len(dice.numbers):
        return True
    return any(play.result == reading.result for play in legal_plays(before, dice, die_steps))


def _say_incomplete(dice: Dice, reading: Reading, before: Position, die_steps: DieSteps) -> _Said:
    """What is wrong with a play of allowed steps: too few, or the smaller die instead of the larger."""
    made = len(reading.steps)
    most = max(len(play.steps) for play in legal_plays(before, dice, die_steps))
    if made < most:
        return RemarkCode.HALF_PLAY, f"{made} of {most} steps of {dice} are played; it stood"
    return RemarkCode.ILLEGAL_PLAY, f"only one die of {dice} can be played, and not the larger was; it stood"


def _check_path(roll: RollRecord, legal: Sequence[Reading], *, stars_used: bool) -> tuple[_Said, ...]:
    """A remark where the play, written by its ends, can be made on paths that lead to different positions.

    ``legal`` are the readings for each of these positions, the one that is taken first.
    """
    if len(legal) == 1:
        return ()
    if stars_used and not legal[0].hidden_hits(roll.movements):
        reason = "no star stands on the way, so the one without a hit is taken"
    else:
        reason = "nothing tells them apart, so the larger die is played first"
    return ((RemarkCode.PATH_CHOSEN, f"{len(legal)} paths lead to different positions; {reason}"),)


def _replayed(
    roll: RollRecord,
    reading: Reading,
    *remarks: _Said,
    stars_used: bool,
) -> ReplayedPlay:
    if stars_used:
        remarks += _check_stars(roll.movements, reading)
    return ReplayedPlay(roll.movements, reading.result, remarks)


def _check_stars(movements: Sequence[Movement], reading: Reading) -> tuple[_Said, ...]:
    hits = {step.target for step in reading.steps if step.hit}
    stars = {movement.target for movement in movements if movement.hit}
    remarks = []
    if hits - stars:
        remarks.append((RemarkCode.HIT_NOT_MARKED, f"a hit on {_points(hits - stars)} has no star"))
    if stars - hits:
        remarks.append(
            (RemarkCode.STAR_WITHOUT_HIT, f"a star on {_points(stars - hits)}, and nothing to hit")
        )
    return tuple(remarks)


def _points(points: set[int]) -> str:
    return ", ".join(map(str, sorted(points, reverse=True)))
