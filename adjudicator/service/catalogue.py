"""What can be asked for, as plain values for the doors."""

from typing import Any

from adjudicator.errors import EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.ruleset import (
    CURRENT_RULESETS,
    DEFAULT_RULESET,
    OPTIONS,
    ChoiceOption,
    Option,
    Ruleset,
)
from adjudicator.logs.reading import FORMATS
from adjudicator.rules.variants import BACKGAMMON, VARIANTS
from adjudicator.service.offer import Offer

Entry = dict[str, Any]


def list_engines(offer: Offer) -> list[Entry]:
    """See ``AdjudicationService.engines``."""
    return [
        {
            "name": name,
            "title": offered.title,
            "licence": offered.licence,
            "plies": list(offered.plies),
            "variants": list(offered.engine.variants),
            "default": name == offer.default_engine,
            **_build(offered.engine),
        }
        for name, offered in offer.engines.items()
    ]


def list_rulesets() -> list[Entry]:
    """See ``AdjudicationService.rulesets``."""
    return [
        {
            "name": ruleset.name,
            "version": ruleset.version,
            "default": ruleset == DEFAULT_RULESET,
            "options": {option.name: _option(option, ruleset) for option in OPTIONS},
        }
        for ruleset in CURRENT_RULESETS.values()
    ]


def list_variants() -> list[Entry]:
    """See ``AdjudicationService.variants``."""
    return [
        {
            "name": variant.name,
            "checkers": variant.checkers_per_side,
            "default": variant.name == BACKGAMMON.name,
        }
        for variant in VARIANTS.values()
    ]


def list_formats() -> list[Entry]:
    """See ``AdjudicationService.formats``."""
    return [
        {
            "name": log_format.name,
            "title": log_format.description,
            "media_type": log_format.media_types[0],
            "suffixes": list(log_format.suffixes),
        }
        for log_format in FORMATS.values()
    ]


def _build(engine: Engine) -> Entry:
    try:
        identity = engine.identity
    except (EngineUnavailableError, EngineFailureError) as error:
        return {"settings": {}, "available": False, "detail": error.detail}
    return {"version": identity.version, "settings": dict(identity.settings), "available": True}


def _option(option: Option, ruleset: Ruleset) -> Entry:
    limits: Entry = (
        {"values": list(option.values)}
        if isinstance(option, ChoiceOption)
        else {"minimum": option.least, "maximum": option.most}
    )
    return {**limits, "default": option.format(getattr(ruleset, option.name))}
