"""Policies compared: by what their plays lose where the truth is known, and by who wins real games."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from adjudicator.engines.registry import engine_descriptions
from adjudicator.errors import AdjudicatorError
from adjudicator.happy_end.adjudication import adjudicate
from adjudicator.happy_end.judge import EngineJudge
from adjudicator.happy_end.playout import Playout, play_out
from adjudicator.happy_end.ports import Engine, Estimator
from adjudicator.happy_end.ruleset import Finish, Ruleset
from adjudicator.happy_end.values.chances import Floats, Places, Rows, holds_none
from adjudicator.happy_end.values.contact import Fight
from adjudicator.logs.reading import read_log
from adjudicator.rules.dice import ALL_ROLLS
from adjudicator.rules.score import GameTerms
from bench.oracle import Oracle
from bench.positions import logs
from bench.training.race import best_of_each
from bench.training.turns import Turns
from tests.opinions import EvenEngine, EvenEstimator

NEVER_EQUAL = 0.0
"""An engine's every difference counts."""

Worths = Callable[[Rows, Places], Floats]
"""The points of positions once the side has played; none of them is finished."""

LOSSES_OF = 2_000


class Accuracy(NamedTuple):
    """Mean errors in points with either side to roll, and the mean loss of a play."""

    on_roll: float
    after_turn: float
    loss: float


def against(oracle: Oracle, fight: Fight, count: int, tried: int, seed: int) -> Accuracy:
    """How good chances are with so many checkers and contact, over up to ``tried`` positions."""
    rng = np.random.default_rng(seed)
    states = np.flatnonzero(oracle.is_state & (oracle.rows[:, 1:].sum(axis=1) == count) & oracle.has_contact)
    states = rng.choice(states, min(tried, len(states)), replace=False)
    rows, lasts = oracle.rows[states], oracle.lasts[states]
    on_roll = np.abs(fight.on_roll(rows, lasts).win - oracle.on_roll[states])
    after_turn = np.abs(fight.after_turn(rows, lasts).win - oracle.after_turn[states])
    turns, some = Turns(oracle.finish), slice(LOSSES_OF)
    loss = mean_loss(
        rows[some],
        lasts[some],
        turns,
        lambda rows, lasts: fight.after_turn(rows, lasts).points,
        lambda rows, lasts: 2.0 * oracle.after_turn[oracle.states(rows, lasts)] - 1.0,
    )
    return Accuracy(2.0 * float(on_roll.mean()), 2.0 * float(after_turn.mean()), loss)


def mean_loss(rows: Rows, lasts: Places, turns: Turns, ours: Worths, true: Worths) -> float:
    """What plays chosen by ``ours`` are worth less by ``true`` than the best, mean over all rolls."""
    total = 0.0
    for dice in ALL_ROLLS:
        after = turns.results(rows, lasts, dice)
        left = ~holds_none(after.rows[:, 1:])
        by_us, by_truth = np.ones((2, len(left)))
        by_us[left] = ours(after.rows[left], after.lasts[left])
        by_truth[left] = true(after.rows[left], after.lasts[left])
        best, chosen = best_of_each(by_truth, after.origins), best_of_each(by_us, after.origins)
        total += dice.chance * float((by_truth[best] - by_truth[chosen]).mean())
    return total


def winners(finish: Finish, estimator: Estimator, names: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """By policy: in how many real playouts its winner is another than this one's, and of how many."""
    games = list(_playouts(finish))
    strict = Ruleset(finish=finish, indifference=NEVER_EQUAL)
    ours = [_winner(EvenEngine(), estimator, strict, *game) for game in games]

    def differing(engine: Engine, theirs: Estimator, ruleset: Ruleset) -> int:
        others = (_winner(engine, theirs, ruleset, *game) for game in games)
        return sum(one is not other for one, other in zip(ours, others, strict=True))

    yield "pip count alone", differing(EvenEngine(), EvenEstimator(), strict), len(games)
    for name in names:
        engine = engine_descriptions()[name].open()
        try:
            yield f"{name}, equals by pip count", differing(engine, EvenEstimator(), strict), len(games)
            usual = Ruleset(finish=finish)
            yield f"{name}, equals by these values", differing(engine, estimator, usual), len(games)
        finally:
            engine.close()


def _winner(
    engine: Engine, estimator: Estimator, ruleset: Ruleset, game: Playout, terms: GameTerms
) -> object:
    judge = EngineJudge(engine, estimator, terms, game.start.cube)
    return play_out(game.start, game.series, ruleset, judge).winner


def _playouts(finish: Finish) -> Iterator[tuple[Playout, GameTerms]]:
    for content in logs():
        try:
            games = adjudicate(read_log(content), Ruleset(finish=finish), EvenEngine(), EvenEstimator()).games
        except AdjudicatorError:
            continue
        yield from ((game.played.playout, game.terms) for game in games if game.played is not None)
