"""The doubling cube."""

from dataclasses import dataclass, replace
from enum import Enum

from adjudicator.rules.sides import Side


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
