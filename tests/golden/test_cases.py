"""The hand-made cases: facts and reasons, each with the clause it is made for."""

import json
from functools import cache

import pytest

from adjudicator.engines.gnubg_nn import GnubgNnEngine
from adjudicator.happy_end.ports import Engine
from adjudicator.happy_end.ruleset import Finish, Numbering, Ruleset
from adjudicator.rules.variants import VARIANTS
from tests.engines_here import needs_gnubg_nn
from tests.golden.facts import SIDES, Json, differences, facts_of
from tests.opinions import result_of
from tests.shared_data import load_json, needs_shared_data

PLAYED = ("jellyfish_mat", "match-record/1")
CASES: list[Json] = [case for case in load_json("cases.json", []) if case["format"] in PLAYED]

HERE_LEGAL = {"played-under-modifier"}
"""The case calls its play illegal "at most a remark"; by HE-5.5 what either rule allows is legal."""

pytestmark = needs_shared_data

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def ruleset_of(options: Json) -> Ruleset:
    return Ruleset(
        finish=Finish(options.get("finish", "exact")), numbering=Numbering(options.get("numbering", "roll"))
    )


def adjudicated(case: Json, engine: Engine | None = None) -> Json:
    record = case["record"]
    content = (record if isinstance(record, str) else json.dumps(record)).encode()
    return result_of(content, ruleset_of(case["options"]), engine=engine)


@cache
def results() -> dict[str, Json]:
    """The result of every case, by an engine without an opinion."""
    return {case["id"]: adjudicated(case) for case in CASES}


def result_of_case(case: Json) -> Json:
    return results()[case["id"]]


def games_of(case: Json, result: Json) -> list[tuple[Json, Json]]:
    """The games that the case speaks of: the result's, and what is expected of it."""
    by_number = {game["game"]: game for game in result["games"]}
    return [(by_number[expected["game"]], expected) for expected in case["expected"]]


def test_the_cases_are_the_34_records_known() -> None:
    assert len(CASES) == 34


@each_case
def test_every_fact_of_the_case_holds(case: Json) -> None:
    result = result_of_case(case)
    checkers = VARIANTS[result["match"]["variant"]].checkers_per_side
    for game, expected in games_of(case, result):
        stated = {name: value for name, value in expected.items() if name not in ("forced", "illegal")}
        assert differences(facts_of(game, checkers), stated) == {}


@each_case
def test_a_winner_that_no_choice_can_change_is_found_and_said_to_be_forced(case: Json) -> None:
    """HE-7.7: the engine here has no opinion, and the facts were worked out with other choices."""
    for game, expected in games_of(case, result_of_case(case)):
        if "playout" not in game:
            assert "forced" not in expected
            continue
        assert (game["playout"]["winner_forced"] is True) is ("forced" in expected)
        for name, value in expected.get("forced", {}).items():
            assert _forced_fact(game, name) == value, name


def _forced_fact(game: Json, name: str) -> object:
    return {
        "winner": SIDES.index(game["adjudicated"]["winner"]),
        "win": game["adjudicated"]["win"],
        "playout_turns": len(game["playout"]["turns"]),
        "status": game["status"],
    }[name]


@each_case
def test_what_a_case_says_of_the_match_or_of_the_value_holds(case: Json) -> None:
    also, result = case.get("also", {}), result_of_case(case)
    for tally, expected in also.get("match_result", {}).items():
        found = result["match_result"][tally]
        assert (found["winner"] and SIDES.index(found["winner"])) == expected["winner"]
        assert [found["score"][side] for side in SIDES] == expected["score"]
        assert found["surplus_games"] == expected.get("surplus_games", [])
    for name, value in also.get("adjudicated", {}).items():
        found = result["games"][0]["adjudicated"][name]
        assert (SIDES.index(found) if name == "winner" else found) == value


def test_the_plays_called_illegal_by_one_rule_only_are_legal() -> None:
    """HE-5.5; no other case holds an illegal play."""
    for case in CASES:
        for game, expected in games_of(case, result_of_case(case)):
            codes = {remark["code"] for remark in game["remarks"]}
            assert "illegal_play" not in codes
            assert ("illegal" in expected) is (case["id"] in HERE_LEGAL)


@needs_gnubg_nn
@each_case
def test_gnu_backgammon_s_opinion_changes_no_fact_and_no_forced_winner(case: Json) -> None:
    even = result_of_case(case)
    variant = VARIANTS[even["match"]["variant"]]
    checkers = variant.checkers_per_side
    if variant.name not in GnubgNnEngine.variants:
        pytest.skip("gnubg-nn judges games of 15 checkers a side")
    judged = adjudicated(case, GnubgNnEngine())
    for one, other in zip(even["games"], judged["games"], strict=True):
        facts, others = facts_of(one, checkers), facts_of(other, checkers)
        if "playout" in one and not one["playout"]["winner_forced"]:
            facts = {**facts, "adjudicated": others["adjudicated"]}
        assert facts == others
