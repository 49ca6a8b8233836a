"""An order is carried out by the very ruleset, engine and tie-break that it was made for, or not at all."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from adjudicator.errors import EngineUnavailableError, RequestError, RulesetUnavailableError
from adjudicator.logs.reading import read_log
from adjudicator.service.adjudicator import RecordAdjudicator
from adjudicator.service.choice import Choice, choose
from adjudicator.service.orders import make_order
from adjudicator.service.values import LOCAL_OWNER, Order
from tests.offers import scripted_offer
from tests.opinions import EvenEngine, EvenEstimator, PipEngine
from tests.records import LAST_CHECKER_RECORD

EVEN = EvenEstimator.identity


@pytest.fixture
def adjudicator() -> RecordAdjudicator:
    return RecordAdjudicator(scripted_offer(), lambda _finish: EvenEstimator())


def an_order(tie_break: str = EVEN) -> Order:
    content = LAST_CHECKER_RECORD
    offer = scripted_offer(tie_break)
    return make_order(content, read_log(content), choice=Choice(), offer=offer, owner=LOCAL_OWNER)


@pytest.fixture
def order() -> Order:
    return an_order()


def test_the_same_order_gives_the_same_bytes_under_its_ids(
    adjudicator: RecordAdjudicator, order: Order
) -> None:
    content, changed, games, changed_games = adjudicator.adjudicate(order)
    assert adjudicator.adjudicate(an_order()) == (content, changed, games, changed_games)
    result = json.loads(content)
    assert result["match_result"]["changed"] is changed
    assert games == Counter(game["status"] for game in result["games"])
    assert changed_games == sum(game["changed"] for game in result["games"])
    assert (result["id"], result["match"]["id"]) == (order.adjudication_id, order.match_id)
    assert result["engine"]["settings"]["tie_break"] == order.engine.settings["tie_break"] == EVEN


def test_another_tie_break_than_the_promised_one_is_refused(adjudicator: RecordAdjudicator) -> None:
    with pytest.raises(EngineUnavailableError, match=r"other/2.*; the worker has .*even/1"):
        adjudicator.adjudicate(an_order("other/2"))


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


def test_engines_asked_besides_are_part_of_what_was_promised() -> None:
    offer = scripted_offer(EVEN, PipEngine(), EvenEngine())
    content, choice = LAST_CHECKER_RECORD, Choice(cross_check="pips, even,pips")
    order = make_order(content, read_log(content), choice=choice, offer=offer, owner=LOCAL_OWNER)
    assert [build.name for build in order.engine.cross_checks] == ["even", "pips"]
    assert order.adjudication_id != an_order().adjudication_id
    estimator = EvenEstimator()
    result = json.loads(RecordAdjudicator(offer, lambda _finish: estimator).adjudicate(order).content)
    assert [build["name"] for build in result["engine"]["cross_checks"]] == ["even", "pips"]
    with pytest.raises(EngineUnavailableError, match="the worker has no such engine"):
        RecordAdjudicator(scripted_offer(EVEN), lambda _finish: estimator).adjudicate(order)


def test_an_engine_asked_besides_has_to_be_known_and_another_than_the_one_that_decides() -> None:
    offer = scripted_offer(EVEN, EvenEngine())
    with pytest.raises(RequestError) as raised:
        choose(Choice(cross_check="crystal,scripted,even"), offer, "backgammon")
    assert [(fault.place.parameter, fault.reason) for fault in raised.value.faults] == [
        ("cross_check", "'crystal' is not known here; known: scripted, even"),
        ("cross_check", "scripted decides already"),
    ]
