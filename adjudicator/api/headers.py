"""What every answer carries, and what happens to a body that nobody read."""

from contextlib import suppress
from typing import IO

from flask import Flask, Response, request
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge, RequestTimeout
from werkzeug.wsgi import get_input_stream

from adjudicator.api.content_coding import sent_stream
from adjudicator.api.context import request_id
from adjudicator.api.long_body import await_no_more_body

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FIXED_HEADERS = {"Cache-Control": "no-store", **SECURITY_HEADERS}
"""Carried by every answer that has none of its own of that name."""
REFUSED_UNREAD = frozenset({401, 403, 404, 405, 415})
"""What is answered without a look at the body: of that only what is there is read, then all is closed."""
MOST_DISCARDED_BYTES = 32 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


def register_headers(app: Flask) -> None:
    """Finish every answer of ``app``, errors too."""
    app.after_request(_finish)


def _finish(answer: Response) -> Response:
    answer.headers["X-Request-Id"] = request_id()
    for name, value in FIXED_HEADERS.items():
        answer.headers.setdefault(name, value)
    if answer.status_code in REFUSED_UNREAD:
        await_no_more_body()
    _discard_body()
    return answer


def _discard_body() -> None:
    """Read on what the sender is still sending, up to a bound; the server bounds the time.

    A server that closes the connection on unread bytes resets it, and the sender of a body that was refused
    would see a broken connection in place of the answer.
    """
    with suppress(ClientDisconnected, RequestTimeout, OSError):
        try:
            _discard(sent_stream())
        except RequestEntityTooLarge:
            _discard(get_input_stream(request.environ))


def _discard(stream: IO[bytes]) -> None:
    left = MOST_DISCARDED_BYTES
    while left > 0 and (chunk := stream.read(min(left, _CHUNK_BYTES))):
        left -= len(chunk)
