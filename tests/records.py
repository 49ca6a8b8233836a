"""Records of whole matches that several tests use, made by hand."""

LAST_CHECKER_RECORD = b"""{"schema": "match-record/1", "variant": "backgammon", "match_length": 3,
"rules": {"crawford": true, "jacoby": false},
"players": {"white": {"name": "A"}, "black": {"name": "B"}},
"games": [{"number": 1, "score": {"white": 0, "black": 0},
  "start": {"white": {"5": 1, "4": 1, "3": 1}, "black": {"6": 1, "5": 2, "4": 1, "3": 1, "2": 1}},
  "actions": [
    {"player": "white", "roll": [3, 1], "moves": "4/1 1/off"},
    {"player": "black", "roll": [4, 2], "moves": "4/off 2/off"},
    {"player": "white", "roll": [6, 5], "moves": "5/off 3/off"}],
  "result": {"winner": "white", "points": 1}}]}
"""
"""White bears off 5 and is frozen on 3; roll number 11 of three rolls names roll 2, which black uses."""
