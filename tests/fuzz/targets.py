"""What one input is put through, and the law it is held to.

A reader gives a log or an error of the family ``AdjudicatorError``; what could be read is then replayed up to
the last checker and told in the other formats, which raises nothing at all.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from adjudicator.errors import AdjudicatorError
from adjudicator.happy_end.last_checker import find_last_checker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.recorded import recorded_result
from adjudicator.happy_end.ruleset import Finish, Numbering
from adjudicator.happy_end.series import dice_series
from adjudicator.logs import conversion
from adjudicator.logs.archives.limits import ArchiveLimits
from adjudicator.logs.archives.members import Member
from adjudicator.logs.archives.reading import begins_archive, read_archive
from adjudicator.logs.archives.sources import Source
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.replay import replay
from adjudicator.rules.terms import check_scores, terms_of_games

Target: TypeAlias = Callable[[bytes], bool]
"""Puts content through; whether anything could be read. Raises where the law is broken."""

DETECTED = "detected"
"""The target that lets the content decide on its format."""
ARCHIVE = "archive"
"""The target that takes the content for an archive of logs."""

_LIMITS = ArchiveLimits(
    members=200,
    member_bytes=200_000,
    total_bytes=2_000_000,
    ratio=200,
    ratio_free_bytes=100_000,
    archive_bytes=1_000_000,
    name_bytes=200,
)
"""Small, so that an input comes to its limits within the time that one may take."""

_LEGAL_BY = (ordinary_steps, modifier_steps(Finish.EXACT))


def read_as(log_format: LogFormat) -> Target:
    """The target that reads content with one reader, whether or not that recognises it."""

    def put_through(content: bytes) -> bool:
        log_format.recognises(content)
        try:
            log = log_format.read(content)
        except AdjudicatorError as error:
            require_told(error)
            return False
        follow(log)
        return True

    return put_through


def read_detected(content: bytes) -> bool:
    """Read content by what it is."""
    try:
        log = read_log(content, file_name="sent")
    except AdjudicatorError as error:
        require_told(error)
        require_file(error, "sent")
        return False
    follow(log)
    return True


def read_members(content: bytes) -> bool:
    """Read content as an archive, from what can be sought in and from what cannot; both give the same."""
    begins_archive(Source.of(io.BytesIO(content)), _LIMITS)
    members = list(_members(Source.of(io.BytesIO(content))))
    assert members == list(_members(Source(io.BytesIO(content).read)))
    return any(isinstance(member, Member) for member in members)


def _members(source: Source) -> Iterator[Member | str]:
    """The members, what is said of those refused, and of the error that ended them."""
    try:
        for member in read_archive(source, _LIMITS, scratch=io.BytesIO()):
            if isinstance(member, Member):
                yield member
            else:
                require_told(member.error)
                yield f"{member.name}: {member.error}"
    except AdjudicatorError as error:
        require_told(error)
        yield str(error)


def require_told(error: AdjudicatorError) -> None:
    """An error says something, and nothing without end."""
    assert error.detail
    assert len(str(error)) < 200_000


def require_file(error: AdjudicatorError, file_name: str) -> None:
    """An error names the file that it is about, wherever it names a place."""
    assert {fault.place.file for fault in error.faults} <= {file_name}


def follow(log: MatchLog) -> None:
    """Go through everything that an adjudication does with a log before an engine is asked."""
    assert log.games
    check_scores(log.games)
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    for game, game_terms in zip(log.games, terms, strict=True):
        replayed = replay(game, log.variant, game_terms, legal_by=_LEGAL_BY)
        recorded_result(replayed)
        find_last_checker(replayed, Finish.EXACT)
        for numbering in Numbering if game.rolls else ():
            assert dice_series(game, numbering).rolls == tuple(roll.dice for roll in game.rolls)
    for target in conversion.TARGETS.values():
        try:
            conversion.convert_log(log, target)
        except AdjudicatorError as error:
            require_told(error)


TARGETS: Mapping[str, Target] = {
    **{name: read_as(log_format) for name, log_format in FORMATS.items()},
    DETECTED: read_detected,
    ARCHIVE: read_members,
}
"""What can be fuzzed: every format there is, by name, and the two ways in that come before them."""
