"""Every remark: the example of ``docs/remarks.md`` makes it and no other, and with one thing changed none."""

import json
import re
from pathlib import Path

import pytest

from adjudicator.reports.text import format_report
from adjudicator.rules.remarks import RemarkCode
from tests.opinions import result_of

PAGE = (Path(__file__).parents[2] / "docs" / "remarks.md").read_text("utf-8")
EXAMPLE = re.compile(
    r"^### `(?P<code>\w+)`\n\n[^`#]*"
    r"```(?P<language>mat|json|sgf|fibs)\n(?P<log>[^`]*)^```\n\n(?P<said>(?:> .*\n?)+)",
    re.MULTILINE,
)

WITHOUT_EXAMPLE = {
    RemarkCode.RESULT_FROM_SCORE,
    RemarkCode.SIGNATURE_INVALID,
    RemarkCode.SIGNATURE_UNCHECKED,
}
"""Made by readers of binary files, which no page can show; the first one also by every result that a list of
FIBS leaves to its scores. The tests of those readers make them."""

BESIDE = {RemarkCode.SCORE_TURNED: {RemarkCode.RESULT_FROM_SCORE}}
"""Remarks that never come alone, and those that stand beside them."""

JUST_NOT: dict[RemarkCode, tuple[str, str]] = {
    RemarkCode.MONEY_AS_16: ("16 point", "15 point"),
    RemarkCode.CRAWFORD_UNKNOWN: ("Bo : 2", "Bo : 0"),
    RemarkCode.CRAWFORD_DIFFERS: ("true", "false"),
    RemarkCode.GAME_MISSING: ("Game 2", "Game 1"),
    RemarkCode.GAME_AFTER_MATCH: ("1 point match", "3 point match"),
    RemarkCode.SCORE_MISSING: ("Game 2\n", "Game 2\n Ann : 1                           Bo : 0\n"),
    RemarkCode.SCORE_TOO_HIGH: ("Ann : 5", "Ann : 4"),
    RemarkCode.SCORE_TURNED: ("Score is 0-1", "Score is 1-0"),
    RemarkCode.ROW_OUT_OF_ORDER: ("  3)  Resigns", "  2)  Resigns"),
    RemarkCode.ROW_IGNORED: ("Good luck", "; Good luck"),
    RemarkCode.PART_IGNORED: ("(;B[21qosr])", ""),
    RemarkCode.ENCODING_GUESSED: ("André", "Andre"),
    RemarkCode.NO_ROLLS: ("      Wins", "  1) 31: 8/5 6/5\n      Wins"),
    RemarkCode.OPENING_DOUBLET: ("33: 8/5(2) 6/3(2)", "31: 8/5 6/5"),
    RemarkCode.ILLEGAL_PLAY: ("62:", "31:"),
    RemarkCode.HALF_PLAY: ("8/5 ", "8/5 6/5 "),
    RemarkCode.PATH_CHOSEN: ("24/14*", "24/18/14*"),
    RemarkCode.PLAY_SUPPLIED: ('""', '"bar/20 20/14"'),
    RemarkCode.PLAY_OMITTED: ("31: ", "31: 8/5 6/5"),
    RemarkCode.POSITION_AGREED: (
        '"agreed": {"white": {"6": 1, "5": 1, "4": 1}, "black": {"6": 3}}',
        '"moves": "6/3 6/5"',
    ),
    RemarkCode.HIT_NOT_MARKED: ("24/20", "24/20*"),
    RemarkCode.STAR_WITHOUT_HIT: ("*", ""),
    RemarkCode.SIDE_OUT_OF_TURN: ("\n  2) ", "                     62: 24/18 13/11\n  2) "),
    RemarkCode.ROLL_AFTER_END: ("  2) 42: 8/4 6/4\n", ""),
    RemarkCode.CUBE_OUT_OF_TURN: ("Takes\n  2)                                 ", ""),
    RemarkCode.CUBE_VALUE_ODD: ("=> 4", "=> 2"),
    RemarkCode.DOUBLE_IN_CRAWFORD: ("Ann : 4", "Ann : 3"),
    RemarkCode.DUPLICATE_RESIGNATION: ("  2)                                 Resigns\n", ""),
    RemarkCode.RESIGNATION_TOO_HIGH: ('"black": {"6": 2}', '"black": {"6": 15}'),
    RemarkCode.FINISH_MISSING: ('"2": 2, "1": 2', '"5": 3, "2": 2, "1": 2'),
    RemarkCode.NOT_REPLAYED_AFTER: ("12/9", "13/9"),
    RemarkCode.RESULT_MISSING: (
        "  2)  Drops\n",
        "  2)  Drops\n                                      Wins 1 point\n",
    ),
    RemarkCode.GAME_UNFINISHED: ("13/11\n", "13/11\n      Wins 1 point\n"),
    RemarkCode.POINTS_DIFFER: ("Wins 2 points", "Wins 1 point"),
    RemarkCode.POINTS_IMPOSSIBLE: ("Wins 4", "Wins 3"),
    RemarkCode.POINTS_MISSING: ("null", "2"),
    RemarkCode.WINNER_DIFFERS: ("      Wins", "                                      Wins"),
    RemarkCode.SCORE_DOES_NOT_FOLLOW: ("Ann : 2", "Ann : 1"),
    RemarkCode.UNDECIDED: ('"3": 1', '"1": 1'),
    RemarkCode.CLOSE_CHOICE: ('"2": 1, "4": 2', '"1": 3'),
}
"""For every remark the smallest change of its example after which nothing is remarked: old and new text."""

