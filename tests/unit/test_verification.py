"""A result that was altered does not verify, and says where (HE-9)."""

import copy
from typing import Any

import pytest

from adjudicator.happy_end.verification import verify
from adjudicator.logs.reading import read_log
from tests.opinions import EvenEngine, EvenEstimator, PipEngine, result_of, sha256_of
from tests.records import LAST_CHECKER_RECORD

Json = dict[str, Any]


@pytest.fixture
def result() -> Json:
    return result_of(LAST_CHECKER_RECORD, engine=PipEngine())


def complaints(result: Json, content: bytes = LAST_CHECKER_RECORD, **asked: Any) -> list[str]:
    log = read_log(content)
    return verify(result, log, record_sha256=sha256_of(content), estimator=EvenEstimator(), **asked)


def test_he_9_an_honest_result_holds_with_and_without_the_engine(result: Json) -> None:
    assert complaints(result) == []
    assert complaints(result, engines=[PipEngine()]) == []


def test_he_9_a_cross_checked_result_holds_with_and_without_the_engines() -> None:
    result = result_of(LAST_CHECKER_RECORD, engine=PipEngine(), cross_engines=[EvenEngine()])
    assert [build["name"] for build in result["engine"]["cross_checks"]] == ["even"]
    compared = [turn for turn in result["games"][0]["playout"]["turns"] if turn["candidates"]]
    assert compared
    assert all(turn["cross_choices"].keys() == {"even"} for turn in compared)
    assert complaints(result) == []
    assert complaints(result, engines=[PipEngine(), EvenEngine()]) == []
    assert complaints(result, engines=[PipEngine()])[0].startswith("engine: ")


def test_he_9_an_altered_cross_check_is_found() -> None:
    result = result_of(LAST_CHECKER_RECORD, engine=PipEngine(), cross_engines=[EvenEngine()])
    turn = next(turn for turn in result["games"][0]["playout"]["turns"] if turn["candidates"])
    turn["cross_choices"]["even"] = "6/5"
    (complaint,) = complaints(result)
    assert "cross_choices.even: is '6/5'" in complaint


def test_he_9_another_record_s_digest_is_found(result: Json) -> None:
    result["match"]["sha256"] = "0" * 64
    (complaint,) = complaints(result)
    assert complaint.startswith("match.sha256: ")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("games.0.adjudicated.winner", "black"),
        ("games.0.adjudicated.points", 7),
        ("games.0.adjudicated.win", "backgammon"),
        ("games.0.clause", "HE-6.6"),
        ("games.0.changed", None),
        ("games.0.playout.last_roll", [6, 6]),
        ("games.0.playout.roll_number", 3),
        ("games.0.playout.start.series_roll", 1),
        ("games.0.playout.start.position_id", "4HPwATDgc/ABMA"),
        ("games.0.playout.winner_forced", None),
        ("games.0.playout.chances.white.win", 0.25),
        ("games.0.playout.turns.0.dice", [1, 1]),
        ("games.0.playout.turns.0.play", "6/5"),
        ("games.0.playout.turns.0.choice", "none"),
        ("match_result.adjudicated.score.white", 9),
        ("ruleset.version", 99),
        ("ruleset.name", "unhappy-end"),
        ("engine.settings.tie_break", "other/1"),
    ],
)
def test_he_9_what_was_altered_is_named_by_its_place(result: Json, place: str, value: object) -> None:
    *way, last = [int(key) if key.isdecimal() else key for key in place.split(".")]
    target: Any = result
    for key in way:
        target = target[key]
    assert target[last] != value
    target[last] = value
    found = complaints(result)
    name = place.replace(".0", "[0]")
    assert any(complaint.startswith(name) for complaint in found), found


def test_an_equity_the_engine_did_not_give_is_found_when_it_is_asked_again(result: Json) -> None:
    turn = next(turn for turn in result["games"][0]["playout"]["turns"] if turn["candidates"])
    turn["candidates"][0]["equity"] += 0.5
    assert any("equity" in complaint for complaint in complaints(result, engines=[PipEngine()]))


def test_an_equity_that_would_have_led_to_another_choice_is_found_without_the_engine(result: Json) -> None:
    turn = next(turn for turn in result["games"][0]["playout"]["turns"] if turn["candidates"])
    turn["candidates"][-1]["equity"] = 9.0
    assert complaints(result)


def test_another_engine_than_the_result_s_is_said_to_be_asked(result: Json) -> None:
    assert complaints(result, engines=[EvenEngine()])[0].startswith("engine: ")


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"games": None},
        {"ruleset": {"finish": "never"}},
        {"match": "a match"},
        {"engine": []},
    ],
)
def test_what_is_no_result_is_said_to_be_none_and_does_not_raise(result: Json, broken: Json) -> None:
    (complaint,) = complaints(broken and {**result, **broken})
    assert "no complete result" in complaint


@pytest.mark.parametrize("indifference", [float("nan"), float("inf"), -1.0])
def test_an_indifference_that_is_no_difference_does_not_raise(result: Json, indifference: float) -> None:
    changed = copy.deepcopy(result)
    changed["ruleset"]["indifference"] = indifference
    (complaint,) = complaints(changed)
    assert "indifference" in complaint
