"""What chances are worth with a dead cube (HE-7.1), against sums worked out by hand."""

import pytest

from adjudicator.happy_end.equity import OutcomeWorths, equity, outcome_worths
from adjudicator.happy_end.match_equity import match_winning_chance
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.cube import Cube
from adjudicator.rules.score import CrawfordState, GameTerms, Score
from adjudicator.rules.sides import Side

BEFORE, CRAWFORD, AFTER, UNKNOWN = CrawfordState
WHITE, BLACK = Side
MONEY = GameTerms(0, Score())
MONEY_WITH_JACOBY = GameTerms(0, Score(), jacoby=True)
CHANCES = Outcomes(0.6, 0.2, 0.05, 0.1, 0.02)


def at(length: int, own_away: int, opponent_away: int, crawford: CrawfordState = BEFORE) -> GameTerms:
    return GameTerms(length, Score(length - own_away, length - opponent_away), crawford)


def test_money_counts_points() -> None:
    assert equity(CHANCES, MONEY, Cube(), WHITE) == pytest.approx(0.6 + 0.2 + 0.05 - 0.4 - 0.1 - 0.02)


def test_the_cube_makes_no_difference_to_money() -> None:
    assert equity(CHANCES, MONEY, Cube(8, BLACK), WHITE) == equity(CHANCES, MONEY, Cube(), WHITE)


def test_with_jacoby_gammons_count_only_once_the_cube_was_turned() -> None:
    assert equity(CHANCES, MONEY_WITH_JACOBY, Cube(), WHITE) == pytest.approx(0.2)
    assert equity(CHANCES, MONEY_WITH_JACOBY, Cube(2, WHITE), WHITE) == equity(CHANCES, MONEY, Cube(), WHITE)


@pytest.mark.parametrize(
    "terms", [MONEY, MONEY_WITH_JACOBY, at(7, 5, 3), at(5, 1, 2, AFTER), at(3, 3, 1, CRAWFORD)]
)
@pytest.mark.parametrize("cube", [Cube(), Cube(2, WHITE), Cube(4, BLACK)])
@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_a_plain_win_is_one_and_a_plain_loss_minus_one(terms: GameTerms, cube: Cube, side: Side) -> None:
    worths = outcome_worths(terms, cube, side)
    assert worths.win == pytest.approx(1.0)
    assert worths.lose == pytest.approx(-1.0)
    assert worths.win <= worths.win_gammon + 1e-9
    assert worths.win_gammon <= worths.win_backgammon + 1e-9
    assert worths.lose >= worths.lose_gammon - 1e-9
    assert worths.lose_gammon >= worths.lose_backgammon - 1e-9


def test_a_match_counts_the_chance_to_win_it() -> None:
    terms = at(7, 4, 3)
    win, loss = match_winning_chance(3, 3, BEFORE), match_winning_chance(4, 2, BEFORE)
    gammon, backgammon = match_winning_chance(2, 3, BEFORE), match_winning_chance(1, 3, BEFORE)
    worths = outcome_worths(terms, Cube(), WHITE)
    assert worths.win_gammon == pytest.approx(-1 + 2 * (gammon - loss) / (win - loss))
    assert worths.win_backgammon == pytest.approx(-1 + 2 * (backgammon - loss) / (win - loss))
    assert worths.lose_backgammon == pytest.approx(-1 + 2 * (0.0 - loss) / (win - loss))


def test_both_sides_see_the_same_game_from_their_ends() -> None:
    terms = at(9, 4, 7)
    white, black = outcome_worths(terms, Cube(2, BLACK), WHITE), outcome_worths(terms, Cube(2, BLACK), BLACK)
    assert list(black) == pytest.approx([-worth for worth in (*white[3:], *white[:3])])


def test_a_gammon_is_worth_nothing_more_to_a_side_one_point_from_the_match() -> None:
    worths = outcome_worths(at(5, 1, 4, AFTER), Cube(), WHITE)
    assert worths.win_gammon == pytest.approx(1.0)
    assert worths.win_backgammon == pytest.approx(1.0)


def test_double_match_point_is_won_or_lost_and_nothing_else() -> None:
    for state in (BEFORE, CRAWFORD, AFTER, UNKNOWN):
        worths = outcome_worths(at(5, 1, 1, state), Cube(), WHITE)
        assert list(worths) == pytest.approx([1, 1, 1, -1, -1, -1])


def test_the_cube_takes_a_match_as_far_as_it_can_go() -> None:
    worths = outcome_worths(at(7, 4, 4), Cube(4, WHITE), WHITE)
    assert list(worths) == pytest.approx([1, 1, 1, -1, -1, -1])


def test_after_the_crawford_game_the_trailer_is_better_off_than_before_it() -> None:
    win = match_winning_chance(3, 1, AFTER)
    loss = 0.0
    gammon = match_winning_chance(2, 1, AFTER)
    worths = outcome_worths(at(7, 4, 1, CRAWFORD), Cube(), WHITE)
    assert worths.win_gammon == pytest.approx(-1 + 2 * (gammon - loss) / (win - loss))


def test_an_unknown_crawford_state_is_told_by_the_score_before_the_game() -> None:
    late, early = at(7, 4, 1, UNKNOWN), at(7, 4, 2, UNKNOWN)
    assert outcome_worths(late, Cube(), WHITE) == outcome_worths(at(7, 4, 1, AFTER), Cube(), WHITE)
    assert outcome_worths(early, Cube(), WHITE) == outcome_worths(at(7, 4, 2, BEFORE), Cube(), WHITE)


def test_where_the_score_tells_no_outcomes_apart_winning_alone_counts() -> None:
    hopeless = GameTerms(10**9, Score(0, 10**9 - 1), AFTER)
    worths = outcome_worths(hopeless, Cube(), WHITE)
    assert worths == OutcomeWorths(1.0, 1.0, 1.0, -1.0, -1.0, -1.0)
