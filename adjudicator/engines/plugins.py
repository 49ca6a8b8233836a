"""Engines of other packages: entry points of the group ``adjudicator.engines``.

Each names an ``EngineDescription``. A package that does not keep to this is listed with what is
wrong, and stops nobody else's engine.
"""

import logging
from collections.abc import Collection, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

from adjudicator.engines.description import EngineDescription, Value
from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.rules.variants import BACKGAMMON, VARIANTS

GROUP = "adjudicator.engines"
NO_LICENCE = "NOASSERTION"
"""What SPDX calls a licence about which nothing is said."""

logger = logging.getLogger(__name__)


def load_plugins(taken: Collection[str]) -> dict[str, EngineDescription]:
    """The engines of other packages by name, in the order of their names; ``taken`` are names of others.

    One that cannot be used is there too, out of order, with a reason that names its package. One whose name
    is taken is listed as ``package:name``.
    """
    found: dict[str, EngineDescription] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, _package(point))):
        description = _described(point)
        if point.name in taken or point.name in found:
            reason = f"The name {point.name} is taken: {_package(point)} has to give its engine another."
            description = replace(description, name=f"{_package(point)}:{point.name}").out_of_order(reason)
            logger.warning("an engine is left out: %s", reason)
        found[description.name] = description
    return found


def _described(point: EntryPoint) -> EngineDescription:
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever foreign code raises is told, not died of)
        complaints = [f"it does not load: {type(error).__name__}: {error}"]
    else:
        complaints = list(_complaints(point, loaded))
        if not complaints:
            return _guarded(point, loaded)
    reason = f"The engine {point.name} of {_package(point)} cannot be used: {'; '.join(complaints)}."
    logger.warning("an engine is left out: %s", reason)
    return _stand_in(point).out_of_order(reason)


def _complaints(point: EntryPoint, loaded: object) -> Iterator[str]:
    """What is wrong with what an entry point names; foreign code keeps to no types."""
    if not isinstance(loaded, EngineDescription):
        yield f"{point.value} is no EngineDescription but {type(loaded).__name__}"
        return
    if loaded.name != point.name:
        yield f"it calls itself {loaded.name!r}, its entry point {point.name!r}"
    told: dict[str, object] = {name: getattr(loaded, name) for name in ("title", "licence", "factory")}
    for name, text in told.items():
        if not (isinstance(text, str) and text):
            yield f"its {name} is missing"
    unknown = set(loaded.variants) - set(VARIANTS)
    if unknown or not loaded.variants:
        yield f"it judges games unknown here ({', '.join(sorted(unknown)) or 'none'})"


def _guarded(point: EntryPoint, description: EngineDescription) -> EngineDescription:
    """The description with an ``identify`` that cannot break a list of engines."""

    def identify(**settings: Value) -> EngineIdentity:
        try:
            identity: object = description.identify(**settings)
        except (EngineUnavailableError, EngineFailureError):
            raise
        except Exception as error:
            raise EngineUnavailableError(
                f"The engine {point.name} of {_package(point)} does not say which build it is: "
                f"{type(error).__name__}: {error}"
            ) from error
        if not (isinstance(identity, EngineIdentity) and identity.name == description.name):
            raise EngineUnavailableError(
                f"The engine {point.name} of {_package(point)} says that it is {identity!r}."
            )
        return identity

    return replace(description, identify=identify)


def _stand_in(point: EntryPoint) -> EngineDescription:
    """What can be told of an engine that does not load."""
    told = point.dist.metadata["License-Expression"] if point.dist is not None else None
    licence = told or NO_LICENCE
    title = f"An engine of the package {_package(point)}"
    return EngineDescription(point.name, title, licence, point.value, _nobody, variants=(BACKGAMMON.name,))


def _nobody(**_settings: Value) -> EngineIdentity:
    raise EngineUnavailableError("This engine does not load.")


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unknown package"
