"""The samples on the format pages are real: they read, they replay, and both tell the same first game."""

import re
from pathlib import Path

import pytest

from adjudicator.errors import NOWHERE
from adjudicator.logs import limits, text_content
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import FORMATS, read_log
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


# --- the page of what all formats have in common

LIMITS = {
    "games of a log": limits.MAX_GAMES,
    "rolls of a game": limits.MAX_ROLLS,
    "actions of a game": limits.MAX_ACTIONS,
    "steps of a play": limits.MAX_STEPS,
    "points of a match": limits.MAX_MATCH_LENGTH,
    "any other number": limits.MAX_NUMBER,
    "characters of a text": limits.MAX_TEXT_LENGTH,
}
TEXT_LIMITS = {
    "bytes": text_content.MAX_BYTES,
    "lines": text_content.MAX_LINES,
    "characters of a line": text_content.MAX_LINE_LENGTH,
}


def _common() -> str:
    return (PAGES / "README.md").read_text("utf-8")


def test_the_common_page_tells_every_limit_as_it_is() -> None:
    told = dict(re.findall(r"^\| ([a-z ]+) \| ([0-9,]+) \|", _common(), re.MULTILINE))
    assert {what: int(number.replace(",", "")) for what, number in told.items()} == LIMITS | TEXT_LIMITS


def test_no_limit_of_all_formats_is_left_out_of_the_page() -> None:
    defined = {name for name in vars(limits) if name.startswith("MAX_")}
    assert len(defined) == len(LIMITS)
    assert sorted(getattr(limits, name) for name in defined) == sorted(LIMITS.values())


def test_the_common_page_lists_every_format_with_its_page() -> None:
    listed = re.findall(r"^\| `(\w+)` \| \[([a-z-]+\.md)\]\(\2\) \|", _common(), re.MULTILINE)
    assert {name for name, _ in listed} == set(FORMATS)
    pages = {path.name for path in PAGES.glob("*.md")} - {"README.md", "archives.md"}
    assert {page for _, page in listed} == pages


@pytest.mark.parametrize("page", sorted({page for page, _ in SAMPLES}))
def test_the_pages_of_text_formats_refer_to_the_common_limits(page: str) -> None:
    section = (PAGES / page).read_text("utf-8").split("\n## Limits\n")[1].split("\n## ")[0]
    assert "(README.md#limits)" in section
