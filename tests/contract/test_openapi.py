"""The contract itself, and that it names what the service does, no more and no less."""

import re
import subprocess
import sys

from flask import Flask
from openapi_spec_validator import validate

from adjudicator.api.bodies import FORMAT_BY_MEDIA_TYPE, MULTIPART
from adjudicator.api.schemas import OptionsSchema, SubmissionSchema
from adjudicator.happy_end.ruleset import RULESETS, Finish, Numbering
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
        ("/v1/matches/{match_id}/adjudications", OptionsSchema),
    ):
        references = [
            reference["$ref"].rpartition("/")[2]
            for reference in contract.operations["POST", path]["parameters"]
        ]
        parameters = [contract.document["components"]["parameters"][name] for name in references]
        assert {entry["name"] for entry in parameters if entry["in"] == "query"} == set(schema().fields)


def test_the_options_of_a_body_are_those_that_are_read(contract: Contract) -> None:
    options = contract.document["components"]["schemas"]["Options"]["properties"]
    assert set(options) == set(OptionsSchema().fields)


def test_the_content_types_are_those_that_are_read(contract: Contract) -> None:
    content = contract.operations["POST", "/v1/matches"]["requestBody"]["content"]
    assert set(content) == {*FORMAT_BY_MEDIA_TYPE, MULTIPART}


def test_the_choices_and_defaults_are_those_of_the_code(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    ruleset = RULESETS["happy-end"]
    assert schemas["Status"]["enum"] == [status.value for status in Status]
    assert schemas["Finish"]["enum"] == [finish.value for finish in Finish]
    assert schemas["Numbering"]["enum"] == [numbering.value for numbering in Numbering]
    assert schemas["Finish"]["default"] == ruleset.finish.value
    assert schemas["Numbering"]["default"] == ruleset.numbering.value
    assert schemas["Indifference"]["default"] == ruleset.indifference


def test_the_examples_are_what_they_are_examples_of(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    for name in ("MatchRecord", "Options"):
        assert contract.faults(f"/components/schemas/{name}", schemas[name]["example"]) == []
    assert contract.faults("/components/schemas/MatchRecord", match_record()) == []
    for name in ("BadRequest", "Unreadable"):
        content = contract.document["components"]["responses"][name]["content"]
        example = content["application/problem+json"]["example"]
        assert contract.faults("/components/schemas/Problem", example) == []


def test_a_member_that_the_contract_does_not_name_is_a_fault(contract: Contract) -> None:
    assert contract.faults("/components/schemas/Score", {"white": 1, "black": 2}) == []
    assert contract.faults("/components/schemas/Score", {"white": 1, "black": 2, "red": 3}) != []
    assert contract.faults("/components/schemas/Timestamp", "yesterday") != []


def test_the_web_process_does_not_load_the_worker() -> None:
    program = "import sys, adjudicator.api.app; sys.exit('worker' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
