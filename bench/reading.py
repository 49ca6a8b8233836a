"""How fast logs are read: ``python -m bench.reading [ARCHIVE.zip] [--passes N] [--every N] [--only-ours]``.

Reads every .mat of an archive, and the samples of the other formats, from bytes to match log with the format
told by the content. Beside it the readers of other programs take the same .mat files in the same run:
``gvformat`` (the package of GammonView) from text to its parsed rows and to its own record, and GNU
Backgammon by ``import mat``, one process for all. Passes take turns, so that a busy machine slows all alike.
Times are user CPU time; the least and the median of all passes are printed, as rows of a Markdown table. What
cannot run here is left out, with the reason.
"""

import argparse
import contextlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gvformat.mat import mat_to_ogxm  # type: ignore[import-untyped]
from gvformat.mat_parser import parse_mat_file  # type: ignore[import-untyped]
from rich.console import Console
from rich.progress import Progress

from adjudicator.errors import AdjudicatorError
from adjudicator.logs.reading import detect_format, read_log
from tests.shared_data import ROOT

GNUBG_TIMEOUT_S = 600
GNUBG_SETTINGS = "set confirm new off\n"


class Contender(NamedTuple):
    """A reader: ``run`` reads all its files once and returns the user CPU seconds that took."""

    name: str
    games: int
    run: Callable[[], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("archive", type=Path, nargs="?", default=ROOT / "archive" / "galaxy.zip")
    parser.add_argument("--passes", type=int, default=7, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th match")
    parser.add_argument("--only-ours", action="store_true", help="only our own readers")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        contenders = [*formats(Path(ROOT / "matches"))]
        if chosen.archive.is_file():
            texts = contents(chosen.archive, chosen.every)
            games = count_games(texts)
            ours = Contender("adjudicator, .mat", games, partial(read_all, texts))
            others = [] if chosen.only_ours else [*programs(texts, games, Path(folder))]
            contenders = [ours, *others, *contenders]
        else:
            left_out("the .mat archive", f"{chosen.archive} is not there")
        print_table(contenders, chosen.passes)


def contents(archive: Path, every: int) -> list[bytes]:
    with zipfile.ZipFile(archive) as opened:
        names = sorted(name for name in opened.namelist() if name.endswith((".mat", ".txt")))
        return [opened.read(name) for name in names[::every]]


def count_games(texts: Sequence[bytes]) -> int:
    return sum(len(read_log(content).games) for content in texts)


def read_all(texts: Sequence[bytes]) -> float:
    began = time.process_time()
    for content in texts:
        read_log(content)
    return time.process_time() - began


def formats(folder: Path) -> Iterator[Contender]:
    """Our own readers of the samples, by format; the few of a small format are read many times."""
    by_format: dict[str, list[bytes]] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if path.is_file():
            content = path.read_bytes()
            try:
                by_format.setdefault(detect_format(content).name, []).append(content)
                read_log(content)
            except AdjudicatorError as error:
                left_out(path.name, error.detail)
    if not by_format:
        left_out("the other formats", f"no samples in {folder}")
    for name, texts in by_format.items():
        games = count_games(texts)
        repeats = max(1, 200 // games)
        yield Contender(f"adjudicator, {name} samples", games * repeats, partial(read_all, texts * repeats))


def programs(texts: Sequence[bytes], games: int, folder: Path) -> Iterator[Contender]:
    """The readers of other programs, with all texts put into a folder for those that want files."""
    paths = []
    for number, content in enumerate(texts):
        paths.append(folder / f"{number}.mat")
        paths[-1].write_bytes(content)
    decoded = [content.decode("utf-8", "replace") for content in texts]
    yield Contender("gvformat, parsed rows only", games, partial(apply, parse_mat_file, decoded))
    yield Contender("gvformat, whole record", games, partial(apply, mat_to_ogxm, decoded))
    gnubg = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if gnubg is None:
        left_out("GNU Backgammon", "there is no program gnubg")
    else:
        imports = "".join([f"import mat {path}\n" for path in paths])
        yield Contender("GNU Backgammon, `import mat`", games, partial(import_all, gnubg, imports, folder))


def apply(function: Callable[[str], object], texts: Sequence[str]) -> float:
    began = time.process_time()
    for text in texts:
        with contextlib.suppress(Exception):  # what another program cannot read is its own affair
            function(text)
    return time.process_time() - began


def import_all(gnubg: str, imports: str, home: Path) -> float:
    """What the imports take beyond starting and leaving; the last match is written, to see that all ran."""
    last = home / "last"
    last.unlink(missing_ok=True)
    seconds = run_gnubg(gnubg, f"{GNUBG_SETTINGS}{imports}export match mat {last}\n", home)
    if not last.exists():
        raise RuntimeError("GNU Backgammon did not come to the end of its imports")
    return seconds - run_gnubg(gnubg, GNUBG_SETTINGS, home)


def run_gnubg(gnubg: str, commands: str, home: Path) -> float:
    script = home / "commands"
    script.write_text(commands, "utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(
        [gnubg, "-t", "-q", "-c", str(script)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(home)},
        timeout=GNUBG_TIMEOUT_S,
        check=True,
    )
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def print_table(contenders: Sequence[Contender], passes: int) -> None:
    seconds: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("reading", total=passes * len(contenders))
        for _ in range(passes):
            for contender in contenders:
                seconds[contender.name].append(contender.run())
                progress.update(task, advance=1, refresh=True)
    print(f"| reader | games | ms a game, least of {passes} | median | times ours, median |")
    print("| --- | --- | --- | --- | --- |")
    ours = statistics.median(seconds[contenders[0].name]) / contenders[0].games if contenders else 0.0
    for name, games, _ in contenders:
        least, median = min(seconds[name]) / games, statistics.median(seconds[name]) / games
        print(f"| {name} | {games} | {least * 1000:.3f} | {median * 1000:.3f} | {median / ours:.1f} |")


def left_out(what: str, reason: str) -> None:
    print(f"{what} is left out: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
