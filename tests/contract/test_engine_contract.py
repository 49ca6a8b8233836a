"""What every engine keeps to, whoever wrote it and wherever it runs."""

import json
from collections.abc import Callable, Iterator

import pytest

from adjudicator.engines import gnubg_nn
from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.engines.host import EngineHost, child_command
from adjudicator.engines.registry import GNUBG_NN
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.happy_end.ports import Engine
from adjudicator.rules.board import Position, checkers_from, has_contact
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON
from tests.boards import board
from tests.played_positions import played_positions

MakeEngine = Callable[[], Engine]

needs_gnubg_nn = pytest.mark.skipif(
    not gnubg_nn.is_available(), reason="the package gnubg-nn is not installed on this platform"
)


def _hosted_scripted() -> Engine:
    command = child_command("adjudicator.engines.scripted:ScriptedEngine", {})
    return EngineHost(lambda: ScriptedEngine().identity, command)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(ScriptedEngine, id="scripted"),
        pytest.param(_hosted_scripted, id="scripted-hosted"),
        pytest.param(GnubgNnEngine, id="gnubg-nn", marks=needs_gnubg_nn),
        pytest.param(GNUBG_NN.open, id="gnubg-nn-hosted", marks=needs_gnubg_nn),
        pytest.param(lambda: GNUBG_NN.open({"plies": 1}), id="gnubg-nn-1-ply-hosted", marks=needs_gnubg_nn),
    ],
)
def make_engine(request: pytest.FixtureRequest) -> MakeEngine:
    make: MakeEngine = request.param
    return make


@pytest.fixture(scope="module")
def engine(make_engine: MakeEngine) -> Iterator[Engine]:
    made = make_engine()
    yield made
    made.close()


POSITIONS = played_positions(150, seed=2, variants=(BACKGAMMON, NACKGAMMON))
"""More than fit into one question, and from two whole games: contact, races, bear-off."""


ALL_BUT_HOME = board({1: 1}, {7: 15})
"""The side that just played needs any roll more; the other has fifteen checkers to bring home."""


def test_every_position_gets_sound_chances(engine: Engine) -> None:
    outcomes = engine.evaluate(POSITIONS)
    assert len(outcomes) == len(POSITIONS)
    assert [chances for chances in outcomes if not chances.is_sound()] == []


def test_the_same_positions_get_the_same_answers(engine: Engine) -> None:
    assert engine.evaluate(POSITIONS) == engine.evaluate(POSITIONS)


def test_answers_come_in_the_order_of_the_positions(engine: Engine) -> None:
    assert engine.evaluate(POSITIONS[::-1]) == engine.evaluate(POSITIONS)[::-1]


def test_many_at_once_get_the_answers_of_one_by_one(engine: Engine) -> None:
    assert engine.evaluate(POSITIONS[:70]) == [engine.evaluate([position])[0] for position in POSITIONS[:70]]


def test_answers_do_not_depend_on_what_was_asked_before(engine: Engine, make_engine: MakeEngine) -> None:
    engine.evaluate(POSITIONS)
    fresh = make_engine()
    try:
        assert fresh.evaluate(POSITIONS[-20:]) == engine.evaluate(POSITIONS[-20:])
    finally:
        fresh.close()


def test_nothing_asked_is_nothing_answered(engine: Engine) -> None:
    assert engine.evaluate([]) == []


def test_chances_are_those_of_the_side_that_just_played(engine: Engine) -> None:
    ahead, behind = engine.evaluate([ALL_BUT_HOME, ALL_BUT_HOME.swapped()])
    assert ahead.win == pytest.approx(1.0, abs=0.01)
    assert behind.win == pytest.approx(0.0, abs=0.01)


def test_to_have_just_played_is_no_better_than_to_be_on_roll_in_a_race(engine: Engine) -> None:
    races = [position for position in POSITIONS if not has_contact(position)]
    assert len(races) >= 10
    after_own = engine.evaluate(races)
    after_opponents = engine.evaluate([position.swapped() for position in races])
    sums = [one.win + other.win for one, other in zip(after_own, after_opponents, strict=True)]
    assert max(sums) <= 1.001


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        (board({}, {1: 1}), "the game is over"),
        (board({1: 1}, {}), "the game is over"),
        (board({6: 1}, {19: 1}), "point 6 is held by both sides"),
        (Position(checkers_from({6: 16}, 16), BACKGAMMON.start_checkers), "own: 16 checkers instead of 15"),
        (Position(BACKGAMMON.start_checkers, checkers_from({6: 3}, 3)), "opponent: 3 checkers instead of 15"),
        (Position(BACKGAMMON.start_checkers[:25], BACKGAMMON.start_checkers), "own: 25 counts instead of 26"),
        (Position((16, -1, *[0] * 24), BACKGAMMON.start_checkers), "own: a negative count"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(engine: Engine, position: Position, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        engine.evaluate([BACKGAMMON.start, position])
    assert len(engine.evaluate([BACKGAMMON.start])) == 1


def test_the_identity_is_constant_and_can_be_written_as_json(engine: Engine, make_engine: MakeEngine) -> None:
    before = engine.identity
    engine.evaluate(POSITIONS[:1])
    assert engine.identity == before == make_engine().identity
    written = {"name": before.name, "version": before.version, "settings": dict(before.settings)}
    assert json.loads(json.dumps(written)) == written
    assert before.name
    assert before.version


def test_an_engine_may_be_closed_twice(make_engine: MakeEngine) -> None:
    made = make_engine()
    made.evaluate([BACKGAMMON.start])
    made.close()
    made.close()
