"""The plays that are generated are those of two other generators: GNU Backgammon's and the slow twin."""

import random
from collections.abc import Iterator

import pytest

from adjudicator.happy_end.modifier import is_frozen, modifier_steps
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.board import BAR, OFF, Checkers, Position, check_position, count_on_board
from adjudicator.rules.dice import ALL_ROLLS, Dice
from adjudicator.rules.plays import Play, legal_plays, make_step, ordinary_steps
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant
from tests.twins.plays_twin import row_of, twin_results

Case = tuple[Position, Dice]

FROM_PLAY = ((BACKGAMMON, 6_000), (NACKGAMMON, 1_500), (HYPERGAMMON, 1_500))
PLACED = 1_200
EVERY = 5
"""The slow twin sees every fifth of the cases."""


def reached_by_play(variant: Variant, count: int, seed: int) -> Iterator[Case]:
    """Positions and rolls of games between two players who choose by lot."""
    chance = random.Random(seed)
    position = variant.start
    for _ in range(count):
        dice = chance.choice(ALL_ROLLS)
        yield position, dice
        play = chance.choice(legal_plays(position, dice))
        position = play.result.swapped() if count_on_board(play.result.own) else variant.start


def placed(count: int, seed: int) -> Iterator[Case]:
    """Positions that play by lot seldom reaches: crowded bars, bear-offs, one and two checkers left."""
    chance = random.Random(seed)
    shapes = (
        lambda: (_spots(chance, 15, 1, 24, bar=chance.randint(1, 6)), _spots(chance, 15, 1, 6)),
        lambda: (_spots(chance, chance.randint(1, 15), 1, 6), _spots(chance, 15, 1, 18)),
        lambda: (_spots(chance, chance.randint(1, 2), 1, 12), _spots(chance, chance.randint(1, 15), 1, 12)),
        lambda: (_spots(chance, 2, 1, 24, bar=chance.randint(0, 1)), _spots(chance, 15, 1, 24)),
        lambda: (_spots(chance, 1, 1, 24), _spots(chance, chance.randint(1, 8), 1, 24, bar=1)),
    )
    found = 0
    while found < count:
        own, opponent = shapes[found % len(shapes)]()
        position = Position(own, _apart(own, opponent))
        yield position, chance.choice(ALL_ROLLS)
        found += 1


def _spots(chance: random.Random, checkers: int, low: int, high: int, bar: int = 0) -> Checkers:
    """So many checkers on the board, ``bar`` of them on the bar, the rest by lot on a few points."""
    counts = [0] * 26
    counts[BAR] = min(bar, checkers)
    points = chance.sample(range(low, high + 1), min(chance.randint(2, 7), high - low + 1))
    for _ in range(checkers - counts[BAR]):
        counts[chance.choice(points)] += 1
    counts[OFF] = 15 - checkers
    return tuple(counts)


def _apart(own: Checkers, opponent: Checkers) -> Checkers:
    """The opponent's checkers, those that stand on the mover's points put onto the bar."""
    counts = list(opponent)
    for point in range(1, BAR):
        if own[BAR - point]:
            counts[BAR] += counts[point]
            counts[point] = 0
    return tuple(counts)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    found = [case for variant, count in FROM_PLAY for case in reached_by_play(variant, count, seed=count)]
    return found + list(placed(PLACED, seed=7))


@pytest.fixture(scope="module")
def few_checkers() -> list[Case]:
    """Positions in which the mover is, or comes, down to its last checker."""
    chance = random.Random(11)
    found: list[Case] = []
    while len(found) < 4_000:
        high = chance.choice((6, 6, 8, 14, 24))
        own = _spots(
            chance, chance.choice((1, 1, 2, 2, 2, 3, 4)), 1, high, bar=chance.choice((0, 0, 0, 0, 1))
        )
        opponent = _spots(chance, chance.randint(1, 15), 1, chance.choice((6, 12, 24)))
        found.append((Position(own, _apart(own, opponent)), chance.choice(ALL_ROLLS)))
    return found


def test_the_cases_are_ten_thousand_possible_positions(cases: list[Case]) -> None:
    assert len(cases) > 10_000
    for position, _ in cases:
        assert check_position(position, total=sum(position.own)) == []


