"""``adjudicator serve``: the whole service, supervised."""

import dataclasses
import logging
import os
import sys
from pathlib import Path
from typing import Any

import click

from adjudicator.bootstrap import build_keys, service_commands, service_environment
from adjudicator.cli.console import errors_end_the_command, results
from adjudicator.cli.exit_codes import ExitCode
from adjudicator.config import KEYS_REQUIRED, Settings, load_settings
from adjudicator.processes.log import start_logging
from adjudicator.processes.supervisor import Part, Supervisor, stopped_by_signals

logger = logging.getLogger(__name__)

STOP_MARGIN_S = 5.0
"""What a process may take beyond the grace in which it finishes its work."""


@click.command("serve")
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--workers", type=click.IntRange(0, 256), help="Number of workers.")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Folder of everything that is kept.")
def command(**wishes: Any) -> None:
    """Run the whole service: HTTP, queue and workers.

    Runs until Ctrl-C or SIGTERM. All settings are in docs/operations.md; these options go before them.
    """
    chosen = {name: value for name, value in wishes.items() if value is not None}
    with errors_end_the_command():
        settings = dataclasses.replace(load_settings(), **chosen)
        start_logging(settings.log_level, settings.log_format)
        with service_commands(settings) as commands:
            _show_first_key(settings)
            limit_s = settings.stop_grace_s + STOP_MARGIN_S
            parts = [Part(name, words, limit_s, name == "queue") for name, words in commands.items()]
            supervisor = Supervisor(parts, {**os.environ, **service_environment(settings)})
            logger.info("The service starts on http://%s:%d", settings.host, settings.port)
            with stopped_by_signals(supervisor):
                was_asked = supervisor.run()
    if not was_asked:
        raise click.exceptions.Exit(ExitCode.NOT_ADJUDICATED)


def _show_first_key(settings: Settings) -> None:
    """Make a key where nobody has one, and show it: to standard output, where no log goes.

    Raises: StoreUnavailableError.
    """
    if settings.keys != KEYS_REQUIRED:
        return
    keys = build_keys(settings)
    try:
        first = keys.create_first()
    finally:
        keys.close()
    if first is None:
        return
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    results().print(
        "This is the first start, so here is a key with all scopes. It is shown this once only.\n\n"
        f"KEY={first.text}\n"
        f'curl -H "Authorization: Bearer $KEY" http://{host}:{settings.port}/v1/engines\n',
        soft_wrap=True,
    )
    sys.stdout.flush()
