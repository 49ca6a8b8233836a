"""Contact is held to exact chances of two checkers, which value iteration finds over all positions."""

from functools import cache

import numpy as np
import pytest

from adjudicator.happy_end.ruleset import Finish
from bench import policies
from bench.oracle import Oracle
from tests.golden.test_value_checks import HEAD_TO_HEAD_CHECKS, HeadToHead
from tests.shared_data import needs_shared_data
from tests.solved import solved_estimator, solved_tables

CHECKERS = 2
TRIED = 300


@cache
def solved_oracle(finish: Finish) -> Oracle:
    return Oracle(finish, CHECKERS)


@needs_shared_data
@pytest.mark.parametrize("check", HEAD_TO_HEAD_CHECKS)
def test_value_iteration_finds_the_solved_values(check: HeadToHead) -> None:
    oracle = solved_oracle(check.finish)
    (state,) = oracle.states(np.array([check.position.own], dtype=np.int8), np.array([check.a]))
    assert 2 * oracle.on_roll[state] - 1 == pytest.approx(check.b_to_roll, abs=1.01e-6)
    assert 2 * oracle.after_turn[state] - 1 == pytest.approx(check.a_to_roll, abs=1.01e-6)


@pytest.mark.parametrize("finish", list(Finish))
def test_plays_of_two_checkers_with_contact_lose_next_to_nothing(finish: Finish) -> None:
    on_roll, after_turn, loss = policies.against(
        solved_oracle(finish), solved_estimator(finish).fight, CHECKERS, TRIED, 1
    )
    assert on_roll < 0.05
    assert after_turn < 0.025
    assert loss < 0.002


@pytest.mark.parametrize("finish", list(Finish))
def test_races_of_two_checkers_are_those_of_the_table(finish: Finish) -> None:
    oracle = solved_oracle(finish)
    races = oracle.is_state & ~oracle.has_contact & (oracle.rows[:, 1:].sum(axis=1) == CHECKERS)
    chances = solved_estimator(finish).fight.on_roll(oracle.rows[races], oracle.lasts[races])
    assert chances.win == pytest.approx(oracle.on_roll[races], abs=1e-8)


@pytest.mark.parametrize("finish", list(Finish))
def test_duels_are_those_of_the_table(finish: Finish) -> None:
    oracle, duels = solved_oracle(finish), solved_tables(finish).duel
    alone = oracle.is_state & (oracle.rows[:, 1:].sum(axis=1) == 1)
    own = oracle.rows[alone][:, 1:].argmax(axis=1) + 1
    assert duels[(own - 1) * 25 + oracle.lasts[alone] - 1] == pytest.approx(oracle.on_roll[alone], abs=1e-8)
