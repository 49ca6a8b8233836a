"""A match told in another format.

What was written is read again and compared: nothing is lost unsaid, whatever writer or reader forgets.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from adjudicator.errors import AdjudicatorError, Fault, RecordError
from adjudicator.logs.comparison import compare_logs
from adjudicator.logs.mat.reader import LOG_FORMAT as MAT
from adjudicator.logs.mat.writer import format_mat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.match_record.reader import LOG_FORMAT as MATCH_RECORD
from adjudicator.logs.match_record.writer import format_record_text


@dataclass(frozen=True, slots=True)
class Conversion:
    """A match in another format, and everything that the format has no place for; ``losses`` may be empty."""

    content: bytes
    losses: tuple[Fault, ...]


class Target(NamedTuple):
    """A format that can be written, and how it is read again.

    ``write`` raises ValueError for what the format cannot hold.
    """

    name: str
    suffix: str
    write: Callable[[MatchLog], bytes]
    read: Callable[[bytes], MatchLog]


def _write_match_record(log: MatchLog) -> bytes:
    return format_record_text(log).encode()


def _write_mat(log: MatchLog) -> bytes:
    return format_mat(log).encode()


TARGETS: Mapping[str, Target] = {
    "json": Target("match record", ".json", _write_match_record, MATCH_RECORD.read),
    "mat": Target(".mat", ".mat", _write_mat, MAT.read),
}
"""The formats that can be written, by the word that chooses them."""


def convert_log(log: MatchLog, target: Target) -> Conversion:
    """The match in that format: read again it is the same, but for the losses, which change no game.

    Raises: RecordError, with all reasons, where the format cannot hold the match, or part of it could not be
    read: it would look like another match, or like a whole one.
    """
    try:
        content = target.write(log)
        again = target.read(content)
    except ValueError as error:
        raise _impossible(target, [Fault(str(error))]) from error
    except AdjudicatorError as error:
        raise _impossible(target, error.faults or [Fault(error.detail)]) from error
    differences = list(compare_logs(log, again))
    grave = [difference.fault for difference in differences if difference.is_grave]
    if grave:
        raise _impossible(target, grave)
    return Conversion(content, tuple(difference.fault for difference in differences))


def _impossible(target: Target, faults: list[Fault] | tuple[Fault, ...]) -> RecordError:
    return RecordError(f"The match cannot be written as a {target.name}.", faults)
