"""Where a command writes: results to standard output, all else to standard error.

Colours appear on a terminal only, and never where ``NO_COLOR`` is set (both rich's doing). Text from records
is never read as markup.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from adjudicator.cli.exit_codes import exit_code_of
from adjudicator.errors import AdjudicatorError
from adjudicator.reports.plain_text import printable

PIPE_WIDTH = 120
"""Columns of a table that does not go to a terminal, so that what reads it does not depend on a window."""


def results() -> Console:
    """The console for what was asked for."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, markup=False, emoji=False, highlight=False)


def messages() -> Console:
    """The console for errors, progress and what else is said on the side."""
    return Console(stderr=True, soft_wrap=True, markup=False, emoji=False, highlight=False)


def say_error(error: AdjudicatorError, *, about: str | None = None) -> None:
    """Write what went wrong to standard error, one line a fault; ``about`` names the file it concerns."""
    subject = "" if about is None else f"{about}: "
    lines = [f"{subject}{error.detail} [{error.code}]", *(f"  {fault}" for fault in error.faults)]
    for line in lines:
        messages().print(Text(printable(line), style="red"))


@contextmanager
def errors_end_the_command() -> Iterator[None]:
    """Turn an error of this project into a message and its exit code."""
    try:
        yield
    except AdjudicatorError as error:
        say_error(error)
        raise click.exceptions.Exit(exit_code_of(error)) from error


@contextmanager
def progress_bar(label: str, total: int | None) -> Iterator[Callable[[], None]]:
    """A bar on standard error while something long goes on; gives the function that says "one more done".

    ``total`` is ``None`` where nobody knows how many there are. Shows nothing where standard error is no
    terminal.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = messages()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)
