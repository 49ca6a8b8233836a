"""The gunicorn worker of this door: no client holds a thread for long, and every error is a problem document.

gunicorn itself lets a client take all the time it wants for its request, and answers what it cannot read with
HTML. Name this class with ``--worker-class``, and ``--threads`` as with gunicorn's own worker of threads.
"""

import json
import logging
import socket
import time
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from gunicorn import http, util
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker
from werkzeug.exceptions import RequestTimeout

from adjudicator.api.arrivals import HEAD_END, MOST_AWAITED_BYTES, Arrivals
from adjudicator.api.headers import FIXED_HEADERS, MOST_DISCARDED_BYTES
from adjudicator.api.long_body import watch_request
from adjudicator.api.problems import HTTP_PROBLEMS, PROBLEM_MEDIA_TYPE, SLOW, format_problem
from adjudicator.config import load_settings
from adjudicator.processes.log import start_logging
from adjudicator.service.log_fields import logged_with

log = logging.getLogger(__name__)

SILENCE_LIMIT_S = 3.0
"""For so long a client may send nothing in the middle of a request."""
REQUEST_LIMIT_S = 20.0
"""So long a whole request may take to arrive, its body included."""
ANSWER_LIMIT_S = 20.0
"""So long a client may take to accept an answer, or a piece of a large one."""
LINGER_LIMIT_S = 1.0
"""For so long a client may keep the connection open that is closed after an answer."""
LOOKED_AT_EVERY_S = 0.5
"""How often requests on their way are looked at for those that take too long."""

LONG_SILENCE_LIMIT_S = 10.0
"""The same as ``SILENCE_LIMIT_S`` where a long body was allowed."""
LONG_BODY_BYTES_S = 32_000
"""So many bytes a second a long body has to come at least, looked at over ``REQUEST_LIMIT_S``."""


