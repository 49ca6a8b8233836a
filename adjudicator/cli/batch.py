"""``adjudicator batch``: many records to one file of results, without any server, on all cores."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import click

from adjudicator.bootstrap import open_offer
from adjudicator.cli.choice_options import choice_options
from adjudicator.cli.console import errors_end_the_command, messages, progress_bar
from adjudicator.cli.exit_codes import ExitCode
from adjudicator.cli.input_files import count_inputs, read_inputs
from adjudicator.cli.kept_lines import pass_over_kept
from adjudicator.cli.local_batch import LocalBatch
from adjudicator.config import load_settings
from adjudicator.errors import ConfigurationError
from adjudicator.reports.plain_text import printable
from adjudicator.service.choice import Choice, pin_engine
from adjudicator.service.offer import Offer


@click.command("batch")
@click.argument("path", metavar="ARCHIVE|DIR", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File of results to write.")
@click.option("--processes", type=click.IntRange(1, 256), help="How many; if not given, one a core.")
@choice_options
def command(path: Path, out: Path, processes: int | None, **wishes: Any) -> None:
    """Adjudicate many records into one file, without any server, on all cores.

    What is in the file already is not done again: the same call goes on where it stopped.
    """
    with errors_end_the_command():
        offer = open_offer(load_settings())
        try:
            choice = pin_engine(Choice.of(wishes), offer)
            with _opened(out) as file:
                count, failed = _adjudicate_all(path, file, choice, offer, processes or os.cpu_count() or 1)
        finally:
            offer.close()
    messages().print(printable(f"{count} in {out}, {failed} of them not adjudicated or not wholly"))
    raise click.exceptions.Exit(ExitCode.NOT_ADJUDICATED if failed else ExitCode.FINE)


def _adjudicate_all(
    path: Path, file: BinaryIO, choice: Choice, offer: Offer, processes: int
) -> tuple[int, int]:
    """Adds what is missing in the file; how many lines it then has, and how many of them are not fine."""
    records = read_inputs([path])
    count, failed = pass_over_kept(file, records, choice, offer)
    with (
        progress_bar("adjudicating", count_inputs([path])) as advance,
        LocalBatch(choice, processes) as batch,
    ):
        for _ in range(count):
            advance()
        for line in batch.lines(records, first=count + 1):
            file.write(line.content)
            file.flush()
            count, failed = line.number, failed + (not line.is_fine)
            advance()
    return count, failed


def _opened(out: Path) -> BinaryIO:
    """The file to be read and written, made where it is missing.

    Raises: ConfigurationError.
    """
    try:
        with suppress(FileExistsError):
            out.touch(exist_ok=False)
        return out.open("r+b")
    except OSError as error:
        raise ConfigurationError(f"{out} cannot be written: {error.strerror or error}") from error
