"""The ruleset of an adjudication: its name, version and options."""

from dataclasses import dataclass
from enum import Enum


class Finish(Enum):
    """By which dice a frozen last checker is borne off (HE-1.1, HE-1.2)."""

    EXACT = "exact"
    EXACT_OR_DOUBLE = "exact_or_double"

    @property
    def hazard(self) -> float:
        """The chance per roll that a frozen checker on a home point is borne off: 11/36 or 16/36."""
        return 11 / 36 if self is Finish.EXACT else 16 / 36


class Numbering(Enum):
    """What the roll number counts (HE-4.1)."""

    ROLL = "roll"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything a result depends on besides the record and the engine.

    ``indifference``: plays within this much normalised equity of the best are equal for the engine (HE-7.3).
    """

    name: str = "happy-end"
    version: int = 1
    finish: Finish = Finish.EXACT
    numbering: Numbering = Numbering.ROLL
    indifference: float = 0.001


RULESETS = {"happy-end": Ruleset()}
