"""``adjudicator simulate``: an engine plays whole matches against itself."""

from pathlib import Path

import click

from adjudicator.bootstrap import open_offer
from adjudicator.cli.console import errors_end_the_command, progress_bar, results
from adjudicator.config import load_settings
from adjudicator.errors import ConfigurationError, RequestError
from adjudicator.happy_end.ports import Engine
from adjudicator.logs.mat.writer import format_mat
from adjudicator.service.choice import unknown_value
from adjudicator.service.self_play import simulate_match

LONGEST_MATCH = 25


@click.command("simulate")
@click.option("--matches", default=1, show_default=True, type=click.IntRange(1), help="How many matches.")
@click.option(
    "--length", default=7, show_default=True, type=click.IntRange(1, LONGEST_MATCH), help="Match length."
)
@click.option("--seed", default="1", show_default=True, help="Other dice for another seed.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--engine", help="Name of the engine that plays.")
def command(matches: int, length: int, seed: str, out: Path, engine: str | None) -> None:
    """Let an engine play whole matches and write them as .mat files.

    The same seed, length and engine build give the same matches.
    """
    with errors_end_the_command():
        settings = load_settings()
        offer = open_offer(settings)
        name = engine or settings.engine
        try:
            player = offer.engine(name)
            if player is None:
                raise RequestError("There is no such engine", [unknown_value("engine", name, offer.engines)])
            _write_matches(player, matches, length, seed, out)
        finally:
            offer.close()
    results().print(f"{matches} of {length} points in {out}")


def _write_matches(engine: Engine, matches: int, length: int, seed: str, out: Path) -> None:
    """Write the matches as ``match-1.mat`` and so on.

    Raises: ConfigurationError where the folder cannot be written to, EngineFailureError.
    """
    digits = len(str(matches))
    with progress_bar("playing", matches) as advance:
        for number in range(1, matches + 1):
            log = simulate_match(
                engine, match_length=length, seed=f"{seed}/{number}", white="Anna", black="Boris"
            )
            try:
                out.mkdir(parents=True, exist_ok=True)
                (out / f"match-{number:0{digits}}.mat").write_text(format_mat(log), encoding="utf-8")
            except OSError as error:
                raise ConfigurationError(f"{out} cannot be written to: {error.strerror}") from error
            advance()
