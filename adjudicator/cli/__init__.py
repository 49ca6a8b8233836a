"""The command line door: one module a command, imported when that command is called.

``adjudicator --help`` reads only the table below, so that it answers at once; what a command needs (numpy,
the database, the engine) is imported with its module.
"""

import importlib
from collections.abc import Sequence

import click

COMMANDS = {
    "adjudicate": "Adjudicate match records, without any server.",
    "batch": "Adjudicate many records into one file, without any server, on all cores.",
    "stats": "Tell what the results in a file come to.",
    "inspect": "Show what match records hold: players, games, remarks, boards.",
    "convert": "Write records of any format as match record (.json) or .mat.",
    "verify": "Derive every step of a result again and say what does not hold.",
    "serve": "Run the whole service: HTTP, queue and workers.",
    "worker": "Run one more worker for a running service.",
    "keys": "Make, list, revoke and rotate the keys of callers.",
    "simulate": "Let an engine play whole matches and write them as .mat files.",
    "demo": "Start a service of its own, adjudicate the examples, and stop.",
}
"""Every command with the sentence that the list of commands shows; the module has the command's name."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        """All command names, the most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of that name, ``None`` where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands in the help text, written without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="adjudicator")
def group() -> None:
    """Adjudicate finished backgammon matches under the Happy-End (Moscow rules) modifier.

    Exit codes: 0 fine, 1 something could not be adjudicated, 2 wrong use.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code; ``None`` takes ``sys.argv``."""
    group.main(None if arguments is None else list(arguments), prog_name="adjudicator")