class TimedSocket:
    """The reading side of a connection, with a limit on each wait and one on the whole request.

    For a long body the latter is one on its speed: each byte that comes gives time for more, up to the limit
    of a request. What this program does with the bytes meanwhile takes none of that time.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._deadline = 0.0
        self._left_s = 0.0
        self._is_long = False
        self._is_late = False

    def begin_request(self, *, is_late: bool = False) -> None:
        """Let the time of the next request run from now; of one that is late already nothing is awaited."""
        self._is_late = is_late
        self.limit_time()

    def limit_time(self) -> None:
        """Let the time of what is left of the request under way run from now."""
        self._deadline = time.monotonic() + REQUEST_LIMIT_S
        self._is_long = False

    def await_nothing(self) -> None:
        """Of the request under way read only what is there from now on."""
        self._is_late = True

    def allow_long_body(self) -> None:
        """Limit the speed of the request under way from now on, not its time."""
        self._is_long = True
        self._left_s = REQUEST_LIMIT_S

    def recv(self, most: int) -> bytes:
        """The next bytes, ``b""`` at the end.

        Raises: RequestTimeout, which passes through what reads a body as no error of a socket does.
        """
        if self._is_late:
            return self._recv(most, 0.0)
        began = time.monotonic()
        left_s = self._left_s if self._is_long else self._deadline - began
        if left_s <= 0:
            raise RequestTimeout
        if not self._is_long:
            return self._recv(most, min(SILENCE_LIMIT_S, left_s))
        data = self._recv(most, min(LONG_SILENCE_LIMIT_S, left_s))
        earned_s = len(data) / LONG_BODY_BYTES_S
        self._left_s = min(REQUEST_LIMIT_S, left_s - (time.monotonic() - began) + earned_s)
        return data

    def _recv(self, most: int, left_s: float) -> bytes:
        before_s = self._connection.gettimeout()
        self._connection.settimeout(left_s)
        try:
            return self._connection.recv(most)
        except (TimeoutError, BlockingIOError) as error:
            self._deadline = self._left_s = 0.0  # whoever discards the rest does not wait once more
            raise RequestTimeout from error
        finally:
            self._connection.settimeout(before_s)


class ProblemWorker(ThreadWorker):  # type: ignore[misc]
    """A worker of threads whose clients have limited time, and whose errors are problem documents.

    For plain HTTP/1.1; what speaks TLS stands before it.
    """

    def init_process(self) -> None:
        """Starts this process: its log first, so that nothing is said without time and level."""
        settings = load_settings()
        start_logging(settings.log_level, settings.log_format)
        super().init_process()

    def run(self) -> None:
        """Serves until this process is asked to end."""
        self._arrivals = Arrivals(
            self.poller,
            self._give_thread,
            limit_s=REQUEST_LIMIT_S,
            silence_s=SILENCE_LIMIT_S,
            places=max(1, self.cfg.threads // 2),
            ahead=read_ahead,
        )
        super().run()

    def enqueue_req(self, conn: TConn) -> None:
        """Gives a connection a thread, once its next request is there."""
        self._arrivals.add(conn)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """What the base does again and again; here requests that take too long are answered so, and end."""
        super().wait_for_and_dispatch_events(min(timeout, LOOKED_AT_EVERY_S))
        for conn, start in self._arrivals.late():
            if HEAD_END in start:
                conn.is_late = True  # the application may have an answer that needs no body
                self._arrivals.add_late(conn)
                continue
            self.nr_conns -= 1
            if start:
                self.handle_error(None, conn.sock, conn.client, RequestTimeout())
                leave(conn.sock)
            conn.close()

    def _give_thread(self, conn: TConn) -> None:
        conn.data_ready = True
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        """Serves the next request of a connection, as the base does."""
        if conn.parser is None:
            conn.parser = http.get_parser(self.cfg, conn.sock, conn.client)
            conn.parser.unreader.sock = TimedSocket(conn.sock)
        timed: TimedSocket = conn.parser.unreader.sock
        timed.begin_request(is_late=getattr(conn, "is_late", False))
        conn.is_late = False
        watch_request(timed)
        kept = super().handle(conn)
        if not kept:
            # here, because the base lets the thread that accepts connections wait for the client to close
            util.close_graceful(conn.sock, LINGER_LIMIT_S, MOST_DISCARDED_BYTES)
        return kept

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """Looks after a connection whose request was served; those closed by ``handle`` are only counted."""
        self._arrivals.leave(conn)
        if conn.sock.fileno() < 0:
            self.nr_conns -= 1
        else:
            super().finish_request(conn, fs)

    def handle_request(self, req: Any, conn: TConn) -> Any:
        """Answers one request; the time to accept the answer is limited from here on."""
        conn.sock.settimeout(ANSWER_LIMIT_S)
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        """Answers what never reached the application, and closes."""
        if req is not None and isinstance(exc, RequestTimeout):
            return  # the application has answered; what was missing is the rest of a body it did not want
        status, detail = explain(exc)
        request_id = uuid4().hex
        with logged_with(request_id=request_id):
            if status == HTTPStatus.INTERNAL_SERVER_ERROR:
                log.error("request %s from %s failed outside the application", request_id, addr, exc_info=exc)
            else:
                # what it says quotes the request, in which there may be a key
                log.warning("request %s from %s: %s", request_id, addr, type(exc).__name__)
        try:
            util.write_nonblock(client, format_answer(status, detail, request_id))
        except OSError:
            log.debug("request %s: nobody takes the answer", request_id)


def read_ahead(conn: TConn) -> bytes:
    """What was read of the next request of a connection with the one before."""
    ahead: bytes = b"" if conn.parser is None else conn.parser.unreader.buf.getvalue()
    return ahead


def leave(sock: socket.socket) -> None:
    """Says that nothing more is said, and reads what has come: unread bytes would undo the answer."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_WR)
        while sock.recv(MOST_AWAITED_BYTES):
            pass


def explain(error: Exception) -> tuple[HTTPStatus, str]:
    """Status and sentence for what stopped gunicorn from reading a request.

    >>> explain(errors.LimitRequestLine(9000, 4094))[0].value
    414
    """
    if isinstance(error, RequestTimeout):
        return HTTPStatus.REQUEST_TIMEOUT, SLOW
    if isinstance(error, errors.LimitRequestLine):
        return HTTPStatus.REQUEST_URI_TOO_LONG, "The address with its query is longer than is taken here."
    if isinstance(error, errors.LimitRequestHeaders):
        return (
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "The headers are more or longer than is taken here.",
        )
    ours = isinstance(error, errors.InvalidResponseHeader | errors.InvalidResponseHeaderName)
    if isinstance(error, errors.ParseException) and not ours:
        return HTTPStatus.BAD_REQUEST, "This is not HTTP as it should be; look at its first line and headers."
    return HTTPStatus.INTERNAL_SERVER_ERROR, "The log of the service has more under this request id."


def format_answer(status: HTTPStatus, detail: str, request_id: str) -> bytes:
    """The whole answer, after which the connection is closed."""
    code, title = HTTP_PROBLEMS[status]
    # what was asked for is not known, or not to be trusted
    document = format_problem(status, code, title, detail, instance="/", request_id=request_id)
    body = json.dumps(document).encode()
    headers = {
        "Connection": "close",
        "Content-Type": PROBLEM_MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "X-Request-Id": request_id,
        **FIXED_HEADERS,
    }
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {text}" for name, text in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body
