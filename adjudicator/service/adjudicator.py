"""The pure part put together: record bytes in, result bytes out."""

from collections.abc import Callable

from adjudicator.errors import EngineUnavailableError, RulesetUnavailableError
from adjudicator.happy_end.adjudication import adjudicate, full_identity
from adjudicator.happy_end.ports import Engine, EngineIdentity, Estimator
from adjudicator.happy_end.result import format_result
from adjudicator.happy_end.ruleset import CURRENT_RULESETS, RULESETS, Finish, Ruleset
from adjudicator.logs.reading import read_log
from adjudicator.service.identifiers import canonical_json
from adjudicator.service.offer import Offer
from adjudicator.service.values import Order, Result

AGAIN = "Adjudicate the match again to use what there is now."


class RecordAdjudicator:
    """Keeps the ``Adjudicator`` port with what is offered, and an estimator for each way to finish."""

    def __init__(self, offer: Offer, load_estimator: Callable[[Finish], Estimator]) -> None:
        self._offer = offer
        self._load_estimator = load_estimator

    def prepare(self, ruleset: Ruleset) -> None:
        """See ``Adjudicator.prepare``."""
        self._load_estimator(ruleset.finish)

    def adjudicate(self, order: Order) -> Result:
        """See ``Adjudicator.adjudicate``."""
        _require_ruleset(order.ruleset)
        estimator = self._load_estimator(order.ruleset.finish)
        engine = _required_engine(self._offer.engine(order.engine.name), estimator, order.engine)
        adjudication = adjudicate(
            read_log(order.content, format_name=order.format), order.ruleset, engine, estimator
        )
        result = format_result(
            adjudication,
            adjudication_id=order.adjudication_id,
            match_id=order.match_id,
            record_sha256=order.sha256,
        )
        return Result(canonical_json(result), adjudication.changed)


def _required_engine(engine: Engine | None, estimator: Estimator, wanted: EngineIdentity) -> Engine:
    """The very build and tie-break that were promised: others' answers would stand under the wrong name."""
    here = None if engine is None else full_identity(engine.identity, estimator.identity)
    if engine is None or here != wanted:
        raise EngineUnavailableError(
            f"This was queued for {wanted}; the worker has {here or 'no such engine'}. {AGAIN}"
        )
    return engine


def _require_ruleset(wanted: Ruleset) -> None:
    """The very version that was promised, as with engines."""
    if (wanted.name, wanted.version) not in RULESETS:
        here = CURRENT_RULESETS.get(wanted.name)
        raise RulesetUnavailableError(
            f"This was queued for version {wanted.version} of {wanted.name}; the worker has "
            f"{'no such ruleset' if here is None else f'version {here.version}'}. {AGAIN}"
        )
