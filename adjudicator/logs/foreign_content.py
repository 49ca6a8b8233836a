"""Names for what people send by mistake: content that is no match log in any format read here.

Source: ``docs/formats/mat.md``, section "Encodings".
"""

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
    (b"SQLite format 3", "a SQLite database"),
)
_TEXT_KINDS = (("<", "an HTML or XML page"),)
_ANALYSIS_WORDS = ("The score (after", "Move number ", "Match Information:", "GNU Backgammon")


def name_binary(content: bytes) -> str | None:
    """What content that is no text is, such as ``"a PNG picture"``; ``None`` for text."""
    for magic, kind in _BINARY_KINDS:
        if content.startswith(magic) and (len(magic) > 2 or b"\0" in content[:64]):
            return kind
    return "binary content (it holds zero bytes)" if b"\0" in content else None


def name_text(text: str) -> str:
    """What text that is no match log is, such as ``"an HTML or XML page"``; else how it begins.

    >>> name_text("Dear arbiter,")
    "text that begins with 'Dear arbiter,'"
    """
    text = text.lstrip()
    for beginning, kind in _TEXT_KINDS:
        if text.startswith(beginning):
            return kind
    if any(word in text for word in _ANALYSIS_WORDS):
        return "an analysis text of GNU Backgammon, without the match itself"
    first_line = text.partition("\n")[0].strip()
    return f"text that begins with {first_line[:40]!r}"
