"""The options by which a command line chooses ruleset and engine."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from adjudicator.happy_end.ruleset import Finish, Numbering
from adjudicator.service.choice import MOST_INDIFFERENCE

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--ruleset", default="happy-end", show_default=True, help="Name of the ruleset."),
    click.option("--engine", help="Name of the engine that judges positions."),
    click.option(
        "--finish",
        type=click.Choice([finish.value for finish in Finish]),
        help="By which dice a last checker is borne off (HE-1.2).",
    ),
    click.option(
        "--numbering",
        type=click.Choice([numbering.value for numbering in Numbering]),
        help="What the roll number counts (HE-4.1).",
    ),
    click.option(
        "--indifference",
        type=click.FloatRange(0, MOST_INDIFFERENCE),
        help="Equities this close are equal for the engine (HE-7.3).",
    ),
)


def choice_options(command: F) -> F:
    """Give a command the options of ``Choice``, under the names of its fields."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
