"""An inspection as plain JSON values, with names that stay.

Source: ``docs/command-line.md``, section "inspect".
"""

from adjudicator.happy_end.following import FollowedGame
from adjudicator.happy_end.last_checker import ExactFinish, LastChecker
from adjudicator.happy_end.result_parts import (
    Json,
    format_checkers,
    format_cube,
    format_fault,
    format_place,
    format_remark,
    format_score,
)
from adjudicator.notation.play_text import format_play
from adjudicator.notation.position_id import format_position_id
from adjudicator.notation.xgid import format_xgid
from adjudicator.reports.moments import Moment, after_turn, before_turn, start_of
from adjudicator.rules.board import pip_count
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, ResignRecord
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side
from adjudicator.service.inspection import InspectedAction, Inspection, actions_of

SCHEMA = "inspection/1"


def format_inspection(inspection: Inspection, file_name: str, *, with_actions_of: int | None = None) -> Json:
    """The inspection of a file; the actions of one game only, or of none."""
    log = inspection.log
    return {
        "schema": SCHEMA,
        "file": file_name,
        "size": inspection.size,
        "sha256": inspection.sha256,
        "format": log.format,
        "variant": log.variant.name,
        "match_length": log.match_length,
        "rules": {"crawford": log.crawford, "jacoby": log.jacoby},
        "players": {side.label: log.player(side) for side in Side},
        "metadata": dict(log.metadata),
        "games": [
            format_game(game, with_actions=game.record.number == with_actions_of) for game in inspection.games
        ],
        "remarks": [format_remark(remark) for remark in inspection.remarks],
    }


def format_game(game: FollowedGame, *, with_actions: bool = False) -> Json:
    """One game; ``with_actions``: every action and position of it too."""
    record, replayed = game.record, game.replayed
    formatted: Json = {
        "game": record.number,
        "score": format_score(game.terms.score),
        "crawford": game.terms.crawford.name.lower(),
        "rolls": len(record.rolls),
        "recorded": None
        if record.result is None
        else {"winner": record.result.winner.label, "points": record.result.points},
        "ending": replayed.ending.value,
        "worked_out": None
        if replayed.winner is None
        else {
            "winner": replayed.winner.label,
            "win": None if replayed.win is None else replayed.win.label,
            "points": replayed.points,
        },
        "last_checker": _last_checker(game.reached),
        "unreadable": None if game.unreadable is None else format_fault(game.unreadable),
        "remarks": [format_remark(remark) for remark in game.remarks],
    }
    if with_actions:
        formatted["start"] = format_moment(start_of(game), game.terms)
        formatted["actions"] = [_action(action, game.terms) for action in actions_of(game)]
    return formatted


def format_moment(moment: Moment, terms: GameTerms, dice: Dice | None = None) -> Json:
    """A position: checkers and pips of both sides, cube, Position ID and XGID for the side to roll."""
    return {
        "on_roll": moment.side.label,
        "checkers": {side.label: format_checkers(moment.checkers(side)) for side in Side},
        "pips": {side.label: pip_count(moment.checkers(side)) for side in Side},
        "cube": format_cube(moment.cube),
        "position_id": format_position_id(moment.position),
        "xgid": format_xgid(moment.position, moment.side, moment.cube, terms, dice),
    }


def _action(inspected: InspectedAction, terms: GameTerms) -> Json:
    action, turn = inspected.action, inspected.replayed
    formatted: Json = {**format_place(action.place), "turn": inspected.turn, "player": action.side.label}
    if isinstance(action, ResignRecord):
        return formatted | {"resign": None if action.win is None else action.win.label}
    if isinstance(action, CubeRecord):
        return formatted | {"cube": action.action.value, "value": action.value}
    movements = action.movements if turn is None else turn.movements
    formatted |= {"roll": list(action.dice), "written": action.writing.value, "play": format_play(movements)}
    if turn is None:
        return formatted | {"before": None, "after": None}
    return formatted | {
        "before": format_moment(before_turn(turn), terms, turn.dice),
        "after": format_moment(after_turn(turn), terms),
    }


def _last_checker(reached: LastChecker | ExactFinish | None) -> Json | None:
    if reached is None:
        return None
    if isinstance(reached, ExactFinish):
        return {"turn": reached.turn, "side": reached.side.label, "point": None, "exact_finish": True}
    return {
        "turn": reached.turn,
        "side": reached.side.label,
        "point": reached.point,
        "mid_turn": reached.mid_turn,
        "exact_finish": False,
    }
