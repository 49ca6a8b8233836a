"""Lines of a .mat game that are no rows: comments, and other text such as dates, addresses and chat.

Source: ``docs/formats/mat.md``, section "Other text".
"""

import re

from adjudicator.logs.mat.cells import begins_as_cell
from adjudicator.logs.mat.letters import plain_letters
from adjudicator.notation.play_text import parse_play

NUMBERED = re.compile(r"\s*(?P<number>[0-9]{1,5})\)")
"""How a row with a number begins."""
_DICE_LIKE = re.compile(r"(?<!\S)\d\d\s?:(?!\d\d(?![\d/]))")
"""Two digits of any script and a colon, not followed by minutes."""
_MARKS = ".,;:!?\"'()"


def is_comment(line: str) -> bool:
    """Whether a line is a comment."""
    return line.lstrip().startswith(";")


def is_aside(line: str, *, ended: bool) -> bool:
    """Whether a line that cannot be read is some other text, not a damaged row or the rest of one.

    ``ended``: whether the game has recorded its result, behind which anything without a number is other text.
    Before it, a line with what may be dice is never passed over, nor one that begins as a cell, nor one that
    does not hold more words than parts of plays.
    """
    line = plain_letters(line)
    if NUMBERED.match(line):
        return False
    if ended:
        return True
    if _DICE_LIKE.search(line) or begins_as_cell(line):
        return False
    words = line.split()
    parts = sum(map(_is_part_of_play, words))
    return parts == 0 or parts < sum(map(_is_plain_word, words))


def _is_part_of_play(word: str) -> bool:
    """Whether a word is a part of a play by itself, such as ``24/18*``; a date or an address is not."""
    try:
        return bool(parse_play(word))
    except ValueError:
        return False


def _is_plain_word(word: str) -> bool:
    """Whether a word is letters only, two at least, but for the marks of a sentence around it."""
    word = word.strip(_MARKS)
    return len(word) > 1 and word.isalpha()
