"""The match log: what every reader makes of what was sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark
from adjudicator.rules.score import GameTerms, Score
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import terms_of_games
from adjudicator.rules.variants import BACKGAMMON, Variant


@dataclass(frozen=True, slots=True)
class MatchLog:
    """One match (or money session, ``match_length`` 0) as written down, in log order.

    ``format`` names the reader (``"jellyfish_mat"``, ``"match_record"``). ``crawford``: whether the match is
    played with the Crawford rule; ``jacoby``: whether gammons count only with a turned cube (money only).
    ``metadata`` holds header values as text, by lower-case key. ``remarks`` concern the log as a whole.
    """

    format: str
    match_length: int
    white: str
    black: str
    games: tuple[GameRecord, ...]
    variant: Variant = BACKGAMMON
    crawford: bool = True
    jacoby: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    def player(self, side: Side) -> str:
        """The name of the player of that side, may be empty."""
        return self.black if side is Side.BLACK else self.white

    def terms(self) -> list[GameTerms]:
        """What every game is played for, in order."""
        return terms_of_games(
            self.games, match_length=self.match_length, crawford=self.crawford, jacoby=self.jacoby
        )

    @property
    def first_score(self) -> Score:
        """The score the log starts with (HE-8.1)."""
        return (self.games[0].score if self.games else None) or Score()
