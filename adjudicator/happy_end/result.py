"""The result as JSON: everything needed to do an adjudication again by hand (HE-9)."""

from collections.abc import Mapping
from typing import Any

from adjudicator.happy_end.adjudication import MatchAdjudication, Tally
from adjudicator.happy_end.game import GameAdjudication, PlayedOut
from adjudicator.happy_end.game_result import GameResult
from adjudicator.happy_end.hinges import Hinge
from adjudicator.happy_end.judge import MODIFIER_DIGITS
from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.playout import PlayoutTurn
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.result_parts import (
    Json,
    format_checkers,
    format_cube,
    format_fault,
    format_remark,
    format_score,
)
from adjudicator.happy_end.ruleset import Ruleset, format_ruleset
from adjudicator.happy_end.strongest_play import Candidate
from adjudicator.notation.play_text import format_play
from adjudicator.notation.position_id import format_position_id
from adjudicator.notation.xgid import format_xgid
from adjudicator.rules.cube import Cube
from adjudicator.rules.score import GameTerms
from adjudicator.rules.sides import Side

SCHEMA = "adjudication/1"

METADATA = ("site", "event", "round", "match id", "match_id", "eventdate", "eventtime", "played_at")
"""What of a record's free metadata stands in its result: what tells which match it was, and nothing else."""

CHANCE_DIGITS = 6
"""Decimals of the chances stated for people; nothing is decided by them."""


def format_result(
    adjudication: MatchAdjudication,
    *,
    adjudication_id: str,
    match_id: str,
    record_sha256: str,
    original_sha256: str | None = None,
) -> Json:
    """The result in the names of the public contract, made of plain JSON values only.

    ``original_sha256`` is that of the record as it was sent, where a name has been erased from it since.

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
            **({} if original_sha256 is None else {"original_sha256": original_sha256}),
            "format": log.format,
            "variant": log.variant.name,
            "match_length": log.match_length,
            "players": {"white": log.white, "black": log.black},
            "metadata": {name: log.metadata[name] for name in METADATA if name in log.metadata},
            "rules": {"crawford": log.crawford, "jacoby": log.jacoby},
        },
        "ruleset": format_ruleset(adjudication.ruleset),
        "engine": format_engine(adjudication.engine),
        "games": [_game(game, adjudication.ruleset) for game in adjudication.games],
        "match_result": {
            "recorded": _tally(adjudication.recorded),
            "adjudicated": _tally(adjudication.adjudicated),
            "changed": adjudication.changed,
            "points_changed": adjudication.points_changed,
        },
        "remarks": [format_remark(remark) for remark in adjudication.remarks],
    }


def format_engine(engine: EngineIdentity) -> Json:
    """The engine build, with every setting that its answers or the tie-break depend on.

    The builds asked besides are left out where there are none.
    """
    formatted: Json = {"name": engine.name, "version": engine.version, "settings": dict(engine.settings)}
    if engine.cross_checks:
        formatted["cross_checks"] = [format_engine(build) for build in engine.cross_checks]
    return formatted


def parse_engine(fields: Mapping[str, Any]) -> EngineIdentity:
    """The engine build as ``format_engine`` wrote it.

    Raises: KeyError, TypeError, ValueError.
    """
    cross_checks = tuple(parse_engine(build) for build in fields.get("cross_checks", ()))
    return EngineIdentity(str(fields["name"]), str(fields["version"]), dict(fields["settings"]), cross_checks)


def _game(game: GameAdjudication, ruleset: Ruleset) -> Json:
    formatted: Json = {
        "game": game.record.number,
        "status": game.status.value,
        "clause": None if game.clause is None else game.clause.value,
        "changed": game.changed,
        "points_changed": game.points_changed,
        "rolls": len(game.record.rolls),
        "score": format_score(game.terms.score),
        "recorded": _recorded(game),
        "adjudicated": _adjudicated(game.adjudicated),
    }
    if game.played is not None:
        formatted["playout"] = _playout(game.played, game.terms, ruleset.indifference)
    if game.unreadable is not None:
        formatted["unreadable"] = format_fault(game.unreadable)
    formatted["remarks"] = [format_remark(remark) for remark in game.remarks]
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


def _playout(played: PlayedOut, terms: GameTerms, indifference: float) -> Json:
    playout = played.playout
    series = playout.series
    return {
        "last_roll": list(series.last_roll),
        "roll_number": series.roll_number,
        "rolls_in_game": len(series.rolls),
        "series": [list(dice) for dice in series.rolls],
        "start": _start(playout.start, series.first_roll, terms),
        "chances": _chances(played.white_chances),
        "winner_forced": played.hinges.is_forced,
        "hinges": [_hinge(hinge, indifference) for hinge in played.hinges.found],
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
        "checkers": {"white": format_checkers(white), "black": format_checkers(black)},
        "cube": format_cube(start.cube),
        "position_id": format_position_id(start.position),
        "xgid": format_xgid(start.position, start.on_roll, start.cube, terms),
    }


def _chances(of_white: Outcomes) -> Json:
    sides = {Side.WHITE: of_white, Side.BLACK: of_white.swapped()}
    return {
        side.label: {
            "win": round(chances.win, CHANCE_DIGITS) + 0.0,
            "win_gammon": round(chances.win_gammon, CHANCE_DIGITS) + 0.0,
            "win_backgammon": round(chances.win_backgammon, CHANCE_DIGITS) + 0.0,
        }
        for side, chances in sides.items()
    }


def _hinge(hinge: Hinge, indifference: float) -> Json:
    lead = hinge.lead
    return {
        "turn": hinge.turn,
        "alternative": format_play(hinge.alternative.steps),
        "measure": None if lead is None else lead.measure.value,
        "lead": None if lead is None else round(lead.equity, MODIFIER_DIGITS) + 0.0,
        "close": hinge.is_close(indifference),
    }


def _turn(turn: PlayoutTurn, cube: Cube, terms: GameTerms) -> Json:
    formatted = {
        "side": turn.side.label,
        "series_roll": turn.series_roll,
        "dice": list(turn.dice),
        "play": format_play(turn.strongest.play.steps),
        "choice": turn.strongest.choice.value,
        "position_id": format_position_id(turn.position),
        "xgid": format_xgid(turn.position, turn.side.opponent, cube, terms),
        "candidates": [_candidate(candidate) for candidate in turn.strongest.candidates],
    }
    cross_choices = turn.strongest.cross_choices
    if cross_choices:
        formatted["cross_choices"] = {name: format_play(play.steps) for name, play in cross_choices.items()}
    return formatted


def _candidate(candidate: Candidate) -> Json:
    formatted: Json = {
        "play": format_play(candidate.play.steps),
        "equity": candidate.equity,
        "modifier_equity": candidate.modifier_equity,
    }
    if candidate.cross_equities:
        formatted["cross_equities"] = dict(candidate.cross_equities)
    return formatted


def _tally(tally: Tally) -> Json:
    return {
        "winner": None if tally.winner is None else tally.winner.label,
        "score": format_score(tally.score),
        "surplus_games": list(tally.surplus_games),
        "not_counted": list(tally.not_counted),
    }
