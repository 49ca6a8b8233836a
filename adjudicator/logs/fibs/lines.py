"""What each line of a FIBS session says; most of them, chat and news, say nothing of the game.

Source: ``docs/formats/fibs.md``, sections "Lines" and "Lists of moves".
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from adjudicator.errors import Place


class LineKind(Enum):
    """What a line says. The names of a line are those it holds, in order, as are its numbers."""

    MATCH = "match"
    """A match begins: opponent; length, none if it is unlimited."""
    PAIR = "pair"
    """A match of two other players begins: both; length, none if it is unlimited."""
    RESUMED = "resumed"
    """A game goes on that began earlier, or is watched from here on."""
    START = "start"
    """A game begins: opponent."""
    OPENING = "opening"
    """The opening dice: two players; their dice."""
    FIRST = "first"
    """Who plays first. The opening dice have said it."""
    ROLL = "roll"
    """A roll: player; dice."""
    PLAY = "play"
    """A play: player, play text."""
    OWN_PLAY = "own_play"
    """A play that the player of the session enters, or has to make: play text."""
    REFUSAL = "refusal"
    """The server did not take what was entered."""
    CANNOT_MOVE = "cannot_move"
    DOUBLE = "double"
    TAKE = "take"
    """A double is accepted: player; the value of the cube, if it is said."""
    GIVES_UP = "gives_up"
    """A double or the game is given up: player, winner; points."""
    OFFERS_TO_RESIGN = "offers_to_resign"
    """A resignation is offered: player, winner; points."""
    PLAY_ON = "play_on"
    """An offer to resign is refused: player."""
    ACCEPTS_RESIGNATION = "accepts_resignation"
    """A resignation is accepted: winner; points."""
    WINS = "wins"
    """A game is won: winner; points."""
    MATCH_WON = "match_won"
    """The match is won: winner; length, its score, the other score."""
    SCORE = "score"
    """The score after a game: two players; length unless it is unlimited, their scores."""
    BOARD = "board"
    """The board: two players; length, their scores. Where the checkers stand is not read."""
    LIST_SCORE = "list_score"
    """The score before a listed game: of X, of O; then the length, none if it is unlimited."""
    LIST_HEAD = "list_head"
    """Who is X and who is O."""
    LISTED = "listed"
    """An action of a listed game: X or O, what it says."""
    DAMAGED = "damaged"
    """A line that begins like one of a game, and cannot be read."""


class Line(NamedTuple):
    """A line that says something, with its number."""

    kind: LineKind
    line: int
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    text: str = ""

    @property
    def place(self) -> Place:
        """Where the line stands."""
        return Place(line=self.line)


_NAME = r"[A-Za-z_<>][A-Za-z0-9_<>]{0,63}"
_POINTS = r"(\d{1,6}) ?(?:points?)?"
_LENGTH = r"(?:an? (\d{1,6})[ -]points?|an? unlimited)"

# A group that holds digits is a number, the last one, if it is named, text, any other a name.
_PATTERNS = [
    (kind, re.compile(pattern.replace("NAME", f"({_NAME})").replace("POINTS", _POINTS), re.ASCII))
    for kind, pattern in (
        (LineKind.ROLL, r"NAME rolls? ([1-6]) and ([1-6])\.?"),
        (LineKind.PLAY, r"NAME moves(?P<text>(?: +\S+)+)"),
        (LineKind.OWN_PLAY, r"m(?:ove)?(?P<text>(?:[ -]+(?:bar|b|off|o|\d{1,2}))+)"),
        (LineKind.OWN_PLAY, r"The only possible move is(?P<text>(?: +\S+)+)"),
        (LineKind.REFUSAL, r"\*\* .*"),
        (LineKind.CANNOT_MOVE, r"NAME can't move\.?"),
        (LineKind.OPENING, r"NAME rolled ([1-6]), NAME rolled ([1-6])\.?"),
        (LineKind.FIRST, r"NAME makes the first move\.?"),
        (LineKind.DOUBLE, r"NAME doubles?\..*"),
        (LineKind.TAKE, r"NAME accepts? the double\.(?: +The cube shows (\d{1,6})\.?)?"),
        (LineKind.GIVES_UP, r"NAME gives? up\. +NAME wins? POINTS ?\."),
        (LineKind.OFFERS_TO_RESIGN, r"NAME wants? to resign\. +NAME will win POINTS ?\..*"),
        (LineKind.PLAY_ON, r"NAME rejects?\. The game continues\."),
        (LineKind.ACCEPTS_RESIGNATION, r"NAME accepts? and wins? POINTS ?\."),
        (LineKind.WINS, r"NAME wins? the game and gets? POINTS ?\..*"),
        (LineKind.MATCH_WON, r"NAME wins? the (\d{1,6}) point match (\d{1,5})-(\d{1,5}) ?\.?"),
        (LineKind.SCORE, r"score in (?:(\d{1,6}) point|unlimited) match: NAME-(\d{1,5}) NAME-(\d{1,5})"),
        (LineKind.START, r"Starting a new game with NAME\."),
        (LineKind.MATCH, rf"(?:\*\* )?You are now playing {_LENGTH} match with NAME\.?"),
        (LineKind.MATCH, rf"(?:\*\* )?Player NAME has joined you for {_LENGTH} match\.?"),
        (LineKind.PAIR, rf"NAME and NAME start {_LENGTH} match\.?"),
        (LineKind.RESUMED, r"(?:You are now playing with NAME|NAME has joined you)\. +Your running match.*"),
        (LineKind.RESUMED, r"You're now watching NAME\.?"),
        (LineKind.BOARD, r"board:NAME:NAME:(\d{1,6}):(\d{1,5}):(\d{1,5}):[-0-9:]*"),
        (LineKind.LIST_SCORE, rf"Score is (\d{{1,5}})-(\d{{1,5}}) in {_LENGTH} match\.?"),
        (LineKind.LIST_HEAD, r"NAME is X - NAME is O\.?"),
        (LineKind.LISTED, r"([XO]):(?P<text> .*)"),
    )
]  # fmt: skip
_NEWS = re.compile(r"\*\* (?:You are now|Player)")
_PROMPTS = re.compile(r"^(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? +)?(?:> *)*", re.ASCII)
_RUN_ON = re.compile(r"(board:[^\s]+|.{1,80}? The cube shows \d{1,6}\.)(?P<rest>\s*\S.*)", re.ASCII)
_GAME_LIKE = re.compile(
    rf"{_NAME} (?:rolls?|rolled|moves|can't move|doubles?\.|accepts? (?:the double|and win)|gives? up"
    rf"|wants? to resign|wins? the game)\b|[A-Z]: ?\(|.{{0,8}}\([1-6] [1-6]\)",
    re.ASCII,
)
_MAX_PARTS = 8
"""A line in which more are run together is no server's."""


