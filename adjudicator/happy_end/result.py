"""The result as JSON: everything needed to do an adjudication again by hand (HE-9)."""

from collections.abc import Mapping
from typing import Any

from adjudicator.errors import Fault, Place
from adjudicator.happy_end.adjudication import MatchAdjudication, Tally
from adjudicator.happy_end.game import GameAdjudication
from adjudicator.happy_end.game_result import GameResult
from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.playout import Playout, PlayoutTurn
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import format_ruleset
from adjudicator.happy_end.strongest_play import Candidate
from adjudicator.notation.play_text import format_play
from adjudicator.notation.position_id import format_position_id
from adjudicator.notation.xgid import format_xgid
from adjudicator.rules.board import Checkers, as_points
from adjudicator.rules.cube import Cube
from adjudicator.rules.remarks import Remark
from adjudicator.rules.score import GameTerms, Score
from adjudicator.rules.sides import Side

SCHEMA = "adjudication/1"

METADATA = ("site", "event", "round", "match id", "match_id", "eventdate", "eventtime", "played_at")
"""What of a record's free metadata stands in its result: what tells which match it was, and nothing else."""

Json = dict[str, Any]


def format_result(
    adjudication: MatchAdjudication, *, adjudication_id: str, match_id: str, record_sha256: str
) -> Json:
    """The result in the names of the public contract, made of plain JSON values only.

    Source: HE-9; ``openapi.yaml``, schema ``Result``.
    """
    log = adjudication.log
    return {
        "schema": SCHEMA,
        "id": adjudication_id,
        "status": "done",
        "match": {
            "id": match_id,
            "sha256": record_sha256,
            "format": log.format,
            "variant": log.variant.name,
            "match_length": log.match_length,
            "players": {"white": log.white, "black": log.black},
            "metadata": {name: log.metadata[name] for name in METADATA if name in log.metadata},
            "rules": {"crawford": log.crawford, "jacoby": log.jacoby},
        },
        "ruleset": format_ruleset(adjudication.ruleset),
        "engine": format_engine(adjudication.engine),
        "games": [_game(game) for game in adjudication.games],
        "match_result": {
            "recorded": _tally(adjudication.recorded),
            "adjudicated": _tally(adjudication.adjudicated),
            "changed": adjudication.changed,
            "points_changed": adjudication.points_changed,
        },
        "remarks": [_remark(remark) for remark in adjudication.remarks],
    }


def format_engine(engine: EngineIdentity) -> Json:
    """The engine build, with every setting that its answers or the tie-break depend on."""
    return {"name": engine.name, "version": engine.version, "settings": dict(engine.settings)}


def _game(game: GameAdjudication) -> Json:
    formatted: Json = {
        "game": game.record.number,
        "status": game.status.value,
        "clause": None if game.clause is None else game.clause.value,
        "changed": game.changed,
        "points_changed": game.points_changed,
        "rolls": len(game.record.rolls),
        "score": _score(game.terms.score),
        "recorded": _recorded(game),
        "adjudicated": _adjudicated(game.adjudicated),
    }
    if game.playout is not None:
        formatted["playout"] = _playout(game.playout, game.terms, is_forced=game.is_forced)
    if game.unreadable is not None:
        formatted["unreadable"] = _fault(game.unreadable)
    formatted["remarks"] = [_remark(remark) for remark in game.remarks]
    return formatted


def _recorded(game: GameAdjudication) -> Json | None:
    if game.recorded is None:
        return None
    return {
        "winner": game.recorded.winner.label,
        "points": game.recorded.points,
        "ending": game.ending.value,
    }


def _adjudicated(result: GameResult | None) -> Json | None:
    if result is None:
        return None
    win = None if result.win is None else result.win.label
    return {"winner": result.winner.label, "win": win, "points": result.points}


def _playout(playout: Playout, terms: GameTerms, *, is_forced: bool | None) -> Json:
    series = playout.series
    return {
        "last_roll": list(series.last_roll),
        "roll_number": series.roll_number,
        "rolls_in_game": len(series.rolls),
        "series": [list(dice) for dice in series.rolls],
        "start": _start(playout.start, series.first_roll, terms),
        "winner_forced": is_forced,
        "turns": [_turn(turn, playout.start.cube, terms) for turn in playout.turns],
    }


def _start(start: LastChecker, series_roll: int, terms: GameTerms) -> Json:
    own, opponent = start.position
    white, black = (own, opponent) if start.on_roll is Side.WHITE else (opponent, own)
    return {
        "turn": start.turn,
        "side": start.side.label,
        "point": start.point,
        "mid_turn": start.mid_turn,
        "on_roll": start.on_roll.label,
        "series_roll": series_roll,
        "checkers": {"white": _checkers(white), "black": _checkers(black)},
        "cube": _cube(start.cube),
        "position_id": format_position_id(start.position),
        "xgid": format_xgid(start.position, start.on_roll, start.cube, terms),
    }


def _turn(turn: PlayoutTurn, cube: Cube, terms: GameTerms) -> Json:
    return {
        "side": turn.side.label,
        "series_roll": turn.series_roll,
        "dice": list(turn.dice),
        "play": format_play(turn.strongest.play.steps),
        "choice": turn.strongest.choice.value,
        "position_id": format_position_id(turn.position),
        "xgid": format_xgid(turn.position, turn.side.opponent, cube, terms),
        "candidates": [_candidate(candidate) for candidate in turn.strongest.candidates],
    }


def _candidate(candidate: Candidate) -> Json:
    return {
        "play": format_play(candidate.play.steps),
        "equity": candidate.equity,
        "modifier_equity": candidate.modifier_equity,
    }


def _checkers(checkers: Checkers) -> dict[str, int]:
    return {str(point): count for point, count in as_points(checkers).items()}


def _cube(cube: Cube) -> Json:
    return {"value": cube.value, "owner": None if cube.owner is None else cube.owner.label}


def _tally(tally: Tally) -> Json:
    return {
        "winner": None if tally.winner is None else tally.winner.label,
        "score": _score(tally.score),
        "surplus_games": list(tally.surplus_games),
        "not_counted": list(tally.not_counted),
    }


def _score(score: Score) -> dict[str, int]:
    return {"white": score.white, "black": score.black}


def _remark(remark: Remark) -> Json:
    turn = remark.place.turn if remark.turn is None else remark.turn
    formatted: Json = {"code": remark.code.value, "turn": turn, "detail": remark.detail}
    return formatted | _where(remark.place, leave_out=("turn",))


def _fault(fault: Fault) -> Json:
    return {"reason": fault.reason, **_where(fault.place)}


def _where(place: Place, leave_out: tuple[str, ...] = ()) -> Json:
    known: Mapping[str, object] = {"line": place.line, "pointer": place.pointer, "turn": place.turn}
    return {name: value for name, value in known.items() if value is not None and name not in leave_out}
