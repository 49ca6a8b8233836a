"""Match score, Crawford, Jacoby, and what a win is worth."""

from dataclasses import dataclass
from enum import IntEnum

from adjudicator.rules.board import BAR, HOME, OFF, Checkers, Position, has_contact
from adjudicator.rules.cube import Cube
from adjudicator.rules.sides import Side


class Win(IntEnum):
    """The kind of a win; its number is how many times the cube it counts."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3

    @property
    def label(self) -> str:
        """``"single"``, ``"gammon"`` or ``"backgammon"``."""
        return self.name.lower()


class CrawfordState(IntEnum):
    """Where a game stands to the Crawford game. ``UNKNOWN``: the log starts in mid-match."""

    BEFORE = 0
    CRAWFORD = 1
    AFTER = 2
    UNKNOWN = 3


@dataclass(frozen=True, slots=True)
class Score:
    """Points won by each side so far."""

    white: int = 0
    black: int = 0

    def of(self, side: Side) -> int:
        """The points of that side."""
        return self.black if side is Side.BLACK else self.white

    def plus(self, side: Side, points: int) -> "Score":
        """The score after ``side`` won ``points``."""
        if side is Side.WHITE:
            return Score(self.white + points, self.black)
        return Score(self.white, self.black + points)


def winner_between(before: Score, after: Score) -> Side | None:
    """Who won the game between two scores: the side whose points alone have grown; ``None`` if none has.

    >>> winner_between(Score(2, 1), Score(2, 3)), winner_between(Score(2, 1), Score(3, 3))
    (<Side.BLACK: 1>, None)
    """
    white, black = after.white - before.white, after.black - before.black
    if black == 0 < white:
        return Side.WHITE
    return Side.BLACK if white == 0 < black else None


@dataclass(frozen=True, slots=True)
class GameTerms:
    """What a game is played for: match length (0 is a money session), score before it, Crawford, Jacoby."""

    match_length: int
    score: Score
    crawford: CrawfordState = CrawfordState.BEFORE
    jacoby: bool = False

    @property
    def is_money(self) -> bool:
        """Whether this is a game of a money session."""
        return self.match_length == 0

    def away(self, side: Side) -> int:
        """How many points that side still needs; at least 1. Only for a match."""
        return max(1, self.match_length - self.score.of(side))

    def counted_win(self, win: Win, cube: Cube) -> Win:
        """What a win counts as: single in a money game with Jacoby and the cube in the middle.

        Source: HE-6.5.
        """
        return Win.SINGLE if self.is_money and self.jacoby and cube.owner is None else win

    def points_for(self, win: Win, cube: Cube) -> int:
        """The points of a win: what it counts as times the cube, not capped.

        Source: HE-6.5.
        """
        return self.counted_win(win, cube) * cube.value


def win_against(loser: Checkers) -> Win:
    """The kind of win over a side that is left with these checkers (its own numbering).

    Gammon if it has borne off none; backgammon if, besides, it has one on the bar or in the winner's home
    board, which is its own 19 to 24.

    Source: HE-6.5.
    """
    if loser[OFF]:
        return Win.SINGLE
    in_winners_home = any(loser[BAR - point] for point in range(1, HOME + 1))
    return Win.BACKGAMMON if loser[BAR] or in_winners_home else Win.GAMMON


def most_lost(position: Position) -> Win:
    """The most that ``position.own`` can still lose, whatever is thrown and played.

    Single once it has borne a checker off; no backgammon once its checkers are past the opponent's and out
    of the opponent's home board, where nothing sends them back.

    Source: HE-6.5.
    """
    may_be_hit = not position.own[OFF] and has_contact(position)
    return Win.BACKGAMMON if may_be_hit else win_against(position.own)
