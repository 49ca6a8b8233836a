"""Gzipped bodies, inflated while they are read."""

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.api.content_coding import InflatedStream
from adjudicator.errors import RequestError, TooLargeError


class Dripping(io.RawIOBase):
    """A source that gives a few bytes at a time, as a connection may."""

    def __init__(self, content: bytes, at_once: int) -> None:
        self._content = io.BytesIO(content)
        self._at_once = at_once

    def read(self, size: int = -1) -> bytes:
        return self._content.read(self._at_once if size < 0 else min(size, self._at_once))


def inflated(packed: bytes, *, most: int | None = None, at_once: int = 1000) -> InflatedStream:
    return InflatedStream(Dripping(packed, at_once), most)  # type: ignore[arg-type]


@given(
    st.lists(st.binary(max_size=300) | st.integers(0, 5000).map(bytes), max_size=4),
    st.integers(1, 50),
    st.integers(1, 600),
)
def test_however_it_comes_and_is_read_it_is_what_was_packed(
    members: list[bytes], at_once: int, size: int
) -> None:
    stream = inflated(b"".join(map(gzip.compress, members)), at_once=at_once)
    pieces = list(iter(lambda: stream.read(size), b""))
    assert b"".join(pieces) == b"".join(members)
    assert all(len(piece) <= size for piece in pieces)


@given(st.binary(max_size=2000), st.data())
def test_what_is_cut_off_anywhere_is_told_as_that(content: bytes, data: st.DataObject) -> None:
    packed = gzip.compress(content)
    cut = packed[: data.draw(st.integers(1, len(packed) - 1))]
    with pytest.raises(RequestError, match="cut off"):
        inflated(cut).read()


def test_exactly_the_most_is_taken_and_not_a_byte_more() -> None:
    assert inflated(gzip.compress(bytes(100)), most=100).read() == bytes(100)
    with pytest.raises(TooLargeError, match="more than the 99 bytes"):
        inflated(gzip.compress(bytes(100)), most=99).read()


def test_members_are_counted_together() -> None:
    with pytest.raises(TooLargeError):
        inflated(gzip.compress(bytes(60)) * 2, most=100).read()


def test_a_bomb_is_left_alone_once_it_is_too_much() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    source = io.BytesIO(bomb)
    with pytest.raises(TooLargeError):
        InflatedStream(source, 100_000).read()
    assert source.tell() < len(bomb)


def test_nothing_is_asked_for_and_nothing_comes() -> None:
    stream = inflated(gzip.compress(bytes(10)))
    assert stream.read(0) == b""
    assert stream.read() == bytes(10)
