from adjudicator.reports.board_picture import draw_board
from adjudicator.rules.board import checkers_from
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON


def test_the_start_looks_as_it_is_printed_in_books() -> None:
    start = BACKGAMMON.start_checkers
    assert draw_board(start, start) == [
        " +13-14-15-16-17-18-+---+19-20-21-22-23-24-+",
        " | O           X    |   | X              O |",
        " | O           X    |   | X              O |",
        " | O           X    |   | X                |",
        " | O                |   | X                |",
        " | O                |   | X                |",
        " |                  |BAR|                  |",
        " | X                |   | O                |",
        " | X                |   | O                |",
        " | X           O    |   | O                |",
        " | X           O    |   | O              X |",
        " | X           O    |   | O              X |",
        " +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+",
        "  O white, borne off 0; X black, borne off 0",
    ]


def test_a_stack_of_more_than_five_shows_its_number_on_the_outermost_checker() -> None:
    lines = draw_board(checkers_from({1: 7}, 15), checkers_from({1: 12}, 15))
    assert [line[41] for line in lines[1:5]] == list("XXXX")
    assert lines[5][40:42] == "12"
    assert [line[41] for line in lines[7:12]] == list("7OOOO")


def test_whoever_is_on_the_bar_stands_in_the_middle_and_what_is_off_is_counted() -> None:
    lines = draw_board(checkers_from({25: 1}, 15), checkers_from({25: 2, 3: 1}, 15))
    assert [line[22] for line in lines[1:6]] == list("XX   ")
    assert [line[22] for line in lines[7:12]] == list("    O")
    assert lines[-1] == "  O white, borne off 14; X black, borne off 12"


def test_seen_by_black_the_board_is_turned_and_numbered_as_black_counts() -> None:
    white, black = checkers_from({6: 2, 25: 1}, 15), checkers_from({5: 3, 24: 1}, 15)
    lines = draw_board(white, black, Side.BLACK)
    assert lines[0] == " +13-14-15-16-17-18-+---+19-20-21-22-23-24-+"
    assert lines[1] == " |                  | O | O              X |"  # white's 6 point is black's 19
    assert lines[2] == " |                  |   | O                |"
    assert lines[11] == " |                  |   |    X             |"
    assert lines[-1] == "  O white, borne off 12; X black, borne off 11"
