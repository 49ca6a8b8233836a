"""The contract itself, and that it names what the service does, no more and no less."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from flask import Flask
from openapi_spec_validator import validate

from adjudicator.api.archive_body import ARCHIVE_MEDIA_TYPES
from adjudicator.api.bodies import FORMAT_BY_MEDIA_TYPE, MULTIPART
from adjudicator.api.key_schemas import KeySchema, NewKeySchema, RotationSchema
from adjudicator.api.schemas import AgainSchema, JsonOptionsSchema, SubmissionSchema
from adjudicator.errors import RecordError, UnsupportedVariantError
from adjudicator.happy_end.game import GameStatus
from adjudicator.happy_end.ruleset import DEFAULT_RULESET, Finish, Numbering
from adjudicator.logs.match_record.reader import read_match_record
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.variants import VARIANTS
from adjudicator.service.access import KeyState, Scope
from adjudicator.service.batch_values import BatchStatus, MemberStatus
from adjudicator.service.keys import LONGEST_LABEL, LONGEST_LIFETIME, LONGEST_OVERLAP, OVERLAP
from adjudicator.service.values import Status
from tests.contract.contract import Contract
from tests.contract.records import match_record


def test_the_contract_is_openapi(contract: Contract) -> None:
    validate(contract.document)


def test_every_route_is_in_the_contract_and_the_other_way_round(app: Flask, contract: Contract) -> None:
    routes = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD"}
    }
    assert routes == set(contract.operations)


def test_every_operation_has_a_name_of_its_own(contract: Contract) -> None:
    names = [operation["operationId"] for operation in contract.operations.values()]
    assert len(set(names)) == len(names)


def test_the_query_parameters_are_those_that_are_read(contract: Contract) -> None:
    for path, schema in (
        ("/v1/matches", SubmissionSchema),
        ("/v1/batches", SubmissionSchema),
        ("/v1/matches/{match_id}/adjudications", AgainSchema),
    ):
        references = [
            reference["$ref"].rpartition("/")[2]
            for reference in contract.operations["POST", path]["parameters"]
        ]
        parameters = [contract.document["components"]["parameters"][name] for name in references]
        assert {entry["name"] for entry in parameters if entry["in"] == "query"} == set(schema().fields)


def test_the_options_of_a_body_are_those_that_are_read(contract: Contract) -> None:
    options = contract.document["components"]["schemas"]["Options"]["properties"]
    assert set(options) == set(JsonOptionsSchema().fields)


def test_keys_are_told_and_wished_for_as_the_code_has_it(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    key, wish, rotation = (schemas[name]["properties"] for name in ("Key", "KeyWish", "RotationWish"))
    assert schemas["Scope"]["enum"] == [scope.value for scope in Scope]
    assert key["state"]["enum"] == [state.value for state in KeyState]
    assert set(key) == {*KeySchema().fields, "state", "key"}
    assert set(wish) == set(NewKeySchema().fields)
    assert wish["label"]["maxLength"] == LONGEST_LABEL
    assert wish["lifetime_s"]["maximum"] == LONGEST_LIFETIME.total_seconds()
    assert set(rotation) == set(RotationSchema().fields)
    assert (rotation["overlap_s"]["default"], rotation["overlap_s"]["maximum"]) == (
        OVERLAP.total_seconds(),
        LONGEST_OVERLAP.total_seconds(),
    )


def test_the_content_types_are_those_that_are_read(contract: Contract) -> None:
    content = contract.operations["POST", "/v1/matches"]["requestBody"]["content"]
    assert set(content) == {*FORMAT_BY_MEDIA_TYPE, MULTIPART}
    archives = contract.operations["POST", "/v1/batches"]["requestBody"]["content"]
    assert set(archives) == {*ARCHIVE_MEDIA_TYPES, MULTIPART}


def test_the_choices_and_defaults_are_those_of_the_code(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    ruleset = DEFAULT_RULESET
    assert schemas["MatchRecord"]["properties"]["variant"]["enum"] == list(VARIANTS)
    assert schemas["CubeAction"]["properties"]["cube"]["enum"] == [action.value for action in CubeAction]
    assert schemas["Status"]["enum"] == [status.value for status in Status]
    assert schemas["BatchStatus"]["enum"] == [status.value for status in BatchStatus]
    assert schemas["MemberStatus"]["enum"] == [status.value for status in MemberStatus]
    assert set(schemas["MemberCounts"]["properties"]) == {status.value for status in MemberStatus}
    games = schemas["BatchSummary"]["properties"]["games"]["properties"]["by_status"]["properties"]
    assert set(games) == {status.value for status in GameStatus}
    ended = schemas["BatchResultLine"]["properties"]["status"]["enum"]
    assert ended == [status.value for status in MemberStatus if status.has_ended]
    assert schemas["Finish"]["enum"] == [finish.value for finish in Finish]
    assert schemas["Numbering"]["enum"] == [numbering.value for numbering in Numbering]
    assert schemas["Finish"]["default"] == ruleset.finish.value
    assert schemas["Numbering"]["default"] == ruleset.numbering.value
    assert schemas["Indifference"]["default"] == ruleset.indifference


def test_the_examples_are_what_they_are_examples_of(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    for name in ("MatchRecord", "Options", "KeyWish", "AdjudicationDoneEvent"):
        assert contract.faults(f"/components/schemas/{name}", schemas[name]["example"]) == []
    assert contract.faults("/components/schemas/MatchRecord", match_record()) == []
    for name in (
        "BadRequest",
        "Unreadable",
        "Unauthenticated",
        "Forbidden",
        "RateLimited",
        "AnswerPending",
        "KeyReused",
        "AddressRefused",
    ):
        content = contract.document["components"]["responses"][name]["content"]
        example = content["application/problem+json"]["example"]
        assert contract.faults("/components/schemas/Problem", example) == []


Changes: TypeAlias = dict[str, dict[str, Any]]

RECORDS: Changes = {
    "as it should be": {},
    "no schema": {"schema": None},
    "another schema": {"schema": "match-record/2"},
    "unknown variant": {"variant": "chess"},
    "length as text": {"match_length": "7"},
    "length as a fraction": {"match_length": 7.5},
    "length below nothing": {"match_length": -1},
    "money": {"match_length": 0, "rules": {"jacoby": True}},
    "unknown rule": {"rules": {"beavers": True}},
    "rule as text": {"rules": {"crawford": "yes"}},
    "a name too few": {"players": {"white": {"name": "A"}}},
    "empty names": {"players": {"white": {"name": ""}, "black": {"name": ""}}},
    "name as a number": {"players": {"white": {"name": 1}, "black": {"name": ""}}},
    "metadata": {"metadata": {"site": "here"}},
    "metadata as a number": {"metadata": {"round": 3}},
    "unknown member": {"surprise": 1},
    "no games": {"games": []},
}
GAMES: Changes = {
    "no number": {"number": None},
    "no score": {"score": None},
    "half a score": {"score": {"white": 1}},
    "standard start": {"start": "standard", "actions": []},
    "another start": {"start": "usual"},
    "16 checkers": {"start": {"white": {"6": 16}, "black": {"1": 1}}},
    "point 26": {"start": {"white": {"26": 1}, "black": {"1": 1}}},
    "checkers on the bar": {"start": {"white": {"25": 1}, "black": {"1": 1}}, "actions": []},
    "crawford": {"crawford": True},
    "no result": {"result": None},
    "nobody's result": {"result": {"winner": "red", "points": 1}},
    "4016 points": {"result": {"winner": "white", "points": 4016}},
    "unknown member of a game": {"length": 1},
}
ACTIONS: Changes = {
    "die of 7": {"roll": [6, 7], "moves": ""},
    "three dice": {"roll": [6, 6, 6], "moves": ""},
    "not played": {"roll": [6, 5], "moves": None},
    "nothing said": {"roll": [6, 5]},
    "pairs": {"roll": [6, 5], "moves": [[5, 0], [3, 0]]},
    "pair from 26": {"roll": [6, 5], "moves": [[26, 20]]},
    "cannot move": {"roll": [6, 5], "moves": "cannot move"},
    "moves as a number": {"roll": [6, 5], "moves": 3},
    "agreed": {"roll": [6, 5], "agreed": {"white": {"3": 1}, "black": {"6": 2}}},
    "agreed on what is not known": {"roll": [6, 5], "agreed": None},
    "double": {"cube": "double", "value": 2},
    "double of an unknown value": {"cube": "double", "value": None},
    "double of nothing": {"cube": "double", "value": 0},
    "unknown cube action": {"cube": "throw"},
    "resignation": {"resign": "gammon"},
    "resignation of an unknown kind": {"resign": None},
    "resignation of a house": {"resign": "house"},
    "two kinds": {"resign": "single", "cube": "double"},
    "no kind": {},
    "unknown member of an action": {"resign": "single", "loudly": True},
}


def varied_records() -> Iterator[Any]:
    for name, changes in RECORDS.items():
        yield pytest.param(match_record(**changes), id=name)
    game = match_record()["games"][0]
    for name, changes in GAMES.items():
        yield pytest.param(match_record(games=[game | changes]), id=name)
    for name, action in ACTIONS.items():
        actions = [{"player": "white"} | action]
        yield pytest.param(match_record(games=[game | {"actions": actions}]), id=name)


@pytest.mark.parametrize("record", list(varied_records()))
def test_the_contract_takes_the_records_that_the_reader_takes(
    contract: Contract, record: dict[str, Any]
) -> None:
    try:
        read_match_record(json.dumps(record).encode())
        complaint = ""
    except (RecordError, UnsupportedVariantError) as error:
        complaint = str(error)
    faults = contract.faults("/components/schemas/MatchRecord", record)
    assert bool(faults) == bool(complaint), (faults, complaint)


def test_a_member_that_the_contract_does_not_name_is_a_fault(contract: Contract) -> None:
    assert contract.faults("/components/schemas/Score", {"white": 1, "black": 2}) == []
    assert contract.faults("/components/schemas/Score", {"white": 1, "black": 2, "red": 3}) != []
    assert contract.faults("/components/schemas/Timestamp", "yesterday") != []


def test_the_web_process_does_not_load_the_worker() -> None:
    program = "import sys, adjudicator.api.app; sys.exit('worker' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
