import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.engines.answers import DECIMALS
from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import board
from tests.engines_here import needs_gnubg_nn
from tests.played_positions import played_positions

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def engine() -> GnubgNnEngine:
    return GnubgNnEngine()


# --- viewpoint and conventions, by positions that can be worked out in the head


@needs_gnubg_nn
@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(board({1: 1}, {7: 15}), (1, 1, 0, 0, 0), id="a sure gammon"),
        pytest.param(board({1: 1}, {20: 15}), (1, 1, 1, 0, 0), id="a sure backgammon is a gammon too"),
        pytest.param(board({7: 15}, {1: 1}), (0, 0, 0, 1, 0), id="a sure loss of a gammon"),
        pytest.param(board({20: 15}, {1: 1}), (0, 0, 0, 1, 1), id="a sure loss of a backgammon"),
        pytest.param(board({6: 1}, {1: 1}), (0, 0, 0, 0, 0), id="the side on roll is first"),
        pytest.param(
            board({1: 1}, {6: 2}), (32 / 36, 0, 0, 0, 0), id="two on the 6 point: 3-3, 4-4, 5-5, 6-6"
        ),
        pytest.param(
            board({1: 1}, {5: 1, 2: 1}),
            (17 / 36, 0, 0, 0, 0),
            id="5 and 2 are borne off by 19 of 36 rolls",
        ),
    ],
)
def test_chances_are_the_known_ones(
    engine: GnubgNnEngine, position: Position, expected: tuple[float, ...]
) -> None:
    assert engine.evaluate([position])[0] == pytest.approx(expected, abs=5e-4)


@needs_gnubg_nn
def test_the_opponent_has_the_better_of_the_start_since_it_is_on_roll(engine: GnubgNnEngine) -> None:
    outcomes = engine.evaluate([BACKGAMMON.start])[0]
    assert 0.46 < outcomes.win < 0.49
    assert outcomes.lose_gammon > outcomes.win_gammon


@needs_gnubg_nn
def test_a_checker_on_the_bar_is_seen(engine: GnubgNnEngine) -> None:
    closed = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3}
    home = {4: 5, 3: 5, 2: 4}
    shut_out, free = engine.evaluate([board(closed, {**home, 25: 1}), board(closed, {**home, 1: 1})])
    assert shut_out.win > 0.85
    assert free.win < 0.1


# --- the answers are the same for ever

ASK = """
import gnubg_nn, json, random, sys
boards, plies, order = json.load(sys.stdin)
answers = {}
for depth in plies:
    for index in order:
        answers[index] = [chance.hex() for chance in gnubg_nn.probabilities(boards[index], depth)]
print(json.dumps([answers[index] for index in sorted(answers)]))
"""


def _raw_answers(boards: list[list[list[int]]], plies: list[int], order: list[int]) -> list[list[str]]:
    """What the package itself says in a fresh process at the last of these depths, bit by bit."""
    question = json.dumps([boards, plies, order])
    ended = subprocess.run(
        [sys.executable, "-c", ASK], input=question, capture_output=True, text=True, check=True
    )
    answers: list[list[str]] = json.loads(ended.stdout)
    return answers


@needs_gnubg_nn
@pytest.mark.parametrize(("depth", "count"), [(0, 400), (1, 40), (2, 6)])
def test_the_package_answers_alike_to_the_last_bit_whatever_was_asked_before(depth: int, count: int) -> None:
    boards = [[list(own[1:]), list(opponent[1:])] for own, opponent in played_positions(count, seed=depth)]
    forth, back = list(range(count)), list(reversed(range(count)))
    others = [other for other in (1, 0) if other != depth]
    assert _raw_answers(boards, [depth], forth) == _raw_answers(boards, [*others, depth], back)


@needs_gnubg_nn
def test_chances_are_rounded(engine: GnubgNnEngine) -> None:
    for outcomes in engine.evaluate(played_positions(50, seed=9)):
        assert [round(chance, DECIMALS) for chance in outcomes] == list(outcomes)


@needs_gnubg_nn
@pytest.mark.parametrize("plies", [-1, 3, 1.5, "0"])
def test_other_depths_are_refused(plies: int) -> None:
    with pytest.raises(ValueError, match="looks 0, 1 or 2 plies ahead"):
        GnubgNnEngine(plies=plies)


@needs_gnubg_nn
def test_deeper_answers_are_other_answers_of_another_identity() -> None:
    shallow, deep = GnubgNnEngine(0), GnubgNnEngine(2)
    assert shallow.identity != deep.identity
    assert deep.identity.settings == {"plies": 2, "decimals": 5}
    assert shallow.evaluate([BACKGAMMON.start]) != deep.evaluate([BACKGAMMON.start])


# --- where the package is missing


def test_without_the_package_everything_else_works_and_the_engine_says_what_to_do() -> None:
    """Run without any installed package."""
    program = """
from adjudicator.engines import gnubg_nn
from adjudicator.engines.registry import GNUBG_NN
from adjudicator.errors import EngineUnavailableError
from adjudicator.rules.variants import BACKGAMMON
from tests.boards import board
from tests.played_positions import played_positions
assert not gnubg_nn.PACKAGE.is_installed()
engine = GNUBG_NN.open()
details = set()
assert engine.process_id is None
for ask in (lambda: engine.identity, lambda: engine.evaluate([BACKGAMMON.start]), gnubg_nn.GnubgNnEngine):
    try:
        ask()
    except EngineUnavailableError as error:
        details.add(error.detail)
    else:
        raise AssertionError(ask)
assert engine.process_id is None
(detail,) = details
print(detail)
"""
    command = [sys.executable, "-S", "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONNOUSERSITE": "1"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "use CPython 3.11 to 3.13" in ended.stdout
    assert "python -m pip install gnubg-nn" in ended.stdout
