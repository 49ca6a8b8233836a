"""What is seen of each request: one line in the log, and its part in the counts."""

import logging
import re
import time
from collections.abc import Iterable, Iterator
from typing import cast

from flask import Flask, Response, g, request

from adjudicator.api.context import known_owner, meter, request_id, trace_context
from adjudicator.processes.log import FIELDS
from adjudicator.service.log_fields import bind, unbind

log = logging.getLogger(__name__)

NO_ROUTE = "(none)"
"""Stands for all addresses at which nothing is."""
_PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


def register_observation(app: Flask) -> None:
    """Observe every request to ``app``; to be registered before all else that comes before and after one."""
    app.before_request(_begin)
    app.after_request(_observe)
    app.teardown_request(_end)


def route_template() -> str:
    """The path of this request as openapi.yaml has it, with names in place of ids."""
    rule = request.url_rule
    if rule is None:
        return NO_ROUTE
    return _PLACE.sub(r"{\1}", rule.rule)


def _begin() -> None:
    g.began = time.perf_counter()
    g.log_fields = bind(request_id=request_id(), trace_id=trace_context().trace_id)


def _end(_error: BaseException | None) -> None:
    if (token := g.pop("log_fields", None)) is not None:
        unbind(token)


def _observe(answer: Response) -> Response:
    """Tells of an answer when it has been given: one that is made while it is sent, at its end."""
    telling = _Telling(answer.status_code)
    if answer.is_streamed:
        answer.response = _Counted(cast("Iterable[bytes]", answer.response), telling)
    else:
        telling.tell(0 if request.method == "HEAD" else answer.calculate_content_length() or 0)
    return answer


class _Telling:
    """What is told of a request, gathered while it is known."""

    def __init__(self, status: int) -> None:
        self._began: float = g.began
        self._status = status
        self._method = request.method
        self._route = route_template()
        self._meter = meter()
        self._ids = {"request_id": request_id(), "trace_id": trace_context().trace_id}
        self._owner = known_owner()

    def tell(self, size: int) -> None:
        """Tells it; ``size`` is the length of the body of the answer in bytes."""
        took_s = time.perf_counter() - self._began
        self._meter.answered(self._method, self._route, self._status, took_s)
        fields = {
            "method": self._method,
            "route": self._route,
            "status": self._status,
            "ms": round(took_s * 1000, 1),
            "bytes": size,
            **self._ids,
            **({} if self._owner is None else {"owner": self._owner}),
        }
        log.info(
            "%s %s %d, %.1f ms, %d bytes, request %s, owner %s",
            *(fields[name] for name in ("method", "route", "status", "ms", "bytes", "request_id")),
            self._owner or "unknown",
            extra={FIELDS: fields},
        )


class _Counted:
    """The pieces of an answer, whose end is told."""

    def __init__(self, pieces: Iterable[bytes], telling: _Telling) -> None:
        self._pieces = pieces
        self._telling = telling
        self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._size += len(piece)
            yield piece

    def close(self) -> None:
        """Called by the server when the answer has been sent, or can no longer be."""
        if callable(close := getattr(self._pieces, "close", None)):
            close()
        self._telling.tell(self._size)
