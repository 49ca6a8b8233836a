"""``adjudicator worker``: one more worker for a running service."""

import os

import click

from adjudicator.bootstrap import WORKER_COMMAND
from adjudicator.cli.console import errors_end_the_command
from adjudicator.config import load_settings


@click.command("worker")
def command() -> None:
    """Run one more worker for a running service.

    Finds database and queue by the settings in docs/operations.md. Runs until Ctrl-C or SIGTERM.
    """
    with errors_end_the_command():
        load_settings()
    os.execv(WORKER_COMMAND[0], WORKER_COMMAND)  # noqa: S606 - nobody imports the worker: it is a program
