"""The roll number and the dice series, HE-3 and HE-4."""

import pytest

from adjudicator.happy_end.ruleset import Numbering
from adjudicator.happy_end.series import DiceSeries, dice_series
from adjudicator.rules.record import Action
from tests.boards import BLACK, WHITE, dice, double, drop, game, resign, roll, take


def rolls(*texts: str) -> list[Action]:
    """Rolls in turn, white first; nothing is written after them."""
    return [roll((WHITE, BLACK)[index % 2], text, "") for index, text in enumerate(texts)]


def series_of(actions: list[Action], numbering: Numbering = Numbering.ROLL) -> DiceSeries:
    return dice_series(game(actions), numbering)


TWELVE = rolls("31", "42", "53", "64", "21", "32", "43", "54", "65", "61", "52", "41")


@pytest.mark.parametrize(("last", "number"), [("11", 2), ("21", 3), ("65", 11), ("66", 12)])
def test_he_3_1_the_roll_number_is_the_sum_of_the_last_roll_s_two_dice(last: str, number: int) -> None:
    series = series_of([*TWELVE, *rolls(last)])
    assert series.last_roll == dice(last)
    assert series.roll_number == number
    assert series.first_roll == number


def test_he_3_2_a_roll_with_which_nothing_could_be_played_is_a_roll() -> None:
    series = series_of([roll(WHITE, "31", "8/5 6/5"), roll(BLACK, "66", ""), roll(WHITE, "21", "")])
    assert series.rolls == (dice("31"), dice("66"), dice("21"))


def test_he_3_2_a_roll_thrown_and_not_played_before_a_resignation_is_a_roll_and_the_last_one() -> None:
    series = series_of([*TWELVE, roll(WHITE, "64", None), resign(WHITE)])
    assert series.roll_number == 10
    assert len(series.rolls) == 13


def test_he_4_1_rolls_are_numbered_from_1_both_players_together_and_the_opening_roll_is_number_1() -> None:
    series = series_of(TWELVE)
    assert series.dice_of(1) == dice("31")
    assert series.dice_of(2) == dice("42")
    assert series.first_roll == 5  # the last roll is 4-1
    assert [series.roll_at(turn) for turn in range(3)] == [5, 6, 7]


def test_he_4_2_a_number_beyond_the_last_roll_counts_on_from_the_first() -> None:
    assert series_of(rolls("31", "42", "64")).first_roll == (10 - 1) % 3 + 1 == 1
    assert series_of(rolls("31", "42", "66")).first_roll == (12 - 1) % 3 + 1 == 3
    assert series_of(rolls("65")).first_roll == 1


def test_he_4_2_after_the_last_roll_the_series_goes_on_from_roll_1_again_and_again() -> None:
    series = series_of(rolls("31", "42", "21"))
    assert [series.roll_at(turn) for turn in range(8)] == [3, 1, 2, 3, 1, 2, 3, 1]


def test_he_4_3_with_an_even_number_of_rolls_a_player_meets_half_of_them_with_an_odd_one_all() -> None:
    even, odd = series_of(rolls("31", "42", "53", "21")), series_of(rolls("31", "42", "21"))
    assert {even.roll_at(turn) for turn in range(0, 40, 2)} == {1, 3}
    assert {odd.roll_at(turn) for turn in range(0, 40, 2)} == {1, 2, 3}


def test_cube_actions_do_not_count_as_rolls() -> None:
    series = series_of([*TWELVE[:4], double(WHITE), take(BLACK), *TWELVE[4:]])
    assert series == series_of(TWELVE)


def test_a_game_without_rolls_has_no_series() -> None:
    with pytest.raises(ValueError, match="no dice series"):
        series_of([double(WHITE), drop(BLACK)])


def lines(*printed: tuple[str, str]) -> list[Action]:
    """A transcript: one pair of columns a line; a cell is a roll, ``double``, ``take``, ``drop`` or blank."""
    cube = {"double": double, "take": take, "drop": drop}
    return [
        cube[cell](player, row=row) if cell in cube else roll(player, cell, "", row=row)
        for row, cells in enumerate(printed, start=1)
        for player, cell in zip((WHITE, BLACK), cells, strict=True)
        if cell
    ]


def first_rolls_by_line(printed: list[tuple[str, str]]) -> dict[int, int]:
    """Where the series starts for each roll number: the last line's last cell is put in as that roll."""
    found = {}
    for number, last in enumerate(
        ("11", "21", "31", "41", "51", "52", "53", "54", "64", "65", "66"), start=2
    ):
        actions = lines(*printed[:-1], (printed[-1][0], last))
        found[number] = dice_series(game(actions), Numbering.MOVE).first_roll
    return found


