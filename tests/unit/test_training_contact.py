"""Games that teach contact: they begin with contact, go on until it is over, and teach what they came to."""

import numpy as np
import pytest

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Chances, Rows, holds_none
from adjudicator.rules.board import BAR, OFF
from bench.oracle import Oracle
from bench.training import contact
from bench.training.contact import Games, Hazard, Luck, Moment, Teacher, is_learned, leaders
from bench.training.starts import sampled_positions
from tests.solved import solved_estimator, solved_race, solved_tables

EXACT = Finish.EXACT
GAMES, FEW_GAMES = 10, 150


def teacher(seed: int) -> Teacher:
    """One that judges as the package does, so that games are short."""
    made = Teacher(EXACT, solved_tables(EXACT), solved_race(EXACT), seed)
    made.fight = solved_estimator(EXACT).fight
    return made


def rows_of(*boards: dict[int, int]) -> Rows:
    return np.array([[board.get(point, 0) for point in range(BAR + 1)] for board in boards], dtype=np.int8)


def test_made_up_positions_are_positions_with_both_sides_apart() -> None:
    rows, lasts = sampled_positions(2_000, np.random.default_rng(1))
    assert (rows >= 0).all()
    assert (rows.sum(axis=1) <= 15).all()
    entered = np.flatnonzero(lasts < BAR)
    assert not rows[entered, BAR - lasts[entered]].any()
    assert set(lasts.tolist()) == set(range(1, BAR + 1))
    assert {0, 1, 15} <= set(rows[:, BAR].tolist())


def test_the_nets_are_asked_only_about_contact() -> None:
    rows = rows_of({6: 2, 24: 1}, {6: 2, 5: 1}, {6: 1, OFF: 14}, {6: 2}, {6: 2})
    lasts = np.array([3, 3, 20, 20, OFF])
    assert is_learned(rows, lasts).tolist() == [True, False, False, True, False]


def test_the_leading_plays_of_each_origin_are_the_best_few_that_are_close() -> None:
    worths = np.array([0.0, 0.1, 0.2, 0.15, -1.0, 0.5, 0.0])
    origins = np.array([0, 0, 0, 0, 1, 2, 2])
    assert sorted(leaders(worths, origins).tolist()) == [1, 2, 3, 4, 5]


@pytest.fixture(scope="module")
def played() -> Games:
    return teacher(1).played(GAMES)


def test_games_are_followed_by_both_sides_until_contact_is_over(played: Games) -> None:
    moments = [moment for moment in played.history if isinstance(moment, Moment)]
    assert {moment.is_on_roll for moment in moments} == {True, False}
    for moment in moments:
        assert is_learned(moment.rows, moment.lasts).all()
    assert not is_learned(played.rows, played.lasts).any()
    assert all(np.isfinite(array).all() for array in played.outcomes)


def test_who_finishes_has_won_and_who_sees_the_last_checker_off_keeps_what_is_saved(played: Games) -> None:
    finished, lost = holds_none(played.rows[:, 1:]), played.lasts == OFF
    assert finished.any() or lost.any()
    assert (played.outcomes.win[finished] == 1.0).all()
    assert (played.outcomes.win[lost] == 0.0).all()
    assert np.array_equal(played.outcomes.first_off[lost] == 1.0, played.rows[lost, OFF] > 0)


def test_outcomes_are_handed_back_through_hazard_and_luck() -> None:
    one = np.array([0])
    games = Games(rows_of({6: 2, 20: 1}), np.array([3]))
    games.record(one, is_on_roll=True)
    games.history.append(Hazard(one, rows_of({6: 2, 20: 1, OFF: 12})))
    games.record(one, is_on_roll=False)
    games.history.append(Luck(one, Chances(np.array([0.25]), np.array([0.0]), np.array([0.0]))))
    games.end(one, Chances(np.array([0.75]), np.array([1.0]), np.array([1.0])))
    on_roll, running = teacher(1).lessons(games)
    assert running.wanted.tolist() == [[0.5, 1.0, 1.0]]
    assert on_roll.wanted[0].tolist() == pytest.approx([0.5 * (1 - EXACT.hazard), 1.0, 1.0])


def test_games_teach_what_two_checkers_are_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle(EXACT, 2)
    of_two = oracle.rows[:, 1:].sum(axis=1) == 2
    states = np.flatnonzero(oracle.is_state & of_two & is_learned(oracle.rows, oracle.lasts))
    states = np.random.default_rng(2).choice(states, FEW_GAMES)
    positions = oracle.rows[states], oracle.lasts[states]
    monkeypatch.setattr(contact, "sampled_positions", lambda _, __: positions)
    monkeypatch.setattr(contact, "WANDERING", 0)
    taught = teacher(3)
    on_roll, _ = taught.lessons(taught.played(FEW_GAMES))
    assert len(on_roll.wanted) > FEW_GAMES
    at_first = on_roll.wanted[-FEW_GAMES:, 0]
    assert at_first.mean() == pytest.approx(oracle.on_roll[states].mean(), abs=0.1)
