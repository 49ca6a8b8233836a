"""What ``inspect`` prints of a log: the heading, the table of games, the table of one game's turns."""

from collections.abc import Iterable, Iterator
from typing import Literal

from rich.console import Group
from rich.table import Table
from rich.text import Text

from adjudicator.errors import Fault
from adjudicator.happy_end.following import FollowedGame
from adjudicator.happy_end.last_checker import ExactFinish, LastChecker
from adjudicator.happy_end.result_parts import Json, format_fault, format_remark, parse_place
from adjudicator.notation.play_text import format_play
from adjudicator.reports.plain_text import printable
from adjudicator.rules.board import BAR, pip_count
from adjudicator.rules.record import CubeRecord, ResignRecord, Writing
from adjudicator.rules.remarks import Remark
from adjudicator.rules.sides import Side
from adjudicator.service.inspection import InspectedAction, Inspection, actions_of

HEADING = "bold"
REMARK = "yellow"
UNREADABLE = "magenta"

_GAME_COLUMNS = ("game", "score", "Crawford", "rolls", "recorded", "points", "ended by", "last checker")
_TURN_COLUMNS = ("turn", "line", "side", "action", "play", "pips", "remarks")
_NUMBERS = {"game", "rolls", "points", "turn", "line"}


def inspection_tables(inspection: Inspection, name: str) -> Group:
    """Everything about a log but its turns."""
    table = _table(_GAME_COLUMNS)
    for game in inspection.games:
        table.add_row(*map(_text, _game_cells(game)))
    return Group(
        Text(printable(name), style=HEADING),
        *map(_text, _facts(inspection)),
        Text(),
        table,
        *_remark_lines(inspection),
        Text(),
    )


def turns_table(game: FollowedGame) -> Group:
    """Every action of a game, a row each, and why it ends where it does."""
    table = _table(_TURN_COLUMNS)
    for action in actions_of(game):
        codes = ", ".join(_codes_at(action, game.remarks))
        table.add_row(*map(_text, _turn_cells(action)), Text(codes, style=REMARK))
    return Group(Text(f"Game {game.record.number}", style=HEADING), table, *_game_remarks(game), Text())


def _facts(inspection: Inspection) -> Iterator[str]:
    log = inspection.log
    yield f"format   {log.format}: {inspection.log_format.description}"
    yield f"file     {inspection.size} bytes, SHA-256 {inspection.sha256}"
    yield f"white    {log.white or '(no name)'}"
    yield f"black    {log.black or '(no name)'}"
    yield f"match    {log.variant.name}, {_length(inspection)}"
    for key, value in log.metadata.items():
        yield f"header   {key}: {value}"


def _length(inspection: Inspection) -> str:
    log = inspection.log
    if not log.match_length:
        return f"money session, {'with' if log.jacoby else 'without'} the Jacoby rule"
    return f"{log.match_length} points, {'with' if log.crawford else 'without'} the Crawford rule"


def _game_cells(game: FollowedGame) -> Iterator[str]:
    score, result = game.terms.score, game.record.result
    yield str(game.record.number)
    yield f"{score.white}-{score.black}"
    yield game.terms.crawford.name.lower() if game.terms.match_length else "-"
    yield str(len(game.record.rolls))
    yield "-" if result is None else result.winner.label
    yield "-" if result is None or result.points is None else str(result.points)
    yield "cannot be followed" if game.unreadable else game.replayed.ending.value.replace("_", " ")
    yield _last_checker(game.reached)


def _last_checker(reached: LastChecker | ExactFinish | None) -> str:
    if reached is None:
        return "-"
    if isinstance(reached, ExactFinish):
        return f"turn {reached.turn}, {reached.side.label}, borne off exactly"
    where = "bar" if reached.point == BAR else f"point {reached.point}"
    return f"turn {reached.turn}, {reached.side.label}, {where}"


def _turn_cells(inspected: InspectedAction) -> Iterator[str]:
    action, turn = inspected.action, inspected.replayed
    is_roll = not isinstance(action, CubeRecord | ResignRecord)
    yield str(inspected.turn) if is_roll else ""
    yield str(action.place.line or "")
    yield action.side.label
    if isinstance(action, CubeRecord):
        yield action.action.value + ("" if action.value is None else f" {action.value}")
        yield from ("", "")
    elif isinstance(action, ResignRecord):
        yield "resigns" + ("" if action.win is None else f" {action.win.label}")
        yield from ("", "")
    else:
        yield str(action.dice)
        movements = action.movements if turn is None else turn.movements
        yield format_play(movements) or _WITHOUT_PLAY[action.writing]
        yield "-" if turn is None else _pips(inspected)


_WITHOUT_PLAY = {
    Writing.PLAY: "",
    Writing.NOTHING: "(nothing written)",
    Writing.CANNOT_MOVE: "(cannot move)",
    Writing.NOT_PLAYED: "(not played)",
    Writing.POSITION: "(illegal, position agreed)",
    Writing.UNREAD: "(cannot be read)",
}


def _pips(inspected: InspectedAction) -> str:
    """White's and black's pips after the roll."""
    turn = inspected.replayed
    if turn is None:
        return "-"
    own, other = pip_count(turn.after.own), pip_count(turn.after.opponent)
    return f"{own}-{other}" if turn.side is Side.WHITE else f"{other}-{own}"


def _codes_at(inspected: InspectedAction, remarks: Iterable[Remark]) -> list[str]:
    """The codes of the remarks that stand at that action: at its turn and its place."""
    place = inspected.action.place
    at_place = (place.line, place.pointer)
    return [
        remark.code.value
        for remark in remarks
        if remark.turn == inspected.turn and at_place == (remark.place.line, remark.place.pointer)
    ]


def _remark_lines(inspection: Inspection) -> Iterator[Text]:
    for remark in inspection.remarks:
        yield _remark("log", remark)
    for game in inspection.games:
        yield from _game_remarks(game)


def _game_remarks(game: FollowedGame) -> Iterator[Text]:
    name = f"game {game.record.number}"
    for remark in game.remarks:
        yield _remark(name, remark)
    if game.unreadable is not None:
        yield _unreadable(name, game.unreadable)


def _remark(subject: str, remark: Remark) -> Text:
    sentence = _sentence(subject, format_remark(remark), f"{remark.code.value}: {remark.detail}")
    return Text(printable(sentence), style=REMARK)


def _unreadable(subject: str, fault: Fault) -> Text:
    sentence = _sentence(subject, format_fault(fault), f"cannot be followed from here: {fault.reason}")
    return Text(printable(sentence), style=UNREADABLE)


def _sentence(subject: str, formatted: Json, said: str) -> str:
    """What is said of a remark or fault, at its place within the subject."""
    where = str(parse_place(formatted))
    return f"{subject}, {where}: {said}" if where else f"{subject}: {said}"


def _table(columns: Iterable[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        justify: Literal["right", "left"] = "right" if column in _NUMBERS else "left"
        table.add_column(column, justify=justify)
    return table


def _text(text: str) -> Text:
    return Text(printable(text))
