"""What results and inspections say alike as JSON: scores, cubes, checkers, places, faults and remarks."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from adjudicator.errors import Fault, Place
from adjudicator.rules.board import Checkers, as_points
from adjudicator.rules.cube import Cube
from adjudicator.rules.remarks import Remark
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

Json: TypeAlias = dict[str, Any]


def format_score(score: Score) -> dict[str, int]:
    """The points of both sides.

    >>> format_score(Score(2, 1))
    {'white': 2, 'black': 1}
    """
    return {side.label: score.of(side) for side in Side}


def format_cube(cube: Cube) -> Json:
    """The cube's value and the side that owns it, ``None`` where it is in the middle."""
    return {"value": cube.value, "owner": None if cube.owner is None else cube.owner.label}


def format_checkers(checkers: Checkers) -> dict[str, int]:
    """How many checkers stand on each point, in their side's own numbering; the empty ones are left out."""
    return {str(point): count for point, count in as_points(checkers).items()}


def format_place(place: Place) -> Json:
    """Of line, pointer and turn what is known; file and game are told by what the place stands in.

    >>> format_place(Place(line=9, game=2, turn=4))
    {'line': 9, 'turn': 4}
    """
    known: Mapping[str, object] = {"line": place.line, "pointer": place.pointer, "turn": place.turn}
    return {name: value for name, value in known.items() if value is not None}


def parse_place(fields: Mapping[str, Any]) -> Place:
    """The place within what holds these members of a fault or a remark.

    >>> str(parse_place({"code": "half_play", "turn": None, "line": 9}))
    'line 9'
    """
    return Place(line=fields.get("line"), pointer=fields.get("pointer"), turn=fields.get("turn"))


def format_fault(fault: Fault) -> Json:
    """The reason of a fault, and its place."""
    return {"reason": fault.reason, **format_place(fault.place)}


def format_remark(remark: Remark) -> Json:
    """The code of a remark, its place, and a sentence; ``turn`` is ``None`` where it is about none."""
    turn = remark.place.turn if remark.turn is None else remark.turn
    return {"code": remark.code.value, **format_place(remark.place), "turn": turn, "detail": remark.detail}
