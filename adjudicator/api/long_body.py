"""Long bodies: a route that takes them says so, and the server then limits their speed, not their time."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class TimeLimits(Protocol):
    """What limits the time of a request, on the server's side."""

    def allow_long_body(self) -> None:
        """Limit the speed of the request under way from now on, not its time."""

    def limit_time(self) -> None:
        """Let the time of what is left of the request under way run from now."""

    def await_nothing(self) -> None:
        """Of the request under way read only what is there from now on."""


class _NoLimits:
    """Of a server that lets a client take its time."""

    def allow_long_body(self) -> None: ...
    def limit_time(self) -> None: ...
    def await_nothing(self) -> None: ...


_limits: ContextVar[TimeLimits] = ContextVar("limits", default=_NoLimits())  # noqa: B039 - it holds nothing


def watch_request(limits: TimeLimits) -> None:
    """Has these told when the request of this thread may have a long body."""
    _limits.set(limits)


@contextmanager
def long_body() -> Iterator[None]:
    """Let the body of this request take the time it needs, as long as it keeps coming.

    What is still to come after the block has the time of any other request.
    """
    limits = _limits.get()
    limits.allow_long_body()
    try:
        yield
    finally:
        limits.limit_time()


def await_no_more_body() -> None:
    """Read of the body of this request only what is there: it was refused, and is not waited for."""
    _limits.get().await_nothing()
