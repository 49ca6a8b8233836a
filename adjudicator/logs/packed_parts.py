"""The packed parts of binary logs, each inflated whole, within a limit.

What is sent as an archive is inflated piece by piece instead (``logs.archives.inflation``).
"""

import zlib

from adjudicator.errors import TooLargeError
from adjudicator.logs.refusals import cut_short, damaged

MAX_INFLATED_BYTES = 64_000_000
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
        raise damaged(what, "its packed bytes cannot be inflated") from error
    if len(inflated) > MAX_INFLATED_BYTES:
        raise TooLargeError(f"The {what} inflates to more than {MAX_INFLATED_BYTES // 1_000_000} MB.")
    if not stream.eof:
        raise cut_short(what)
    return inflated
