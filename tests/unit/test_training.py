"""Training is repeatable, and learns what it is taught."""

from pathlib import Path

import numpy as np
import pytest

from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.chances import Rows
from adjudicator.happy_end.values.families import CHECKERS
from adjudicator.happy_end.values.features import race_inputs
from adjudicator.happy_end.values.race import Race, is_solved
from adjudicator.rules.board import BAR, HOME, OFF
from bench.training import race
from bench.training.learner import Learner
from bench.training.turns import ROLLS, Turns
from tests.solved import solved_race, solved_tables

EXACT = Finish.EXACT
STEPS = 3_000


def home_boards(count: int, seed: int) -> Rows:
    points = np.random.default_rng(seed).integers(1, HOME + 1, (count, CHECKERS))
    rows: Rows = (points[:, :, None] == np.arange(BAR + 1)).sum(axis=1, dtype=np.int8)
    return rows


def taught(seed: int) -> Learner:
    rows = home_boards(4_000, 1)
    learner = Learner(race_inputs(rows).shape[1], (16, 8), seed)
    learner.fit([race.lesson(rows, solved_race(EXACT).chances(rows))], STEPS, (3e-2, 1e-4))
    return learner


def test_a_learner_comes_near_what_it_is_taught() -> None:
    rows = home_boards(1_000, 2)
    learned = Race(solved_tables(EXACT), taught(1)).learned(rows)
    errors = np.abs(learned.points - solved_race(EXACT).chances(rows).points)
    assert errors.mean() < 0.01


def test_the_same_seed_gives_the_same_weights_and_another_others(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("first.json", "again.json", "other.json")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        taught(seed).save(file)
    first, again, other = (file.read_bytes() for file in files)
    assert first == again
    assert first != other


def test_a_turn_later_solved_positions_are_worth_what_they_are_worth() -> None:
    rows = home_boards(30, 3)
    rows[:10, OFF] = 1
    rows[:10, 1] = np.maximum(rows[:10, 1] - 1, 0)
    pair = race.Pair(solved_race(EXACT), solved_race(EXACT))
    later = race.a_turn_later(pair, Turns(EXACT), rows, 1 - EXACT.hazard, ROLLS)
    assert later.points == pytest.approx(solved_race(EXACT).chances(rows).points, abs=1e-9)


def test_made_up_races_are_unsolved_and_taken_from_near_to_far() -> None:
    rows = race.sampled_rows(400, np.random.default_rng(1))
    assert (rows.min(axis=1) >= 0).all()
    assert (rows.sum(axis=1) <= CHECKERS).all()
    chunks = race.from_near_to_far(rows)
    assert sum(map(len, chunks)) == len(rows)
    pips = np.concatenate([race.pip_counts(chunk) for chunk in chunks])
    assert (np.diff(pips) >= 0).all()


def test_what_is_met_in_play_no_table_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "MET", 500)
    monkeypatch.setattr(race, "SIDE_BY_SIDE", 100)
    met = race.met_in_play(solved_race(EXACT), Turns(EXACT), np.random.default_rng(1))
    assert len(met) == 500
    assert not is_solved(met).any()
