import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.engines.questions import PLIES
from adjudicator.engines.sage import SageEngine
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import board
from tests.engines_here import needs_sage

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def engine() -> SageEngine:
    return SageEngine()


@needs_sage
@pytest.mark.parametrize(
    ("position", "win", "win_gammon", "lose_gammon"),
    [
        pytest.param(board({1: 1}, {7: 15}), 1, 1, 0, id="a sure gammon"),
        pytest.param(board({7: 15}, {1: 1}), 0, 0, 1, id="a sure loss of a gammon"),
        pytest.param(board({6: 1}, {1: 1}), 0, 0, 0, id="the side on roll is first"),
        pytest.param(board({1: 1}, {6: 2}), 32 / 36, 0, 0, id="two on the 6 point: 3-3, 4-4, 5-5, 6-6"),
        pytest.param(board({1: 1}, {5: 1, 2: 1}), 17 / 36, 0, 0, id="5 and 2: 19 of 36 rolls"),
    ],
)
def test_chances_are_the_known_ones(
    engine: SageEngine, position: Position, win: float, win_gammon: float, lose_gammon: float
) -> None:
    """Its chances of backgammons are rough in such positions, and left out."""
    chances = engine.evaluate([position])[0]
    assert (chances.win, chances.win_gammon, chances.lose_gammon) == pytest.approx(
        (win, win_gammon, lose_gammon), abs=2e-3
    )


@needs_sage
def test_a_checker_on_either_bar_is_seen(engine: SageEngine) -> None:
    closed = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3}
    home = {4: 5, 3: 5, 2: 4}
    shut_out, free = engine.evaluate([board(closed, {**home, 25: 1}), board(closed, {**home, 1: 1})])
    assert shut_out.win > 0.85
    assert free.win < 0.1
    outside = engine.evaluate([board({**home, 25: 1}, closed), board({**home, 1: 1}, closed)])
    assert outside[0].win < 0.15
    assert outside[1].win > 0.8


@needs_sage
@pytest.mark.parametrize("plies", PLIES)
def test_every_depth_answers_and_says_which_it_is(plies: int) -> None:
    engine = SageEngine(plies)
    assert engine.identity.settings == {"plies": plies, "decimals": 5}
    chances = engine.evaluate([BACKGAMMON.start])[0]
    assert 0.46 < chances.win < 0.49
    assert chances.lose_gammon > chances.win_gammon


@needs_sage
def test_the_depths_are_three_different_ones() -> None:
    assert len({tuple(SageEngine(plies).evaluate([BACKGAMMON.start])[0]) for plies in PLIES}) == 3


@needs_sage
@pytest.mark.parametrize("plies", [-1, 3, "1ply"])
def test_other_depths_are_refused(plies: int) -> None:
    with pytest.raises(ValueError, match="looks 0, 1 or 2 plies ahead"):
        SageEngine(plies=plies)


def test_without_the_package_it_says_what_to_do() -> None:
    """Run without any installed package."""
    program = """
from adjudicator.engines.registry import SAGE
from adjudicator.errors import EngineUnavailableError
from adjudicator.rules.variants import BACKGAMMON
engine = SAGE.open()
for ask in (lambda: engine.identity, lambda: engine.evaluate([BACKGAMMON.start])):
    try:
        ask()
    except EngineUnavailableError as error:
        print(error.detail)
assert engine.process_id is None
"""
    command = [sys.executable, "-S", "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONNOUSERSITE": "1"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.count("python -m pip install adjudicator[sage]") == 2
