"""What every engine keeps to, whoever wrote it and wherever it runs."""

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from functools import cache, partial
from statistics import mean

import pytest

from adjudicator.engines import gnubg_nn
from adjudicator.engines.gnubg import GnubgEngine
from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.engines.host import EngineHost, child_command
from adjudicator.engines.modifier import ModifierEngine
from adjudicator.engines.registry import GNUBG, GNUBG_NN, SAGE, WILDBG
from adjudicator.engines.sage import SageEngine
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.engines.wildbg import WildbgEngine
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import Position, checkers_from, has_contact
from adjudicator.rules.variants import BACKGAMMON, NACKGAMMON, VARIANTS
from tests.boards import board
from tests.engines_here import needs_gnubg, needs_gnubg_nn, needs_sage
from tests.played_positions import played_positions
from tests.solved import solved_estimator
from tests.wildbg_server import WildbgServer, running

MakeEngine = Callable[[], Engine]


@cache
def _nets() -> GnubgNnEngine:
    return GnubgNnEngine()


@pytest.fixture(scope="module")
def wildbg_url() -> Iterator[str]:
    """A server of the tests with the numbers of gnubg-nn: wildbg itself is not to be had here."""
    if not gnubg_nn.PACKAGE.is_installed():
        pytest.skip("the server of the tests answers with gnubg-nn, which is not installed on this platform")
    with running(WildbgServer(lambda position: _nets().evaluate([position])[0])) as server:
        yield server.url


def _hosted_scripted() -> Engine:
    command = child_command("adjudicator.engines.scripted:ScriptedEngine", {})
    return EngineHost(lambda: ScriptedEngine().identity, command)


def _modifier() -> Engine:
    return ModifierEngine(solved_estimator, solved_estimator(Finish.EXACT).identity, Finish.EXACT)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(ScriptedEngine, id="scripted"),
        pytest.param(_hosted_scripted, id="scripted-hosted"),
        pytest.param(GnubgNnEngine, id="gnubg-nn", marks=needs_gnubg_nn),
        pytest.param(GNUBG_NN.open, id="gnubg-nn-hosted", marks=needs_gnubg_nn),
        pytest.param(lambda: GNUBG_NN.open({"plies": 1}), id="gnubg-nn-1-ply-hosted", marks=needs_gnubg_nn),
        pytest.param(GnubgEngine, id="gnubg", marks=needs_gnubg),
        pytest.param(GNUBG.open, id="gnubg-hosted", marks=needs_gnubg),
        pytest.param(lambda: GNUBG.open({"plies": 1}), id="gnubg-1-ply-hosted", marks=needs_gnubg),
        pytest.param(SageEngine, id="sage", marks=needs_sage),
        pytest.param(SAGE.open, id="sage-hosted", marks=needs_sage),
        pytest.param(lambda: SAGE.open({"plies": 1}), id="sage-1-ply-hosted", marks=needs_sage),
        pytest.param("wildbg", id="wildbg"),
        pytest.param("wildbg-hosted", id="wildbg-hosted"),
        pytest.param(_modifier, id="modifier"),
    ],
)
def make_engine(request: pytest.FixtureRequest) -> MakeEngine:
    make: MakeEngine | str = request.param
    if isinstance(make, str):
        url: str = request.getfixturevalue("wildbg_url")
        return partial(WildbgEngine, url) if make == "wildbg" else partial(WILDBG.open, {"url": url})
    return make


@pytest.fixture(scope="module")
def engine(make_engine: MakeEngine) -> Iterator[Engine]:
    made = make_engine()
    yield made
    made.close()


PLAYED = played_positions(150, seed=2, variants=(BACKGAMMON, NACKGAMMON))
"""More than fit into one question, and from two whole games: contact, races, bear-off."""


def _one_left(position: Position) -> Position:
    """That position with one checker left to the opponent, where the first of them stands."""
    first = next(point for point in range(1, 26) if position.opponent[point])
    return Position(position.own, checkers_from({first: 1}, 15))


@pytest.fixture(scope="module")
def positions(engine: Engine) -> list[Position]:
    """What this engine is asked: the values under the modifier know positions of adjudications only."""
    if engine.identity.settings.get("plies"):
        return [*PLAYED[:40], *(position for position in PLAYED if not has_contact(position))]
    if engine.identity.name != "modifier":
        return PLAYED
    one_left = [_one_left(position) for position in PLAYED]
    return [*one_left[:75], *(position.swapped() for position in one_left[75:])]


ALL_BUT_HOME = board({1: 1}, {7: 15})
"""The side that just played needs any roll more; the other has fifteen checkers to bring home."""


def test_every_position_gets_sound_chances(engine: Engine, positions: list[Position]) -> None:
    outcomes = engine.evaluate(positions)
    assert len(outcomes) == len(positions)
    assert [chances for chances in outcomes if not chances.is_sound()] == []


def test_the_same_positions_get_the_same_answers(engine: Engine, positions: list[Position]) -> None:
    assert engine.evaluate(positions) == engine.evaluate(positions)


def test_answers_come_in_the_order_of_the_positions(engine: Engine, positions: list[Position]) -> None:
    assert engine.evaluate(positions[::-1]) == engine.evaluate(positions)[::-1]


def test_many_at_once_get_the_answers_of_one_by_one(engine: Engine, positions: list[Position]) -> None:
    assert engine.evaluate(positions[:70]) == [engine.evaluate([position])[0] for position in positions[:70]]


