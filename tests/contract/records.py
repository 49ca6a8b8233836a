"""Records that the tests send, with what is known of them by hand."""

import json
from typing import Any

MAT = b"""1 point match

 Game 1
 white : 0                       black : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2)  Doubles => 2                Drops
      Wins 1 point and the match
"""
"""A game without a last checker: it stands, white wins."""


def match_record(**changes: Any) -> dict[str, Any]:
    """One game that is played out, and whose winner changes.

    White stands on 5 and 3 and bears both off with its 6-5: under the modifier it gets 5/off and is frozen
    on 3 (HE-5.3). The only roll is number 1, so every roll of the series is 6-5, and no 3 ever comes: black
    bears off 6 and 5 with its 6-5, then 6 and is frozen on 5, which is exact. Black wins a single game.
    """
    record: dict[str, Any] = {
        "schema": "match-record/1",
        "variant": "backgammon",
        "match_length": 1,
        "players": {"white": {"name": "Ann"}, "black": {"name": "Bea"}},
        "games": [
            {
                "number": 1,
                "score": {"white": 0, "black": 0},
                "start": {"white": {"5": 1, "3": 1}, "black": {"6": 2, "5": 2}},
                "actions": [{"player": "white", "roll": [6, 5], "moves": "5/off 3/off"}],
                "result": {"winner": "white", "points": 1},
            }
        ],
    }
    return record | changes


def match_record_bytes(**changes: Any) -> bytes:
    return json.dumps(match_record(**changes)).encode()
