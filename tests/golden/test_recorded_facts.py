"""Real logs and hand-made cases, against facts that an independent program worked out."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import RemarkCode

DATA = Path(__file__).parents[2].parent / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of shared match data is not here")


def _load(name: str) -> Any:
    path = DATA / name
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


EXPECTED: dict[str, list[dict[str, Any]]] = _load("expected.json")
CASES = [case for case in _load("cases.json") or [] if case["format"] in ("jellyfish_mat", "match-record/1")]


def _recorded(game: GameRecord) -> dict[str, int | None] | None:
    return None if game.result is None else {"side": int(game.result.winner), "points": game.result.points}


def _check(log: MatchLog, facts: list[dict[str, Any]]) -> None:
    games = {game.number: game for game in log.games}
    for fact in facts:
        game = games[fact["game"]]
        if "rolls" in fact:
            assert len(game.rolls) == fact["rolls"]
        if "recorded" in fact:
            assert _recorded(game) == fact["recorded"]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_real_log_has_the_rolls_and_results_that_another_program_found(name: str) -> None:
    log = read_log((DATA / "matches" / name).read_bytes(), file_name=name)
    assert all(game.broken is None for game in log.games)
    _check(log, EXPECTED[name])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_hand_made_case_has_the_rolls_and_results_stated_for_it(case: dict[str, Any]) -> None:
    record = case["record"]
    text = record if isinstance(record, str) else json.dumps(record)
    _check(read_log(text.encode()), case["expected"])


def _archive() -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(DATA / "archive" / "galaxy.zip") as archive:
        for name in archive.namelist():
            if name.endswith(".mat"):
                yield name, archive.read(name)


@pytest.mark.slow
def test_every_log_of_the_archive_reads_whole() -> None:
    logs = [read_log(content, file_name=name) for name, content in _archive()]
    games = [game for log in logs for game in log.games]
    assert len(logs) == 854
    assert all(game.broken is None and not game.remarks and game.result for game in games)
    codes = {remark.code for log in logs for remark in log.remarks}
    assert codes <= {RemarkCode.MONEY_AS_16}


@pytest.mark.slow
def test_the_score_lines_of_the_archive_confirm_every_recorded_result() -> None:
    """The next score line is the log's own second witness of who won and how much."""
    checked = 0
    for name, content in _archive():
        log = read_log(content, file_name=name)
        for game, following in zip(log.games, log.games[1:], strict=False):
            assert game.result is not None
            assert game.result.points is not None
            assert game.score is not None
            assert following.score == game.score.plus(game.result.winner, game.result.points), name
            checked += 1
    assert checked > 1000
