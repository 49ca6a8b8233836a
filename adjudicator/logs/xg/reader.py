"""The reader of eXtreme Gammon files (.xg).

Source: ``docs/formats/xg.md``.
"""

from dataclasses import dataclass, field

from adjudicator.errors import NOWHERE, Place, RecordError
from adjudicator.logs.assembly import assemble_log, require_game_count
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.refusals import damaged, several_matches, unknown_game
from adjudicator.logs.xg.container import MAGIC, XG_FILE, unpack_records
from adjudicator.logs.xg.games import GameReading
from adjudicator.logs.xg.records import (
    Entry,
    XgMatchHead,
    entry_of,
    parse_cube,
    parse_game_end,
    parse_game_head,
    parse_match_head,
    parse_roll,
)
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant

FORMAT_NAME = "xg"

_VARIATIONS = {0: BACKGAMMON, 1: NACKGAMMON, 2: HYPERGAMMON}
_LONGGAMMON = 3
_GUESSED = Remark(
    RemarkCode.ENCODING_GUESSED, "a text is not Unicode; it is taken as Windows-1252, so letters may be wrong"
)


def read_xg(content: bytes) -> MatchLog:
    """The match log in the bytes of an .xg file; analysis and comments are not read.

    A record of a game that says something impossible, its head too, breaks that game: what stands before it
    is kept, the result is still taken, and the other games are read. Outside a game there is nothing that it
    could break but the file.

    Raises: RecordError for a file that is damaged, cut short, without a match or of several;
    UnsupportedVariantError for another game; TooLargeError beyond the limits.
    """
    records = unpack_records(content)
    head = _parse_head(records)
    variant = _variant(head)
    reading = _MatchReading(variant, is_match=head.match_length > 0)
    for number, record in enumerate(records[1:], start=2):
        reading.take(number, record)
    return assemble_log(
        MatchLog(
            format=FORMAT_NAME,
            match_length=head.match_length,
            white=head.white,
            black=head.black,
            games=tuple(reading.finished()),
            variant=variant,
            crawford=head.crawford,
            jacoby=head.jacoby,
            metadata=head.metadata,
            remarks=(_GUESSED,) if head.is_guessed else (),
        )
    )


@dataclass
class _MatchReading:
    """The games read so far, and the one under way."""

    variant: Variant
    is_match: bool
    games: list[GameRecord] = field(default_factory=list)
    game: GameReading | None = None

    def take(self, number: int, record: bytes) -> None:
        """Read a record that follows the head of the match; ``number`` is its place in the file, from 1."""
        try:
            self._take(entry_of(record), record)
        except ValueError as error:
            if self.game is None:
                raise _unreadable(number, error) from error
            self.game.draft.break_off(f"record {number} cannot be read: {error}")

    def finished(self) -> list[GameRecord]:
        """All games, the last one whether it ended or not."""
        self._end_game()
        return self.games

    def _take(self, entry: Entry, record: bytes) -> None:
        if entry is Entry.MATCH_HEAD:
            raise several_matches(Place(game=len(self.games) + (self.game is not None) + 1))
        if entry is Entry.GAME_HEAD:
            self._begin_game(record)
        elif entry in _IN_GAME:
            if self.game is None:
                raise ValueError("it belongs to a game, and none has begun")
            self._take_in_game(self.game, entry, record)

    def _begin_game(self, record: bytes) -> None:
        self._end_game()
        number = len(self.games) + 1
        require_game_count(number)
        self.game = GameReading(GameDraft(number), self.variant, self.variant.start)
        self.game.take_head(parse_game_head(record), is_match=self.is_match)

    def _end_game(self) -> None:
        if self.game is not None:
            self.games.append(self.game.finished())
        self.game = None

    def _take_in_game(self, game: GameReading, entry: Entry, record: bytes) -> None:
        if entry is Entry.CUBE:
            game.take_cube(parse_cube(record))
        elif entry is Entry.ROLL:
            game.take_roll(parse_roll(record))
        else:
            game.take_end(parse_game_end(record))
            self._end_game()


_IN_GAME = (Entry.CUBE, Entry.ROLL, Entry.GAME_END)


def _parse_head(records: list[bytes]) -> XgMatchHead:
    if not records or records[0][8] != Entry.MATCH_HEAD:
        raise damaged(XG_FILE, "its first record is not the head of a match")
    try:
        return parse_match_head(records[0])
    except ValueError as error:
        raise _unreadable(1, error) from error


def _unreadable(number: int, error: ValueError) -> RecordError:
    return damaged(XG_FILE, f"record {number} cannot be read: {error}")


def _variant(head: XgMatchHead) -> Variant:
    variant = _VARIATIONS.get(head.variation)
    if variant is None:
        name = "longgammon" if head.variation == _LONGGAMMON else f"variation {head.variation}"
        raise unknown_game(name, NOWHERE)
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
