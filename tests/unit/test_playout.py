"""How a game is played out from its last-checker position, HE-6."""

from adjudicator.happy_end.judge import EngineJudge
from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.playout import Playout, play_out
from adjudicator.happy_end.ruleset import Finish, Ruleset
from adjudicator.happy_end.series import DiceSeries
from adjudicator.happy_end.strongest_play import Choice
from adjudicator.notation.play_text import format_play
from adjudicator.rules.board import Position, highest_point
from adjudicator.rules.cube import Cube
from adjudicator.rules.score import Win
from tests.boards import BLACK, MONEY, WHITE, board, dice
from tests.opinions import EvenEngine, EvenEstimator


def start_of(position: Position) -> LastChecker:
    """White has the last checker; ``position`` is seen by black, who is on roll."""
    return LastChecker(7, WHITE, highest_point(position.opponent), False, BLACK, position, Cube())


def played(
    black: dict[int, int],
    white: dict[int, int],
    rolls: str,
    first: int = 1,
    finish: Finish = Finish.EXACT,
    total: int = 15,
) -> Playout:
    """The playout with these rolls of the game, ``"31 42"``, beginning with number ``first``."""
    series = DiceSeries(tuple(dice(roll) for roll in rolls.split()), first)
    judge = EngineJudge(EvenEngine(), EvenEstimator(), MONEY, Cube())
    return play_out(start_of(board(black, white, total)), series, Ruleset(finish=finish), judge)


def story(playout: Playout) -> list[tuple[str, int, str]]:
    return [
        (turn.side.label, turn.series_roll, format_play(turn.strongest.play.steps)) for turn in playout.turns
    ]


def test_he_6_1_the_players_take_the_rolls_of_the_series_in_turn_from_its_start() -> None:
    playout = played({6: 2, 1: 1}, {3: 1}, "31 66 65 42", first=2)
    assert story(playout) == [
        ("black", 2, "6/off 6/off"),
        ("white", 3, ""),
        ("black", 4, ""),
        ("white", 1, "3/off"),
    ]


def test_he_4_3_each_roll_is_used_by_whoever_is_to_roll() -> None:
    """Three rolls: on the second lap the sides have changed over."""
    playout = played({6: 4}, {3: 1}, "31 55 42")
    sides = [(turn.side.label, turn.series_roll) for turn in playout.turns]
    assert sides[:4] == [("black", 1), ("white", 2), ("black", 3), ("white", 1)]
    assert playout.winner is WHITE


def test_he_6_2_no_play_possible_the_turn_passes() -> None:
    playout = played({6: 15}, {3: 1}, "65 54 42 31")
    assert playout.turns[1].strongest.choice is Choice.NONE
    assert playout.turns[1].position == playout.turns[0].strongest.play.result


def test_he_6_4_the_side_that_bears_its_last_checker_off_wins() -> None:
    assert played({3: 1, 2: 1}, {6: 1}, "32 11").winner is BLACK
    assert played({6: 2}, {6: 1}, "11 62").winner is WHITE


def test_he_1_1_the_opponent_s_last_checker_is_frozen_too() -> None:
    """6/1 and 6/off; black's 5-2 does not bear the 1 off, white's 6-2 the 2."""
    playout = played({6: 2}, {2: 1}, "65 31 52 62")
    assert story(playout) == [
        ("black", 1, "6/1 6/off"),
        ("white", 2, ""),
        ("black", 3, ""),
        ("white", 4, "2/off"),
    ]


def test_he_1_2_by_doublets_the_frozen_checker_is_borne_off_where_the_option_says_so() -> None:
    assert played({6: 4}, {3: 1}, "65 11 31 42").turns[1].strongest.choice is Choice.NONE
    assert len(played({6: 4}, {3: 1}, "65 11 31 42", finish=Finish.EXACT_OR_DOUBLE).turns) == 2


def test_he_6_5_single_if_the_loser_has_borne_off_a_checker() -> None:
    assert played({6: 3}, {2: 1}, "65 21").win is Win.SINGLE


def test_he_6_5_gammon_if_the_loser_has_borne_off_none() -> None:
    assert played({6: 14, 18: 1}, {2: 1}, "65 21").win is Win.GAMMON


def test_he_6_5_backgammon_if_besides_the_loser_has_a_checker_in_the_winner_s_home() -> None:
    """1-1 takes the checker on the 24 point no further than 20, which is in white's home."""
    assert played({1: 14, 24: 1}, {6: 1}, "11 61").win is Win.BACKGAMMON


def test_he_6_6_a_state_that_comes_back_makes_the_game_undecided_with_an_even_series() -> None:
    """Neither 4 nor 3 is ever thrown; two rolls: the first lap ends where it began."""
    playout = played({4: 1}, {3: 1}, "65 21")
    assert (playout.winner, playout.win) == (None, None)
    assert len(playout.turns) == 2


def test_he_6_6_with_an_odd_series_each_player_gets_every_roll_in_two_laps() -> None:
    playout = played({4: 1}, {3: 1}, "65 21 55")
    assert (playout.winner, playout.win) == (None, None)
    assert len(playout.turns) == 6


def test_he_6_6_with_an_odd_series_the_exact_die_comes_in_the_second_lap() -> None:
    """Roll 1 has the 3, and black uses it first; white gets it on the second lap."""
    playout = played({4: 1}, {3: 1}, "32 21 55")
    assert (playout.winner, len(playout.turns)) == (WHITE, 4)


def test_he_6_6_one_roll_in_the_game_is_a_series_too() -> None:
    assert played({4: 1}, {3: 1}, "65").winner is None
    assert played({4: 1}, {3: 1}, "31").winner is WHITE


def test_the_last_checker_can_be_hit_and_has_to_come_round() -> None:
    """24/23* is black's only one; white enters with its 6-5 and runs."""
    playout = played({24: 1, 1: 14}, {2: 1}, "11 65 21 31")
    assert story(playout)[0] == ("black", 1, "24/23* 23/22 22/21 21/20")
    assert story(playout)[1] == ("white", 2, "bar/19 19/14")


def test_he_7_2_a_winning_play_is_made_without_asking() -> None:
    assert played({3: 1, 2: 1}, {6: 1}, "32 11").turns[0].strongest.choice is Choice.WINS
