"""The reader of bgammon.org match logs (.match).

Source: ``docs/formats/bgammon-match.md``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.errors import Place, RecordError
from adjudicator.logs.assembly import are_others, assemble_log, foreign_game, require_game_count
from adjudicator.logs.bgammon.turns import SIDES, take_event
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.refusals import several_matches, unknown_game
from adjudicator.logs.text_content import decode_text, peek_text
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.record import CubeRecord, GameRecord, RecordedResult, ResignRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

FORMAT_NAME = "bgammon_match"

_BEGINNING = re.compile(r"bgammon-replay [0-9]|i [0-9]+ \S+ \S+(?: [0-9]+){6}[ \t]*$", re.MULTILINE)
_INDEX = re.compile(r"bgammon-replay [0-9]{1,12}")
_HEAD = re.compile(
    r"i (?P<time>[0-9]{1,12}) (?P<white>\S+) (?P<black>\S+) (?P<length>[0-9]{1,6})"
    r" (?P<white_score>[0-9]{1,5}) (?P<black_score>[0-9]{1,5})"
    r" (?P<winner>[0-2]) (?P<points>[0-9]{1,5}) (?P<variant>[0-9]{1,2})"
)
_OTHER_VARIANTS = {"1": "acey-deucey", "2": "tabula"}


class _Head(NamedTuple):
    """The first line of a game; ``points`` is what the server wrote, ``winner`` ``None`` without one."""

    time: str
    white: str
    black: str
    length: int
    score: Score
    winner: Side | None
    points: int
    place: Place


@dataclass
class _Reading:
    """The games so far, each with its head; ``None`` where its first line is missing or cannot be read."""

    indexed: int = 0
    games: list[tuple[GameDraft, _Head | None]] = field(default_factory=list)

    def take(self, place: Place, text: str) -> None:
        """Add what a line says."""
        if _INDEX.fullmatch(text):
            self.indexed += 1
        elif text.startswith("i "):
            self._begin(place, text)
        elif not self.games:
            self._add_game(place, None).break_off("a turn before the first line of a game", place)
        else:
            draft = self.games[-1][0]
            try:
                take_event(draft, text, place)
            except ValueError as error:
                draft.break_off(str(error), place)

    def _begin(self, place: Place, text: str) -> None:
        match = _HEAD.fullmatch(text)
        if match is None:
            draft = self._add_game(place, None)
            draft.break_off(f"the first line of the game cannot be read: {text[:60]!r}", place)
            return
        if match["variant"] != "0":
            variant = match["variant"]
            raise unknown_game(_OTHER_VARIANTS.get(variant, f"variant {variant}"), place)
        self._add_game(place, _parse_head(match, place))

    def _add_game(self, place: Place, head: _Head | None) -> GameDraft:
        require_game_count(len(self.games) + 1, place)
        draft = GameDraft(len(self.games) + 1, place, None if head is None else head.score)
        self.games.append((draft, head))
        return draft

    @property
    def heads(self) -> list[_Head]:
        """The heads that can be read."""
        return [head for _, head in self.games if head is not None]


def read_bgammon(content: bytes) -> MatchLog:
    """The match log in the bytes of a .match file.

    A game that cannot be read to its end is ``broken``, with line and reason; the others are read all the
    same.

    Raises: UnknownFormatError for content that is no text; UnsupportedVariantError for another game;
    TooLargeError beyond the limits; RecordError for a file without games, or of several matches.
    """
    text = decode_text(content)
    reading = _Reading()
    for number, line in enumerate(text.lines(), start=1):
        if line.strip():
            reading.take(Place(line=number), line.rstrip())
    heads = reading.heads
    if not heads:
        raise RecordError("The file holds no game: no line such as 'i 1702738670 ann bo 5 0 0 1 2 0'.")
    first = heads[0]
    return assemble_log(
        MatchLog(
            format=FORMAT_NAME,
            match_length=_match_length(heads),
            white=first.white,
            black=first.black,
            games=tuple(_finished(draft, head, first) for draft, head in reading.games),
            crawford=False,
            metadata={"started": first.time},
            remarks=(*text.remarks, *_check_index(reading)),
        )
    )


def _parse_head(match: re.Match[str], place: Place) -> _Head:
    return _Head(
        time=match["time"],
        white=match["white"],
        black=match["black"],
        length=int(match["length"]),
        score=Score(int(match["white_score"]), int(match["black_score"])),
        winner=SIDES.get(match["winner"]),
        points=int(match["points"]),
        place=place,
    )


def _match_length(heads: Sequence[_Head]) -> int:
    for head in heads:
        if head.length != heads[0].length:
            raise several_matches(head.place)
    return heads[0].length


def _check_index(reading: _Reading) -> Iterator[Remark]:
    """A remark where the table at the beginning lists more or fewer games than there are."""
    if reading.indexed and reading.indexed != len(reading.games):
        detail = f"the table lists {reading.indexed} games, the file holds {len(reading.games)}"
        yield Remark(RemarkCode.GAME_MISSING, detail, place=Place(line=1))


def _finished(draft: GameDraft, head: _Head | None, first: _Head) -> GameRecord:
    """The record of a game, with the result that its head gives.

    A game that was played out is written by its kind, 1 to 3; one that was given up by its cube.
    """
    if head is None:
        return draft.finished()
    if are_others((head.white, head.black), (first.white, first.black)):
        return foreign_game(draft.number, head.place)
    if head.winner is None:
        return draft.finished()
    last, points = draft.last, head.points
    if isinstance(last, ResignRecord):
        draft.correct_last(last._replace(win=draft.win_worth(points)))
    elif not (isinstance(last, CubeRecord) and last.action is CubeAction.DROP):
        points *= draft.cube.cube.value
    draft.result = RecordedResult(head.winner, points, head.place)
    return draft.finished()


def is_bgammon(content: bytes) -> bool:
    """Whether content is a bgammon.org match: it begins with the table of games, or with a game."""
    return _BEGINNING.match(peek_text(content)) is not None


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "bgammon.org match log (.match)",
    media_types=("text/plain",),
    suffixes=(".match",),
    recognises=is_bgammon,
    read=read_bgammon,
)
