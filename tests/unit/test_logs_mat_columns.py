"""In which column a cell of a .mat stands: by order, by distance, and by turn where the blanks are lost."""

import pytest

from adjudicator.logs.reading import read_log
from adjudicator.rules.record import CubeRecord, GameRecord, RollRecord
from adjudicator.rules.sides import Side

WHITE, BLACK = Side
FIXED_SEATS = " Ann : 0                       Bo : 0"


def _game(*rows: str, seats: str = FIXED_SEATS) -> GameRecord:
    text = "\n".join(["7 point match", "", " Game 1", seats, *rows, ""])
    return read_log(text.encode()).games[0]


def _sides(game: GameRecord) -> list[Side]:
    return [action.side for action in game.actions]


def _winner(game: GameRecord) -> Side | None:
    return None if game.result is None else game.result.winner


def test_two_cells_are_white_then_black() -> None:
    assert _sides(_game("  1) 31: 8/5 6/5                  64: 24/14")) == [WHITE, BLACK]


def test_a_cell_far_from_its_number_is_blacks() -> None:
    game = _game("  1)                                64: 24/14", "  2) 31: 8/5 6/5      52: 13/8 24/22")
    assert _sides(game) == [BLACK, WHITE, BLACK]


def test_a_cell_near_its_number_is_whites_in_text_of_fixed_width() -> None:
    assert _sides(_game("  1) 31: 8/5 6/5", "  2) 64: 24/14")) == [WHITE, WHITE]


def test_tabs_part_columns() -> None:
    game = _game(
        "1)\t\t64: 24/14", "2)\t31: 8/5 6/5\t52: 13/8", "\t\tWins 1 point", seats="Ann : 0\t\tBo : 0"
    )
    assert _sides(game) == [BLACK, WHITE, BLACK]
    assert _winner(game) is BLACK


def test_without_blanks_black_begins_where_the_first_row_of_several_has_one_cell() -> None:
    game = _game("1) 64: 24/14", "2) 31: 8/5 6/5 52: 13/8 24/22", "3) 66:", seats="Ann : 0 Bo : 0")
    assert _sides(game) == [BLACK, WHITE, BLACK, WHITE]


def test_without_blanks_cube_actions_take_turns_too() -> None:
    game = _game(
        "1) 64: 24/14 31: 8/5 6/5", "2) Doubles => 2 Takes", "3) 52: 13/8 24/22 Doubles => 4", "4) Drops",
        seats="Ann : 0 Bo : 0",
    )  # fmt: skip
    assert _sides(game) == [WHITE, BLACK] * 3 + [WHITE]
    assert isinstance(game.actions[-1], CubeRecord)


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("   Wins 2 points", WHITE),
        ("      Wins 2 point", WHITE),
        ("  3)  Wins 2 point", WHITE),
        ("                                  Wins 2 point and the match", BLACK),
        ("  3)                              Wins 2 points", BLACK),
        ("  3)  Losses 2 point              Wins 2 point", BLACK),
        ("  3)  Wins 2 point                Losses 2 point", WHITE),
        ("  3)                              Losses 2 point", WHITE),
    ],
)
def test_the_winner_is_the_column_of_wins(line: str, winner: Side) -> None:
    game = _game("  1) 31: 8/5 6/5                  64: 24/14", line)
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (winner, 2)
    assert game.result.place.line == 6


def test_losses_at_the_margin_do_not_say_whose_they_are() -> None:
    game = _game("  1) 31: 8/5 6/5                  64: 24/14", " Losses 3 point", "", "      Wins 3 point")
    assert _winner(game) is WHITE
    assert game.remarks == ()


def test_wins_in_the_row_of_the_last_roll_is_no_cell_of_that_roll() -> None:
    game = _game("  1) 31: 8/5 6/5                  64: ????", "  2)  Wins 1 point")
    assert len(game.rolls) == 2
    assert _winner(game) is WHITE


def test_a_row_numbered_again_within_itself_is_two_rows() -> None:
    game = _game("  1) 22: 13/11 6/4      1)  Losses 1 point                  Wins 1 point and the match")
    assert _sides(game) == [WHITE]
    assert _winner(game) is BLACK


@pytest.mark.parametrize(
    ("last_row", "winner"),
    [
        ("2) Doubles => 2 Drops", WHITE),
        ("2) 66: 24/12(2) Resigns", WHITE),
        ("2) 66: 24/12(2) 52: ????", WHITE),
        ("2) 66: 24/12(2) 52: Concedes", WHITE),
    ],
)
def test_where_the_column_of_wins_is_lost_the_last_action_tells(last_row: str, winner: Side) -> None:
    game = _game("1) 31: 8/5 6/5 64: 24/14", last_row, "Wins 1 point", seats="Ann : 0 Bo : 0")
    assert _winner(game) is winner


def test_where_the_column_of_wins_is_lost_the_side_with_all_checkers_off_has_won() -> None:
    rows = [
        "1) 31: 8/5 6/5 64: 24/14",
        *[f"{row}) 66: 5/off(4) 66: 6/1" for row in range(2, 6)],
        "Wins 1 point",
    ]
    assert _winner(_game(*rows, seats="Ann : 0 Bo : 0")) is WHITE


def test_where_the_column_of_wins_is_lost_the_next_score_tells() -> None:
    text = "7 point match\n\nGame 1\nAnn : 0 Bo : 0\n1) 31: 8/5 6/5 64: 24/14\nWins 1 point\n"
    log = read_log(f"{text}\nGame 2\nAnn : 0 Bo : 1\n".encode())
    assert _winner(log.games[0]) is BLACK
    undecided = read_log(text.encode()).games[0]
    assert undecided.result is None
    assert [remark.detail for remark in undecided.remarks] == [
        "a result is recorded, but nothing tells in which column"
    ]


def test_rows_are_counted_by_position_whatever_their_numbers() -> None:
    game = _game(
        "  1)                                64: 24/14",
        "  7) 31: 8/5 6/5                    52: 13/8 24/22",
        "  7)",
        "  8)  Doubles => 2                   Takes",
        "  9) 00: ????                       ",
        " 10) 11: 6/5(4)",
        " 11)  Wins 2 point",
    )
    rows = [action.row for action in game.actions if isinstance(action, RollRecord | CubeRecord)]
    assert rows == [1, 2, 2, 3, 3, 4]


def test_a_cell_that_wrapped_to_a_line_of_its_own_belongs_to_the_row_above() -> None:
    game = _game("  1) 31: 8/5 6/5", "                                  64: 24/14", "  2) 52: 13/8 24/22")
    assert [(roll.side, roll.row) for roll in game.rolls] == [(WHITE, 1), (BLACK, 1), (WHITE, 2)]


def test_three_actions_in_a_row_break_the_game() -> None:
    game = _game("  1) 31: 8/5 6/5   64: 24/14   52: 13/8")
    assert game.broken is not None
    assert game.broken.reason == "3 actions in one row; a row has two columns"
