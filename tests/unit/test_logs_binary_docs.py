"""The pages on binary formats are real: samples read as that of .mat does, and limits are those held."""

import base64
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.logs import packed_parts
from adjudicator.logs.bgf import reader as bgf_reader
from adjudicator.logs.bgf import smile
from adjudicator.logs.limits import MAX_ACTIONS, MAX_GAMES, MAX_ROLLS, MAX_STEPS, MAX_TEXT_LENGTH
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.ogxm.container import MAX_SECTIONS
from adjudicator.logs.ogxm.signatures import MAX_SIGNATURES
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.rules.board import Position
from adjudicator.rules.record import CubeRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.replay import replay
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import terms_of_games

PAGES = Path(__file__).parents[2] / "docs" / "formats"
SAMPLES: dict[tuple[str, str], Callable[[str], bytes]] = {
    ("xg.md", "base64"): base64.b64decode,
    ("bgf.md", "bgf"): str.encode,
    ("ogxm.md", "hex2"): bytes.fromhex,
    ("ogxm.md", "hex1"): bytes.fromhex,
}
"""Page and language of each sample, and how its text becomes the bytes of a file."""
NAMES = {"xg.md": "xg", "bgf.md": "bgf", "ogxm.md": "ogxm"}


def text_of(page: str) -> str:
    return (PAGES / page).read_text("utf-8")


def sample(page: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.DOTALL | re.MULTILINE)
    return str(found)


def told(log: MatchLog) -> list[tuple[object, ...]]:
    """The rolls, cube actions and results of every game."""
    return [
        (
            [(roll.side, sorted(roll.dice)) for roll in game.rolls],
            [(action.side, action.action) for action in game.actions if isinstance(action, CubeRecord)],
            game.result and (game.result.winner, game.result.points),
        )
        for game in log.games
    ]


def positions(log: MatchLog) -> list[list[tuple[Side, Position]]]:
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    replayed = [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]
    assert all(game.broken is None for game in replayed)
    return [[(turn.side, turn.after) for turn in game.turns] for game in replayed]


@pytest.mark.parametrize(("page", "language"), SAMPLES)
def test_a_sample_tells_the_match_of_the_page_on_mat(page: str, language: str) -> None:
    mat = read_log(sample("mat.md", "mat").encode())
    log = read_log(SAMPLES[page, language](sample(page, language)))
    assert log.format == NAMES[page]
    assert (log.white, log.black, log.match_length) == (mat.white, mat.black, mat.match_length)
    assert told(log) == told(mat)
    assert positions(log) == positions(mat)


@pytest.mark.parametrize("page", NAMES)
def test_a_page_names_its_format_and_only_remarks_that_exist(page: str) -> None:
    text = text_of(page)
    entry = FORMATS[NAMES[page]]
    assert f"Format name `{entry.name}`, media type `{entry.media_types[0]}`" in text
    assert all(f"`{suffix}`" in text.splitlines()[0] for suffix in entry.suffixes)
    named = set(re.findall(r"[Rr]emark `(\w+)`", text))
    assert named
    assert named <= {code.value for code in RemarkCode}


@pytest.mark.parametrize(
    ("page", "limits"),
    [
        ("xg.md", [f"{packed_parts.MAX_INFLATED_BYTES // 10**6} MB inflated"]),
        (
            "bgf.md",
            [
                f"{packed_parts.MAX_INFLATED_BYTES // 10**6} MB inflated",
                f"{smile.MAX_VALUES:,} values",
                f"{smile.MAX_DEPTH} levels",
                f"a head of {bgf_reader.MAX_HEAD_BYTES:,} bytes",
                f"{MAX_TEXT_LENGTH:,} characters",
            ],
        ),
        (
            "ogxm.md",
            [
                f"{MAX_SECTIONS:,} sections",
                f"{MAX_TEXT_LENGTH:,} bytes",
                f"the first {MAX_SIGNATURES} signatures",
            ],
        ),
    ],
)
def test_a_page_states_the_limits_that_are_held(page: str, limits: list[str]) -> None:
    stated = " ".join(text_of(page).partition("## Limits")[2].split())
    assert [limit for limit in limits if limit not in stated] == []
    assert f"{MAX_GAMES:,} games" in stated
    assert f"{MAX_ROLLS:,} rolls and {MAX_ACTIONS:,} actions a game" in stated


def test_a_roll_of_a_bgf_has_as_many_steps_as_the_page_says() -> None:
    assert MAX_STEPS == 4
    assert "four steps a roll" in text_of("bgf.md")
