"""The reader of Jellyfish match logs (.mat, .txt), in all dialects met.

Source: ``docs/formats/mat.md``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from adjudicator.errors import Place, RecordError
from adjudicator.logs.assembly import are_others, assemble_log, foreign_game, require_game_count
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.mat.crawford import with_stated_crawford
from adjudicator.logs.mat.games import GameSection, read_game
from adjudicator.logs.mat.header import CRAWFORD, JACOBY, MatHeader, parse_title, read_header
from adjudicator.logs.mat.letters import plain_letters
from adjudicator.logs.mat.score_lines import find_seats
from adjudicator.logs.mat.seats import NO_SEATS
from adjudicator.logs.mat.starts import with_announced_starts
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.refusals import several_matches
from adjudicator.logs.text_content import decode_text, peek_text
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode

FORMAT_NAME = "jellyfish_mat"

_MARK = re.compile(
    r"""^[ \t]*(?: [0-9]{1,6}[ -]*points?[ ]+match | match[ ]+of[ ]+[0-9]{1,6}[ ]+points?
                 | Game[ ]+[0-9]{1,6} )[ \t]*$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_ROW_NUMBER_WIDTH = 6
"""Within so many letters stands the bracket of nine lines of ten, and never one of a title."""
_MONEY_SITE, _MONEY_LENGTH = "backgammongalaxy", 16


def read_mat(content: bytes) -> MatchLog:
    """The match log in the bytes of a .mat file.

    A game that cannot be read to its end is ``broken``, with line and reason; the others are read all the
    same.

    Raises: UnknownFormatError for content that is no text; UnsupportedVariantError for a log of another
    game; TooLargeError beyond the limits; RecordError for a log without match length or games, or of several
    matches.
    """
    text = decode_text(content)
    lines = text.lines()
    header = read_header(lines)
    sections = list(_split_games(lines, header.line))
    if not sections:
        raise RecordError(
            "The log has a head but no game: no line such as 'Game 1' follows the match length."
        )
    names = _names(sections, header)
    log = MatchLog(
        format=FORMAT_NAME,
        match_length=header.match_length,
        white=names[0],
        black=names[1],
        games=tuple(_read_games(sections, header, names, stars_used="*" in plain_letters(text.text))),
        variant=header.variant,
        crawford=header.says(CRAWFORD) is not False,
        jacoby=header.says(JACOBY) is True,
        metadata=dict(header.metadata),
        remarks=text.remarks,
    )
    return assemble_log(_as_money(with_announced_starts(with_stated_crawford(log))))


def _split_games(lines: list[str], start: int) -> Iterator[GameSection]:
    """The sections of the games; what stands between the head and the first game is passed over.

    Raises: TooLargeError beyond ``MAX_GAMES``; RecordError where a second match begins.
    """
    number, begin, count = 0, 0, 0
    for line, text in enumerate(lines[start:], start + 1):
        title = None if not text or ")" in text[:_ROW_NUMBER_WIDTH] else parse_title(text)
        if title is None:
            continue
        if title.number is None:
            raise several_matches(Place(line=line))
        if count:
            yield _section(number, begin, lines[begin : line - 1])
        count += 1
        require_game_count(count, Place(line=line))
        number, begin = title.number, line
    if count:
        yield _section(number, begin, lines[begin:])


def _section(number: int, line: int, body: list[str]) -> GameSection:
    """A game and its score line, which is looked for before the first row."""
    found = find_seats(body)
    if found is None:
        return GameSection(number, line, NO_SEATS, line + 1, body)
    index, seats = found
    return GameSection(number, line, seats, line + index + 2, body[index + 1 :])


def _read_games(
    sections: Sequence[GameSection], header: MatHeader, names: tuple[str, str], *, stars_used: bool
) -> Iterator[GameRecord]:
    """The games of the match; one between others counts for nobody."""
    total = header.variant.checkers_per_side
    next_scores = [section.seats.score for section in sections[1:]] + [None]
    for section, next_score in zip(sections, next_scores, strict=True):
        if are_others((section.seats.white, section.seats.black), names):
            yield foreign_game(section.number, Place(line=section.line))
        else:
            yield read_game(section, total, next_score, stars_used=stars_used)


def _names(sections: Sequence[GameSection], header: MatHeader) -> tuple[str, str]:
    """The names of the first score line; those of the head only where there is none."""
    for section in sections:
        if section.seats.white or section.seats.black:
            return section.seats.white, section.seats.black
    return header.metadata.get("player 1", ""), header.metadata.get("player 2", "")


def _as_money(log: MatchLog) -> MatchLog:
    """A single game of one server, written as a match to 16, is a money game with Jacoby."""
    site = "".join(log.metadata.get("site", "").lower().split())
    if (site, log.match_length, len(log.games)) != (_MONEY_SITE, _MONEY_LENGTH, 1):
        return log
    detail = "written as a 16 point match; this server writes a single money game so"
    remark = Remark(RemarkCode.MONEY_AS_16, detail)
    return replace(log, match_length=0, jacoby=True, remarks=(*log.remarks, remark))


def is_mat(content: bytes) -> bool:
    """Whether content is a .mat: a line of its text gives a match length, or begins a game."""
    return _MARK.search(peek_text(content)) is not None


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "Jellyfish match log (.mat, .txt), as written by nearly every server and program",
    media_types=("text/plain",),
    suffixes=(".mat", ".txt"),
    recognises=is_mat,
    read=read_mat,
)
