"""Long bodies: a route that takes them says so, and the server then limits their speed, not their time."""

from collections.abc import Callable
from contextvars import ContextVar


def _nobody_watches() -> None:
    """Does nothing: a server that does not limit time has nothing to allow."""


_allow: ContextVar[Callable[[], None]] = ContextVar("allow_long_body", default=_nobody_watches)


def watch_body(allow: Callable[[], None]) -> None:
    """Has the server told by this function that the request of this thread may have a long body."""
    _allow.set(allow)


def allow_long_body() -> None:
    """Let the body of this request take the time it needs, as long as it keeps coming."""
    _allow.get()()
