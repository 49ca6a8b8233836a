"""The result of a game, recorded or adjudicated."""

from dataclasses import dataclass

from adjudicator.rules.score import Win
from adjudicator.rules.sides import Side


@dataclass(frozen=True, slots=True)
class GameResult:
    """Who won, how many points it counts, and as what kind of win; ``None`` where nothing tells the kind."""

    winner: Side
    points: int
    win: Win | None = None
