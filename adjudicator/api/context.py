"""What a request is answered with: the service, the owner, and the id of the request."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import cast
from uuid import uuid4

from flask import Flask, current_app, g, request

from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.erasure import Erasure
from adjudicator.service.listing import Listing
from adjudicator.service.services import Services
from adjudicator.service.values import LOCAL_OWNER

_EXTENSION = "adjudicator.services"
_WAITING_ROOM = "adjudicator.waiting_room"
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


def listing() -> Listing:
    """The one that looks for adjudications."""
    return services().listing


def erasure() -> Erasure:
    """The one that erases names."""
    return services().erasure


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


def owner() -> str:
    """Whose records this request may see and make.

    The service listens on the loopback address only and everybody there is one owner; the one place to
    change when keys tell owners apart.
    """
    return LOCAL_OWNER


def request_id() -> str:
    """The id of this request: what the caller sent in ``X-Request-Id`` if it is sane, else a new one."""
    if "request_id" not in g:
        sent = request.headers.get("X-Request-Id", "")
        g.request_id = sent if _SANE_ID.fullmatch(sent) else uuid4().hex
    return cast("str", g.request_id)
