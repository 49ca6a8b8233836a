"""What a request is answered with: the services, the caller, and the id of the request."""

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import BoundedSemaphore, Lock
from typing import cast
from uuid import uuid4

from flask import Flask, current_app, g, request

from adjudicator.errors import BusyError
from adjudicator.service.access import Caller
from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.batches import Batches
from adjudicator.service.erasure import Erasure
from adjudicator.service.listing import Listing
from adjudicator.service.meter import ShownMeter
from adjudicator.service.services import Services
from adjudicator.service.trace import TraceContext, begin_trace, format_trace_context, parse_trace_context
from adjudicator.service.webhooks.service import WebhookService

_EXTENSION = "adjudicator.services"
_METER = "adjudicator.meter"
_WAITING_ROOM = "adjudicator.waiting_room"
_TRANSFERS = "adjudicator.transfers"
_SANE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:=-]{0,127}", re.ASCII)


def attach_services(app: Flask, services: Services) -> None:
    """Let the routes of ``app`` answer from these."""
    app.extensions[_EXTENSION] = services


def services() -> Services:
    """The use cases behind the running application."""
    return cast("Services", current_app.extensions[_EXTENSION])


def service() -> AdjudicationService:
    """Those around adjudications."""
    return services().adjudications


def batches() -> Batches:
    """Those around batches."""
    return services().batches


def listing() -> Listing:
    """The one that looks for adjudications."""
    return services().listing


def erasure() -> Erasure:
    """The one that erases names."""
    return services().erasure


def webhooks() -> WebhookService:
    """Those around webhooks."""
    return services().webhooks


def attach_meter(app: Flask, meter: ShownMeter) -> None:
    """Let ``app`` count with this meter, and show its counts."""
    app.extensions[_METER] = meter


def meter() -> ShownMeter:
    """What the running application counts with."""
    return cast("ShownMeter", current_app.extensions[_METER])


def attach_waiting_room(app: Flask, places: int) -> None:
    """Let at most so many requests to ``app`` wait for results at once."""
    app.extensions[_WAITING_ROOM] = BoundedSemaphore(places) if places else None


@contextmanager
def waiting_place() -> Iterator[bool]:
    """A place to wait in while this lasts; whether there was one."""
    room: BoundedSemaphore | None = current_app.extensions[_WAITING_ROOM]
    if room is None or not room.acquire(blocking=False):
        yield False
        return
    try:
        yield True
    finally:
        room.release()


class Transfers:
    """Places for long transfers, archives in and results out; of several one owner has at most half."""

    def __init__(self, places: int) -> None:
        self._places = max(1, places)
        self._an_owner = max(1, places // 2)
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    def begin(self, owner: str) -> Callable[[], None]:
        """Takes a place; gives what has to be called once, at its end.

        Raises: BusyError where there is none.
        """
        with self._lock:
            if self._taken.total() >= self._places:
                raise BusyError("As many archives and results as go on here at once are under way.")
            if self._taken[owner] >= self._an_owner:
                raise BusyError("As many archives and results of yours as go on at once are under way.")
            self._taken[owner] += 1
        return partial(self._end, owner)

    def _end(self, owner: str) -> None:
        with self._lock:
            self._taken[owner] -= 1
            if not self._taken[owner]:
                del self._taken[owner]


def attach_transfers(app: Flask, places: int) -> None:
    """Let at most so many long transfers of ``app`` be under way at once."""
    app.extensions[_TRANSFERS] = Transfers(places)


def begin_transfer(of: str) -> Callable[[], None]:
    """See ``Transfers.begin``."""
    return cast("Transfers", current_app.extensions[_TRANSFERS]).begin(of)


def admit(caller: Caller) -> None:
    """Let this request be that caller's."""
    g.caller = caller


def owner() -> str:
    """Whose records this request may see and make: the owner of its key."""
    return cast("Caller", g.caller).owner


def known_owner() -> str | None:
    """As ``owner``, for the log: ``None`` where the request does not say whose it is."""
    caller: Caller | None = g.get("caller")
    return None if caller is None else caller.owner


def request_id() -> str:
    """The id of this request: what the caller sent in ``X-Request-Id`` if it is sane, else a new one."""
    if "request_id" not in g:
        sent = request.headers.get("X-Request-Id", "")
        g.request_id = sent if _SANE_ID.fullmatch(sent) else uuid4().hex
    return cast("str", g.request_id)


def traceparent() -> str:
    """The trace context of this request as text, for what it causes."""
    return format_trace_context(trace_context())


def trace_context() -> TraceContext:
    """The step that this request is, in the trace that its ``traceparent`` names or else in a new one.

    What the request causes, such as jobs and webhooks, is handed it on as the step before.
    """
    if "trace_context" not in g:
        sent = parse_trace_context(request.headers.get("traceparent", ""))
        fresh = secrets.token_bytes
        g.trace_context = begin_trace(fresh) if sent is None else sent.child(fresh)
    return cast("TraceContext", g.trace_context)
