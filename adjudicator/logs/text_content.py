"""Bytes to text: encodings as real logs have them, and names for what is no text at all.

Source: ``docs/formats/mat.md``, section "Encodings".
"""

import codecs
from typing import NamedTuple

from adjudicator.errors import Fault, Place, RecordError, TooLargeError, UnknownFormatError
from adjudicator.rules.remarks import Remark, RemarkCode

MAX_LINE_LENGTH = 4096
"""Longer lines are no log's; the longest seen has 250 characters."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY_KINDS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"RIFF", "a WebP picture or a sound"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"RGMH", "an eXtreme Gammon file (.xg)"),
    (b"OGXM", "an OGXM file"),
    (b"SQLite format 3", "a SQLite database"),
)


class TextContent(NamedTuple):
    """Decoded text, and a remark where the encoding had to be guessed.

    The byte order mark is left out, and each of the three usual line ends is a line feed.
    """

    text: str
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, text: str, *remarks: Remark) -> "TextContent":
        """The content with its line ends made one."""
        return cls(text.replace("\r\n", "\n").replace("\r", "\n"), remarks)

    def lines(self) -> list[str]:
        """The lines, tabs widened to every eighth column.

        Raises: TooLargeError for a line of more than ``MAX_LINE_LENGTH`` characters.
        """
        lines = self.text.split("\n")
        for number, line in enumerate(lines, start=1):
            if len(line) > MAX_LINE_LENGTH:
                reason = f"a line of {len(line)} characters; a match log has at most {MAX_LINE_LENGTH}"
                raise TooLargeError(
                    "The log holds a line that is too long.", [Fault(reason, Place(line=number))]
                )
        return [line.expandtabs(8) if "\t" in line else line for line in lines]


def decode_text(content: bytes) -> TextContent:
    """The text of a log: UTF-8 or UTF-16 by its mark, else UTF-8, else taken as Windows Western.

    Raises: UnknownFormatError where the content is empty or no text, naming what it is; RecordError where a
    byte order mark promises an encoding that the rest does not keep.
    """
    if not content.strip():
        raise UnknownFormatError("The content is empty: send the text of a match log.")
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return TextContent.of(_decode_marked(content[len(mark) :], encoding))
    kind = name_binary(content)
    if kind is not None:
        raise UnknownFormatError(f"This is {kind}, not the text of a match log.")
    try:
        return TextContent.of(content.decode("utf-8"))
    except UnicodeDecodeError:
        return _decode_guessed(content)


def name_binary(content: bytes) -> str | None:
    """What binary content is, such as ``"a PNG picture"``; ``None`` for text."""
    for magic, kind in _BINARY_KINDS:
        if content.startswith(magic) and (len(magic) > 2 or b"\0" in content[:64]):
            return kind
    return "binary content (it holds zero bytes)" if b"\0" in content else None


def _decode_marked(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding)
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
