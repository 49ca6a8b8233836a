"""What a service in a test can judge with."""

from adjudicator.engines.scripted import NAME, ScriptedEngine
from adjudicator.happy_end.values import IDENTITY
from adjudicator.service.offer import Offer, OfferedEngine


def scripted_offer(tie_break: str = IDENTITY) -> Offer:
    """The scripted engine only."""
    offered = OfferedEngine(ScriptedEngine(), "An engine by script", "GPL-3.0-or-later")
    return Offer({NAME: offered}, NAME, tie_break_of=lambda _finish: tie_break)
