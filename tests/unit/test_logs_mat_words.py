"""The words of other programs in the cells of a .mat, one row of the tables in docs/formats/mat.md each."""

import pytest

from adjudicator.logs.reading import read_log
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import CubeRecord, GameRecord, Movement, ResignRecord, RollRecord, Writing
from adjudicator.rules.score import Win
from adjudicator.rules.sides import Side

WHITE, BLACK = Side
ROW = "  1) 31: 8/5 6/5                  64: 24/14"


def _game(*rows: str) -> GameRecord:
    head = ["7 point match", "", " Game 1", " Ann : 0                       Bo : 0"]
    return read_log("\n".join([*head, *rows]).encode()).games[0]


@pytest.mark.parametrize(
    ("words", "action", "value"),
    [
        ("Doubles => 2", CubeAction.DOUBLE, 2),
        ("doubles to 2", CubeAction.DOUBLE, 2),
        ("Doubles -> 2", CubeAction.DOUBLE, 2),
        ("Doubles ⇒ 2", CubeAction.DOUBLE, 2),
        ("Doubles", CubeAction.DOUBLE, None),
        ("Double", CubeAction.DOUBLE, None),
        ("Redoubles => 4", CubeAction.DOUBLE, 4),
        ("Takes", CubeAction.TAKE, None),
        ("TAKE", CubeAction.TAKE, None),
        ("Accepts", CubeAction.TAKE, None),
        ("Drops", CubeAction.DROP, None),
        ("Passes", CubeAction.DROP, None),
        ("Rejects", CubeAction.DROP, None),
        ("Refuse", CubeAction.DROP, None),
        ("Beavers", CubeAction.BEAVER, None),
        ("Beavers => 4", CubeAction.BEAVER, 4),
        ("Beavers to 4", CubeAction.BEAVER, 4),
    ],
)
def test_words_of_the_cube(words: str, action: CubeAction, value: int | None) -> None:
    (cube,) = _game(f"  1)  {words}").actions
    assert isinstance(cube, CubeRecord)
    assert (cube.side, cube.action, cube.value) == (WHITE, action, value)


GIVING_UP = [
    ("Resigns", None),
    ("Resign", None),
    ("resigned", None),
    ("Concedes", None),
    ("Forfeits", None),
    ("Gives up", None),
    ("Timeout", None),
    ("Timed out", None),
    ("Loses on time", None),
    ("Lost on time", None),
    ("Resigned Game", None),
    ("Resigned Match", None),
    ("Resigns the match", None),
    ("Resigns 2", None),
    ("Resigns 2 points", None),
    ("Resigns single", Win.SINGLE),
    ("Resigns single game", Win.SINGLE),
    ("Resigns a gammon", Win.GAMMON),
    ("Resigns (gammon)", Win.GAMMON),
    ("Concedes backgammon", Win.BACKGAMMON),
]


@pytest.mark.parametrize(("words", "win"), GIVING_UP)
def test_words_of_giving_up_in_a_cell_of_their_own(words: str, win: Win | None) -> None:
    game = _game(ROW, f"  2)  {words}                   Wins 2 points")
    resignation = game.actions[-1]
    assert game.broken is None
    assert resignation == ResignRecord(WHITE, win, resignation.place)
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (BLACK, 2)


@pytest.mark.parametrize(("words", "win"), GIVING_UP)
def test_words_of_giving_up_behind_the_dice(words: str, win: Win | None) -> None:
    game = _game(f"  1) 31: {words}")
    roll, resignation = game.actions
    assert isinstance(roll, RollRecord)
    assert roll.writing is Writing.NOT_PLAYED
    assert resignation == ResignRecord(WHITE, win, resignation.place)


@pytest.mark.parametrize(
    "row",
    [
        "  2)  Raccoons",
        "      Raccoons => 8",
        "  2)  Takes?",
        "      Takes?",
        "  2)  Doubles 2",
        "      Resigns everything",
        "  2)  Surrenders",
        "  2) 31 8/5",
    ],
)
def test_other_words_break_the_game_at_their_line(row: str) -> None:
    broken = _game(ROW, row).broken
    assert broken is not None
    assert broken.place.line == 6


@pytest.mark.parametrize(
    "words",
    [
        "Cannot Move",
        "cannot move",
        "Can't move",
        "Can’t move",
        "Cant move",
        "Can not move",
        "Cannot play",
        "No move",
        "(no move)",
        "No moves",
        "No play",
        "no legal move",
        "No legal plays",
        "Dances",
        "Dance",
        "danced",
    ],
)
def test_words_for_no_legal_play(words: str) -> None:
    roll, following = _game(f"  1) 31: {words}           64: 24/14").rolls
    assert roll.writing is Writing.CANNOT_MOVE
    assert following.movements == (Movement(24, 14),)


@pytest.mark.parametrize(
    ("text", "movements"),
    [
        ("bar/22", [(25, 22, False)]),
        ("Bar/22*", [(25, 22, True)]),
        ("25/22", [(25, 22, False)]),
        ("6/Off 5/0", [(6, 0, False), (5, 0, False)]),
        ("8/5(3)", [(8, 5, False)] * 3),
        ("8/5*(2)", [(8, 5, True), (8, 5, False)]),
        ("8/5 (2)", [(8, 5, False)] * 2),
        ("8/5*/3", [(8, 5, True), (5, 3, False)]),
        ("24/18/14", [(24, 18, False), (18, 14, False)]),
        ("24/18*/14*", [(24, 18, True), (18, 14, True)]),
        ("24/18, 13/11", [(24, 18, False), (13, 11, False)]),
        ("24/18,13/11", [(24, 18, False), (13, 11, False)]),
        ("8⁄5∗ 6∕5", [(8, 5, True), (6, 5, False)]),
        ("８/５ ６/５", [(8, 5, False), (6, 5, False)]),
        ("8/5\u00a06/5", [(8, 5, False), (6, 5, False)]),
    ],
)
def test_ways_to_write_a_play(text: str, movements: list[tuple[int, int, bool]]) -> None:
    (roll,) = _game(f"  1) 31: {text}").rolls
    assert [(part.source, part.target, part.hit) for part in roll.movements] == movements


@pytest.mark.parametrize(
    "text", ["24-18 13-11", "24–18", "½", "1/2", "8/5 6/5?", "8/5;6/5", ",", "8/5, ,6/5", "٨/٥"]
)
def test_other_ways_are_not_read_and_the_dice_count(text: str) -> None:
    first, second = _game(f"  1) 31: {text}                64: 24/14").rolls
    assert (first.writing, str(first.dice), str(second.dice)) == (Writing.UNREAD, "3-1", "6-4")
    assert first.unread


@pytest.mark.parametrize("unit", ["point", "points", "pt", "pts", "points and the match", "POINTS"])
def test_units_of_a_result(unit: str) -> None:
    result = _game(ROW, f"      Wins 2 {unit}").result
    assert result is not None
    assert (result.winner, result.points) == (WHITE, 2)


@pytest.mark.parametrize("words", ["Wins the match", "Wins", "Wins two points", "Wins a gammon"])
def test_a_result_without_a_number_is_none(words: str) -> None:
    assert _game(ROW, f"      {words}").result is None
    assert _game(ROW, f"  2)  {words}").broken is not None
