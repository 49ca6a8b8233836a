"""Bytes to text, in the encodings of real logs.

Source: ``docs/formats/mat.md``, section "Encodings".
"""

import codecs
from functools import lru_cache
from typing import NamedTuple

from adjudicator.errors import AdjudicatorError, Fault, Place, RecordError, TooLargeError, UnknownFormatError
from adjudicator.logs.foreign_content import name_binary
from adjudicator.rules.remarks import Remark, RemarkCode

MAX_LINE_LENGTH = 4096
"""Longer lines are no log's; the longest seen has 250 characters."""
MAX_LINES = 500_000
"""More lines are no log's: so many have 1,000 games of 500 rows."""
MAX_BYTES = 16_000_000
"""Longer text is no log's, and refused before it is decoded; the longest seen has 60 kB."""
PEEKED_BYTES = 2**18
"""How much is looked at to tell a format by."""

_LINE_ENDS = ("\r", "\x85", "\u2028", "\u2029")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class TextContent(NamedTuple):
    """Decoded text, and a remark where the encoding had to be guessed.

    The byte order mark is left out, and each line end is a line feed: the three usual ones, and those of
    Unicode that every program takes for one.
    """

    text: str
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, text: str, *remarks: Remark) -> "TextContent":
        """The content with its line ends made one."""
        text = text.replace("\r\n", "\n")
        for line_end in _LINE_ENDS:
            text = text.replace(line_end, "\n")
        return cls(text, remarks)

    def lines(self) -> list[str]:
        """The lines, tabs widened to every eighth column.

        Raises: TooLargeError beyond ``MAX_LINES``, or for a line of more than ``MAX_LINE_LENGTH`` characters.
        """
        if self.text.count("\n") > MAX_LINES:
            fault = Fault("one too many", Place(line=MAX_LINES + 1))
            raise TooLargeError(f"The log has more than {MAX_LINES} lines.", [fault])
        lines = self.text.split("\n")
        if len(max(lines, key=len)) > MAX_LINE_LENGTH:
            number, length = next(
                (number, len(line)) for number, line in enumerate(lines, 1) if len(line) > MAX_LINE_LENGTH
            )
            reason = f"a line of {length} characters; a match log has at most {MAX_LINE_LENGTH}"
            raise TooLargeError("The log holds a line that is too long.", [Fault(reason, Place(line=number))])
        return [line.expandtabs(8) for line in lines] if "\t" in self.text else lines


def decode_text(content: bytes) -> TextContent:
    """The text of a log: UTF-8 or UTF-16 by its mark, else UTF-8, else taken as Windows Western.

    Raises: UnknownFormatError where the content is empty or no text, naming what it is; RecordError where a
    byte order mark promises an encoding that the rest does not keep; TooLargeError beyond ``MAX_BYTES``.
    """
    if not content or content.isspace():
        raise UnknownFormatError("The content is empty: send the text of a match log.")
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"The text has {len(content)} bytes; a match log has at most {MAX_BYTES}.")
    return _decode(content, "strict")


def peek_text(content: bytes) -> str:
    """The text of the content without blanks before it, ``""`` where it has none: to tell formats by.

    Of long content it is how the text begins.

    >>> peek_text(b"  7 point match"), peek_text(b"GIF89a")
    ('7 point match', '')
    """
    return _peek(content[:PEEKED_BYTES], "strict" if len(content) <= PEEKED_BYTES else "ignore")


@lru_cache(maxsize=1)  # the recognisers of all text formats look at the same content, one after the other
def _peek(beginning: bytes, errors: str) -> str:
    """How the text begins; ``errors``: what to do with a letter that is cut in two."""
    try:
        return _decode(beginning, errors).text.lstrip()
    except AdjudicatorError:
        return ""


def _decode(content: bytes, errors: str) -> TextContent:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return TextContent.of(_decode_marked(content[len(mark) :], encoding, errors))
    kind = name_binary(content)
    if kind is not None:
        raise UnknownFormatError(f"This is {kind}, not the text of a match log.")
    try:
        return TextContent.of(content.decode("utf-8", errors))
    except UnicodeDecodeError:
        return _decode_guessed(content)


def _decode_marked(content: bytes, encoding: str, errors: str) -> str:
    try:
        text = content.decode(encoding, errors)
    except UnicodeDecodeError as error:
        where = f"{error.reason} at byte {error.start}"
        detail = f"The content begins as {encoding.upper()} text and then is not: {where}."
        raise RecordError(detail) from error
    if "\0" in text:
        raise UnknownFormatError("This is binary content (it holds zero bytes), not the text of a match log.")
    return text


def _decode_guessed(content: bytes) -> TextContent:
    try:
        text, encoding = content.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, encoding = content.decode("latin-1"), "Latin-1"
    detail = f"the text is not UTF-8; it is taken as {encoding}, so letters in names may be wrong"
    return TextContent.of(text, Remark(RemarkCode.ENCODING_GUESSED, detail))
