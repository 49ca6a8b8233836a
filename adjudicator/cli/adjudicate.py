"""``adjudicator adjudicate``: records in, winners out, without any server."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from adjudicator.bootstrap import build_adjudicator, open_offer
from adjudicator.cli.choice_options import choice_options
from adjudicator.cli.console import errors_end_the_command, results, say_error
from adjudicator.cli.exit_codes import ExitCode, exit_code_of
from adjudicator.cli.input_files import BadInput, InputFile, read_inputs_with_progress, require_file
from adjudicator.cli.match_table import match_table
from adjudicator.config import load_settings
from adjudicator.errors import AdjudicatorError, RequestError
from adjudicator.logs.reading import read_log
from adjudicator.service.choice import Choice
from adjudicator.service.orders import make_order
from adjudicator.service.values import LOCAL_OWNER

Adjudicate = Callable[[bytes], bytes]


@click.command("adjudicate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@choice_options
@click.option("--json", "as_json", is_flag=True, help="Print each result as one line of JSON.")
def command(files: tuple[Path, ...], as_json: bool, **wishes: Any) -> None:
    """Adjudicate match records, without any server.

    Prints a table a match, a row a game. FILE may be an archive, a folder, or - for standard input.
    """
    with errors_end_the_command(), local_adjudicator(Choice.of(wishes)) as adjudicate:
        records = read_inputs_with_progress(files, "adjudicating")
        codes = [_adjudicate_record(record, adjudicate, as_json) for record in records]
    raise click.exceptions.Exit(max(codes))


@contextmanager
def local_adjudicator(choice: Choice) -> Iterator[Adjudicate]:
    """What makes of a record the bytes of its result, in this process and its engine process.

    Raises: ConfigurationError.
    """
    settings = load_settings()
    offer = open_offer(settings)
    adjudicator = build_adjudicator(settings, offer)

    def adjudicate(content: bytes) -> bytes:
        log = read_log(content)
        order = make_order(content, log, choice=choice, offer=offer, owner=LOCAL_OWNER)
        return adjudicator.adjudicate(order).content

    try:
        yield adjudicate
    finally:
        offer.close()


def _adjudicate_record(record: InputFile | BadInput, adjudicate: Adjudicate, as_json: bool) -> ExitCode:
    """Adjudicate one record and print its result; what goes wrong with it is said, and the next is due.

    Raises: RequestError, since a wrong option is wrong for all files.
    """
    try:
        result = adjudicate(require_file(record).content)
    except RequestError:
        raise
    except AdjudicatorError as error:
        say_error(error, about=record.name)
        return exit_code_of(error)
    if as_json:
        click.echo(result)
    parsed = json.loads(result)
    if not as_json:
        results().print(match_table(parsed, heading=record.name))
    return _outcome_code(parsed)


def _outcome_code(result: dict[str, Any]) -> ExitCode:
    has_unreadable = any(game["status"] == "unreadable" for game in result["games"])
    return ExitCode.NOT_ADJUDICATED if has_unreadable else ExitCode.FINE
