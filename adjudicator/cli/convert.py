"""``adjudicator convert``: a record of any format as our match record or as a clean .mat."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click
from rich.text import Text

from adjudicator.cli.console import errors_end_the_command, messages, results, say_error
from adjudicator.cli.exit_codes import ExitCode
from adjudicator.cli.input_files import (
    STANDARD_INPUT,
    InputFile,
    read_inputs,
    read_inputs_with_progress,
    require_file,
)
from adjudicator.cli.output_files import OutputNames, force_option, make_folder, write_output
from adjudicator.errors import AdjudicatorError, Fault, Place, RequestError
from adjudicator.logs.conversion import TARGETS, Target, convert_log
from adjudicator.logs.reading import read_log
from adjudicator.reports.plain_text import printable

STANDARD_OUTPUT = STANDARD_INPUT


@click.command("convert")
@click.argument("paths", nargs=-1, required=True, metavar="IN... [OUT]", type=click.Path(path_type=Path))
@click.option("--to", type=click.Choice(list(TARGETS)), help="Format to write; OUT's suffix tells it else.")
@click.option("--out-dir", type=click.Path(path_type=Path), help="Folder to write every record to.")
@force_option
def command(paths: tuple[Path, ...], to: str | None, out_dir: Path | None, force: bool) -> None:
    """Write records of any format as match record (.json) or .mat.

    Takes one record and the file to write it to, - for standard input and output; or any number of files,
    archives and folders with --out-dir. What the format has no place for is told, one line each.
    """
    with errors_end_the_command():
        if out_dir is not None:
            code = _convert_all(paths, _target(to, None), out_dir, force)
        elif len(paths) == 2:
            _convert_one(paths[0], paths[1], _target(to, paths[1]), force)
            code = ExitCode.FINE
        else:
            raise RequestError("Give one record and the file to write it to, or --out-dir for several.")
    raise click.exceptions.Exit(code)


def _target(to: str | None, out: Path | None) -> Target:
    """The format to write: the one chosen, or the one of the file's suffix.

    Raises: RequestError where neither tells.
    """
    word = to or (out.suffix.lower().removeprefix(".") if out is not None else "")
    if word not in TARGETS:
        fault = Fault(f"choose one of {', '.join(TARGETS)}", Place(parameter="to"))
        raise RequestError("The format to write is not known.", [fault])
    return TARGETS[word]


def _convert_one(file: Path, out: Path, target: Target, force: bool) -> None:
    found = list(islice(read_inputs([file]), 2))
    if len(found) > 1:
        raise RequestError(f"{file} holds several records; --out-dir writes them all.")
    content = _convert(require_file(found[0]), target)
    if out == STANDARD_OUTPUT:
        click.echo(content, nl=False)
    else:
        write_output(out, content, may_replace=force)


def _convert_all(paths: Sequence[Path], target: Target, out_dir: Path, force: bool) -> ExitCode:
    """Convert every record; one that cannot be is told, and the next is due.

    Raises: ConfigurationError where the folder cannot be made.
    """
    make_folder(out_dir)
    names = OutputNames()
    written = failed = 0
    for record in read_inputs_with_progress(paths, "converting"):
        try:
            file = require_file(record)
            content = _convert(file, target)
            write_output(out_dir / names.name_for(file.short_name, target.suffix), content, may_replace=force)
        except AdjudicatorError as error:
            failed += 1
            say_error(error, about=record.name)
        else:
            written += 1
    results().print(f"{written} written to {printable(str(out_dir))}, {failed} not")
    return ExitCode.NOT_ADJUDICATED if failed else ExitCode.FINE


def _convert(file: InputFile, target: Target) -> bytes:
    """The record in that format; what is lost on the way is told.

    Raises: AdjudicatorError, why it cannot be read or written.
    """
    conversion = convert_log(read_log(file.content), target)
    for loss in conversion.losses:
        messages().print(Text(printable(f"{file.name}: not kept: {loss}"), style="yellow"))
    return conversion.content
