"""A game that other players play, or in which the players changed seats: it counts for nobody."""

import pytest

from adjudicator.happy_end.adjudication import MatchAdjudication, adjudicate
from adjudicator.happy_end.game import GameStatus
from adjudicator.happy_end.ruleset import Ruleset
from adjudicator.logs.assembly import OTHER_PLAYERS, are_others
from adjudicator.logs.reading import read_log
from adjudicator.rules.score import Score
from tests.opinions import EvenEngine, EvenEstimator

MAT = """ 5 point match

 Game 1
 {first[0]} : 0                    {first[1]} : 0
  1) 31: 8/5 6/5                   Resigns single
      Wins 1 point

 Game 2
 {second[0]} : 1                   {second[1]} : 0
  1) 31: 8/5 6/5                   Resigns backgammon
      Wins 3 points
"""
SGF = """(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[{first[0]}]PB[{first[1]}]RE[W+1R];W[31hefe])
(;FF[4]GM[6]MI[length:5][game:1][ws:1][bs:0]PW[{second[0]}]PB[{second[1]}]RE[W+3R];W[31hefe])
"""
BGAMMON = """i 1702738670 {first[0]} {first[1]} 5 0 0 1 1 0
1 r 3-1 8/5 6/5
2 t
i 1702738671 {second[0]} {second[1]} 5 1 0 1 3 0
1 r 3-1 8/5 6/5
2 t
"""
FIBS = """Score is 0-0 in a 5 point match.
{first[0]} is X - {first[1]} is O
X: (3 1) 8-5 6-5
O: wants to resign
X: wins
Score is 1-0 in a 5 point match.
{second[0]} is X - {second[1]} is O
X: (3 1) 8-5 6-5
O: wants to resign
X: wins
score in 5 point match: {first[0]}-4 {first[1]}-0
"""

ALL = [MAT, SGF, BGAMMON, FIBS]
WITH_FIXED_SEATS = [MAT, SGF, BGAMMON]
"""FIBS names X and O anew for every game: whoever sits there is told by name."""


def _adjudicated(text: str, second: tuple[str, str]) -> MatchAdjudication:
    content = text.format(first=("Ann", "Bo"), second=second).encode()
    return adjudicate(read_log(content), Ruleset(), EvenEngine(), EvenEstimator())


@pytest.mark.parametrize("text", ALL, ids=["mat", "sgf", "bgammon", "fibs"])
def test_games_of_the_same_players_count(text: str) -> None:
    match = _adjudicated(text, ("Ann", "Bo"))
    assert [game.status for game in match.games] == [GameStatus.STANDS, GameStatus.STANDS]
    assert match.adjudicated.score == Score(4, 0)


@pytest.mark.parametrize(
    ("text", "second"),
    [(text, ("Cy", "Bo")) for text in ALL] + [(text, ("Bo", "Ann")) for text in WITH_FIXED_SEATS],
)
def test_a_game_of_others_or_in_other_seats_is_unreadable_and_counts_for_nobody(
    text: str, second: tuple[str, str]
) -> None:
    match = _adjudicated(text, second)
    assert [game.status for game in match.games] == [GameStatus.STANDS, GameStatus.UNREADABLE]
    assert match.games[1].unreadable is not None
    assert match.games[1].unreadable.reason == OTHER_PLAYERS
    assert (match.adjudicated.score, match.recorded.score) == (Score(1, 0), Score(1, 0))


def test_players_of_a_fibs_list_may_change_between_x_and_o() -> None:
    match = _adjudicated(
        FIBS.replace("score in 5 point match: {first[0]}-4 {first[1]}-0\n", ""), ("Bo", "Ann")
    )
    assert [game.status for game in match.games] == [GameStatus.STANDS, GameStatus.STANDS]


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "Bo"),
        ("ann", "BO"),
        ("", "Bo"),
        ("Ann", ""),
        ("", ""),
        ("An", "Bo"),
        ("Anna", "Bob"),
        ("Ann (1650.3)", "Bo [1500]"),
    ],
)
def test_names_missing_cut_or_rated_are_those_of_the_same_players(names: tuple[str, str]) -> None:
    assert not are_others(names, ("Ann", "Bo"))
    assert not are_others(("Ann", "Bo"), names)


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (("Bo", "Ann"), ("Ann", "Bo")),
        (("Anna", "Ann"), ("Ann", "Anna")),
        (("Ann", "Cy"), ("Ann", "Bo")),
        (("Cy", "Bo"), ("Ann", "Bo")),
        (("Player 2", "Player 1"), ("Player 1", "Player 2")),
    ],
)
def test_others_are_told_by_name_and_by_seat(names: tuple[str, str], first: tuple[str, str]) -> None:
    assert are_others(names, first)
