"""Reads a match log of whatever format: the content decides, never the name of the file."""

from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.errors import AdjudicatorError, Fault, Place, RequestError, UnknownFormatError
from adjudicator.logs import mat_reader, match_record
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.text_content import decode_text


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A format that can be read: a name, a sentence, media types and suffixes (usual one first), a reader."""

    name: str
    description: str
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]
    read: Callable[[bytes], MatchLog]
    binary: bool = False


FORMATS = {
    log_format.name: log_format
    for log_format in (
        LogFormat(
            match_record.FORMAT_NAME,
            "Match record: the JSON format of this service, match-record/1",
            ("application/json",),
            (".json",),
            match_record.read_match_record,
        ),
        LogFormat(
            mat_reader.FORMAT_NAME,
            "Jellyfish match log (.mat, .txt), as written by nearly every server and program",
            ("text/plain",),
            (".mat", ".txt"),
            mat_reader.read_mat,
        ),
    )
}
"""Every format that can be read, by name."""

_ANALYSIS_WORDS = ("The score (after", "Move number ", "Match Information:", "GNU Backgammon")
_SGF, _JSON, _MARKUP = "(;", ("{", "["), "<"


def read_log(content: bytes, *, file_name: str | None = None, format_name: str | None = None) -> MatchLog:
    """The match log in this content.

    ``file_name`` only names the place in messages. ``format_name`` is one of ``FORMATS``; without it the
    content decides.

    Raises: UnknownFormatError where the content is no match log, naming what it is; RecordError,
    UnsupportedVariantError or TooLargeError where it is one that cannot be taken; RequestError for a
    ``format_name`` that does not exist.
    """
    try:
        log_format = detect_format(content) if format_name is None else _named_format(format_name)
        return log_format.read(content)
    except AdjudicatorError as error:
        if file_name is None:
            raise
        raise type(error)(f"{file_name}: {error.detail}", error.faults) from error


def detect_format(content: bytes) -> LogFormat:
    """The format that the content is in.

    Raises: UnknownFormatError, naming what was found instead.
    """
    if content.startswith(b'{"format":"BGF"'):
        raise UnknownFormatError("This is a BGBlitz file (.bgf), not a format that can be read here.")
    text = decode_text(content).text.lstrip()
    if text.startswith(_JSON):
        return FORMATS[match_record.FORMAT_NAME]
    if mat_reader.is_mat(text):
        return FORMATS[mat_reader.FORMAT_NAME]
    raise UnknownFormatError(
        f"This is {_name_text(text)}, not a match log in a format that can be read here."
    )


def _name_text(text: str) -> str:
    if text.startswith(_MARKUP):
        return "an HTML or XML page"
    if text.startswith(_SGF):
        return "an SGF game record (.sgf)"
    if any(word in text for word in _ANALYSIS_WORDS):
        return "an analysis text of GNU Backgammon, without the match itself"
    first_line = text.partition("\n")[0].strip()
    return f"text that begins with {first_line[:40]!r}"


def _named_format(name: str) -> LogFormat:
    if name in FORMATS:
        return FORMATS[name]
    fault = Fault(f"there is no format {name!r}; known are {', '.join(FORMATS)}", Place(parameter="format"))
    raise RequestError("The format is not known.", [fault])
