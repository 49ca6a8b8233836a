from functools import cache

import pytest

from adjudicator.engines import gnubg_nn
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import CubeRecord
from adjudicator.rules.replay import Ending, ReplayedGame, replay
from adjudicator.rules.score import CrawfordState
from adjudicator.rules.terms import check_scores, terms_of_games
from adjudicator.service.simulation import simulate_match

SEEDS = [f"seed/{number}" for number in range(6)]

pytestmark = pytest.mark.skipif(not gnubg_nn.is_available(), reason="gnubg-nn is not made for this Python")


@cache
def _simulate(seed: str, match_length: int = 5) -> MatchLog:
    engine = gnubg_nn.GnubgNnEngine()
    return simulate_match(engine, match_length=match_length, seed=seed, white="A", black="B")


def _replayed(log: MatchLog) -> list[ReplayedGame]:
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=True, jacoby=False)
    return [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_simulated_match_replays_without_any_remark(seed: str) -> None:
    log = _simulate(seed)
    assert [game.remarks for game in _replayed(log)] == [()] * len(log.games)
    assert not any(check_scores(log.games))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_recorded_results_are_what_the_games_lead_to(seed: str) -> None:
    for game in _replayed(_simulate(seed)):
        assert game.record.result is not None
        assert (game.winner, game.points) == (game.record.result.winner, game.record.result.points)
        assert game.ending in {Ending.BEAR_OFF, Ending.DROP}


@pytest.mark.parametrize("match_length", [1, 3, 7])
def test_a_match_ends_with_the_game_that_reaches_its_length(match_length: int) -> None:
    last = _simulate("length", match_length).games[-1]
    assert last.score is not None
    assert last.result is not None
    assert max(last.score.white, last.score.black) < match_length
    assert last.score.of(last.result.winner) + last.result.points >= match_length


def test_nobody_doubles_in_the_crawford_game() -> None:
    crawford_games = 0
    for seed in SEEDS:
        log = _simulate(seed)
        terms = terms_of_games(log.games, match_length=5, crawford=True, jacoby=False)
        for game, term in zip(log.games, terms, strict=True):
            if term.crawford is CrawfordState.CRAWFORD:
                crawford_games += 1
                assert not any(isinstance(action, CubeRecord) for action in game.actions)
    assert crawford_games


def test_doubles_are_both_taken_and_dropped() -> None:
    actions = {
        action.action
        for seed in SEEDS
        for game in _simulate(seed).games
        for action in game.actions
        if isinstance(action, CubeRecord)
    }
    assert actions == {CubeAction.DOUBLE, CubeAction.TAKE, CubeAction.DROP}


def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    assert _simulate("one") == _simulate.__wrapped__("one")
    assert _simulate("one") != _simulate("two")
