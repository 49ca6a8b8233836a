"""``adjudicator stats``: what the results in a file come to."""

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from adjudicator.cli.console import errors_end_the_command, results
from adjudicator.cli.kept_lines import read_lines
from adjudicator.errors import InputUnavailableError, RequestError
from adjudicator.service.batch_statistics import format_tally, tally_lines


@click.command("stats")
@click.argument("file", metavar="RESULTS.ndjson", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(file: Path, as_json: bool) -> None:
    """Tell what the results in a file come to.

    The file is one that batch wrote, or the results of a batch of the service.
    """
    with errors_end_the_command():
        numbers = _read_numbers(file)
    if as_json:
        click.echo(json.dumps(numbers))
    else:
        results().print(_table(numbers))


def _read_numbers(file: Path) -> dict[str, Any]:
    """The statistics of a file of results.

    Raises: InputUnavailableError, RequestError.
    """
    try:
        with file.open("rb") as lines:
            return format_tally(tally_lines(read_lines(lines, str(file))))
    except OSError as error:
        raise InputUnavailableError(f"{file} cannot be read: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RequestError(f"{file} is no file of results: a line lacks what each has") from error


def _table(numbers: dict[str, Any]) -> Table:
    table = Table("", "number", "share", box=None)
    for kind in ("matches", "games"):
        counts = numbers[kind]
        table.add_row(kind, str(counts["total"]), "")
        for status, count in counts["by_status"].items():
            if count:
                share = counts.get(f"{status}_share")
                table.add_row(f"  {status.replace('_', ' ')}", str(count), _percent(share))
        table.add_row("  changed", str(counts["changed"]), _percent(counts["changed_share"]))
    for code, count in numbers["failures"].items():
        table.add_row(f"not adjudicated: {code}", str(count), "")
    return table


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.2%}"
