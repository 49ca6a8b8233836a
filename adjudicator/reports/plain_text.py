"""Text from outside, made safe for a terminal."""

import unicodedata

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""The Unicode categories of control, format, surrogate, private and unassigned characters, and separators."""


def printable(text: str) -> str:
    r"""The text as one line, with every character that could steer a terminal replaced.

    A player's name comes from a file somebody sent: an escape sequence or a change of writing direction in
    it must not reach the reader's screen.

    >>> printable("\x1b[2JAnna")
    '�[2JAnna'
    """
    return "".join(
        _REPLACEMENT if unicodedata.category(character) in _UNPRINTABLE else character for character in text
    )
