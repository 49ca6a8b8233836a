"""The table of a result: one row a game."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from adjudicator.reports.plain_text import printable
from adjudicator.reports.text import games_left_out
from adjudicator.rules.board import BAR

COLUMNS = ("game", "recorded", "points", "roll no.", "last checker", "adjudicated", "", "clause")

CHANGED = "bold yellow"
STANDS = "green"
OPEN = "magenta"


def match_table(result: Mapping[str, Any], heading: str) -> Group:
    """The heading, a row for every game of a result, how the match ends, and which games do not count."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in COLUMNS:
        table.add_column(column, justify="right" if column in {"game", "points", "roll no."} else "left")
    players: Mapping[str, str] = result["match"]["players"]
    for game in result["games"]:
        table.add_row(*_cells(game, players))
    left_out = games_left_out(result["match_result"]["adjudicated"])
    return Group(
        Text(printable(heading), style="bold"),
        table,
        _match_line(result),
        *(Text(line, style=OPEN) for line in left_out),
        Text(),
    )


def _cells(game: Mapping[str, Any], players: Mapping[str, str]) -> Iterator[Text]:
    playout = game.get("playout")
    yield Text(str(game["game"]))
    yield _winner(game["recorded"], players)
    yield Text(_points(game))
    yield Text(str(playout["roll_number"]) if playout else "-")
    yield Text(_last_checker(playout))
    yield _winner(game["adjudicated"], players)
    yield _verdict(game)
    yield Text(game["clause"] or "-")


def _winner(outcome: Mapping[str, Any] | None, players: Mapping[str, str]) -> Text:
    """The winner's side and name, ``-`` where nobody won."""
    side = outcome["winner"] if outcome else None
    return Text(printable(f"{side} {players[side]}".rstrip())) if side else Text("-")


def _points(game: Mapping[str, Any]) -> str:
    """What the winner got by the record, and after an arrow what it gets now, if that is another number."""
    recorded, adjudicated = ((game.get(name) or {}).get("points") for name in ("recorded", "adjudicated"))
    texts = ["-" if points is None else str(points) for points in (recorded, adjudicated)]
    return texts[0] if texts[0] == texts[1] else " > ".join(texts)


def _last_checker(playout: Mapping[str, Any] | None) -> str:
    if not playout:
        return "-"
    side, point = playout["start"]["side"], playout["start"]["point"]
    return f"{side}, {'bar' if point == BAR else f'point {point}'}"


def _verdict(game: Mapping[str, Any]) -> Text:
    if game["status"] in {"undecided", "no_result", "unreadable"}:
        return Text(game["status"].replace("_", " "), style=OPEN)
    return Text("changed", style=CHANGED) if game["changed"] else Text("stands", style=STANDS)


def _match_line(result: Mapping[str, Any]) -> Text:
    tally, players = result["match_result"], result["match"]["players"]
    parts = []
    for name in ("recorded", "adjudicated"):
        outcome = tally[name]
        score = outcome["score"]
        winner = _winner(outcome, players).plain if outcome["winner"] else "no winner"
        parts.append(f"{name} {winner} {score['white']}-{score['black']}")
    line = Text(f"match: {', '.join(parts)}: ")
    return line.append("changed", CHANGED) if tally["changed"] else line.append("stands", STANDS)
