"""The ruleset and its table of options."""

from dataclasses import dataclass, fields
from typing import Any

import pytest

from adjudicator.happy_end.ruleset import (
    CURRENT_RULESETS,
    OPTIONS,
    RULESETS,
    Finish,
    Numbering,
    NumberOption,
    Ruleset,
    format_ruleset,
    parse_options,
    parse_ruleset,
)

LATER = NumberOption("patience", "An option that does not exist yet.", 0.5, 0.0, 1.0, added_later=True)
WITH_LATER = (*OPTIONS, LATER)


@dataclass(frozen=True)
class LaterRuleset(Ruleset):
    patience: float = LATER.default


def test_every_option_is_a_field_of_the_ruleset_and_the_other_way_round() -> None:
    named = [option.name for option in OPTIONS]
    assert [field.name for field in fields(Ruleset)] == ["name", "version", *named]
    assert [getattr(Ruleset(), name) for name in named] == [option.default for option in OPTIONS]


def test_a_ruleset_is_found_by_name_and_version_and_the_newest_of_a_name_is_current() -> None:
    for (name, version), ruleset in RULESETS.items():
        assert (ruleset.name, ruleset.version) == (name, version)
        assert CURRENT_RULESETS[name].version >= version


@pytest.mark.parametrize("finish", Finish)
@pytest.mark.parametrize("numbering", Numbering)
def test_what_is_written_is_read_again(finish: Finish, numbering: Numbering) -> None:
    ruleset = Ruleset("other", 7, finish, numbering, 0.25)
    assert parse_ruleset(format_ruleset(ruleset)) == ruleset


def test_the_default_of_an_option_that_was_added_later_is_not_written() -> None:
    assert format_ruleset(LaterRuleset(), WITH_LATER) == format_ruleset(Ruleset())
    other = format_ruleset(LaterRuleset(patience=0.75), WITH_LATER)
    assert other == format_ruleset(Ruleset()) | {"patience": 0.75}


def test_what_was_written_before_an_option_was_there_has_its_default() -> None:
    written: dict[str, Any] = {"finish": "exact", "numbering": "roll", "indifference": 0.001}
    assert parse_options(written, WITH_LATER)["patience"] == 0.5
    assert parse_options(written | {"patience": 1}, WITH_LATER)["patience"] == 1.0
    with pytest.raises(KeyError, match="finish"):
        parse_options({"numbering": "roll", "indifference": 0.001}, WITH_LATER)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"finish": "never"}, "ruleset.finish: 'never' is not known here; known: exact, exact_or_double"),
        ({"finish": []}, r"ruleset.finish: \[\] is not known here"),
        ({"indifference": True}, "ruleset.indifference: True is not a number from 0 to 1"),
        ({"indifference": "0.5"}, "ruleset.indifference: '0.5' is not a number from 0 to 1"),
        ({"luck": 1}, "there is no option luck"),
        ({"version": True}, "is no name and number"),
        ({"version": "1"}, "is no name and number"),
    ],
)
def test_what_is_no_ruleset_is_refused_with_the_reason(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises((ValueError, TypeError), match=reason):
        parse_ruleset(format_ruleset(Ruleset()) | changed)
