"""The samples on the format pages are real: they read, they replay, and both tell the same first game."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.errors import NOWHERE
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.record import RollRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import replay
from adjudicator.rules.score import GameTerms

PAGES = Path(__file__).parents[2] / "docs" / "formats"


def _sample(page: str, language: str) -> MatchLog:
    text = (PAGES / page).read_text("utf-8")
    (sample,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return read_log(sample.encode())


SAMPLES = {"mat.md": "mat", "match-record.md": "json"}


@pytest.mark.parametrize("page", SAMPLES)
def test_the_sample_replays_without_a_remark_on_any_play(page: str) -> None:
    log = _sample(page, SAMPLES[page])
    assert len(log.games) == 2
    for game in log.games:
        terms = GameTerms(log.match_length, game.score or log.first_score)
        replayed = replay(game, log.variant, terms)
        assert replayed.broken is None
        assert {remark.code for remark in replayed.remarks} <= {RemarkCode.FINISH_MISSING}


def test_both_samples_hold_the_same_rolls_in_game_1() -> None:
    mat, record = (_sample(page, language).games[0] for page, language in SAMPLES.items())

    def bare(roll: RollRecord) -> RollRecord:
        return replace(roll, movements=(), row=None, place=NOWHERE)

    assert [bare(roll) for roll in mat.rolls] == [bare(roll) for roll in record.rolls]
    assert (mat.score, mat.result is None) == (record.score, record.result is None)


@pytest.mark.parametrize("page", SAMPLES)
def test_every_remark_a_page_names_exists(page: str) -> None:
    known = {code.value for code in RemarkCode}
    text = (PAGES / page).read_text("utf-8")
    named = set(re.findall(r"[Rr]emark `(\w+)`", text))
    assert named
    assert named <= known
