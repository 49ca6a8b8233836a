"""An order is carried out by the very ruleset, engine and tie-break that it was made for, or not at all."""

from dataclasses import replace

import pytest

from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.errors import EngineUnavailableError, RulesetUnavailableError
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.choice import Choice
from adjudicator.service.orders import make_order
from adjudicator.service.values import Order
from tests.opinions import EvenEstimator
from tests.records import LAST_CHECKER_RECORD

ENGINES = {"scripted": ScriptedEngine()}


@pytest.fixture
def adjudicator() -> RecordAdjudicator:
    return RecordAdjudicator(ENGINES, lambda _finish: EvenEstimator())


@pytest.fixture
def order() -> Order:
    return make_order(LAST_CHECKER_RECORD, choice=Choice(), engines=ENGINES, default_engine="scripted")


def test_a_version_of_the_ruleset_that_is_not_here_is_refused(
    adjudicator: RecordAdjudicator, order: Order
) -> None:
    of_the_future = replace(order, ruleset=replace(order.ruleset, version=2))
    with pytest.raises(RulesetUnavailableError, match="version 2 of happy-end; the worker has version 1"):
        adjudicator.adjudicate(of_the_future)
    unknown = replace(order, ruleset=replace(order.ruleset, name="sad-end"))
    with pytest.raises(RulesetUnavailableError, match="the worker has no such ruleset"):
        adjudicator.adjudicate(unknown)


def test_another_build_of_the_engine_is_refused(adjudicator: RecordAdjudicator, order: Order) -> None:
    other_build = replace(order, engine=replace(order.engine, version="0"))
    with pytest.raises(EngineUnavailableError, match=r"queued for scripted 0 .*; the worker has scripted 1 "):
        adjudicator.adjudicate(other_build)
