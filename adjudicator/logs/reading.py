"""Reads a match log of whatever format: the content decides, never the name of the file."""

from dataclasses import replace

from adjudicator.errors import AdjudicatorError, Fault, Place, RequestError, UnknownFormatError
from adjudicator.logs.bgammon.reader import LOG_FORMAT as BGAMMON
from adjudicator.logs.bgf.reader import LOG_FORMAT as BGF
from adjudicator.logs.fibs.reader import LOG_FORMAT as FIBS
from adjudicator.logs.foreign_content import name_text
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.mat.reader import LOG_FORMAT as MAT
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.match_record.reader import LOG_FORMAT as MATCH_RECORD
from adjudicator.logs.ogxm.reader import LOG_FORMAT as OGXM
from adjudicator.logs.sgf.reader import LOG_FORMAT as SGF
from adjudicator.logs.text_content import decode_text
from adjudicator.logs.xg.reader import LOG_FORMAT as XG

FORMATS = {
    log_format.name: log_format
    for log_format in (
        XG,
        BGF,
        OGXM,
        MATCH_RECORD,
        SGF,
        BGAMMON,
        MAT,
        FIBS,
    )
}
"""Every format that can be read, by name; the first that recognises content reads it."""


def read_log(content: bytes, *, file_name: str | None = None, format_name: str | None = None) -> MatchLog:
    """The match log in this content.

    ``file_name`` only names the place in faults. ``format_name`` is one of ``FORMATS``; without it the
    content decides.

    Raises: UnknownFormatError where the content is no match log, naming what it is; RecordError,
    UnsupportedVariantError or TooLargeError where it is one that cannot be taken; RequestError for a
    ``format_name`` that does not exist.
    """
    log_format = None if format_name is None else _named_format(format_name)
    try:
        return (log_format or detect_format(content)).read(content)
    except AdjudicatorError as error:
        if file_name is None:
            raise
        raise type(error)(error.detail, _faults_in_file(error, file_name)) from error


def detect_format(content: bytes) -> LogFormat:
    """The format that the content is in: the first that recognises it.

    Raises: UnknownFormatError, naming what was found instead; RecordError where a byte order mark promises
    an encoding that the rest does not keep.
    """
    for log_format in FORMATS.values():
        if log_format.recognises(content):
            return log_format
    found = name_text(decode_text(content).text)
    raise UnknownFormatError(f"This is {found}, not a match log in a format that can be read here.")


def _named_format(name: str) -> LogFormat:
    if name in FORMATS:
        return FORMATS[name]
    fault = Fault(f"there is no format {name!r}; known are {', '.join(FORMATS)}", Place(parameter="format"))
    raise RequestError("The format is not known.", [fault])


def _faults_in_file(error: AdjudicatorError, file_name: str) -> list[Fault]:
    """The faults of an error, each with the name of the file; one for the file itself where it has none."""
    faults = error.faults or (Fault("the file is refused as a whole"),)
    return [replace(fault, place=fault.place._replace(file=file_name)) for fault in faults]
