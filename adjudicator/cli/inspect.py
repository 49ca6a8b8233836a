"""``adjudicator inspect``: what a file holds, without any adjudication."""

import json
from dataclasses import dataclass
from pathlib import Path

import click
from rich.text import Text

from adjudicator.cli.choice_options import ruleset_option
from adjudicator.cli.console import errors_end_the_command, results, say_error
from adjudicator.cli.exit_codes import ExitCode, exit_code_of
from adjudicator.cli.input_files import BadInput, InputFile, read_inputs, require_file
from adjudicator.cli.inspection_tables import inspection_tables, turns_table
from adjudicator.errors import AdjudicatorError, Fault, Place, RequestError
from adjudicator.happy_end.following import FollowedGame
from adjudicator.happy_end.ruleset import FINISH, Finish
from adjudicator.reports.inspection_data import format_inspection
from adjudicator.reports.plain_text import printable
from adjudicator.reports.turn_picture import draw_start, draw_turn
from adjudicator.service.identifiers import record_digest
from adjudicator.service.inspection import Inspection, inspect_log


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be shown: all of a log, the turns of one game, or one turn of it.

    ``finish`` is the one that last-checker positions are found by.
    """

    game: int | None
    turn: int | None
    finish: Finish
    as_json: bool


@click.command("inspect")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--game", type=click.IntRange(0), help="List the turns of the game of that number.")
@click.option("--turn", type=click.IntRange(0), help="Draw the board before and after that roll of --game.")
@ruleset_option(FINISH)
@click.option("--json", "as_json", is_flag=True, help="Print the same as one line of JSON a file.")
def command(
    files: tuple[Path, ...], game: int | None, turn: int | None, finish: str | None, as_json: bool
) -> None:
    """Show what match records hold: players, games, remarks, boards.

    FILE may be an archive, a folder, or - for standard input.
    """
    wish = _Wish(game, turn, FINISH.default if finish is None else FINISH.parse(finish), as_json)
    with errors_end_the_command():
        if turn is not None and game is None:
            raise RequestError("A turn is one of a game: give --game too.")
        codes = [_inspect_input(record, wish) for record in read_inputs(files)]
    raise click.exceptions.Exit(max(codes))


def _inspect_input(record: InputFile | BadInput, wish: _Wish) -> ExitCode:
    """Show one record; what goes wrong with it is said, and the next is due."""
    try:
        _show(require_file(record), wish)
    except AdjudicatorError as error:
        if isinstance(record, InputFile) and not wish.as_json and not isinstance(error, RequestError):
            results().print(_unread_heading(record), soft_wrap=True)
        say_error(error, about=record.name)
        return exit_code_of(error)
    return ExitCode.FINE


def _unread_heading(file: InputFile) -> Text:
    """What is known of a file that cannot be read."""
    digest = record_digest(file.content)
    return Text(printable(f"{file.name}: {len(file.content)} bytes, SHA-256 {digest}"))


def _show(file: InputFile, wish: _Wish) -> None:
    """Print what is wished to be seen of a record.

    Raises: RequestError for a game or turn that is not there; what the reader raises.
    """
    inspection = inspect_log(file.content, wish.finish)
    game = None if wish.game is None else _game(inspection, wish.game)
    if wish.as_json:
        data = format_inspection(inspection, file.name, with_actions_of=wish.game)
        click.echo(json.dumps(data, ensure_ascii=False))
    elif game is None:
        results().print(inspection_tables(inspection, file.name))
    elif wish.turn is None:
        results().print(turns_table(game))
    else:
        _draw(game, wish.turn)


def _game(inspection: Inspection, number: int) -> FollowedGame:
    game = inspection.game(number)
    if game is None:
        numbers = ", ".join(str(game.record.number) for game in inspection.games)
        fault = Fault(f"there is no game {number}; there are {numbers}", Place(parameter="game"))
        raise RequestError("There is no such game.", [fault])
    return game


def _draw(game: FollowedGame, number: int) -> None:
    turns = {turn.number: turn for turn in game.replayed.turns}
    if number and number not in turns:
        reason = f"turns 0 to {len(turns)} of game {game.record.number} can be followed"
        faults = [Fault(reason, Place(parameter="turn")), *([game.unreadable] if game.unreadable else [])]
        raise RequestError("There is no such turn.", faults)
    lines = draw_turn(game, turns[number]) if number else draw_start(game)
    for line in lines:
        results().print(Text(printable(line)), soft_wrap=True)
    for remark in game.remarks:
        if remark.turn == number:
            results().print(Text(printable(f"{remark.code.value}: {remark.detail}"), style="yellow"))
