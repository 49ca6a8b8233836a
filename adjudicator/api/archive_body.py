"""The body of a request as an archive that is read while it comes, whatever its length."""

import hashlib
from collections.abc import Callable, Iterator

from flask import request
from werkzeug.exceptions import ClientDisconnected, HTTPException
from werkzeug.sansio.multipart import Data, Epilogue, Event, Field, File, MultipartDecoder, NeedData

from adjudicator.api.bodies import (
    MULTIPART,
    NAMELESS,
    OTHER_PART,
    PART,
    explain_media_type,
    plain_file_name,
)
from adjudicator.api.content_coding import is_inflated, open_body
from adjudicator.errors import (
    AdjudicatorError,
    Fault,
    Place,
    RequestError,
    TooLargeError,
    UnsupportedMediaTypeError,
)

RECORD_LINES = "application/x-ndjson"
ARCHIVE_MEDIA_TYPES = (
    "application/zip",
    "application/x-tar",
    "application/gzip",
    RECORD_LINES,
    "application/octet-stream",
)
"""What an archive may be sent as; which kind it is its content says, unless it is said to be NDJSON."""

CHUNK = 65_536
MOST_PREAMBLE_BYTES = 65_536
"""What may stand around the content of a part: more is no form that anybody sends."""


class ArchiveBody:
    """An archive that comes in; ``name`` is the sender's name of it."""

    def __init__(self, read_some: Callable[[int], bytes], name: str | None, *, is_lines: bool) -> None:
        self._read_some = read_some
        self._digest = hashlib.sha256()
        self.name = name
        self.is_lines = is_lines

    def read_some(self, count: int) -> bytes:
        """Up to so many bytes, ``b""`` at the end only."""
        data = self._read_some(count)
        self._digest.update(data)
        return data

    @property
    def sha256(self) -> str:
        """The digest of what was read so far, 64 hexadecimal digits."""
        return self._digest.hexdigest()


def open_archive(most_bytes: int) -> ArchiveBody:
    """The archive in the body of this request, of at most so many bytes.

    Raises: UnsupportedMediaTypeError; RequestError for no archive or other parts; TooLargeError. So does
    reading it, and HTTPException where it is too slow or breaks off.
    """
    is_form = request.mimetype == MULTIPART
    if not is_form and request.mimetype not in ARCHIVE_MEDIA_TYPES:
        raise UnsupportedMediaTypeError(explain_media_type([*ARCHIVE_MEDIA_TYPES, MULTIPART]))
    body = _Body(most_bytes)
    if is_form:
        part = _Part(body)
        return ArchiveBody(part.read_some, part.name, is_lines=part.is_lines)
    first = body.read_some(CHUNK)
    if not first:
        raise RequestError("The body is empty; an archive was expected.")
    return ArchiveBody(_after(first, body.read_some), None, is_lines=request.mimetype == RECORD_LINES)


def _after(first: bytes, read_some: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """The same way to read, with bytes before that were read already."""
    left = first

    def read(count: int) -> bytes:
        nonlocal left
        if not left:
            return read_some(count)
        data, left = left[:count], left[count:]
        return data

    return read


class _Body:
    """The bytes of the body, as they come."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._count = 0
        if (request.content_length or 0) > most_bytes:
            raise self._too_large()
        request.max_content_length = most_bytes + 1
        self._stream = open_body()
        self._length = None if is_inflated() else request.content_length

    def read_some(self, count: int) -> bytes:
        """Up to so many bytes, ``b""`` at the end only."""
        if self._count == self._length:
            return b""
        try:
            data = self._stream.read(count)
        except (HTTPException, AdjudicatorError):
            raise
        except Exception as error:
            # every WSGI server has exceptions of its own for a badly chunked body
            raise RequestError("The body cannot be read; is it chunked as it should be?") from error
        if not data and self._length is not None:
            raise ClientDisconnected
        self._count += len(data)
        if self._count > self._most:
            raise self._too_large()
        return data

    def _too_large(self) -> TooLargeError:
        return TooLargeError(f"The archive has more than the {self._most} bytes that are taken here.")


class _Part:
    """The one part of a form, as its bytes come; that no other follows is seen at its end."""

    def __init__(self, body: _Body) -> None:
        self._events = _events(body)
        part = self._next()
        if not isinstance(part, File) or part.name != PART:
            raise _wrong_form(part)
        self.name = plain_file_name(part.filename)
        self.is_lines = part.headers.get("Content-Type", "").partition(";")[0].strip() == RECORD_LINES
        self._left = b""
        self._is_over = False

    def read_some(self, count: int) -> bytes:
        """Up to so many bytes, ``b""`` at the end only."""
        while not self._left and not self._is_over:
            event = self._next()
            if not isinstance(event, Data):
                raise _wrong_form(event)
            self._left = event.data
            if not event.more_data:
                self._is_over = True
                if not isinstance(last := self._next(), Epilogue):
                    raise _wrong_form(last)
        data, self._left = self._left[:count], self._left[count:]
        return data

    def _next(self) -> Event | None:
        try:
            return next(self._events, None)
        except (ValueError, LookupError) as error:
            raise RequestError("The body is no form that can be read; is its boundary right?") from error


def _events(body: _Body) -> Iterator[Event]:
    """The parts of a form and their data, as they come.

    Raises: ValueError for what is no form.
    """
    boundary = request.mimetype_params.get("boundary", "")
    if not boundary:
        raise ValueError("no boundary")
    decoder = MultipartDecoder(boundary.encode("latin-1", "replace"), max_parts=2)
    has_data = False
    while True:
        event = decoder.next_event()
        if isinstance(event, NeedData):
            if not has_data and len(decoder.buffer) > MOST_PREAMBLE_BYTES:
                raise ValueError("too much around the parts")
            decoder.receive_data(body.read_some(CHUNK) or None)
            continue
        has_data = isinstance(event, Data) and event.more_data
        if isinstance(event, Field | File | Data | Epilogue):
            yield event
        if isinstance(event, Epilogue):
            return


def _wrong_form(event: Event | None) -> RequestError:
    faults = []
    if isinstance(event, Field | File):
        is_ours = event.name == PART and isinstance(event, Field)
        faults = [Fault(NAMELESS if is_ours else OTHER_PART, Place(parameter=event.name or ""))]
    return RequestError(f"The body must have one part named {PART!r} with a file name, and no other.", faults)
