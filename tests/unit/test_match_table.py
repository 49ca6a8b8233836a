"""The table that ``adjudicate`` and ``demo`` print of a result."""

import io
from typing import Any

from rich.console import Console

from adjudicator.cli.match_table import match_table
from tests.opinions import result_of

UNREADABLE = b"""\
 1 point match

 Game 1
 A : 0                                 B : 0
  1) 31: 8/5 6/5                       64: 3/off 2/off

 Game 2
 A : 0                                 B : 0
  1) 31: 8/5 6/5                       64: 24/18 13/9
      Wins 1 point

 Game 3
 A : 1                                 B : 0
  1) 31: 8/5 6/5                       64: 24/18 13/9
      Wins 1 point
"""
"""Game 1 plays checkers that are not there, game 2 decides the match."""


def table_of(result: dict[str, Any]) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=200).print(match_table(result, "a.mat"))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_he_8_1_games_that_do_not_count_are_listed_under_the_outcome() -> None:
    lines = table_of(result_of(UNREADABLE))
    outcome = next(index for index, line in enumerate(lines) if line.startswith("match: "))
    assert lines[outcome + 1 :] == [
        "not counted, unreadable or without result: game 1 (HE-8.1)",
        "not counted, played after the match was won: game 3 (HE-8.1)",
        "",
    ]


def test_where_every_game_counts_nothing_is_listed() -> None:
    whole = UNREADABLE[: UNREADABLE.index(b" Game 1")] + UNREADABLE[UNREADABLE.index(b" Game 3") :]
    lines = table_of(result_of(whole.replace(b"A : 1", b"A : 0")))
    assert lines[-2].startswith("match: recorded white A 1-0")
    assert not any("not counted" in line for line in lines)
