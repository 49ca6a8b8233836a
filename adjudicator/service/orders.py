"""Orders for records that are adjudicated at once, without database and queue."""

from collections.abc import Mapping

from adjudicator.happy_end.ports import Engine
from adjudicator.logs.reading import read_log
from adjudicator.service import identifiers
from adjudicator.service.adjudications import LOCAL_OWNER
from adjudicator.service.choice import Choice, choose
from adjudicator.service.values import Order


def make_order(
    content: bytes,
    *,
    choice: Choice,
    engines: Mapping[str, Engine],
    default_engine: str,
    owner: str = LOCAL_OWNER,
    format_name: str | None = None,
) -> Order:
    """The order that the service would give its worker for this record: it leads to the same bytes.

    Raises: RecordError, UnknownFormatError, UnsupportedVariantError, TooLargeError, RequestError,
    EngineUnavailableError.
    """
    log = read_log(content, format_name=format_name)
    ruleset, engine = choose(choice, engines, default_engine, log.variant.name)
    sha256 = identifiers.record_digest(content)
    match_id = identifiers.match_id(owner, sha256)
    return Order(
        adjudication_id=identifiers.adjudication_id(match_id, ruleset, engine),
        match_id=match_id,
        sha256=sha256,
        format=log.format,
        content=content,
        ruleset=ruleset,
        engine=engine,
    )
