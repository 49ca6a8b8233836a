"""Other text in a .mat: before the score line, between rows, in odd letters; and how much of it is taken."""

import pytest

from adjudicator.errors import AdjudicatorError, RecordError, TooLargeError, UnknownFormatError
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.logs.text_content import MAX_BYTES, MAX_LINES, PEEKED_BYTES
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score

SEATS = " Ann : 1                       Bo : 2"
ROW = "  1) 31: 8/5 6/5                  64: 24/14"


def _log(*lines: str) -> MatchLog:
    return read_log("\n".join(["7 point match", " Game 1", *lines]).encode())


def _game(*rows: str) -> GameRecord:
    return _log(SEATS, *rows).games[0]


def _dice(game: GameRecord) -> list[str]:
    return [str(roll.dice) for roll in game.rolls]


# Between the title and the score line


@pytest.mark.parametrize(
    "text",
    [
        [""],
        ["Played on 24/11/2026 in Prague"],
        ["2026-11-24", "", "Place: Prague   Table: 7"],
        ["From 21:30 to 22:45"],
        ["24/11"],
        ["; a comment : 3"],
        ["A name            and another"],
    ],
)
def test_text_before_the_score_line_does_not_hide_it(text: list[str]) -> None:
    log = _log(*text, SEATS, ROW)
    assert (log.white, log.black, log.games[0].score) == ("Ann", "Bo", Score(1, 2))
    assert (log.games[0].broken, _dice(log.games[0]), log.games[0].remarks) == (None, ["3-1", "6-4"], ())


def test_what_looks_like_a_score_behind_the_score_line_is_none() -> None:
    log = _log(SEATS, "Ann: 3   Bo: 4", ROW)
    assert log.first_score == Score(1, 2)


def test_a_score_line_is_not_looked_for_behind_the_first_row() -> None:
    for row in (ROW, "                             64: 24/14", "  1) 3l: 8/5"):
        assert _log(row, SEATS).games[0].score is None


# Between the rows


@pytest.mark.parametrize(
    "text",
    [
        "We answer 24/7, just call",
        "24/7 support line",
        "A great 24/18 play there",
        "See 24/7 what happens",
        "At 21:30 we had a break",
        "21:30",
        "12:05:33  Ann has joined",
        "(Bo is thinking)",
    ],
)
def test_prose_is_passed_over_with_a_remark(text: str) -> None:
    game = _game(ROW, text, "  2) 52: 13/8 24/22")
    assert (game.broken, _dice(game)) == (None, ["3-1", "6-4", "5-2"])
    assert [(remark.code, remark.place.line) for remark in game.remarks] == [(RemarkCode.ROW_IGNORED, 5)]


@pytest.mark.parametrize(
    "text",
    [
        "24/18 13/11",
        "18/14 (ouch)",
        "sl 24/23",
        "Gl: 13/7 8/7",
        "and 24/18 13/11",
        "so he rolled 64: 24/14",
        "so he rolled 64: and passed",
        "٦٤: ٢٤/١٤",
        "Takes (after a long think)",
        "Doubles!!",
        "  2) we answer 24/7, just call",
        "  2) 21:30",
    ],
)
def test_what_may_be_a_row_is_never_passed_over(text: str) -> None:
    game = _game(ROW, text, "  3) 52: 13/8 24/22")
    assert game.broken is not None
    assert (game.broken.place.line, _dice(game)) == (5, ["3-1", "6-4"])


# Odd letters


@pytest.mark.parametrize("line_end", ["\u2028", "\u2029", "\x85", "\r", "\r\n"])
def test_line_ends_of_unicode_are_line_ends(line_end: str) -> None:
    log = read_log(line_end.join(["7 point match", " Game 1", SEATS, ROW, ROW]).encode())
    assert [roll.place.line for roll in log.games[0].rolls] == [4, 4, 5, 5]


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u202f", "\u3000", "\f", "\v"])
def test_odd_blanks_are_blanks(blank: str) -> None:
    columns = f"  1) 31: 8/5 6/5{blank * 18}64: 24/14".replace(": ", f":{blank}")
    game = _game(columns, f"{blank * 30}52: 13/8 24/22", f"{blank} 2) 66:")
    assert (game.broken, _dice(game)) == (None, ["3-1", "6-4", "5-2", "6-6"])
    assert [roll.side.label for roll in game.rolls] == ["white", "black", "black", "white"]
    assert game.rolls[0].movements == _game(ROW).rolls[0].movements