def test_answers_do_not_depend_on_what_was_asked_before(
    engine: Engine, make_engine: MakeEngine, positions: list[Position]
) -> None:
    engine.evaluate(positions)
    fresh = make_engine()
    try:
        assert fresh.evaluate(positions[-20:]) == engine.evaluate(positions[-20:])
    finally:
        fresh.close()


def test_nothing_asked_is_nothing_answered(engine: Engine) -> None:
    assert engine.evaluate([]) == []


def test_chances_are_those_of_the_side_that_just_played(engine: Engine) -> None:
    ahead, behind = engine.evaluate([ALL_BUT_HOME, ALL_BUT_HOME.swapped()])
    assert ahead.win > 0.95
    assert behind.win < 0.05


def test_a_side_that_wins_with_any_roll_wins_unless_the_modifier_holds_it(engine: Engine) -> None:
    single, gammon = engine.evaluate([board({6: 2, 5: 3}, {1: 1}), board({7: 15}, {1: 1})])
    if engine.identity.name == "modifier":  # the last checker waits for its ace: 25 of 36 rolls are none
        assert single.win > 0.05
    else:
        assert (single.win, single.lose_gammon) == pytest.approx((0.0, 0.0), abs=0.01)
    if engine.identity.name not in ("modifier", "scripted"):
        assert gammon.lose_gammon == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("home", [{6: 1}, {3: 1}, {1: 1}])
def test_where_both_sides_stand_alike_the_side_on_roll_is_ahead(engine: Engine, home: dict[int, int]) -> None:
    assert engine.evaluate([board(home, home)])[0].win < 0.5


def test_it_judges_the_games_that_it_names(engine: Engine) -> None:
    assert engine.variants
    assert set(engine.variants) <= set(VARIANTS)
    if engine.identity.name != "modifier":
        starts = [VARIANTS[name].start for name in engine.variants]
        assert [chances.win < 0.5 for chances in engine.evaluate(starts)] == [True] * len(starts)


def test_to_have_just_played_is_no_better_than_to_be_on_roll_in_a_race(
    engine: Engine, positions: list[Position]
) -> None:
    races = [position for position in positions if not has_contact(position)]
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
def test_what_cannot_be_evaluated_is_refused(
    engine: Engine, positions: list[Position], position: Position, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        engine.evaluate([positions[0], position])
    assert len(engine.evaluate(positions[:1])) == 1


def test_the_identity_is_constant_and_can_be_written_as_json(
    engine: Engine, make_engine: MakeEngine, positions: list[Position]
) -> None:
    before = engine.identity
    engine.evaluate(positions[:1])
    with contextlib.closing(make_engine()) as other:
        assert engine.identity == before == other.identity
    written = {"name": before.name, "version": before.version, "settings": dict(before.settings)}
    assert json.loads(json.dumps(written)) == written
    assert before.name
    assert before.version


def test_an_engine_may_be_closed_twice_and_asked_again(
    make_engine: MakeEngine, positions: list[Position]
) -> None:
    made = make_engine()
    first = made.evaluate(positions[:1])
    made.close()
    made.close()
    assert made.evaluate(positions[:1]) == first
    made.close()


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_an_engine_process_that_is_killed_costs_nothing_but_time(
    engine: Engine, positions: list[Position]
) -> None:
    if not isinstance(engine, EngineHost):
        pytest.skip("runs in this process; in service it is hosted")
    expected = engine.evaluate(positions[:3])
    assert engine.process_id is not None
    os.kill(engine.process_id, signal.SIGKILL)
    assert engine.evaluate(positions[:3]) == expected


# --- engines as peers of one another


def _gaps(one: Engine, other: Engine, positions: list[Position]) -> list[float]:
    """For each position the largest difference of any of the five chances."""
    return [
        max(abs(mine - theirs) for mine, theirs in zip(ours, others, strict=True))
        for ours, others in zip(one.evaluate(positions), other.evaluate(positions), strict=True)
    ]


@needs_gnubg
@needs_gnubg_nn
@pytest.mark.parametrize(("plies", "count"), [(0, 400), (1, 40), (2, 3)])
def test_the_gnu_backgammon_program_and_its_networks_as_a_package_nearly_agree(
    plies: int, count: int
) -> None:
    """Networks of one family and not the same ones; races are the same tables."""
    positions = played_positions(count, seed=77)
    with contextlib.closing(GnubgEngine(plies)) as program:
        gaps = _gaps(program, GnubgNnEngine(plies), positions)
    races = [gap for gap, position in zip(gaps, positions, strict=True) if not has_contact(position)]
    assert mean(gaps) < 0.004
    assert max(gaps) < 0.06
    assert max(races, default=0.0) < 0.001


@needs_gnubg
@needs_sage
def test_open_sage_and_gnu_backgammon_agree_loosely() -> None:
    """Positions of random play, for which neither was trained; the chance to win only."""
    positions = played_positions(400, seed=78)
    with contextlib.closing(GnubgEngine()) as program:
        theirs = program.evaluate(positions)
    ours = SageEngine().evaluate(positions)
    gaps = [abs(one.win - other.win) for one, other in zip(ours, theirs, strict=True)]
    races = [gap for gap, position in zip(gaps, positions, strict=True) if not has_contact(position)]
    assert mean(gaps) < 0.04
    assert mean(races) < 0.005


@needs_gnubg_nn
def test_a_server_with_the_numbers_of_the_networks_answers_as_they_do(wildbg_url: str) -> None:
    """Sides, points, bars and the way chances are told, by a server written apart from the adapter."""
    with contextlib.closing(WildbgEngine(wildbg_url)) as served:
        assert max(_gaps(served, _nets(), PLAYED)) < 2e-5
