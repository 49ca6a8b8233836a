"""A result is verified against the bytes of its record, in the format it was adjudicated in."""

import json
from typing import Any

import pytest

from adjudicator.happy_end.adjudication import adjudicate
from adjudicator.happy_end.result import format_result
from adjudicator.happy_end.ruleset import DEFAULT_RULESET
from adjudicator.logs.reading import detect_format, read_log
from adjudicator.service.identifiers import adjudication_id, match_id, record_digest
from adjudicator.service.values import LOCAL_OWNER
from adjudicator.service.verification import verify_result
from tests.opinions import EvenEstimator, PipEngine
from tests.records import LAST_CHECKER_RECORD

FIBS_LOG = b"""\
** You are now playing a 1 point match with bob
Starting a new game with bob.
Game 1
 A : 0                                 B : 0
You rolled 3, bob rolled 1
You roll 3 and 1.
You move 8-5 6-5 .
"""
"""A session that quotes the head of a game in a .mat, so that the content alone tells another format."""

Json = dict[str, Any]


def result_in(format_name: str, content: bytes) -> Json:
    log = read_log(content, format_name=format_name)
    adjudication = adjudicate(log, DEFAULT_RULESET, PipEngine(), EvenEstimator())
    sha256 = record_digest(content)
    of_match = match_id(LOCAL_OWNER, sha256)
    result = format_result(
        adjudication,
        adjudication_id=adjudication_id(of_match, adjudication.ruleset, adjudication.engine),
        match_id=of_match,
        record_sha256=sha256,
    )
    loaded: Json = json.loads(json.dumps(result))
    return loaded


def complaints(result: Json, content: bytes) -> list[str]:
    return verify_result(result, content, owner=LOCAL_OWNER, estimator=EvenEstimator(), file_name="a.log")


def test_a_record_is_read_in_the_format_that_the_result_states() -> None:
    assert detect_format(FIBS_LOG).name != "fibs"
    result = result_in("fibs", FIBS_LOG)
    assert result["games"]
    assert complaints(result, FIBS_LOG) == []


@pytest.mark.parametrize("stated", ["a format of old", "", None, 3, ["fibs"]])
def test_a_format_that_cannot_be_read_here_is_said_and_does_not_raise(stated: object) -> None:
    result = result_in("match_record", LAST_CHECKER_RECORD)
    result["match"]["format"] = stated
    (complaint,) = complaints(result, LAST_CHECKER_RECORD)
    assert complaint.startswith(f"match.format: is {stated!r}, ")
    assert "known are " in complaint


@pytest.mark.parametrize("broken", [{}, {"match": None}, {"match": "a match"}, {"match": {}}])
def test_a_result_that_states_no_format_does_not_raise(broken: Json) -> None:
    (complaint,) = complaints(broken, LAST_CHECKER_RECORD)
    assert complaint.startswith("match.format: ")


def test_a_record_that_is_not_in_the_format_stated_is_said_with_the_reasons() -> None:
    result = result_in("match_record", LAST_CHECKER_RECORD)
    result["match"]["format"] = "gnubg_sgf"
    first, *faults = complaints(result, LAST_CHECKER_RECORD)
    assert first.startswith("match.format: the record cannot be read as gnubg_sgf: ")
    assert all(fault.startswith("a.log") for fault in faults)
    assert faults
