"""What can be asked for, as plain values for the doors."""

from collections.abc import Mapping
from typing import Any

from adjudicator.errors import EngineUnavailableError
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.result import format_engine
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

Entry = dict[str, Any]


def list_engines(engines: Mapping[str, Engine], default: str) -> list[Entry]:
    """See ``AdjudicationService.engines``."""
    return [{**_engine(name, engine), "default": name == default} for name, engine in engines.items()]


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


def _engine(name: str, engine: Engine) -> Entry:
    try:
        return {**format_engine(engine.identity), "available": True}
    except EngineUnavailableError as error:
        return {"name": name, "settings": {}, "available": False, "detail": error.detail}


def _option(option: Option, ruleset: Ruleset) -> Entry:
    limits: Entry = (
        {"values": list(option.values)}
        if isinstance(option, ChoiceOption)
        else {"minimum": option.least, "maximum": option.most}
    )
    return {**limits, "default": option.format(getattr(ruleset, option.name))}
