from collections import Counter
from functools import cache

import pytest

from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.engines.registry import GNUBG_NN
from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.errors import NOWHERE
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.logs.mat.writer import format_mat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import pip_count
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.record import Action, CubeRecord, ResignRecord, RollRecord
from adjudicator.rules.replay import Ending, ReplayedGame, replay
from adjudicator.rules.score import CrawfordState, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import check_scores, terms_of_games
from adjudicator.rules.variants import HYPERGAMMON, NACKGAMMON, Variant
from adjudicator.service.self_play import Habits, simulate_match
from tests.engines_here import needs_gnubg_nn

SEEDS = range(12)
LENGTH = 5
HASTY = Habits(resigns_below=0.1)
"""The scripted engine is never quite sure that a game is lost."""


@cache
def _match(seed: int | str, match_length: int = LENGTH) -> MatchLog:
    return simulate_match(ScriptedEngine(), match_length=match_length, seed=seed, habits=HASTY)


def _replayed(log: MatchLog) -> list[ReplayedGame]:
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=True, jacoby=False)
    return [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_replays_without_any_remark(seed: int) -> None:
    assert [game.remarks for game in _replayed(_match(seed)) if game.remarks] == []
    assert not any(check_scores(_match(seed).games))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_recorded_results_are_what_the_games_lead_to(seed: int) -> None:
    for game in _replayed(_match(seed)):
        assert game.record.result is not None
        assert (game.winner, game.points) == (game.record.result.winner, game.record.result.points)


def test_games_end_in_each_of_the_ordinary_ways() -> None:
    endings = Counter(game.ending for seed in SEEDS for game in _replayed(_match(seed)))
    assert set(endings) == {Ending.BEAR_OFF, Ending.DROP, Ending.RESIGNATION}


@pytest.mark.parametrize("match_length", [1, 2, 7])
def test_a_match_ends_with_the_game_that_reaches_its_length(match_length: int) -> None:
    last = _match("length", match_length).games[-1]
    assert last.score is not None
    assert last.result is not None
    assert last.result.points is not None
    assert max(last.score.white, last.score.black) < match_length
    assert last.score.of(last.result.winner) + last.result.points >= match_length


def test_nobody_doubles_in_the_crawford_game_and_the_side_behind_does_after_it() -> None:
    seen = Counter[CrawfordState]()
    for seed in SEEDS:
        log = _match(seed)
        terms = terms_of_games(log.games, match_length=LENGTH, crawford=True, jacoby=False)
        for game, term in zip(log.games, terms, strict=True):
            cube = [action for action in game.actions if isinstance(action, CubeRecord)]
            seen[term.crawford] += 1
            if term.crawford is CrawfordState.CRAWFORD:
                assert cube == []
            elif term.crawford is CrawfordState.AFTER and term.away(Side.WHITE) != term.away(Side.BLACK):
                behind = max(Side, key=term.away)
                assert (cube[0].side, cube[0].action) == (behind, CubeAction.DOUBLE)
    assert seen[CrawfordState.CRAWFORD]
    assert seen[CrawfordState.AFTER]


def test_nobody_doubles_with_a_cube_that_already_wins_the_match() -> None:
    for seed in SEEDS:
        for game in _match(seed).games:
            assert game.score is not None
            for action in game.actions:
                if isinstance(action, CubeRecord) and action.action is CubeAction.DOUBLE:
                    assert action.value is not None
                    assert LENGTH - game.score.of(action.side) > action.value // 2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_play_of_the_highest_equity_is_made(seed: int) -> None:
    """Of an engine that only wants the opponent far behind, a play that hits most is a strongest one."""
    engine = ScriptedEngine(lambda position: Outcomes(pip_count(position.opponent) / 400, 0, 0, 0, 0))
    habits = Habits(doubles_from=2.0, resigning_share=0.0, patience_rolls=20)
    for turn in _replayed(simulate_match(engine, match_length=1, seed=seed, habits=habits))[0].turns:
        furthest = max(pip_count(play.result.opponent) for play in legal_plays(turn.before, turn.dice))
        assert pip_count(turn.after.opponent) == furthest


@pytest.mark.parametrize(
    ("chances", "win"),
    [
        (Outcomes(0.0, 0.0, 0.0, 0.0, 0.0), Win.SINGLE),
        (Outcomes(0.0, 0.0, 0.0, 1.0, 0.0), Win.GAMMON),
        (Outcomes(0.0, 0.0, 0.0, 1.0, 1.0), Win.BACKGAMMON),
    ],
)
def test_what_is_lost_anyway_is_resigned_for_what_it_is_worth(chances: Outcomes, win: Win) -> None:
    """The second roll's side resigns: the engine says that whoever has just played has won."""
    engine = ScriptedEngine(lambda _: chances.swapped())
    habits = Habits(resigning_share=1.0)
    game = simulate_match(engine, match_length=1, seed=3, habits=habits).games[0]
    opening, resignation = game.actions
    assert isinstance(opening, RollRecord)
    assert resignation == ResignRecord(opening.side.opponent, win)
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (opening.side, win)


@pytest.mark.parametrize(
    "chances", [Outcomes(0.01, 0, 0, 0, 0), Outcomes(0, 0, 0, 0.5, 0), Outcomes(0, 0, 0, 1, 0.5)]
)
def test_what_is_open_yet_is_played_on(chances: Outcomes) -> None:
    engine = ScriptedEngine(lambda _: chances.swapped())
    habits = Habits(resigning_share=1.0, patience_rolls=20)
    game = simulate_match(engine, match_length=1, seed=3, habits=habits).games[0]
    assert len(game.rolls) == 20


def test_a_game_that_does_not_end_is_given_up() -> None:
    engine = ScriptedEngine(lambda _: Outcomes(0.5, 0, 0, 0, 0))
    habits = Habits(resigning_share=0.0, patience_rolls=30)
    game = simulate_match(engine, match_length=1, seed=3, habits=habits).games[0]
    assert len(game.rolls) == 30
    assert game.actions[-1] == ResignRecord(game.rolls[-1].side.opponent, Win.SINGLE)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_are_those_of_a_transcript_with_white_on_the_left(seed: int) -> None:
    for game in _match(seed).games:
        rows: dict[int, list[Side]] = {}
        for action in game.actions:
            if not isinstance(action, ResignRecord):
                assert action.row is not None
                rows.setdefault(action.row, []).append(action.side)
        assert list(rows) == list(range(1, len(rows) + 1))
        allowed = ([Side.WHITE, Side.BLACK], [Side.WHITE], [Side.BLACK])
        assert all(sides in allowed for sides in rows.values())


def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    assert simulate_match(ScriptedEngine(), match_length=LENGTH, seed=1, habits=HASTY) == _match(1)
    assert _match(1).games != _match(2).games
    assert _match("1").metadata == {"seed": "1"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_transcript_is_read_back_as_it_was_played(seed: int) -> None:
    """But for what a .mat has no place for: it says that a game was resigned, not for what."""
    log = _match(seed)
    read = read_log(format_mat(log).encode())
    assert [game.score for game in read.games] == [game.score for game in log.games]
    for played, written in zip(log.games, read.games, strict=True):
        assert list(map(_without_place, written.actions)) == list(map(_without_place, played.actions))


def _without_place(action: Action) -> Action:
    if isinstance(action, ResignRecord):
        return ResignRecord(action.side)
    return action._replace(place=NOWHERE)


def test_names_are_as_given() -> None:
    log = simulate_match(ScriptedEngine(), match_length=1, seed=1, white="Anna", black="Boris")
    assert (log.white, log.black, log.match_length, log.format) == ("Anna", "Boris", 1, "jellyfish_mat")


@pytest.mark.parametrize(("variant", "checkers"), [(NACKGAMMON, 15), (HYPERGAMMON, 3)])
def test_other_variants_are_played_from_their_own_start(variant: Variant, checkers: int) -> None:
    engine = ScriptedEngine(checkers_per_side=checkers)
    log = simulate_match(engine, match_length=3, seed=5, variant=variant)
    games = _replayed(log)
    assert [game.remarks for game in games if game.remarks] == []
    assert games[0].turns[0].before == variant.start


@pytest.mark.parametrize("match_length", [0, -1])
def test_a_match_has_a_length(match_length: int) -> None:
    with pytest.raises(ValueError, match="a match is played to 1 point or more"):
        simulate_match(ScriptedEngine(), match_length=match_length, seed=1)


@needs_gnubg_nn
def test_the_networks_play_the_same_match_wherever_they_run() -> None:
    hosted = GNUBG_NN.open()
    log = simulate_match(hosted, match_length=7, seed=4)
    hosted.close()
    assert [game.remarks for game in _replayed(log) if game.remarks] == []
    assert simulate_match(GnubgNnEngine(), match_length=7, seed=4) == log
