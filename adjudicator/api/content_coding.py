"""Bodies sent under a content coding: gzip is inflated while it is read, and counted as it comes out."""

import io
import zlib
from typing import IO, cast

from flask import request

from adjudicator.errors import RequestError, TooLargeError, UnsupportedMediaTypeError

PLAIN = ("", "identity")
GZIP = ("gzip", "x-gzip")
"""The coding, and its other name (RFC 9110, 8.4.1.3)."""
TAKEN = "gzip, identity"
"""What a caller is told of in ``Accept-Encoding``."""
_CHUNK_BYTES = 16 * 1024


class InflatedStream(io.RawIOBase):
    """What gzipped bytes inflate to, never more at once than is asked for. Several members are one stream.

    Raises when read: RequestError for bytes that are no gzip, damaged or cut off; TooLargeError beyond
    ``most_bytes``; what ``source`` raises.
    """

    def __init__(self, source: IO[bytes], most_bytes: int | None) -> None:
        self.source = source
        self._most_bytes = most_bytes
        self._member: zlib._Decompress | None = None
        self._packed = b""
        self._has_more = False
        self._count = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fills the buffer as far as one piece goes; 0 at the end only."""
        piece = b""
        while len(buffer) and not piece and self._has_input():
            piece = self._inflate(len(buffer))
        self._count += len(piece)
        if self._most_bytes is not None and self._count > self._most_bytes:
            raise TooLargeError(
                f"The body inflates to more than the {self._most_bytes} bytes that are taken here."
            )
        buffer[: len(piece)] = piece
        return len(piece)

    def _has_input(self) -> bool:
        """Whether there is something to inflate, read from the source if need be."""
        if not self._packed and not self._has_more:
            self._packed = self.source.read(_CHUNK_BYTES)
            if not self._packed and self._member is not None:
                raise RequestError("The gzipped body is cut off; send it again, whole.")
        return bool(self._packed) or self._has_more

    def _inflate(self, most: int) -> bytes:
        member = self._member or zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            piece = member.decompress(self._packed, most)
        except zlib.error as error:
            reason = str(error).rpartition(": ")[2]
            raise RequestError(
                f"The body is not the gzip that its Content-Encoding says, or damaged: {reason}."
            ) from error
        # a full piece may be all that was asked for, and not all there is, also without input left
        self._has_more = not member.eof and len(piece) == most
        self._packed = member.unused_data if member.eof else member.unconsumed_tail
        self._member = None if member.eof else member
        return piece


def open_body() -> IO[bytes]:
    """The body of this request as it was before any content coding, to be read piece by piece.

    It may hold ``request.max_content_length`` bytes, both as it is sent and inflated. From here on it is
    ``request.stream`` too, so that all that reads the body reads it inflated.

    Raises: UnsupportedMediaTypeError; and see ``InflatedStream``.
    """
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    if coding in GZIP and not is_inflated():
        request.stream = cast("IO[bytes]", InflatedStream(request.stream, request.max_content_length))
    elif coding not in (*PLAIN, *GZIP):
        raise UnsupportedMediaTypeError(
            f"The Content-Encoding {coding[:100]!r} is not taken; send the body as it is, or gzipped once."
        )
    return request.stream


def is_inflated() -> bool:
    """Whether the body of this request comes out of gzip."""
    return isinstance(request.stream, InflatedStream)


def sent_stream() -> IO[bytes]:
    """The body of this request as it is sent, for whoever only wants it to be over."""
    stream = request.stream
    return stream.source if isinstance(stream, InflatedStream) else stream
