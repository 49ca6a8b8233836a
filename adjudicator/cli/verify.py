"""``adjudicator verify``: derives every step of a result again and says what does not hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from adjudicator.bootstrap import load_estimator, open_offer
from adjudicator.cli.console import errors_end_the_command, results
from adjudicator.cli.exit_codes import ExitCode
from adjudicator.cli.input_files import read_input
from adjudicator.config import Settings, load_settings
from adjudicator.errors import EngineUnavailableError, InputUnavailableError, RecordError
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.result import parse_engine
from adjudicator.happy_end.ruleset import Finish
from adjudicator.logs.json_content import parse_json
from adjudicator.reports.plain_text import printable
from adjudicator.service.offer import Offer
from adjudicator.service.values import LOCAL_OWNER
from adjudicator.service.verification import verify_result


@click.command("verify")
@click.argument("result_file", metavar="RESULT.json", type=click.Path(path_type=Path))
@click.argument("record_file", metavar="RECORD", type=click.Path(path_type=Path))
@click.option("--ask-engine", is_flag=True, help="Ask the engine for its equities again, too.")
@click.option("--owner", default=LOCAL_OWNER, show_default=True, help="Whose record it is.")
def command(result_file: Path, record_file: Path, ask_engine: bool, owner: str) -> None:
    """Derive every step of a result again and say what does not hold.

    Prints one line for everything that does not hold, and ends with 1 if there is anything.
    """
    with errors_end_the_command():
        complaints = _verify_files(result_file, record_file, ask_engine, owner)
    for complaint in complaints:
        results().print(printable(complaint), soft_wrap=True)
    if complaints:
        raise click.exceptions.Exit(ExitCode.NOT_ADJUDICATED)
    engine = "asked again" if ask_engine else "taken as recorded"
    results().print(f"every step holds, the engine's equities {engine}", style="green")


def _verify_files(result_file: Path, record_file: Path, ask_engine: bool, owner: str) -> list[str]:
    settings = load_settings()
    result = _parse_result(read_input(result_file), str(result_file))
    content = read_input(record_file)
    estimator = load_estimator(settings, _finish_of(result))
    with _engines_of(result, settings, ask_engine) as engines:
        return verify_result(
            result,
            content,
            owner=owner,
            estimator=estimator,
            engines=engines,
            file_name=str(record_file),
        )


def _parse_result(content: bytes, file_name: str) -> dict[str, Any]:
    try:
        result = parse_json(content)
    except RecordError as error:
        detail = f"{file_name}: a result is JSON that can be read in one way only, as adjudicator writes it"
        raise InputUnavailableError(detail, error.faults) from error
    if not isinstance(result, dict):
        raise InputUnavailableError(f"{file_name}: this is JSON, but no result")
    return result


def _finish_of(result: dict[str, Any]) -> Finish:
    """The finish a result states; where it states none that exists, ``verify`` is the one to say so."""
    try:
        return Finish(result["ruleset"]["finish"])
    except (KeyError, TypeError, ValueError):
        return Finish.EXACT


@contextmanager
def _engines_of(result: dict[str, Any], settings: Settings, ask_engine: bool) -> Iterator[list[Engine]]:
    """The engines the result names, the one that decided first; none unless they are to be asked.

    Raises: EngineUnavailableError where there is no such engine here.
    """
    if not ask_engine:
        yield []
        return
    offer = open_offer(settings)
    try:
        yield _named_engines(result, offer)
    finally:
        offer.close()


def _named_engines(result: dict[str, Any], offer: Offer) -> list[Engine]:
    try:
        identity = parse_engine(result["engine"])
    except (KeyError, TypeError, ValueError) as error:
        raise EngineUnavailableError("The result names no engine that can be known") from error
    engines = []
    for build in (identity, *identity.cross_checks):
        engine = offer.engine(build.name, _finish_of(result))
        if engine is None:
            raise EngineUnavailableError(f"The engine {build.name} that the result names is not known here")
        engines.append(engine)
    return engines
