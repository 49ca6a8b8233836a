"""The turns of a bgammon.org game: rolls, doubles and resignations, each a line.

Source: ``docs/formats/bgammon-match.md``.
"""

import re
from collections.abc import Iterator, Sequence

from adjudicator.errors import Place
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.limits import MAX_STEPS
from adjudicator.rules.board import BAR, OFF
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, Movement, ResignRecord, RollRecord, Writing
from adjudicator.rules.sides import Side

SIDES = {"1": Side.WHITE, "2": Side.BLACK}
"""The sides by the numbers of the players."""

_ROLL = re.compile(r"(?P<player>[12]) r (?P<first>[1-6])-(?P<second>[1-6])(?P<play>(?: \S+)*)")
_DOUBLE = re.compile(r"(?P<player>[12]) d (?P<value>[0-9]{1,6}) (?P<taken>[01])")
_RESIGN = re.compile(r"(?P<player>[12]) t")
_STEP = re.compile(r"(?P<source>bar|[0-9]{1,2})/(?P<target>off|[0-9]{1,2})")


def take_event(draft: GameDraft, text: str, place: Place) -> None:
    """Add the turn, double or resignation of a line. Raises: ValueError where it is none."""
    if roll := _ROLL.fullmatch(text):
        draft.add(_parse_roll(roll, place))
    elif double := _DOUBLE.fullmatch(text):
        side = SIDES[double["player"]]
        answer = CubeAction.TAKE if double["taken"] == "1" else CubeAction.DROP
        draft.add(CubeRecord(side, CubeAction.DOUBLE, int(double["value"]) or None, place=place))
        draft.add(CubeRecord(side.opponent, answer, place=place))
    elif resign := _RESIGN.fullmatch(text):
        draft.add(ResignRecord(SIDES[resign["player"]], place=place))
    else:
        raise ValueError(f"{text[:60]!r} is no roll, double or resignation")


def _parse_roll(match: re.Match[str], place: Place) -> RollRecord:
    side, dice = SIDES[match["player"]], Dice.of(int(match["first"]), int(match["second"]))
    try:
        movements = tuple(_parse_steps(match["play"].split(), side))
    except ValueError as error:
        return RollRecord(side, dice, Writing.UNREAD, unread=str(error), place=place)
    return RollRecord(side, dice, Writing.PLAY if movements else Writing.NOTHING, movements, place=place)


def _parse_steps(steps: Sequence[str], side: Side) -> Iterator[Movement]:
    """The written steps, which count points as player 1 does, in the side's own numbering.

    >>> list(_parse_steps(["bar/3", "22/off"], Side.BLACK))
    [Movement(source=25, target=22, hit=False), Movement(source=3, target=0, hit=False)]
    """
    if len(steps) > MAX_STEPS:
        raise ValueError(f"{len(steps)} steps; a roll has at most {MAX_STEPS}")
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            raise ValueError(f"{step[:20]!r} is no step, such as 13/8, bar/20 or 6/off")
        source = BAR if match["source"] == "bar" else _point(match["source"], side)
        target = OFF if match["target"] == "off" else _point(match["target"], side)
        if target >= source:
            raise ValueError(f"{step!r} does not lead the way of player {side + 1}")
        yield Movement(source, target)


def _point(text: str, side: Side) -> int:
    point = int(text)
    if not 1 <= point < BAR:
        raise ValueError(f"there is no point {point}")
    return BAR - point if side is Side.BLACK else point