def test_a_form_feed_parts_no_line_and_hides_no_title() -> None:
    log = _log(SEATS, ROW, "\f Game 2", SEATS, f"\f{ROW}")
    assert [(game.place.line, _dice(game)) for game in log.games] == [
        (2, ["3-1", "6-4"]),
        (5, ["3-1", "6-4"]),
    ]


def test_full_width_rows_are_read() -> None:
    wide = ROW.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    for row in (wide, wide.replace(" ", "\u3000"), wide[5:]):
        game = _game(row)
        assert (_dice(game), game.rolls[0].movements) == (["3-1", "6-4"], _game(ROW).rolls[0].movements)


def test_names_keep_their_letters() -> None:
    assert _log(" Ａｎｎ’s\u00a0: 1                  Bo : 2", ROW).white == "Ａｎｎ’s"


def test_mixed_encodings_leave_the_dice_as_they_are() -> None:
    log = read_log(b"7 point match\n Game 1\n H\xc3\xa9zec : 1       J\xe9r : 2\n" + ROW.encode())
    assert (_dice(log.games[0]), log.remarks[0].code) == (["3-1", "6-4"], RemarkCode.ENCODING_GUESSED)


@pytest.mark.parametrize("where", [0, 20, 60])
def test_a_zero_byte_anywhere_is_refused(where: int) -> None:
    content = "\n".join(["7 point match", " Game 1", SEATS, ROW]).encode()
    with pytest.raises(UnknownFormatError, match="zero bytes"):
        read_log(content[:where] + b"\0" + content[where:])


# Several matches


def test_a_second_match_is_named_with_what_to_do() -> None:
    with pytest.raises(RecordError, match="more than one match") as caught:
        _log(SEATS, ROW, "7 point match", " Game 1", SEATS, ROW)
    assert [(fault.reason, fault.place.line) for fault in caught.value.faults] == [
        ("a second match begins here: send each match by itself", 5)
    ]


# Head


@pytest.mark.parametrize("head", ["7 point match", "7 points match", "7-point match", "Match of 7 points"])
def test_the_match_length_has_several_forms(head: str) -> None:
    log = read_log(f'; [Event "y"]\n[Site "x"]\n{head}\n Game 1\n{SEATS}\n{ROW}\n'.encode())
    assert (log.match_length, dict(log.metadata)) == (7, {"site": "x", "event": "y"})


# How much is taken


def test_too_long_a_text_is_refused_before_it_is_decoded() -> None:
    content = b"7 point match\n Game 1\n".ljust(MAX_BYTES + 1, b"\xff")
    with pytest.raises(TooLargeError, match=f"{MAX_BYTES + 1} bytes"):
        read_log(content)
    with pytest.raises(TooLargeError, match=f"{MAX_BYTES + 1} bytes"):
        read_log(b"\n" * MAX_BYTES + b"x")


def test_a_line_as_long_as_all_text_that_is_taken_is_refused_by_its_number() -> None:
    content = b"7 point match\n Game 1\n".ljust(MAX_BYTES, b"3")
    with pytest.raises(TooLargeError, match="characters") as caught:
        read_log(content)
    assert caught.value.faults[0].place.line == 3


def test_too_many_lines_are_refused_by_the_first_of_them() -> None:
    lines = b"\n" * (MAX_LINES - 2)
    assert read_log(b"7 point match\n Game 1\n" + lines).games[0].actions == ()
    with pytest.raises(TooLargeError, match=f"more than {MAX_LINES} lines") as caught:
        read_log(b"7 point match\n Game 1\n\n" + lines)
    assert caught.value.faults[0].place.line == MAX_LINES + 1


def test_blanks_in_any_number_are_empty_content() -> None:
    with pytest.raises(UnknownFormatError, match="is empty"):
        read_log(b" \n" * MAX_BYTES)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("shift", range(4))
def test_a_format_is_told_by_its_beginning_wherever_that_is_cut(encoding: str, shift: int) -> None:
    head = "\n".join(["7 point match", " Game 1", SEATS, "é" * shift])
    content = (head + f"\n; {'é' * 1000}" * (PEEKED_BYTES // 1000)).encode(encoding)
    assert len(content) > PEEKED_BYTES
    assert read_log(content).format == "jellyfish_mat"


def test_a_head_behind_too_much_else_is_not_found() -> None:
    with pytest.raises(AdjudicatorError, match="text that begins with 'so it goes'"):
        read_log(b"so it goes\n" * (PEEKED_BYTES // 11 + 1) + b"7 point match\n Game 1\n")
