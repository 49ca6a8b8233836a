"""What a service in a test can judge with."""

from adjudicator.engines.scripted import NAME, ScriptedEngine
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.values import IDENTITY
from adjudicator.service.offer import Offer, OfferedEngine


def scripted_offer(tie_break: str = IDENTITY, *others: Engine) -> Offer:
    """The scripted engine, and the others given."""
    engines = {engine.identity.name: engine for engine in (ScriptedEngine(), *others)}
    offered = {
        name: OfferedEngine(engine, "An engine for tests", "GPL-3.0-or-later")
        for name, engine in engines.items()
    }
    return Offer(offered, NAME, tie_break)