def parse_lines(lines: Sequence[str]) -> Iterator[Line]:
    """What the lines say, in order; lines that say nothing of a game are passed over."""
    for number, text in enumerate(lines, start=1):
        for part in _split(_PROMPTS.sub("", text, count=1).strip()):
            found = _parse_line(part, number)
            if found is not None:
                yield found


def _split(text: str) -> Iterator[str]:
    """The messages in a line: the server sometimes leaves out the line end between two."""
    for _ in range(_MAX_PARTS):
        match = _RUN_ON.fullmatch(text)
        if match is None:
            break
        yield match[1]
        text = match["rest"].strip()
    yield text


def _parse_line(text: str, number: int) -> Line | None:
    if not text:
        return None
    for kind, pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None and not (kind is LineKind.REFUSAL and _NEWS.match(text)):
            return _line(kind, number, match)
    if _GAME_LIKE.match(text):
        return Line(LineKind.DAMAGED, number, text=text)
    return None


def _line(kind: LineKind, number: int, match: re.Match[str]) -> Line:
    groups = list(match.groups())
    text = groups.pop() if "text" in match.re.groupindex else ""
    given = [group for group in groups if group is not None]
    names = tuple(group for group in given if not group.isdecimal())
    numbers = tuple(int(group) for group in given if group.isdecimal())
    return Line(kind, number, names, numbers, text.strip())
