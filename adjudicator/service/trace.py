"""Trace contexts (W3C Trace Context): by them one request is followed through all that serve it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

RandomBytes: TypeAlias = Callable[[int], bytes]
"""So many random bytes, as of ``secrets.token_bytes``."""

TRACE_ID_BYTES = 16
PARENT_ID_BYTES = 8
SAMPLED = 0x01
"""The one flag that version 00 knows; any other is not handed on."""
_NO_VERSION = "ff"
_HEADER = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TraceContext:
    """The trace that something belongs to, and the step of it that caused it; ids in lower-case hex.

    ``is_sampled``: whoever began the trace records it.
    """

    trace_id: str
    parent_id: str
    is_sampled: bool = False

    def child(self, random_bytes: RandomBytes) -> "TraceContext":
        """The same trace with a new step, for what this one causes.

        >>> child = TraceContext("5" * 32, "7" * 16).child(lambda count: bytes(range(1, count + 1)))
        >>> child.trace_id, child.parent_id
        ('55555555555555555555555555555555', '0102030405060708')
        """
        return TraceContext(self.trace_id, _new_id(PARENT_ID_BYTES, random_bytes), self.is_sampled)


def begin_trace(random_bytes: RandomBytes) -> TraceContext:
    """A new trace with its first step. This program records none, so it is not sampled."""
    return TraceContext(_new_id(TRACE_ID_BYTES, random_bytes), _new_id(PARENT_ID_BYTES, random_bytes))


def parse_trace_context(header: str) -> TraceContext | None:
    """The context that a ``traceparent`` header states, ``None`` for any that is not valid to the letter.

    Of versions to come, which may have more parts, the parts of version 00 are taken.

    >>> parse_trace_context("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    TraceContext(trace_id='0af7651916cd43dd8448eb211c80319c', parent_id='b7ad6b7169203331', is_sampled=True)
    >>> parse_trace_context("00-00000000000000000000000000000000-b7ad6b7169203331-01") is None
    True

    Source: W3C Trace Context, 3.2 and 4.3.
    """
    found = _HEADER.fullmatch(header)
    if found is None:
        return None
    version, trace_id, parent_id, flags, more = found.groups()
    if version == _NO_VERSION or (version == "00" and more is not None):
        return None
    if not (int(trace_id, 16) and int(parent_id, 16)):
        return None
    return TraceContext(trace_id, parent_id, bool(int(flags, 16) & SAMPLED))


def format_trace_context(context: TraceContext) -> str:
    """The ``traceparent`` header of a context, in version 00.

    >>> format_trace_context(TraceContext("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"))
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
    """
    return f"00-{context.trace_id}-{context.parent_id}-{SAMPLED if context.is_sampled else 0:02x}"


def _new_id(size: int, random_bytes: RandomBytes) -> str:
    """So many random bytes in hex; all zero is no id."""
    while not any(drawn := random_bytes(size)):
        pass
    return drawn.hex()