def test_the_plays_lead_where_gnu_backgammon_s_do(cases: list[Case]) -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg-nn is not installed on this platform")
    for position, dice in cases:
        own, opponent = list(position.own[1:]), list(position.opponent[1:])
        keys = gnubg_nn.moves([opponent, own], dice.high, dice.low)
        theirs = {tuple(gnubg_nn.board_from_position_key(key)) for key in keys}
        ours = {
            (play.result.opponent[1:], play.result.own[1:])
            for play in legal_plays(position, dice)
            if play.steps
        }
        assert ours == theirs, (position, dice)


def test_the_plays_lead_where_the_slow_twin_s_do(cases: list[Case]) -> None:
    for position, dice in cases[::EVERY]:
        ours = {row_of(play.result) for play in legal_plays(position, dice)}
        assert ours == twin_results(position, *dice), (position, dice)


@pytest.mark.parametrize("finish", Finish)
def test_under_the_modifier_the_plays_lead_where_the_slow_twin_s_do(
    few_checkers: list[Case], finish: Finish
) -> None:
    for position, dice in few_checkers:
        ours = {row_of(play.result) for play in legal_plays(position, dice, modifier_steps(finish))}
        assert ours == twin_results(position, *dice, finish), (position, dice)


def test_the_modifier_differs_from_the_ordinary_rules_only_over_a_last_checker(cases: list[Case]) -> None:
    steps = modifier_steps(Finish.EXACT)
    differing = 0
    for position, dice in cases[::EVERY]:
        ordinary = {play.result for play in legal_plays(position, dice)}
        modified = {play.result for play in legal_plays(position, dice, steps)}
        if ordinary != modified:
            differing += 1
            assert min(count_on_board(result.own) for result in ordinary | modified) <= 1
    assert differing > 10


def test_every_play_is_one_that_its_steps_make(cases: list[Case], few_checkers: list[Case]) -> None:
    for position, dice in cases[::EVERY]:
        for play in legal_plays(position, dice):
            _assert_steps_make(position, dice, play)
    for position, dice in few_checkers[::EVERY]:
        for play in legal_plays(position, dice, modifier_steps(Finish.EXACT_OR_DOUBLE)):
            _assert_steps_make(position, dice, play)


def _assert_steps_make(position: Position, dice: Dice, play: Play) -> None:
    hand = [dice.high] * 4 if dice.is_doublet else list(dice)
    reached = position
    for step in play.steps:
        hand.remove(step.die)
        is_exact_or_double = step.target == OFF and dice.is_doublet and is_frozen(reached)
        assert step.target == max(step.source - step.die, OFF) or is_exact_or_double
        made, reached = make_step(reached, step.source, step.target, step.die)
        assert made == step
    assert reached == play.result
    assert check_position(play.result, total=sum(position.own)) == []


def test_no_two_plays_of_a_roll_lead_to_the_same_position(cases: list[Case]) -> None:
    for position, dice in cases[::EVERY]:
        plays = legal_plays(position, dice)
        assert plays
        assert len({play.result for play in plays}) == len(plays)


def test_the_larger_die_comes_first_wherever_that_order_is_possible(cases: list[Case]) -> None:
    low_first = 0
    for position, dice in cases[::EVERY]:
        for play in legal_plays(position, dice):
            if [step.die for step in play.steps] == [dice.low, dice.high] and not dice.is_doublet:
                low_first += 1
                assert play.result not in set(_high_first(position, dice))
    assert low_first > 10


def _high_first(position: Position, dice: Dice) -> Iterator[Position]:
    for source, target in ordinary_steps(position, dice.high, False):
        _, between = make_step(position, source, target, dice.high)
        for second, aim in ordinary_steps(between, dice.low, False):
            yield make_step(between, second, aim, dice.low)[1]


def test_a_frozen_checker_is_borne_off_or_stays() -> None:
    for finish in Finish:
        for position, dice in placed(500, seed=3):
            if is_frozen(position):
                point = next(point for point in range(1, BAR) if position.own[point])
                is_exact = point in dice or (finish is Finish.EXACT_OR_DOUBLE and dice.is_doublet)
                (play,) = legal_plays(position, dice, modifier_steps(finish))
                assert count_on_board(play.result.own) == (0 if is_exact else 1)
                assert (play.result == position) is not is_exact
