"""The reader of eXtreme Gammon files (.xg).

Source: ``docs/formats/xg.md``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudicator.errors import Fault, Place, RecordError, UnsupportedVariantError
from adjudicator.logs.assembly import assemble_log, check_game_count
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.xg.archive import MAGIC, unpack_records
from adjudicator.logs.xg.games import GameReading
from adjudicator.logs.xg.records import (
    Entry,
    MatchHeader,
    entry_of,
    parse_cube,
    parse_game_footer,
    parse_game_header,
    parse_match_header,
    parse_move,
)
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, VARIANTS, Variant

FORMAT_NAME = "xg"

_VARIATIONS = {0: BACKGAMMON, 1: NACKGAMMON, 2: HYPERGAMMON}


def read_xg(content: bytes) -> MatchLog:
    """The match log in the bytes of an .xg file; analysis and comments are not read.

    A record of a game that says something impossible breaks that game: what stands before it is kept, the
    result is still taken, and the other games are read.

    Raises: RecordError for a file that is damaged, cut short, without a match or of several;
    UnsupportedVariantError for another game; TooLargeError beyond the limits.
    """
    records = unpack_records(content)
    header = _read_header(records)
    is_match = header.match_length > 0
    reading = _MatchReading(_variant(header), is_match)
    reading.take_all(records)
    return assemble_log(
        MatchLog(
            format=FORMAT_NAME,
            match_length=header.match_length,
            white=header.white,
            black=header.black,
            games=tuple(reading.finished()),
            variant=_variant(header),
            crawford=is_match and header.crawford,
            jacoby=header.jacoby and not is_match,
            metadata=header.metadata,
            remarks=(_GUESSED,) if header.is_guessed else (),
        )
    )


_GUESSED = Remark(
    RemarkCode.ENCODING_GUESSED, "a text is not Unicode; it is taken as Windows-1252, so letters may be wrong"
)


@dataclass
class _MatchReading:
    """The games read so far, and the one under way."""

    variant: Variant
    is_match: bool
    games: list[GameRecord] = field(default_factory=list)
    game: GameReading | None = None

    def take_all(self, records: Iterable[bytes]) -> None:
        """Read records one by one; the first, the head of the match, has been read."""
        for index, record in enumerate(records):
            if index == 0:
                continue
            try:
                self._take(entry_of(record), record)
            except ValueError as error:
                reason = f"record {index + 1} cannot be read: {error}"
                if self.game is None:
                    raise RecordError("The XG file is damaged.", [Fault(reason)]) from error
                self.game.break_off(reason)

    def finished(self) -> list[GameRecord]:
        """All games, the last one whether it ended or not."""
        self._end_game()
        return self.games

    def _take(self, entry: Entry, record: bytes) -> None:
        if entry is Entry.MATCH_HEADER:
            raise RecordError("The XG file holds more than one match: send each in a file of its own.")
        if entry is Entry.GAME_HEADER:
            self._begin_game(record)
        elif entry in _IN_GAME:
            if self.game is None:
                raise ValueError("it belongs to a game, and none has begun")
            self._take_in_game(self.game, entry, record)

    def _begin_game(self, record: bytes) -> None:
        self._end_game()
        check_game_count(len(self.games) + 1, Place(game=len(self.games) + 1))
        self.game = GameReading.begin(parse_game_header(record), self.variant, is_match=self.is_match)

    def _end_game(self) -> None:
        if self.game is not None:
            self.games.append(self.game.finished())
        self.game = None

    def _take_in_game(self, game: GameReading, entry: Entry, record: bytes) -> None:
        if entry is Entry.CUBE:
            game.take_cube(parse_cube(record))
        elif entry is Entry.MOVE:
            game.take_move(parse_move(record))
        else:
            game.take_footer(parse_game_footer(record))
            self._end_game()


_IN_GAME = (Entry.CUBE, Entry.MOVE, Entry.GAME_FOOTER)


def _read_header(records: list[bytes]) -> MatchHeader:
    if not records or records[0][8] != Entry.MATCH_HEADER:
        raise RecordError("The XG file is damaged: its first record is not the head of a match.")
    try:
        return parse_match_header(records[0])
    except ValueError as error:
        raise RecordError("The XG file is damaged.", [Fault(f"record 1 cannot be read: {error}")]) from error


def _variant(header: MatchHeader) -> Variant:
    variant = _VARIATIONS.get(header.variation)
    if variant is None:
        name = "longgammon" if header.variation == 3 else f"variation {header.variation}"
        known = ", ".join(VARIANTS)
        raise UnsupportedVariantError(f"The match is one of {name}; the games known here are {known}.")
    return variant


def is_xg(content: bytes) -> bool:
    """Whether content is an .xg file: it begins with ``RGMH``."""
    return content.startswith(MAGIC)


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "eXtreme Gammon match (.xg)",
    media_types=("application/x-extreme-gammon",),
    suffixes=(".xg",),
    recognises=is_xg,
    read=read_xg,
)
