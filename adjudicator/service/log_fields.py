"""What is known of the work under way, for every line that is logged meanwhile."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import TypeAlias

Fields: TypeAlias = Mapping[str, str]
"""By name: ``request_id``, ``trace_id``, ``adjudication_id``, ``batch_id``."""

_fields: ContextVar[Fields] = ContextVar("log_fields", default={})  # noqa: B039 - never written to


def log_fields() -> Fields:
    """What is known here and now; another thread knows nothing of it."""
    return _fields.get()


@contextmanager
def logged_with(**fields: str) -> Iterator[None]:
    """Has these fields known while this lasts, besides those that are.

    >>> with logged_with(request_id="r1"), logged_with(batch_id="b1"):
    ...     log_fields()
    {'request_id': 'r1', 'batch_id': 'b1'}
    >>> log_fields()
    {}
    """
    token = bind(**fields)
    try:
        yield
    finally:
        unbind(token)


def bind(**fields: str) -> Token[Fields]:
    """As ``logged_with``, for work without a block around it: until ``unbind``."""
    return _fields.set({**_fields.get(), **fields})


def unbind(token: Token[Fields]) -> None:
    """Ends what ``bind`` began, in the same thread."""
    _fields.reset(token)
