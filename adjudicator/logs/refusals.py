"""Why a log is refused as a whole, in the same words whatever its format."""

from adjudicator.errors import Fault, Place, RecordError, UnsupportedVariantError
from adjudicator.rules.variants import VARIANTS


def several_matches(second: Place) -> RecordError:
    """The error for a file with more than one match; ``second`` is where the second begins.

    >>> several_matches(Place(line=9)).faults[0].reason
    'a second match begins here: send each match by itself'
    """
    fault = Fault("a second match begins here: send each match by itself", second)
    return RecordError("The file holds more than one match.", [fault])


def unknown_game(name: str, place: Place) -> UnsupportedVariantError:
    """The error for a log of a game whose rules are not known here, under the name the log has for it."""
    fault = Fault(f"{name[:60]!r} is not known here; known: {', '.join(VARIANTS)}", place)
    return UnsupportedVariantError("The rules of this game are not known here.", [fault])


def damaged(what: str, reason: str, place: Place | None = None) -> RecordError:
    """The error for a file that is not as its program wrote it; ``what`` names it: ``".xg file"``.

    >>> damaged(".xg file", "it ends within its head").detail
    'The .xg file is damaged: it ends within its head. Send it as the program wrote it.'
    """
    faults = [] if place is None else [Fault(reason, place)]
    return RecordError(f"The {what} is damaged: {reason}. Send it as the program wrote it.", faults)


def cut_short(what: str) -> RecordError:
    """The error for a file that lacks its end; ``what`` names it as above."""
    return RecordError(f"The {what} is cut short: send it whole.")
