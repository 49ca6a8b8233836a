"""The ruleset of an adjudication: its name, version and options, as values and as JSON.

``OPTIONS`` is the one table of options: whatever reads, writes, lists or offers them goes through it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

E = TypeVar("E", bound=Enum)


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
class ChoiceOption(Generic[E]):
    """An option that has one of a few values. ``meaning`` is a sentence for people.

    ``added_later``: rulesets were used before it was there, and what they were then is its default.
    """

    name: str
    meaning: str
    default: E
    added_later: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """All values as they are written, in order."""
        return tuple(str(member.value) for member in type(self.default))

    def parse(self, written: object) -> E:
        """The value that was written so.

        Raises: ValueError that says what is wrong.
        """
        if written not in self.values:
            raise ValueError(f"{written!r} is not known here; known: {', '.join(self.values)}")
        return type(self.default)(written)

    def format(self, value: E) -> str:
        """The value as it is written."""
        return str(value.value)


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An option that is a number from ``least`` to ``most``; else as ``ChoiceOption``."""

    name: str
    meaning: str
    default: float
    least: float
    most: float
    added_later: bool = False

    def parse(self, written: object) -> float:
        """The number.

        Raises: ValueError that says what is wrong.
        """
        number = written if isinstance(written, int | float) and not isinstance(written, bool) else math.nan
        if self.least <= number <= self.most:
            return float(number) + 0.0  # one zero: -0.0 would be other bytes and another id
        raise ValueError(f"{written!r} is not a number from {self.least:g} to {self.most:g}")

    def format(self, value: float) -> float:
        """The number as it is written."""
        return value


Option: TypeAlias = ChoiceOption[Any] | NumberOption

FINISH = ChoiceOption("finish", "By which dice a last checker is borne off (HE-1.2).", Finish.EXACT)
NUMBERING = ChoiceOption("numbering", "What the roll number counts (HE-4.1).", Numbering.ROLL)
INDIFFERENCE = NumberOption(
    "indifference", "Equities this close are equal for the engine (HE-7.3).", 0.001, least=0.0, most=1.0
)
"""One whole point more or less is a different play by any standard."""

OPTIONS: tuple[Option, ...] = (FINISH, NUMBERING, INDIFFERENCE)
"""All options, each a field of ``Ruleset`` with its name."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything a result depends on besides the record and the engine.

    ``indifference``: plays within this much normalised equity of the best are equal for the engine (HE-7.3).
    """

    name: str = "happy-end"
    version: int = 1
    finish: Finish = FINISH.default
    numbering: Numbering = NUMBERING.default
    indifference: float = INDIFFERENCE.default


DEFAULT_RULESET = Ruleset()

RULESETS: Mapping[tuple[str, int], Ruleset] = {
    (ruleset.name, ruleset.version): ruleset for ruleset in (DEFAULT_RULESET,)
}
"""The rulesets this program can follow, by name and version; of one name the newest comes last."""

CURRENT_RULESETS: Mapping[str, Ruleset] = {ruleset.name: ruleset for ruleset in RULESETS.values()}
"""The version of each name that is followed where none is named."""


def format_ruleset(ruleset: Ruleset, options: Sequence[Option] = OPTIONS) -> dict[str, str | int | float]:
    """The ruleset with its options: part of results, of rows, and of what an adjudication's id follows from.

    An option that was added later is written only where it is not its default, so that what was made before
    there was such an option keeps its id and its bytes.

    >>> format_ruleset(Ruleset(numbering=Numbering.MOVE))
    {'name': 'happy-end', 'version': 1, 'finish': 'exact', 'numbering': 'move', 'indifference': 0.001}
    """
    formatted: dict[str, str | int | float] = {"name": ruleset.name, "version": ruleset.version}
    for option in options:
        value = getattr(ruleset, option.name)
        if not (option.added_later and value == option.default):
            formatted[option.name] = option.format(value)
    return formatted


def parse_ruleset(fields: Mapping[str, Any]) -> Ruleset:
    """The ruleset that ``format_ruleset`` wrote; its name and version need not be known here.

    Raises: KeyError, TypeError, ValueError that says what is wrong.
    """
    name, version = fields["name"], fields["version"]
    if not isinstance(name, str) or type(version) is not int:
        raise TypeError(f"ruleset: {name!r} version {version!r} is no name and number")
    written = {key: value for key, value in fields.items() if key not in {"name", "version"}}
    return Ruleset(name, version, **parse_options(written))


def parse_options(written: Mapping[str, Any], options: Sequence[Option] = OPTIONS) -> dict[str, Any]:
    """The values of options by name; one that was added later may be missing and is then its default.

    >>> parse_options({"finish": "exact", "numbering": "roll", "indifference": 0})["indifference"]
    0.0

    Raises: KeyError for a missing option, ValueError for a wrong value and for an option not known here.
    """
    unknown = written.keys() - {option.name for option in options}
    if unknown:
        raise ValueError(f"ruleset: there is no option {', '.join(sorted(unknown))}")
    values = {}
    for option in options:
        if option.added_later and option.name not in written:
            values[option.name] = option.default
            continue
        try:
            values[option.name] = option.parse(written[option.name])
        except ValueError as error:
            raise ValueError(f"ruleset.{option.name}: {error}") from error
    return values
