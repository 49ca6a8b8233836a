"""Trace contexts: what is written is read, and nothing else is."""

import re
import secrets
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.service.trace import (
    TraceContext,
    begin_trace,
    format_trace_context,
    parse_trace_context,
)

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"

contexts = st.builds(
    TraceContext,
    st.integers(1, 2**128 - 1).map(lambda number: f"{number:032x}"),
    st.integers(1, 2**64 - 1).map(lambda number: f"{number:016x}"),
    st.booleans(),
)


@given(contexts)
def test_a_context_comes_back_as_it_was_written(context: TraceContext) -> None:
    assert parse_trace_context(format_trace_context(context)) == context


@given(contexts)
def test_a_child_is_another_step_of_the_same_trace(context: TraceContext) -> None:
    child = context.child(secrets.token_bytes)
    assert (child.trace_id, child.is_sampled) == (context.trace_id, context.is_sampled)
    assert child.parent_id != context.parent_id
    assert parse_trace_context(format_trace_context(child)) == child


@given(st.text(max_size=80) | st.text(alphabet="0123456789abcdefABCDEF-", min_size=50, max_size=60))
def test_what_is_read_was_valid_to_the_letter(header: str) -> None:
    if (context := parse_trace_context(header)) is not None:
        assert re.match(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-|\Z)", header)
        assert header[3:35] == context.trace_id != "0" * 32
        assert header[36:52] == context.parent_id != "0" * 16


@pytest.mark.parametrize(
    "header",
    [
        "",
        f"00-{TRACE}-{PARENT}",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE}-{PARENT}-01\n",
        f" 00-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-1",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[:-1]}-{PARENT}-01",
        f"ff-{TRACE}-{PARENT}-01",
        f"cc-{TRACE}-{PARENT}-01.more",
        f"00-{TRACE}-{PARENT}-01,00-{TRACE}-{PARENT}-01",
        f"٠٠-{TRACE}-{PARENT}-01",
    ],
)
def test_anything_else_is_no_context(header: str) -> None:
    assert parse_trace_context(header) is None


@pytest.mark.parametrize(
    ("header", "is_sampled"),
    [
        (f"00-{TRACE}-{PARENT}-00", False),
        (f"00-{TRACE}-{PARENT}-03", True),
        (f"00-{TRACE}-{PARENT}-fe", False),
        (f"cc-{TRACE}-{PARENT}-01", True),
        (f"cc-{TRACE}-{PARENT}-01-what-is-to-come", True),
    ],
)
def test_flags_and_versions_to_come_are_read_as_far_as_they_are_known(header: str, is_sampled: bool) -> None:
    assert parse_trace_context(header) == TraceContext(TRACE, PARENT, is_sampled)


def test_two_traces_are_two() -> None:
    assert begin_trace(secrets.token_bytes) != begin_trace(secrets.token_bytes)


def test_all_zero_is_drawn_again() -> None:
    draws = chain([bytes(16), b"\x01" * 16, bytes(8), bytes(8)], repeat(b"\x02" * 8))
    assert begin_trace(lambda _: next(draws)) == TraceContext("01" * 16, "02" * 8)
