"""The body of a request: a match record as it came, or a JSON object of options."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from flask import current_app, request
from werkzeug.exceptions import ClientDisconnected, HTTPException, RequestEntityTooLarge

from adjudicator.api.content_coding import is_inflated, open_body
from adjudicator.errors import (
    AdjudicatorError,
    Fault,
    Place,
    RecordError,
    RequestError,
    TooLargeError,
    UnsupportedMediaTypeError,
)
from adjudicator.logs.json_content import parse_json
from adjudicator.logs.reading import FORMATS

JSON = "application/json"
MULTIPART = "multipart/form-data"
GENERAL_MEDIA_TYPES = ("text/plain", "application/octet-stream")
"""Types that say nothing of the format; it is found out from the bytes."""
FORMAT_BY_MEDIA_TYPE: Mapping[str, str | None] = {
    media_type: log_format.name for log_format in FORMATS.values() for media_type in log_format.media_types
} | dict.fromkeys(GENERAL_MEDIA_TYPES)
"""What a record may be sent as, and the format that this says it has, if it does.

The charset of a text is not looked at: senders name one and write another, so the reader judges the bytes.
"""
PART = "file"
"""The part of a multipart body that holds the record."""
NAMELESS = f"The part {PART} needs a file name, as `curl -F {PART}=@match.mat` sends it."
OTHER_PART = "This part is not taken; options are given in the query."
LONGEST_FILE_NAME = 255
MOST_RECORD_BYTES = "MOST_RECORD_BYTES"
"""The setting of the application that holds the size of the largest record."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A record as it was sent. ``file_name`` is the sender's, of use to people only.

    ``format_name`` is what the content type says of the format, ``None`` where it says nothing.
    """

    content: bytes
    file_name: str | None = None
    format_name: str | None = None


def read_upload() -> Upload:
    """The match record in the body of this request.

    Raises: UnsupportedMediaTypeError; TooLargeError; RequestError for no record, several, or a body that
    broke off.
    """
    open_body()
    if request.mimetype == MULTIPART:
        return _read_part()
    if request.mimetype not in FORMAT_BY_MEDIA_TYPE:
        raise UnsupportedMediaTypeError(explain_media_type([*FORMAT_BY_MEDIA_TYPE, MULTIPART]))
    return Upload(_required_content(_read_all()), None, FORMAT_BY_MEDIA_TYPE[request.mimetype])


def read_options() -> dict[str, Any]:
    """The JSON object in the body of this request, empty where there is no body.

    Raises: UnsupportedMediaTypeError; RequestError for anything but a JSON object.
    """
    open_body()
    content = _read_all()
    if not content:
        return {}
    if request.mimetype != JSON:
        raise UnsupportedMediaTypeError(explain_media_type([JSON]))
    try:
        options = parse_json(content)
    except RecordError as error:
        faults = error.faults or [Fault("This is not UTF-8 text.")]
        raise RequestError("The body is not JSON that can be read in one way only.", faults) from error
    if not isinstance(options, dict):
        raise RequestError("The body must be a JSON object of options.")
    return options


def keep_body() -> bytes:
    """The whole body as it came; whoever reads it later finds it again.

    Raises: RequestError where it cannot be read; HTTPException where it is too long, too slow or broke off.
    """
    return _read_all(is_kept=True)


def explain_media_type(taken: list[str]) -> str:
    """What was sent, and what could have been."""
    sent = repr(request.mimetype[:100]) if request.mimetype else "missing"
    return f"The Content-Type is {sent}; this address takes {', '.join(taken)}."


def _read_all(*, is_kept: bool = False) -> bytes:
    """The whole body.

    Raises: RequestError where it cannot be read; TooLargeError where it inflates to too much; HTTPException
    where it is too long, too slow or broke off.
    """
    try:
        content = request.get_data(cache=is_kept)
    except (HTTPException, AdjudicatorError):
        raise
    except Exception as error:
        # every WSGI server has exceptions of its own for a badly chunked body
        raise RequestError("The body cannot be read; is it chunked as it should be?") from error
    if is_inflated():
        return content
    if request.content_length is not None and len(content) < request.content_length:
        raise ClientDisconnected
    if request.content_length is None and len(content) >= (request.max_content_length or 0):
        raise RequestEntityTooLarge  # a body of unknown length is read no further than this
    return content


def _read_part() -> Upload:
    files, fields = request.files, request.form
    faults = [
        Fault(NAMELESS if name == PART else OTHER_PART, Place(parameter=name))
        for name in (*fields, *(name for name in files if name != PART))
    ]
    parts = files.getlist(PART)
    if faults or len(parts) != 1:
        raise RequestError(
            f"The body must have one part named {PART!r} with a file name, and no other.", faults
        )
    return Upload(_required_content(parts[0].stream.read()), plain_file_name(parts[0].filename))


def _required_content(content: bytes) -> bytes:
    if not content:
        raise RequestError("The body is empty; a match record was expected.")
    most: int = current_app.config[MOST_RECORD_BYTES]
    if len(content) > most:
        raise TooLargeError(f"The record has more than the {most} bytes that are taken here.")
    return content


def plain_file_name(name: str | None) -> str | None:
    """The sender's name of the file, without folders and unprintable characters; ``None`` if that is all."""
    name = PurePosixPath((name or "").replace("\\", "/")).name
    printable = "".join(filter(str.isprintable, name))[:LONGEST_FILE_NAME]
    return None if printable in ("", ".", "..") else printable
