"""Verifies a result against the bytes of its record, its ids included."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.errors import AdjudicatorError
from adjudicator.happy_end import verification
from adjudicator.happy_end.ports import Engine, Estimator
from adjudicator.happy_end.result import parse_engine
from adjudicator.happy_end.ruleset import parse_ruleset
from adjudicator.logs.reading import FORMATS, read_log
from adjudicator.service.identifiers import adjudication_id, match_id, record_digest


def verify_result(
    result: Mapping[str, Any],
    content: bytes,
    *,
    owner: str,
    estimator: Estimator,
    engines: Sequence[Engine] = (),
    file_name: str | None = None,
) -> list[str]:
    """What does not hold in the result of that owner's record; empty where everything does.

    The record is read in the format that the result states, as whoever sent it may have chosen one that the
    content alone does not tell. ``engines``: as for ``happy_end.verification.verify``.

    Raises: EngineFailureError, EngineUnavailableError where engines are given.
    """
    stated = _stated_format(result)
    if not isinstance(stated, str) or stated not in FORMATS:
        return [f"match.format: is {stated!r}, which cannot be read here; known are {', '.join(FORMATS)}"]
    try:
        log = read_log(content, file_name=file_name, format_name=stated)
    except AdjudicatorError as error:
        return [
            f"match.format: the record cannot be read as {stated}: {error.detail}",
            *map(str, error.faults),
        ]
    sha256 = record_digest(content)
    steps = verification.verify(result, log, record_sha256=sha256, estimator=estimator, engines=engines)
    return steps or list(_check_ids(result, owner, result["match"].get("original_sha256", sha256)))


def _stated_format(result: Mapping[str, Any]) -> object:
    """What stands in the place of the format, ``None`` where nothing does."""
    match = result.get("match")
    return match.get("format") if isinstance(match, Mapping) else None


def _check_ids(result: Mapping[str, Any], owner: str, sha256: str) -> Iterator[str]:
    """What is wrong with the ids of a result whose steps all hold: they follow from what it states.

    ``sha256`` is that of the record as it was sent first: an erasure leaves ids as they are.
    """
    of_match = match_id(owner, sha256)
    engine = parse_engine(result["engine"])
    expected = {
        "match.id": (result["match"]["id"], of_match),
        "id": (result["id"], adjudication_id(of_match, parse_ruleset(result["ruleset"]), engine)),
    }
    for path, (given, derived) in expected.items():
        if given != derived:
            yield f"{path}: is {given!r}, of this record, owner, ruleset and engine {derived!r}"