ENVELOPE = {
    "schema": "match-record/1",
    "variant": "backgammon",
    "match_length": 5,
    "players": {"white": {"name": "Ann"}, "black": {"name": "Bo"}},
}

each_code = pytest.mark.parametrize("code", [code for code in RemarkCode if code not in WITHOUT_EXAMPLE])


def example(code: RemarkCode) -> re.Match[str]:
    found = [match for match in EXAMPLE.finditer(PAGE) if match["code"] == code.value]
    assert len(found) == 1, f"docs/remarks.md needs one example of {code.value}, it has {len(found)}"
    return found[0]


def remarks_on(language: str, log: str, code: RemarkCode) -> list[str]:
    """What the text report remarks on a log of the page; JSON is one game of a match."""
    if language == "json":
        log = json.dumps({**ENVELOPE, "games": [{"number": 1} | json.loads(log)]})
    encoding = "cp1252" if code is RemarkCode.ENCODING_GUESSED else "utf-8"
    report = format_report(result_of(log.encode(encoding)))
    return re.findall(r"^Remark (.*)$", report, re.MULTILINE)


def codes_of(remarks: list[str]) -> list[RemarkCode]:
    return [RemarkCode(re.split(r"[ :]", remark)[0]) for remark in remarks]


@each_code
def test_the_example_of_the_page_makes_the_remark_it_says_and_no_other(code: RemarkCode) -> None:
    shown = example(code)
    said = re.findall(r"^> (.*)$", shown["said"], re.MULTILINE)
    assert codes_of(said).count(code) == 1
    assert set(codes_of(said)) == {code} | BESIDE.get(code, set())
    assert remarks_on(shown["language"], shown["log"], code) == said


@each_code
def test_with_one_thing_changed_nothing_is_remarked(code: RemarkCode) -> None:
    shown = example(code)
    written, instead = JUST_NOT[code]
    assert written in shown["log"]
    changed = shown["log"].replace(written, instead, 1)
    assert set(codes_of(remarks_on(shown["language"], changed, code))) == BESIDE.get(code, set())


def test_the_page_shows_no_example_of_a_remark_that_does_not_exist() -> None:
    shown = re.findall(r"^### `(\w+)`$", PAGE, re.MULTILINE)
    assert set(shown) == {code.value for code in set(RemarkCode) - WITHOUT_EXAMPLE}
