"""The options by which a command line chooses ruleset and engine."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from adjudicator.happy_end.ruleset import DEFAULT_RULESET, OPTIONS, ChoiceOption, Option

F = TypeVar("F", bound=Callable[..., Any])


def _kind_of(option: Option) -> click.ParamType[Any]:
    if isinstance(option, ChoiceOption):
        return click.Choice(option.values)
    return click.FloatRange(option.least, option.most)


def ruleset_option(option: Option) -> Callable[[F], F]:
    """The command line's form of an option of the ruleset, ``None`` where it is not given."""
    return click.option(f"--{option.name}", type=_kind_of(option), help=option.meaning)


_OPTIONS = (
    click.option("--ruleset", default=DEFAULT_RULESET.name, show_default=True, help="Name of the ruleset."),
    click.option("--engine", help="Name of the engine that judges positions."),
    click.option("--cross-check", help="Engines to be asked besides, parted by commas; they decide nothing."),
    *map(ruleset_option, OPTIONS),
)


def choice_options(command: F) -> F:
    """Give a command the options of ``Choice``, under the names of its fields."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
