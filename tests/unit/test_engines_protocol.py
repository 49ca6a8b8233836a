import math
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engines.host import QUESTION_SIZE
from adjudicator.engines.protocol import (
    Answer,
    Failed,
    Question,
    Ready,
    Refused,
    Reply,
    Unavailable,
    format_question,
    format_reply,
    parse_question,
    parse_reply,
    read_lines,
)
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON

SMALLEST_PIPE = 4096

checkers = st.lists(st.integers(-1, 16), min_size=26, max_size=26).map(tuple)
positions = st.lists(st.builds(Position, checkers, checkers), max_size=4).map(tuple)
chances = st.floats(allow_nan=False)
outcomes = st.lists(st.builds(Outcomes, *[chances] * 5), max_size=4).map(tuple)
numbers = st.integers(0, 2**53)
replies = st.one_of(
    st.builds(Answer, numbers, outcomes),
    st.builds(Refused, numbers, st.text()),
    st.builds(Failed, numbers, st.text()),
    st.builds(Unavailable, st.text()),
    st.builds(
        Ready,
        st.builds(
            EngineIdentity, st.text(), st.text(), st.dictionaries(st.text(), numbers | chances | st.text())
        ),
    ),
)


@given(st.builds(Question, numbers, st.floats(0, 1e6), positions))
def test_a_question_survives_the_way_there(question: Question) -> None:
    line = format_question(question)
    assert parse_question(line[:-1]) == question
    assert line.index(b"\n") == len(line) - 1


@given(replies)
def test_a_reply_survives_the_way_back(reply: Reply) -> None:
    line = format_reply(reply)
    assert parse_reply(line[:-1]) == reply
    assert line.index(b"\n") == len(line) - 1


def test_what_is_no_number_comes_back_as_such_for_the_host_to_judge() -> None:
    reply = parse_reply(format_reply(Answer(1, (Outcomes(math.nan, 0, 0, 0, math.inf),))))
    assert isinstance(reply, Answer)
    assert not reply.outcomes[0].is_sound()


def test_a_full_question_fits_into_the_smallest_pipe() -> None:
    longest = Position((11, *[1] * 4, *[0] * 21), (10, *[1] * 5, *[0] * 20))
    for position in (BACKGAMMON.start, longest):
        line = format_question(Question(10**9, 12345.678, (position,) * QUESTION_SIZE))
        assert len(line) <= SMALLEST_PIPE


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"word",
        b"[]",
        b"{}",
        b'{"answer": 1}',
        b'{"answer": "1", "outcomes": []}',
        b'{"answer": 1, "outcomes": [[0.5, 0, 0, 0]]}',
        b'{"answer": 1, "outcomes": ["halve"]}',
        b'{"answer": 1, "outcomes": [null]}',
        b'{"ready": {"name": "x"}}',
        b"\xff",
    ],
)
def test_anything_else_is_no_reply(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_reply(line)


@pytest.mark.parametrize("line", [b"{}", b'{"ask": 1, "limit_s": "long", "positions": []}', b"nothing"])
def test_anything_else_is_no_question(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_question(line)


def test_lines_are_put_together_from_whatever_pieces_arrive() -> None:
    source, sink = os.pipe()

    def write() -> None:
        for piece in (b"on", b"e\ntwo\nth", b"r" * 70_000, b"\n\nunfinished"):
            os.write(sink, piece)
        os.close(sink)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert list(read_lines(source)) == [b"one", b"two", b"th" + b"r" * 70_000, b""]
    finally:
        writer.join()
        os.close(source)
