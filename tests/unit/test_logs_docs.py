"""The samples on the format pages are real: they read, they replay, and both tell the same first game."""

import re
from pathlib import Path

import pytest

from adjudicator.errors import NOWHERE
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import RollRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import replay
from adjudicator.rules.score import GameTerms

PAGES = Path(__file__).parents[2] / "docs" / "formats"


def _sample(page: str, language: str) -> MatchLog:
    text = (PAGES / page).read_text("utf-8")
    (sample,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return read_log(sample.encode())


SAMPLES = [
    ("mat.md", "mat"),
    ("match-record.md", "json"),
    ("sgf.md", "sgf"),
    ("bgammon-match.md", "match"),
    ("fibs.md", "fibs"),
    ("fibs.md", "oldmoves"),
]
WITHOUT_UNPLAYED_ROLLS = ["match", "oldmoves"]
"""Formats that have no place for a roll that was thrown and not played, such as the last of game 1."""


@pytest.mark.parametrize(("page", "language"), SAMPLES)
def test_the_sample_replays_without_a_remark_on_any_play(page: str, language: str) -> None:
    log = _sample(page, language)
    assert len(log.games) == 2
    for game in log.games:
        terms = GameTerms(log.match_length, game.score or log.first_score)
        replayed = replay(game, log.variant, terms)
        assert replayed.broken is None
        assert {remark.code for remark in replayed.remarks} <= {RemarkCode.FINISH_MISSING}


@pytest.mark.parametrize(("page", "language"), SAMPLES[1:])
def test_all_samples_hold_the_same_game_1(page: str, language: str) -> None:
    mat, other = _sample("mat.md", "mat").games[0], _sample(page, language).games[0]

    def bare(roll: RollRecord) -> RollRecord:
        dice = Dice(roll.dice.high, roll.dice.low)
        return roll._replace(dice=dice, movements=(), row=None, place=NOWHERE)

    rolls = mat.rolls[:-1] if language in WITHOUT_UNPLAYED_ROLLS else mat.rolls
    assert [bare(roll) for roll in other.rolls] == [bare(roll) for roll in rolls]
    assert (mat.score, mat.result is None) == (other.score, other.result is None)


@pytest.mark.parametrize("page", sorted({page for page, _ in SAMPLES}))
def test_every_remark_a_page_names_exists(page: str) -> None:
    known = {code.value for code in RemarkCode}
    text = (PAGES / page).read_text("utf-8")
    named = set(re.findall(r"[Rr]emark `(\w+)`", text))
    assert named
    assert named <= known
