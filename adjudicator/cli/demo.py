"""``adjudicator demo``: the whole service at work on the examples, then everything is stopped again."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import click

from adjudicator.bootstrap import build_keys, upgrade_database
from adjudicator.cli.console import errors_end_the_command, progress_bar, results
from adjudicator.cli.input_files import read_input
from adjudicator.cli.match_table import match_table
from adjudicator.cli.output_files import force_option, make_folder, require_free, write_output
from adjudicator.client import Client, ClientError
from adjudicator.config import PREFIX, Settings
from adjudicator.errors import AdjudicatorError, ConfigurationError, InputUnavailableError
from adjudicator.reports.text import format_report
from adjudicator.service.access import USUAL_SCOPES
from adjudicator.service.values import LOCAL_OWNER

START_LIMIT_S = 60.0
RESULT_LIMIT_S = 90.0
STOP_LIMIT_S = 30.0
ANSWER_LIMIT_S = 30.0
POLL_S = 0.2
LOG_LINES_SHOWN = 30


@click.command("demo")
@click.option(
    "--examples",
    default="examples",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Matches to send.",
)
@click.option(
    "--out",
    default="demo-output",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder for reports.",
)
@force_option
def command(examples: Path, out: Path, force: bool) -> None:
    """Start a service of its own, adjudicate the examples, and stop.

    The service listens on a free port of the loopback address and keeps everything in a temporary folder. The
    key that is made for it ends with it.
    """
    with errors_end_the_command():
        records = sorted(examples.glob("*.mat"))
        if not records:
            raise InputUnavailableError(f"{examples}: This folder holds no .mat file to send.")
        files = {record: (out / f"{record.stem}.json", out / f"{record.stem}.txt") for record in records}
        require_free(chain.from_iterable(files.values()), may_replace=force)
        make_folder(out)
        with running_service() as service:
            results().print(f"service at {service.client.address}, {len(records)} matches sent")
            results().print(f"with the key {service.key}\n", soft_wrap=True)
            _adjudicate_all(service, files, may_replace=force)
    results().print(f"results and reports are in {out}")


def _adjudicate_all(
    service: "DemoService", files: Mapping[Path, tuple[Path, Path]], *, may_replace: bool
) -> None:
    """Send all records, then print each result as it comes, and write it and its report to the files."""
    ids = [service.submit(record) for record in files]
    with progress_bar("adjudicating", len(files)) as advance:
        for (record, (result_file, report_file)), adjudication_id in zip(files.items(), ids, strict=True):
            content = service.await_result(adjudication_id)
            result = json.loads(content)
            results().print(match_table(result, heading=record.name))
            write_output(result_file, content, may_replace=may_replace)
            write_output(report_file, format_report(result).encode(), may_replace=may_replace)
            advance()


@dataclass(frozen=True, slots=True)
class DemoService:
    """A running service, spoken to over HTTP as any client does."""

    client: Client
    key: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def await_ready(self) -> None:
        """Return once it is ready.

        Raises: ConfigurationError with the end of its log if it ends or is not ready in time.
        """
        deadline = time.monotonic() + START_LIMIT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            if self.client.is_ready():
                return
            time.sleep(POLL_S)
        raise ConfigurationError(f"The service did not start. The end of its log:\n{self._log_end()}")

    def submit(self, record: Path) -> str:
        """Send a record; the id of its adjudication.

        Raises: AdjudicatorError if it is not taken.
        """
        content = read_input(record)
        with self._explained(record.name):
            state = self.client.submit(content, media_type="text/plain")
        return str(state["id"])

    def await_result(self, adjudication_id: str) -> bytes:
        """The result of that adjudication, as it came, once it is done.

        Raises: AdjudicatorError if it failed or is not done in time.
        """
        with self._explained(adjudication_id):
            return self.client.result(adjudication_id, limit_s=RESULT_LIMIT_S)

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        """Lets the log of the service speak where it does not do as it is asked."""
        try:
            yield
        except ClientError as error:
            raise AdjudicatorError(f"{what}: {error}\n{self._log_end()}") from error

    def _log_end(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-LOG_LINES_SHOWN:])


@contextmanager
def running_service() -> Iterator[DemoService]:
    """A service while this lasts: in a temporary folder, on a free port of the loopback address."""
    with tempfile.TemporaryDirectory(prefix="adjudicator-demo-") as folder:
        settings = Settings(data_dir=Path(folder), port=_free_port())
        key = _make_key(settings)
        log = Path(folder) / "service.log"
        with log.open("wb") as log_file:
            process = subprocess.Popen(
                (sys.executable, "-P", "-m", "adjudicator.cli", "serve"),
                env=_environment(settings),
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
            )
        client = Client(f"http://{settings.host}:{settings.port}", key=key, answer_s=ANSWER_LIMIT_S)
        service = DemoService(client, key, process, log)
        try:
            service.await_ready()
            yield service
        finally:
            _stop(process)


def _make_key(settings: Settings) -> str:
    """The text of a key to the database of a service that is not started yet."""
    upgrade_database(settings)
    keys = build_keys(settings)
    try:
        return keys.create(LOCAL_OWNER, label="demo", scopes=USUAL_SCOPES).text
    finally:
        keys.close()


def _environment(settings: Settings) -> dict[str, str]:
    """The environment without settings of another service, and with these."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return inherited | settings.environment()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
