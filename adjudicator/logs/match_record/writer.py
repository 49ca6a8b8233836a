"""Writes a match log as a JSON match record.

Source: ``docs/formats/match-record.md``.
"""

from typing import Any

from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.match_record.actions import format_action
from adjudicator.logs.match_record.reader import SCHEMA_NAME
from adjudicator.logs.match_record.values import format_board
from adjudicator.rules.record import GameRecord
from adjudicator.rules.sides import Side


def format_match_record(log: MatchLog) -> dict[str, Any]:
    """The match record of a log, ready for JSON; places, rows and remarks have no room in it."""
    return {
        "schema": SCHEMA_NAME,
        "variant": log.variant.name,
        "match_length": log.match_length,
        "rules": {"crawford": log.crawford, "jacoby": log.jacoby},
        "players": {side.label: {"name": log.player(side)} for side in Side},
        "metadata": dict(log.metadata),
        "games": [_format_game(game) for game in log.games],
    }


def _format_game(game: GameRecord) -> dict[str, Any]:
    score, result = game.score, game.result
    return {
        "number": game.number,
        "score": None if score is None else {side.label: score.of(side) for side in Side},
        "start": "standard" if game.start is None else format_board(game.start),
        "crawford": game.crawford,
        "actions": [format_action(action) for action in game.actions],
        "result": None if result is None else {"winner": result.winner.label, "points": result.points},
    }
