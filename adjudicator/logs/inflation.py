"""Compressed parts of binary logs, inflated within a limit."""

import zlib

from adjudicator.errors import RecordError, TooLargeError

MAX_INFLATED_BYTES = 64 * 1024 * 1024
"""More is refused; a match of 13 games takes 2 MB."""

_ZLIB_OR_GZIP = zlib.MAX_WBITS | 32


def inflate(content: bytes | memoryview, what: str) -> bytes:
    """What the zlib or gzip stream at the beginning of the content holds, its checksum checked.

    ``what`` names the content in errors. What follows the stream is not looked at. Memory stays within
    ``MAX_INFLATED_BYTES``, whatever the stream claims.

    Raises: RecordError for a stream that is damaged or cut short; TooLargeError beyond the limit.

    >>> inflate(zlib.compress(b"abc") + b"more", "file")
    b'abc'
    """
    stream = zlib.decompressobj(_ZLIB_OR_GZIP)
    try:
        inflated = stream.decompress(content, MAX_INFLATED_BYTES + 1)
    except zlib.error as error:
        raise RecordError(f"The {what} is damaged ({error}): send it as the program wrote it.") from error
    if len(inflated) > MAX_INFLATED_BYTES:
        limit = f"{MAX_INFLATED_BYTES // (1024 * 1024)} MB"
        raise TooLargeError(f"The {what} inflates to more than {limit}.")
    if not stream.eof:
        raise RecordError(f"The {what} is cut short: send it whole.")
    return inflated
