"""The reader of bgammon.org match logs (.match).

Source: ``docs/formats/bgammon-match.md``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.errors import Fault, Place, RecordError, UnsupportedVariantError
from adjudicator.logs.assembly import assemble_log, require_game_count
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.text_content import decode_text, peek_text
from adjudicator.rules.board import BAR, OFF
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

FORMAT_NAME = "bgammon_match"

_BEGINNING = re.compile(r"bgammon-replay [0-9]|i [0-9]+ \S+ \S+(?: [0-9]+){6}[ \t]*$", re.MULTILINE)
_INDEX = re.compile(r"bgammon-replay [0-9]{1,12}")
_HEAD = re.compile(
    r"i (?P<time>[0-9]{1,12}) (?P<white>\S+) (?P<black>\S+) (?P<length>[0-9]{1,5})"
    r" (?P<white_score>[0-9]{1,5}) (?P<black_score>[0-9]{1,5})"
    r" (?P<winner>[0-2]) (?P<points>[0-9]{1,5}) (?P<variant>[0-9]{1,2})"
)
_ROLL = re.compile(r"(?P<player>[12]) r (?P<first>[1-6])-(?P<second>[1-6])(?P<play>(?: \S+)*)")
_DOUBLE = re.compile(r"(?P<player>[12]) d (?P<value>[0-9]{1,6}) (?P<taken>[01])")
_RESIGN = re.compile(r"(?P<player>[12]) t")
_STEP = re.compile(r"(?P<source>bar|[0-9]{1,2})/(?P<target>off|[0-9]{1,2})")
_SIDES = {"1": Side.WHITE, "2": Side.BLACK}
_OTHER_VARIANTS = {"1": "acey-deucey", "2": "tabula"}
_MOST_STEPS = 4


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
                _take_event(draft, text, place)
            except ValueError as error:
                draft.break_off(str(error), place)

    def _begin(self, place: Place, text: str) -> None:
        match = _HEAD.fullmatch(text)
        if match is None:
            draft = self._add_game(place, None)
            draft.break_off(f"the first line of the game cannot be read: {text[:60]!r}", place)
            return
        if match["variant"] != "0":
            name = _OTHER_VARIANTS.get(match["variant"], f"variant {match['variant']}")
            fault = Fault("a game whose rules are not known here", place)
            raise UnsupportedVariantError(f"The log is one of {name!r}, not of backgammon.", [fault])
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
        winner=_SIDES.get(match["winner"]),
        points=int(match["points"]),
        place=place,
    )


def _match_length(heads: Sequence[_Head]) -> int:
    for head in heads:
        if head.length != heads[0].length:
            fault = Fault("a game of another match length", head.place)
            raise RecordError("The file holds more than one match; send each by itself.", [fault])
    return heads[0].length


def _check_index(reading: _Reading) -> Iterator[Remark]:
    """A remark where the table at the beginning lists more or fewer games than there are."""
    if reading.indexed and reading.indexed != len(reading.games):
        detail = f"the table lists {reading.indexed} games, the file holds {len(reading.games)}"
        yield Remark(RemarkCode.GAME_MISSING, detail, place=Place(line=1))


def _take_event(draft: GameDraft, text: str, place: Place) -> None:
    """Add the turn, double or resignation of a line. Raises: ValueError where it is none."""
    if roll := _ROLL.fullmatch(text):
        draft.add(_parse_roll(roll, place))
    elif double := _DOUBLE.fullmatch(text):
        side = _SIDES[double["player"]]
        answer = CubeAction.TAKE if double["taken"] == "1" else CubeAction.DROP
        draft.add(CubeRecord(side, CubeAction.DOUBLE, int(double["value"]) or None, place=place))
        draft.add(CubeRecord(side.opponent, answer, place=place))
    elif resign := _RESIGN.fullmatch(text):
        draft.add(ResignRecord(_SIDES[resign["player"]], place=place))
    else:
        raise ValueError(f"{text[:60]!r} is no roll, double or resignation")


def _parse_roll(match: re.Match[str], place: Place) -> RollRecord:
    side, dice = _SIDES[match["player"]], Dice.of(int(match["first"]), int(match["second"]))
    try:
        movements = tuple(_parse_steps(match["play"].split(), side))
    except ValueError as error:
        return RollRecord(side, dice, Writing.UNREAD, unread=str(error), place=place)
    return RollRecord(side, dice, Writing.PLAY if movements else Writing.NOTHING, movements, place=place)


def _parse_steps(steps: Sequence[str], side: Side) -> Iterator[Movement]:
    """The written steps, which count points as player 1 does, in the side's own numbering.

    >>> list(_parse_steps(["bar/3", "22/off"], Side.BLACK))
    [Movement(source=25, target=22, hit=False), Movement(source=3, target=0, hit=False)]
    """
    if len(steps) > _MOST_STEPS:
        raise ValueError(f"{len(steps)} steps; a roll has at most {_MOST_STEPS}")
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            raise ValueError(f"{step[:20]!r} is no step, such as 13/8, bar/20 or 6/off")
        source = BAR if match["source"] == "bar" else _point(match["source"], side)
        target = OFF if match["target"] == "off" else _point(match["target"], side)
        if target >= source:
            raise ValueError(f"{step!r} does not lead the way of player {side + 1}")
        yield Movement(source, target)


def _point(text: str, side: Side) -> int:
    point = int(text)
    if not 1 <= point < BAR:
        raise ValueError(f"there is no point {point}")
    return BAR - point if side is Side.BLACK else point


def _finished(draft: GameDraft, head: _Head | None, first: _Head) -> GameRecord:
    """The record of a game, with the result that its head gives.

    A game that was played out is written by its kind, 1 to 3; one that was given up by its cube.
    """
    if head is None:
        return draft.finished()
    if (head.white, head.black) != (first.white, first.black):
        draft = GameDraft(draft.number, draft.place, None)
        draft.break_off("the players are not those of the first game, or have changed places", head.place)
        return draft.finished()
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
