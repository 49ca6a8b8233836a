"""Who sits where in a FIBS session, how long the match is, and whether it is one match.

Source: ``docs/formats/fibs.md``, section "Players".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adjudicator.errors import RecordError
from adjudicator.logs.fibs.lines import Line, LineKind
from adjudicator.logs.refusals import several_matches
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side

YOU = "You"
"""How a session calls its own player."""

_ACTING = (
    LineKind.START,
    LineKind.OPENING,
    LineKind.FIRST,
    LineKind.ROLL,
    LineKind.PLAY,
    LineKind.CANNOT_MOVE,
    LineKind.DOUBLE,
    LineKind.TAKE,
    LineKind.GIVES_UP,
    LineKind.OFFERS_TO_RESIGN,
    LineKind.ACCEPTS_RESIGNATION,
    LineKind.WINS,
)
"""Lines whose names are the two players'; news may name anybody."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Both players as the lines call them. ``own_name``: the real name of ``You``, ``""`` where unknown."""

    white: str
    black: str
    own_name: str = ""

    def __contains__(self, name: object) -> bool:
        return bool(name) and name in (self.white, self.black, self.own_name)

    def side(self, name: str) -> Side:
        """The side of that player.

        Raises: ValueError for anybody else.
        """
        if name not in self:
            raise ValueError(f"{name[:40]!r} is neither {self.white!r} nor {self.black!r}")
        return Side.BLACK if name == self.black else Side.WHITE

    def score(self, names: Sequence[str], points: Sequence[int]) -> Score | None:
        """The score of a line that names both players with their points; ``None`` if it names others."""
        if set(names) not in ({self.white, self.black}, {self.own_name, self.black}):
            return None
        by_side = dict(zip(map(self.side, names), points, strict=True))
        return Score(by_side[Side.WHITE], by_side[Side.BLACK])

    @property
    def names(self) -> tuple[str, str]:
        """The names of white and black, the real ones where the session tells them."""
        return self.own_name or self.white, self.black


def find_seats(lines: Sequence[Line]) -> Seats:
    """The players: white is X of the first list, without lists ``You``, else whoever is named first."""
    for line in lines:
        if line.kind is LineKind.LIST_HEAD:
            return Seats(line.names[0], line.names[1])
    acting = dict.fromkeys(name for line in lines if line.kind in _ACTING for name in line.names)
    own_view = YOU in acting or any(line.kind is LineKind.START for line in lines)
    names = [name for name in acting if name != YOU]
    if own_view:
        black = names[0] if names else ""
        return Seats(YOU, black, _partner(lines, black))
    white, black = [*names, "", ""][:2]
    return Seats(white, black or _partner(lines, white))


def _partner(lines: Sequence[Line], name: str) -> str:
    """The other player of a match, by the lines that name both: so a score line gives ``You`` a name."""
    for line in lines:
        if line.kind in (LineKind.PAIR, LineKind.SCORE, LineKind.BOARD) and name in line.names:
            others = [other for other in line.names if other not in (name, YOU)]
            if others:
                return others[0]
    return ""


def find_length(lines: Sequence[Line], seats: Seats) -> int:
    """The length of the one match in the log, 0 if it is unlimited.

    Raises: RecordError where nothing tells it, or where there are two matches.
    """
    for line in lines:
        if line.kind in (LineKind.START, LineKind.MATCH) and line.names[0] not in seats:
            raise several_matches(line.place)
    lengths = list(_lengths(lines, seats))
    if not lengths:
        detail = (
            "Nothing in the log tells the length of the match, such as 'score in 5 point match: ann-1 bob-0'."
        )
        raise RecordError(detail)
    for length, line in lengths:
        if length != lengths[0][0]:
            raise several_matches(line.place)
    return lengths[0][0]


_UNLIMITED_BOARD = 9999
"""The match length that a board line gives for an unlimited match."""


def _lengths(lines: Sequence[Line], seats: Seats) -> Iterator[tuple[int, Line]]:
    for line in lines:
        if not all(name in seats for name in line.names):
            continue
        if line.kind in (LineKind.MATCH, LineKind.PAIR):
            yield line.numbers[0] if line.numbers else 0, line
        elif line.kind is LineKind.LIST_SCORE:
            yield line.numbers[2] if len(line.numbers) > 2 else 0, line
        elif line.kind is LineKind.SCORE:
            yield line.numbers[0] if len(line.numbers) > 2 else 0, line
        elif line.kind is LineKind.MATCH_WON:
            yield line.numbers[0], line
        elif line.kind is LineKind.BOARD:
            yield 0 if line.numbers[0] == _UNLIMITED_BOARD else line.numbers[0], line
