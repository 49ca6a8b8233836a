"""The reader of FIBS sessions as clients log them, and of the server's lists of moves.

Source: ``docs/formats/fibs.md``.
"""

import re

from adjudicator.errors import RecordError
from adjudicator.logs.assembly import assemble_log
from adjudicator.logs.fibs.lines import LineKind, parse_lines
from adjudicator.logs.fibs.lists import read_listed_games
from adjudicator.logs.fibs.live import read_live_games
from adjudicator.logs.fibs.seats import find_length, find_seats
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.text_content import decode_text, peek_text

FORMAT_NAME = "fibs"

_MARK = re.compile(
    r"^[\[\]:0-9 >]{0,20}(?:[A-Za-z0-9_<>]{1,64} rolls? [1-6] and [1-6]\.?"
    r"|[A-Za-z0-9_<>]{1,64} is X - [A-Za-z0-9_<>]{1,64} is O\.?|[XO]: \([1-6][ -][1-6]\).{0,80})[ \t]*$",
    re.MULTILINE,
)


def read_fibs(content: bytes) -> MatchLog:
    """The match log in the bytes of a FIBS log: its lists of moves if it holds any, else its lines of play.

    A game that cannot be read to its end is ``broken``, with line and reason; the others are read all the
    same.

    Raises: UnknownFormatError for content that is no text; TooLargeError beyond the limits; RecordError for
    a log without games or match length, or of several matches.
    """
    text = decode_text(content)
    lines = list(parse_lines(text.lines()))
    seats = find_seats(lines)
    has_lists = any(line.kind is LineKind.LIST_HEAD for line in lines)
    drafts = (read_listed_games if has_lists else read_live_games)(lines, seats)
    if not drafts:
        raise RecordError("The log holds no game: no line such as 'ann rolls 6 and 4.' or 'X: (6 4) 24-14'.")
    white, black = seats.names
    return assemble_log(
        MatchLog(
            format=FORMAT_NAME,
            match_length=find_length(lines, seats),
            white=white,
            black=black,
            games=tuple(draft.finished() for draft in drafts),
            metadata={"site": "FIBS"},
            remarks=text.remarks,
        )
    )


def is_fibs(content: bytes) -> bool:
    """Whether content is a FIBS log: a line of it is a roll, or heads or belongs to a list of moves."""
    return _MARK.search(peek_text(content)) is not None


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "FIBS session as clients log it, or its lists of moves (oldmoves)",
    media_types=("text/plain",),
    suffixes=(".txt", ".log"),
    recognises=is_fibs,
    read=read_fibs,
)
