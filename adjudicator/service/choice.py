"""What a caller may choose about an adjudication, and the ruleset that follows from it."""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from adjudicator.errors import Fault, Place, RequestError
from adjudicator.happy_end.adjudication import full_identity
from adjudicator.happy_end.ports import Engine, EngineIdentity
from adjudicator.happy_end.ruleset import RULESETS, Finish, Numbering, Ruleset
from adjudicator.happy_end.values import IDENTITY as TIE_BREAK

E = TypeVar("E", bound=Enum)

MOST_INDIFFERENCE = 1.0
"""Normalised equity; one whole point more or less is a different play by any standard."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A caller's wishes, as they were written; ``None`` leaves it to the ruleset or to the configuration.

    ``finish`` and ``numbering`` are values of ``Finish`` and ``Numbering``; ``indifference`` is in
    normalised equity; ``engine`` is a name from ``AdjudicationService.engines``.
    """

    ruleset: str = "happy-end"
    finish: str | None = None
    numbering: str | None = None
    indifference: float | None = None
    engine: str | None = None


def choose(
    choice: Choice, engines: Mapping[str, Engine], default_engine: str, variant: str
) -> tuple[Ruleset, EngineIdentity]:
    """The ruleset that a choice comes to for a record of that variant, and all that judges besides it.

    Raises: RequestError with everything wrong with the choice, EngineUnavailableError.
    """
    ruleset, faults = choose_ruleset(choice)
    name = choice.engine or default_engine
    engine = engines.get(name)
    if engine is None:
        faults.append(unknown_value("engine", name, engines))
    elif variant not in engine.variants:
        reason = f"{name} judges {', '.join(engine.variants)}; this is a record of {variant}"
        faults.append(Fault(reason, Place(parameter="engine")))
    if faults or engine is None:
        raise RequestError("This cannot be asked for", faults)
    return ruleset, judged_by(engine)


def judged_by(engine: Engine) -> EngineIdentity:
    """The build of an engine with all that judges besides it: what an adjudication is known by.

    Raises: EngineUnavailableError.
    """
    return full_identity(engine.identity, TIE_BREAK)


def choose_ruleset(choice: Choice, rulesets: Mapping[str, Ruleset] = RULESETS) -> tuple[Ruleset, list[Fault]]:
    """The ruleset a choice comes to, and everything wrong with the choice (then the ruleset is no use).

    >>> ruleset, faults = choose_ruleset(Choice(finish="exact_or_double"))
    >>> (ruleset.finish.value, ruleset.numbering.value, faults)
    ('exact_or_double', 'roll', [])
    """
    base = rulesets.get(choice.ruleset)
    if base is None:
        return Ruleset(), [unknown_value("ruleset", choice.ruleset, rulesets)]
    faults = list(_option_faults(choice))
    if faults:
        return base, faults
    return dataclasses.replace(
        base,
        finish=base.finish if choice.finish is None else Finish(choice.finish),
        numbering=base.numbering if choice.numbering is None else Numbering(choice.numbering),
        indifference=base.indifference if choice.indifference is None else float(choice.indifference),
    ), []


def unknown_value(parameter: str, value: str, known: Mapping[str, object] | list[str]) -> Fault:
    """The fault of a value outside a list, with the list."""
    return Fault(f"{value!r} is not known here; known: {', '.join(known)}", Place(parameter=parameter))


def _option_faults(choice: Choice) -> Iterator[Fault]:
    for parameter, text, kind in (
        ("finish", choice.finish, Finish),
        ("numbering", choice.numbering, Numbering),
    ):
        known = [str(member.value) for member in kind]
        if text is not None and text not in known:
            yield unknown_value(parameter, text, known)
    value = choice.indifference
    if value is not None and not (math.isfinite(value) and 0 <= value <= MOST_INDIFFERENCE):
        yield Fault(
            f"{value!r} is not a number from 0 to {MOST_INDIFFERENCE:g}", Place(parameter="indifference")
        )