def test_he_4_1_move_the_number_names_a_line_and_the_series_starts_with_its_first_roll() -> None:
    """Twelve full lines: line n begins with roll 2n - 1."""
    printed = [("31", "42")] * 12
    assert first_rolls_by_line(printed) == {number: 2 * number - 1 for number in range(2, 13)}


def test_he_4_1_move_a_line_with_only_a_cube_is_a_line_and_the_series_starts_with_the_roll_after_it() -> None:
    """Line 3 holds the cube; from line 4 on line n holds rolls 2n - 3 and 2n - 2."""
    printed = [("31", "42"), ("31", "42"), ("double", "take"), *[("31", "42")] * 10]
    starts = first_rolls_by_line(printed)
    assert starts[2] == 3
    assert starts[3] == 5  # the first roll after the cube
    assert starts[4] == 5
    assert starts[11] == 19


def test_he_4_1_move_a_line_may_begin_with_black_s_roll() -> None:
    starts = first_rolls_by_line([("", "31"), *[("42", "53")] * 12])
    assert starts == {number: 2 * number - 2 for number in range(2, 13)}


def test_he_4_1_move_a_double_in_black_s_column_and_the_take_in_the_next_line() -> None:
    printed = [("31", "42"), ("31", "double"), ("take", "42"), *[("31", "42")] * 10]
    starts = first_rolls_by_line(printed)
    assert (starts[2], starts[3], starts[4]) == (3, 4, 5)


def test_he_4_2_move_a_number_beyond_the_last_line_counts_on_from_the_first_line() -> None:
    """Five lines: number 7 names line 2, 10 line 5, 11 line 1."""
    starts = first_rolls_by_line([("31", "42")] * 5)
    assert (starts[7], starts[10], starts[11], starts[6]) == (3, 9, 1, 1)


def test_he_4_2_move_a_cube_line_with_no_roll_after_it_starts_the_series_with_roll_1() -> None:
    """The game ends with a dropped double in line 3; the last roll is 2-1, which names that line."""
    actions = lines(("31", "42"), ("53", "21"), ("double", "drop"))
    assert dice_series(game(actions), Numbering.MOVE).first_roll == 1


def test_he_4_1_move_lines_are_counted_by_position_whatever_numbers_are_printed() -> None:
    """The reader counts rows; a gap in them is no line."""
    actions = [roll(WHITE, "31", "", row=1), roll(BLACK, "42", "", row=1), roll(WHITE, "21", "", row=4)]
    assert dice_series(game(actions), Numbering.MOVE).first_roll == 1  # 3 names, of two lines, line 1


def without_lines(actions: list[Action], last: str) -> int:
    return dice_series(game([*actions, roll(BLACK, last, "")]), Numbering.MOVE).first_roll


def test_he_4_1_move_a_record_without_lines_is_numbered_as_its_mat_would_be() -> None:
    """White's column first: rolls 1 and 2 are line 1, 3 and 4 line 2 and so on."""
    actions = rolls(*["31", "42"] * 11, "31")
    assert without_lines(actions, "21") == 5
    assert without_lines(actions, "66") == 23


def test_he_4_1_move_if_black_starts_a_record_without_lines_line_1_holds_black_s_roll_alone() -> None:
    actions: list[Action] = [roll((BLACK, WHITE)[index % 2], "31", "") for index in range(12)]
    assert without_lines(actions, "11") == 2
    assert without_lines(actions, "31") == 6


def test_he_4_1_move_in_a_record_without_lines_white_s_double_and_the_take_are_a_line() -> None:
    actions = [*rolls("31", "42"), double(WHITE), take(BLACK), *rolls(*["31", "42"] * 5, "31")]
    assert without_lines(actions, "11") == 3
    assert without_lines(actions, "21") == 3
    assert without_lines(actions, "31") == 5


def test_he_4_1_move_in_a_record_without_lines_black_s_double_shares_a_line_with_white_s_roll() -> None:
    """1) 31 42   2) 53 Doubles   3) Takes 64   4) 31 ..."""
    actions = [
        *rolls("31", "42", "53"),
        double(BLACK),
        take(WHITE),
        roll(BLACK, "64", ""),
        *rolls(*["31", "42"] * 5, "31"),
    ]
    assert without_lines(actions, "11") == 3
    assert without_lines(actions, "21") == 4
    assert without_lines(actions, "31") == 5
