"""Letters that keyboards, word processors and phones put in place of the plain ones of a .mat row.

Source: ``docs/formats/mat.md``, section "Encodings".
"""

import unicodedata

_FULL_WIDTH = range(0xFF01, 0xFF5F)
"""The wide forms of the printable ASCII letters, in their order, for columns of Chinese and Japanese text."""
_LOOKALIKES = str.maketrans(
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
    "\N{ASTERISK OPERATOR}\N{FRACTION SLASH}\N{DIVISION SLASH}\N{RATIO}",
    "''*//:",
)
_BLANKS = {letter: ord(" ") for letter in range(0x80, 0x3001) if unicodedata.category(chr(letter)) == "Zs"}
_PLAIN = {letter: letter - 0xFEE0 for letter in _FULL_WIDTH} | _LOOKALIKES | _BLANKS


def plain_letters(text: str) -> str:
    r"""The text with such letters made plain, one for one, so that every column stays where it is.

    >>> plain_letters("\uff13\uff11\uff1a\u00a08/5"), plain_letters("Can\u2019t move")
    ('31: 8/5', "Can't move")
    """
    return text if text.isascii() else text.translate(_PLAIN)
