"""What a record and a choice come to: the order that is carried out, now or by a worker."""

from adjudicator.logs.match_log import MatchLog
from adjudicator.service import identifiers
from adjudicator.service.choice import Choice, choose
from adjudicator.service.offer import Offer
from adjudicator.service.values import Order


def make_order(content: bytes, log: MatchLog, *, choice: Choice, offer: Offer, owner: str) -> Order:
    """The order for a record, ``log`` as it was read: the same wherever it is made, so are its bytes.

    Raises: RequestError with everything wrong with the choice, EngineUnavailableError, EngineFailureError.
    """
    ruleset, engine = choose(choice, offer, log.variant.name)
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
