"""What a caller may choose about an adjudication, and the ruleset that follows from it."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.errors import Fault, Place, RequestError
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.happy_end.ruleset import CURRENT_RULESETS, DEFAULT_RULESET, OPTIONS, Ruleset
from adjudicator.service.offer import Offer


@dataclass(frozen=True, slots=True)
class Choice:
    """A caller's wishes, as they were written; what is left out is up to the ruleset or the configuration.

    ``engine`` is a name from ``AdjudicationService.engines``; ``cross_check`` names engines to be asked
    besides, parted by commas; ``options`` are those of the ruleset by name.
    """

    ruleset: str = DEFAULT_RULESET.name
    engine: str | None = None
    cross_check: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, wishes: Mapping[str, Any]) -> "Choice":
        """The choice of flat wishes, options beside the rest; ``None`` is no wish.

        >>> Choice.of({"ruleset": None, "engine": "gnubg-nn", "finish": "exact"})
        Choice(ruleset='happy-end', engine='gnubg-nn', cross_check=None, options={'finish': 'exact'})
        """
        options = {name: value for name, value in wishes.items() if value is not None}
        ruleset = options.pop("ruleset", DEFAULT_RULESET.name)
        return cls(ruleset, options.pop("engine", None), options.pop("cross_check", None), options)

    @property
    def cross_engines(self) -> list[str]:
        """The names of the engines to be asked besides, each once, in alphabetical order.

        >>> Choice(cross_check="sage, gnubg,sage").cross_engines
        ['gnubg', 'sage']
        """
        return sorted({name.strip() for name in (self.cross_check or "").split(",")} - {""})


def choose(choice: Choice, offer: Offer, variant: str) -> tuple[Ruleset, EngineIdentity]:
    """The ruleset that a choice comes to for a record of that variant, and all that judges besides it.

    Raises: RequestError with everything wrong with the choice, EngineUnavailableError, EngineFailureError.
    """
    ruleset, faults = choose_ruleset(choice)
    name = choice.engine or offer.default_engine
    faults += _engine_faults("engine", name, offer, variant)
    for cross_name in choice.cross_engines:
        if cross_name == name:
            faults.append(Fault(f"{name} decides already", Place(parameter="cross_check")))
        faults += _engine_faults("cross_check", cross_name, offer, variant)
    if faults:
        raise RequestError("This cannot be asked for", faults)
    engines = [offer.engine(chosen, ruleset.finish) for chosen in (name, *choice.cross_engines)]
    return ruleset, offer.judged_by([engine for engine in engines if engine is not None])


def pin_engine(choice: Choice, offer: Offer) -> Choice:
    """The choice for many records, none of which is known yet, with its engine named.

    What is wrong with it for any record is found at once; which games its engines judge is seen later.

    Raises: RequestError with everything wrong with the choice, EngineUnavailableError, EngineFailureError.
    """
    name = choice.engine or offer.default_engine
    offered = offer.engines.get(name)
    choose(choice, offer, "" if offered is None else offered.engine.variants[0])
    return dataclasses.replace(choice, engine=name)


def _engine_faults(parameter: str, name: str, offer: Offer, variant: str) -> list[Fault]:
    """What keeps the engine of that name from judging records of that variant."""
    offered = offer.engines.get(name)
    if offered is None:
        return [unknown_value(parameter, name, offer.engines)]
    variants = offered.engine.variants
    if variant in variants:
        return []
    reason = f"{name} judges {', '.join(variants)}; this is a record of {variant}"
    return [Fault(reason, Place(parameter=parameter))]


def choose_ruleset(choice: Choice) -> tuple[Ruleset, list[Fault]]:
    """The ruleset a choice comes to, and everything wrong with the choice (then the ruleset is no use).

    >>> ruleset, faults = choose_ruleset(Choice(options={"finish": "exact_or_double"}))
    >>> (ruleset.finish.value, ruleset.numbering.value, faults)
    ('exact_or_double', 'roll', [])
    """
    base = CURRENT_RULESETS.get(choice.ruleset)
    if base is None:
        return DEFAULT_RULESET, [unknown_value("ruleset", choice.ruleset, CURRENT_RULESETS)]
    known = {option.name: option for option in OPTIONS}
    values: dict[str, Any] = {}
    faults = []
    for name, written in choice.options.items():
        if name not in known:
            reason = f"{base.name} has no such option; known: {', '.join(known)}"
            faults.append(Fault(reason, Place(parameter=name)))
            continue
        try:
            values[name] = known[name].parse(written)
        except ValueError as error:
            faults.append(Fault(str(error), Place(parameter=name)))
    return dataclasses.replace(base, **values), faults


def unknown_value(parameter: str, value: str, known: Iterable[str]) -> Fault:
    """The fault of a value outside a list, with the list."""
    return Fault(f"{value!r} is not known here; known: {', '.join(known)}", Place(parameter=parameter))
