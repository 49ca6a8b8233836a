"""How much a match log may hold, in whatever format: more is refused, or breaks the game it stands in.

What bounds one format only (bytes of a text, sections of a container) stands with its reader.
"""

MAX_GAMES = 1000
"""Games of a log."""
MAX_ROLLS = 1000
"""Rolls of a game. A playout may take as many turns as there are rolls times positions."""
MAX_ACTIONS = 4 * MAX_ROLLS
"""Actions of a game: a roll has at most a double, an answer and a resignation beside it."""
MAX_STEPS = 4
"""Steps of a play."""
MAX_MATCH_LENGTH = 99_999
"""Points of a match; the longest played has 121."""
MAX_NUMBER = 1_000_000_000
"""Any other number that a log states: points, scores and cube values beyond it are no slips but nonsense."""
MAX_TEXT_LENGTH = 4096
"""Characters of a name, or of any other text that a log states."""
