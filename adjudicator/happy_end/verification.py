"""Verifies a result: every step is derived again from the record, and what does not hold is said."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import Any

from adjudicator.happy_end.adjudication import (
    MatchAdjudication,
    adjudicate_with,
    engine_judges,
    full_identity,
)
from adjudicator.happy_end.game import MakeJudge
from adjudicator.happy_end.ports import Engine, EngineIdentity, Estimator
from adjudicator.happy_end.recorded_judge import RecordedJudge, recorded_turns
from adjudicator.happy_end.result import format_result, parse_engine
from adjudicator.happy_end.ruleset import CURRENT_RULESETS, RULESETS, Ruleset, parse_ruleset
from adjudicator.logs.match_log import MatchLog


def verify(
    result: Mapping[str, Any],
    log: MatchLog,
    *,
    record_sha256: str,
    estimator: Estimator,
    engines: Sequence[Engine] = (),
) -> list[str]:
    """What does not hold in a result of that record; empty where everything does.

    The engines' equities are taken as recorded, unless ``engines`` are given, the one that decided first:
    then they are asked again. All else is derived afresh: the reading of the record, dice series, position,
    legal plays, values under the modifier, choices, ends, tally.

    Raises: EngineFailureError, EngineUnavailableError where engines are given.
    Source: HE-9.
    """
    try:
        ruleset = parse_ruleset(result["ruleset"])
        identity = parse_engine(result["engine"])
        given_ids = {"adjudication_id": str(result["id"]), "match_id": str(result["match"]["id"])}
        original = result["match"].get("original_sha256")
        judges = _judges(result, identity, estimator, engines)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return [f"this is no complete result: {error!r}"]
    complaints = [*_check_ruleset(ruleset), *_check_engine(identity, estimator, engines)]
    adjudication = adjudicate_with(log, ruleset, identity, judges)
    derived = format_result(adjudication, record_sha256=record_sha256, original_sha256=original, **given_ids)
    return complaints + list(_differences(derived, dict(result), ""))


def derive_again(result: Mapping[str, Any], log: MatchLog, estimator: Estimator) -> MatchAdjudication | None:
    """What the same procedure comes to for another record of the same match, by the equities recorded.

    ``None`` where this program has other rules or values than those of the result: it would come to another.
    """
    ruleset, identity = parse_ruleset(result["ruleset"]), parse_engine(result["engine"])
    if [*_check_ruleset(ruleset), *_check_engine(identity, estimator, ())]:
        return None
    return adjudicate_with(log, ruleset, identity, _judges(result, identity, estimator, ()))


def _check_ruleset(ruleset: Ruleset) -> Iterator[str]:
    current = CURRENT_RULESETS.get(ruleset.name)
    if current is None:
        yield f"ruleset.name: this program has no ruleset {ruleset.name!r}"
    elif (ruleset.name, ruleset.version) not in RULESETS:
        yield (
            f"ruleset.version: the result was made by version {ruleset.version} of {ruleset.name}, "
            f"this program has version {current.version}: what it derives may differ"
        )


def _check_engine(identity: EngineIdentity, estimator: Estimator, engines: Sequence[Engine]) -> Iterator[str]:
    tie_break = identity.settings.get("tie_break")
    if tie_break != estimator.identity:
        yield (
            f"engine.settings.tie_break: the result was made with {tie_break}, "
            f"this program has {estimator.identity}: values under the modifier may differ"
        )
    if not engines:
        return
    engine, *cross_engines = [engine.identity for engine in engines]
    asked = full_identity(engine, estimator.identity, cross_engines)
    if identity != asked:
        yield (f"engine: the result was made with {identity}, {asked} was asked again: equities may differ")


def _judges(
    result: Mapping[str, Any], identity: EngineIdentity, estimator: Estimator, engines: Sequence[Engine]
) -> Iterator[MakeJudge]:
    """What makes the judge of each game: the engines asked again, or what the result holds of them."""
    if engines:
        return engine_judges(engines[0], estimator, engines[1:])
    games = [recorded_turns(game) for game in result["games"]]
    names = [build.name for build in identity.cross_checks]
    return (
        partial(RecordedJudge, turns, estimator, cross_engines=names) for turns in chain(games, repeat(()))
    )


def _differences(derived: Any, given: Any, path: str) -> Iterator[str]:
    """One sentence for every place where the given value is not the derived one."""
    if isinstance(derived, dict) and isinstance(given, dict):
        for key in [*derived, *(key for key in given if key not in derived)]:
            inner = f"{path}.{key}" if path else key
            if key not in derived:
                yield f"{inner}: does not belong there"
            elif key not in given:
                yield f"{inner}: is missing"
            else:
                yield from _differences(derived[key], given[key], inner)
    elif isinstance(derived, list) and isinstance(given, list):
        if len(derived) != len(given):
            yield f"{path}: has {len(given)} entries, by the procedure {len(derived)}"
        for index, (one, other) in enumerate(zip(derived, given, strict=False)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif derived != given or isinstance(derived, bool) is not isinstance(given, bool):
        yield f"{path}: is {given!r}, by the procedure {derived!r}"
