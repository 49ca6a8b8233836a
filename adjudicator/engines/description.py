"""What an engine is before it runs: its name, what can be set, whether it can run here, how it is opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from adjudicator.engines.host import DEFAULT_LIMITS, EngineHost, HostLimits, child_command
from adjudicator.errors import EngineUnavailableError, Fault, Place, RequestError
from adjudicator.happy_end.ports import EngineIdentity

Value: TypeAlias = int | float | str


@dataclass(frozen=True, slots=True)
class EngineSetting:
    """One thing that can be set about an engine.

    ``choices`` are all values it can have; none at all for a text that the operator writes.
    """

    name: str
    meaning: str
    default: Value
    choices: tuple[Value, ...] = ()

    def complaint(self, value: Value) -> str | None:
        """What is wrong with that value, ``None`` for nothing.

        >>> EngineSetting("plies", "depth", 0, (0, 1)).complaint(2)
        '2 is none of 0, 1'
        """
        if not self.choices:
            return None if isinstance(value, str) else f"{value!r} is no text"
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return None
        return f"{value!r} is none of {', '.join(map(repr, self.choices))}"


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """An engine that can be opened by name.

    ``identify`` tells which build would answer with these settings, without starting it (raises
    EngineUnavailableError). ``factory``, ``"module:callable"``, makes the engine, with the settings as
    keywords; it is called in the engine process only. ``licence`` is an SPDX expression. ``variants`` are
    the games it has been trained on.
    """

    name: str
    title: str
    licence: str
    factory: str
    identify: Callable[..., EngineIdentity]
    settings: tuple[EngineSetting, ...] = ()
    variants: tuple[str, ...] = ("backgammon",)

    @property
    def plies(self) -> tuple[int, ...]:
        """How many rolls it can be set to look ahead; empty where that cannot be set."""
        choices = [setting.choices for setting in self.settings if setting.name == "plies"]
        return tuple(int(choice) for choice in choices[0]) if choices else ()

    def complete(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        """These settings, with defaults for what is missing.

        Raises: RequestError with a fault for every unknown name and every value that is no choice.
        """
        known = {setting.name: setting for setting in self.settings}
        faults = []
        for name, value in settings.items():
            complaint = (
                known[name].complaint(value)
                if name in known
                else f"{self.name} has no such setting; known: {', '.join(known) or 'none'}"
            )
            if complaint is not None:
                faults.append(Fault(complaint, Place(parameter=name)))
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

    def out_of_order(self, reason: str) -> "EngineDescription":
        """The same engine where it cannot be used for that reason: it is listed, and says so when asked."""

        def identify(**_settings: Value) -> EngineIdentity:
            raise EngineUnavailableError(reason)

        return replace(self, identify=identify, settings=())
