"""The doubling cube."""

from dataclasses import dataclass, field, replace
from enum import Enum

from adjudicator.rules.sides import Side

MAX_CUBE = 2**30
"""No cube grows beyond it, however often a record doubles."""


class CubeAction(Enum):
    """What a side does with the cube; a redouble is a double of a cube that is not in the middle."""

    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube's value and who owns it; ``owner`` is ``None`` while it is in the middle."""

    value: int = 1
    owner: Side | None = None

    def may_double(self, side: Side) -> bool:
        """Whether that side has access to the cube."""
        return self.owner is None or self.owner is side

    def taken_by(self, side: Side, value: int) -> "Cube":
        """The cube after ``side`` took it at ``value``."""
        return replace(self, value=value, owner=side)


@dataclass
class CubeInPlay:
    """The cube under way, as written: how it lies, and what is offered by whom (``None``: nothing).

    Nobody's right to an action is looked at.
    """

    cube: Cube = field(default_factory=Cube)
    offered_by: Side | None = None
    offered_value: int = 0

    def double(self, side: Side, value: int | None = None) -> None:
        """``side`` offers the cube at ``value``, by default twice what it shows."""
        self.offered_by = side
        self.offered_value = min(value or self.cube.value * 2, MAX_CUBE)

    def answer(self, action: CubeAction, side: Side, value: int | None = None) -> None:
        """``side`` takes, drops or beavers (to ``value``, by default twice the offer)."""
        if action is CubeAction.BEAVER:
            self._accept(side, value or self.offered_value * 2)
        elif action is CubeAction.TAKE:
            self._accept(side, self.offered_value)
        self.offered_by = None

    def play_on(self) -> None:
        """The game goes on: a double that nobody answered counts as taken."""
        if self.offered_by is not None:
            self._accept(self.offered_by.opponent, self.offered_value)

    def _accept(self, side: Side, value: int) -> None:
        self.cube = self.cube.taken_by(side, min(value, MAX_CUBE))
        self.offered_by = None
