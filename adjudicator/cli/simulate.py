"""``adjudicator simulate``: an engine plays whole matches against itself."""

from collections.abc import Sequence
from pathlib import Path

import click

from adjudicator.bootstrap import open_offer
from adjudicator.cli.console import errors_end_the_command, progress_bar, results
from adjudicator.cli.output_files import force_option, make_folder, require_free, write_output
from adjudicator.config import load_settings
from adjudicator.errors import RequestError
from adjudicator.happy_end.ports import Engine
from adjudicator.logs.mat.writer import format_mat
from adjudicator.service.choice import unknown_value
from adjudicator.service.offer import Offer
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
@force_option
def command(matches: int, length: int, seed: str, out: Path, engine: str | None, force: bool) -> None:
    """Let an engine play whole matches and write them as .mat files.

    The same seed, length and engine build give the same matches.
    """
    digits = len(str(matches))
    files = [out / f"match-{number:0{digits}}.mat" for number in range(1, matches + 1)]
    with errors_end_the_command():
        require_free(files, may_replace=force)
        settings = load_settings()
        offer = open_offer(settings)
        name = engine or settings.engine
        try:
            player = _player(name, offer)
            make_folder(out)
            _write_matches(player, length, seed, files, may_replace=force)
        finally:
            offer.close()
    results().print(f"{matches} of {length} points in {out}")


def _player(name: str, offer: Offer) -> Engine:
    """The engine of that name, to play games from their first roll.

    Raises: RequestError.
    """
    players = {known: offered.engine for known, offered in offer.engines.items() if offered.plays_whole_games}
    if name not in players:
        raise RequestError("No such engine plays whole games", [unknown_value("engine", name, players)])
    return players[name]


def _write_matches(
    engine: Engine, length: int, seed: str, files: Sequence[Path], *, may_replace: bool
) -> None:
    """Play a match for each of the files and write it there.

    Raises: RequestError, ConfigurationError where it cannot be written; EngineFailureError.
    """
    with progress_bar("playing", len(files)) as advance:
        for number, file in enumerate(files, start=1):
            log = simulate_match(
                engine, match_length=length, seed=f"{seed}/{number}", white="Anna", black="Boris"
            )
            write_output(file, format_mat(log).encode(), may_replace=may_replace)
            advance()
