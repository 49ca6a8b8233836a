"""Adjudicates a whole archive of logs and prints what it takes and what comes out.

    python -m bench.archive [ARCHIVE.zip] [--engine gnubg-nn|even] [--finish exact] [--every N]

By default the archive beside the project, every match, with an engine that has no opinion: the time is then
the procedure's own.
"""

import argparse
import hashlib
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.happy_end import following, game
from adjudicator.happy_end.adjudication import MatchAdjudication, adjudicate
from adjudicator.happy_end.ports import Engine, Estimator
from adjudicator.happy_end.result import format_result
from adjudicator.happy_end.ruleset import Finish, Ruleset
from adjudicator.happy_end.values import solve_estimator
from adjudicator.happy_end.verification import verify
from adjudicator.logs.reading import read_log
from tests.opinions import EvenEngine, EvenEstimator
from tests.shared_data import ROOT

Answer = TypeVar("Answer")

ENGINES: dict[str, Callable[[], Engine]] = {"even": EvenEngine, "gnubg-nn": GnubgNnEngine}
STAGES = (
    (following, "replay"),
    (following, "find_last_checker"),
    (game, "play_out"),
    (game, "find_hinges"),
)
"""Functions of the procedure that are timed by themselves; the rest is told as "adjudicate"."""


class Timing:
    """Seconds by stage, and the longest call of each."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.longest: dict[str, float] = {}

    def timed(self, stage: str, function: Callable[..., Answer]) -> Callable[..., Answer]:
        def call(*given: Any, **named: Any) -> Answer:
            began = time.perf_counter()
            answer = function(*given, **named)
            took = time.perf_counter() - began
            self.seconds[stage] += took
            self.longest[stage] = max(took, self.longest.get(stage, 0.0))
            return answer

        return call


def contents(archive: Path, every: int) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        for name in sorted(name for name in opened.namelist() if name.endswith((".mat", ".txt")))[::every]:
            yield name, opened.read(name)


def counted(adjudication: MatchAdjudication, counts: Counter[str]) -> None:
    counts["matches"] += 1
    counts["matches changed"] += adjudication.changed
    counts["matches with other points"] += adjudication.points_changed
    for one in adjudication.games:
        counts["games"] += 1
        counts[f"games {one.status.value}"] += 1
        counts["games changed"] += one.changed
        counts["games with other points"] += one.points_changed
        if one.played is not None:
            counts[f"winner forced: {one.played.hinges.is_forced}"] += 1
            counts["playout turns"] += len(one.played.playout.turns)
            for turn in one.played.playout.turns:
                counts[f"turns by {turn.strongest.choice.value}"] += 1
        for remark in one.remarks:
            counts[f"remark {remark.code.value}"] += 1
    for remark in adjudication.remarks:
        counts[f"remark {remark.code.value}"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("archive", type=Path, nargs="?", default=ROOT / "archive" / "galaxy.zip")
    parser.add_argument("--engine", choices=ENGINES, default="even")
    parser.add_argument("--finish", type=Finish, choices=Finish, default=Finish.EXACT)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th match")
    chosen = parser.parse_args()

    timing, counts = Timing(), Counter[str]()
    engine = ENGINES[chosen.engine]()
    estimator: Estimator = (
        EvenEstimator() if chosen.engine == "even" else timing.timed("solve", solve_estimator)(chosen.finish)
    )
    for module, stage in STAGES:
        setattr(module, stage, timing.timed(f"  {stage}", getattr(module, stage)))
    for name, content in contents(chosen.archive, chosen.every):
        log = timing.timed("read", read_log)(content)
        adjudication = timing.timed("adjudicate", adjudicate)(
            log, Ruleset(finish=chosen.finish), engine, estimator
        )
        digest = hashlib.sha256(content).hexdigest()
        result = timing.timed("format", format_result)(
            adjudication, adjudication_id="a", match_id="m", record_sha256=digest
        )
        counted(adjudication, counts)
        complaints = timing.timed("verify", verify)(result, log, record_sha256=digest, estimator=estimator)
        if complaints:
            print(f"{name}: does not verify: {complaints[0]}")

    for what, count in sorted(counts.items()):
        print(f"{count:8}  {what}")
    for stage, seconds in sorted(timing.seconds.items(), reverse=True):
        print(f"{seconds:8.2f} s  {stage}, longest {timing.longest[stage]:.2f} s")


if __name__ == "__main__":
    main()
