"""The engines that are known: what each is, what can be set, whether it can run here, how it is opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from adjudicator.engines import gnubg_nn
from adjudicator.engines.host import DEFAULT_LIMITS, EngineHost, HostLimits, child_command
from adjudicator.errors import Fault, Place, RequestError
from adjudicator.happy_end.ports import EngineIdentity

Value: TypeAlias = int | float | str


@dataclass(frozen=True, slots=True)
class EngineSetting:
    """One thing that can be set about an engine; ``choices`` are all values it can have."""

    name: str
    meaning: str
    default: Value
    choices: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """An engine that can be opened by name.

    ``identify`` tells which build would answer with these settings, without starting it (raises
    EngineUnavailableError). ``factory``, ``"module:callable"``, makes the engine, with the settings as
    keywords; it is called in the engine process only. ``variants`` are the games it has been trained on.
    """

    name: str
    title: str
    licence: str
    factory: str
    identify: Callable[..., EngineIdentity]
    settings: tuple[EngineSetting, ...] = ()
    variants: tuple[str, ...] = ("backgammon",)

    def complete(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        """These settings, with defaults for what is missing.

        Raises: RequestError with a fault for every unknown name and every value that is no choice.
        """
        known = {setting.name: setting for setting in self.settings}
        faults = []
        for name, value in settings.items():
            if name not in known:
                reason = f"{self.name} has no such setting; known: {', '.join(known) or 'none'}"
                faults.append(Fault(reason, Place(parameter=name)))
            elif not any(type(value) is type(choice) and value == choice for choice in known[name].choices):
                reason = f"{value!r} is none of {', '.join(map(repr, known[name].choices))}"
                faults.append(Fault(reason, Place(parameter=name)))
        if faults:
            raise RequestError(f"The engine {self.name} cannot be set so", faults)
        return {name: settings.get(name, setting.default) for name, setting in known.items()}

    def open(
        self, settings: Mapping[str, Value] | None = None, limits: HostLimits = DEFAULT_LIMITS
    ) -> EngineHost:
        """The engine with these settings, in a process of its own that starts at the first question.

        Raises: RequestError for wrong settings.
        """
        complete = self.complete(settings or {})
        command = child_command(self.factory, complete)
        return EngineHost(lambda: self.identify(**complete), command, limits, self.variants)


GNUBG_NN = EngineDescription(
    name=gnubg_nn.NAME,
    title="GNU Backgammon's neural networks",
    licence="GPL-3.0-or-later",
    factory="adjudicator.engines.gnubg_nn:GnubgNnEngine",
    identify=gnubg_nn.identity,
    settings=(EngineSetting("plies", "how many rolls it looks ahead", 0, gnubg_nn.PLIES),),
    variants=gnubg_nn.VARIANT_NAMES,
)


def engine_descriptions() -> dict[str, EngineDescription]:
    """All engines by name.

    Engines of other packages will join here, as entry points that name an ``EngineDescription``.
    """
    return {description.name: description for description in (GNUBG_NN,)}
