"""Writes a match log as a JSON match record.

Source: ``docs/formats/match-record.md``.
"""

import json
from collections.abc import Iterator, Mapping
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


def format_record_text(log: MatchLog) -> str:
    """The text of the match record: JSON with a line for every action, for people who look into it."""
    record = format_match_record(log)
    games = ",\n".join("\n".join(_game_lines(game)) for game in record.pop("games"))
    head = "\n".join(f" {_dump(key)}: {_dump(value)}," for key, value in record.items())
    return f'{{\n{head}\n "games": [\n{games}\n ]\n}}\n'


def _game_lines(game: Mapping[str, Any]) -> Iterator[str]:
    last = len(game["actions"]) - 1
    yield "  {"
    for key, value in game.items():
        if key == "actions":
            yield '   "actions": ['
            for index, action in enumerate(value):
                yield f"    {_dump(action)}{'' if index == last else ','}"
            yield "   ],"
        else:
            yield f"   {_dump(key)}: {_dump(value)}{'' if key == 'result' else ','}"
    yield "  }"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


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
