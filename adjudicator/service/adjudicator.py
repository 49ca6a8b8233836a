"""The pure part put together: record bytes in, result bytes out."""

from collections import Counter
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
        engine, *cross_engines = self._required_engines(order.engine, order.ruleset.finish, estimator)
        adjudication = adjudicate(
            read_log(order.content, format_name=order.format), order.ruleset, engine, estimator, cross_engines
        )
        result = format_result(
            adjudication,
            adjudication_id=order.adjudication_id,
            match_id=order.match_id,
            record_sha256=order.sha256,
            original_sha256=order.original_sha256,
        )
        games = Counter(game.status.value for game in adjudication.games)
        changed_games = sum(game.changed for game in adjudication.games)
        return Result(canonical_json(result), adjudication.changed, games, changed_games)

    def _required_engines(self, wanted: EngineIdentity, finish: Finish, estimator: Estimator) -> list[Engine]:
        """The very builds and tie-break that were promised: others' answers would stand under a wrong name.

        Raises: EngineUnavailableError, EngineFailureError.
        """
        names = [wanted.name, *(build.name for build in wanted.cross_checks)]
        engines = [engine for name in names if (engine := self._offer.engine(name, finish)) is not None]
        here = None
        if len(engines) == len(names):
            identity, *cross_checks = [engine.identity for engine in engines]
            here = full_identity(identity, estimator.identity, cross_checks)
        if here != wanted:
            raise EngineUnavailableError(
                f"This was queued for {wanted}; the worker has {here or 'no such engine'}. {AGAIN}"
            )
        return engines


def _require_ruleset(wanted: Ruleset) -> None:
    """The very version that was promised, as with engines."""
    if (wanted.name, wanted.version) not in RULESETS:
        here = CURRENT_RULESETS.get(wanted.name)
        raise RulesetUnavailableError(
            f"This was queued for version {wanted.version} of {wanted.name}; the worker has "
            f"{'no such ruleset' if here is None else f'version {here.version}'}. {AGAIN}"
        )
