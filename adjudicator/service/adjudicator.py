"""The pure part put together: record bytes in, result bytes out."""

from collections.abc import Callable, Mapping

from adjudicator.errors import EngineUnavailableError, RulesetUnavailableError
from adjudicator.happy_end.adjudication import adjudicate
from adjudicator.happy_end.ports import Engine, EngineIdentity, Estimator
from adjudicator.happy_end.result import format_result
from adjudicator.happy_end.ruleset import CURRENT_RULESETS, RULESETS, Finish, Ruleset
from adjudicator.logs.reading import read_log
from adjudicator.service.choice import judged_by
from adjudicator.service.identifiers import canonical_json
from adjudicator.service.values import Order

AGAIN = "Adjudicate the match again to use what there is now."


class RecordAdjudicator:
    """Keeps the ``Adjudicator`` port with engines by name, and an estimator for each way to finish."""

    def __init__(self, engines: Mapping[str, Engine], load_estimator: Callable[[Finish], Estimator]) -> None:
        self._engines = engines
        self._load_estimator = load_estimator

    def adjudicate(self, order: Order) -> bytes:
        """See ``Adjudicator.adjudicate``."""
        _require_ruleset(order.ruleset)
        adjudication = adjudicate(
            read_log(order.content, format_name=order.format),
            order.ruleset,
            self._engine(order.engine),
            self._load_estimator(order.ruleset.finish),
        )
        result = format_result(
            adjudication,
            adjudication_id=order.adjudication_id,
            match_id=order.match_id,
            record_sha256=order.sha256,
        )
        return canonical_json(result)

    def _engine(self, wanted: EngineIdentity) -> Engine:
        """The very build that was promised: another one's answers would stand under the wrong name."""
        engine = self._engines.get(wanted.name)
        if engine is None or judged_by(engine) != wanted:
            here = "no such engine" if engine is None else str(judged_by(engine))
            raise EngineUnavailableError(f"This was queued for {wanted}; the worker has {here}. {AGAIN}")
        return engine


def _require_ruleset(wanted: Ruleset) -> None:
    """The very version that was promised, as with engines."""
    if (wanted.name, wanted.version) not in RULESETS:
        here = CURRENT_RULESETS.get(wanted.name)
        raise RulesetUnavailableError(
            f"This was queued for version {wanted.version} of {wanted.name}; the worker has "
            f"{'no such ruleset' if here is None else f'version {here.version}'}. {AGAIN}"
        )
