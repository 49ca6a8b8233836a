"""What the host and the engine process say to each other: one JSON object a line, over two pipes.

The process speaks first: ``ready`` with the engine's identity, ``unavailable``, or ``failed`` with number 0
where another start may succeed. Then the host asks
numbered questions, one at a time, and each gets one reply with its number: ``answer``, ``refused`` (the
position is the caller's fault) or ``failed``. Chances travel as Python writes floats, so no bit is lost.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.board import Position


@dataclass(frozen=True, slots=True)
class Ready:
    """The engine is loaded and says which build it is."""

    identity: EngineIdentity


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The engine cannot run on this machine."""

    reason: str


@dataclass(frozen=True, slots=True)
class Question:
    """Positions to evaluate. The process ends itself when it took much longer than ``limit_s``."""

    number: int
    limit_s: float
    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The chances for the positions of that question, in order."""

    number: int
    outcomes: tuple[Outcomes, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """That question holds a position that nobody may ask about."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The engine raised an error over that question."""

    number: int
    reason: str


Reply: TypeAlias = Ready | Unavailable | Answer | Refused | Failed


def format_question(question: Question) -> bytes:
    """One line, with its end."""
    return _line({"ask": question.number, "limit_s": question.limit_s, "positions": question.positions})


def parse_question(line: bytes) -> Question:
    """The question of that line.

    Raises: ValueError for anything else.
    """
    match _object(line):
        case {"ask": int(number), "limit_s": int() | float() as limit_s, "positions": list(positions)}:
            return Question(number, float(limit_s), tuple(map(_position, positions)))
    raise ValueError(f"not a question: {_excerpt(line)}")


def format_reply(reply: Reply) -> bytes:
    """One line, with its end."""
    match reply:
        case Ready(identity):
            settings = dict(identity.settings)
            return _line(
                {"ready": {"name": identity.name, "version": identity.version, "settings": settings}}
            )
        case Unavailable(reason):
            return _line({"unavailable": reason})
        case Answer(number, outcomes):
            return _line({"answer": number, "outcomes": outcomes})
        case Refused(number, reason):
            return _line({"refused": number, "reason": reason})
        case Failed(number, reason):
            return _line({"failed": number, "reason": reason})


def parse_reply(line: bytes) -> Reply:
    """The reply of that line. Its chances are numbers, not yet known to be sound.

    Raises: ValueError for anything else.
    """
    match _object(line):
        case {"answer": int(number), "outcomes": list(outcomes)}:
            return Answer(number, tuple(map(_outcomes, outcomes)))
        case {"refused": int(number), "reason": str(reason)}:
            return Refused(number, reason)
        case {"failed": int(number), "reason": str(reason)}:
            return Failed(number, reason)
        case {"ready": {"name": str(name), "version": str(version), "settings": dict(settings)}}:
            return Ready(EngineIdentity(name, version, settings))
        case {"unavailable": str(reason)}:
            return Unavailable(reason)
    raise ValueError(f"not a reply: {_excerpt(line)}")


def read_lines(descriptor: int) -> Iterator[bytes]:
    """The complete lines that come out of a pipe, until its other end is closed.

    An unfinished line at the end is dropped: its writer died over it. Reads without a lock of its own, so a
    thread that is blocked here can be left behind by a fork or by the end of the process.
    """
    rest = b""
    while chunk := os.read(descriptor, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode("ascii") + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    content = json.loads(line)
    return content if isinstance(content, dict) else {}


def _position(sides: Any) -> Position:
    own, opponent = sides
    return Position(tuple(own), tuple(opponent))


def _outcomes(chances: Any) -> Outcomes:
    if not isinstance(chances, Sequence) or len(chances) != 5:
        raise ValueError(f"five chances are expected, not {chances!r}")
    return Outcomes(*map(float, chances))


def _excerpt(line: bytes) -> str:
    return repr(line[:80].decode("ascii", "replace"))
