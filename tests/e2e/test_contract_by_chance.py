"""openapi.yaml against the running service, with requests that schemathesis thinks up.

No server error, no answer that is not in the contract, and no request let in without a key.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import CHECKS, load_all_checks

from tests.contract.contract import CONTRACT_FILE
from tests.e2e.door import AUTHORIZATION, Door, open_door

for media_type in (
    *("application/x-bgblitz", "application/x-extreme-gammon", "application/x-go-sgf", "application/x-ogxm"),
    *("application/gzip", "application/x-ndjson", "application/x-tar", "application/zip"),
):
    schemathesis.serializer.alias(media_type, "application/octet-stream")

SCHEMA = schemathesis.openapi.from_path(CONTRACT_FILE)
load_all_checks()
LEFT_OUT: list[Any] = CHECKS.get_by_names(["positive_data_acceptance"])
"""What fits the schema of a record need not be one that can be played."""

READ_LATER: list[Any] = CHECKS.get_by_names(["negative_data_rejection"])
"""What is wrong with a member of a batch is said of the member, once it is read."""

AT_ANY_ADDRESS = {414, 431}
"""What the contract says of all addresses once: an address or a head that is too long."""


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    folder: Path = tmp_path_factory.mktemp("chance")
    with open_door(folder) as door:
        yield door


@pytest.mark.slow
@SCHEMA.parametrize()
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_in_the_contract(case: Case[Any], door: Door) -> None:
    answer = case.call(base_url=door.address, headers=AUTHORIZATION, timeout=60)
    if answer.status_code in AT_ANY_ADDRESS:
        assert answer.json()["status"] == answer.status_code
    else:
        left_out = LEFT_OUT + (READ_LATER if case.path == "/v1/batches" else [])
        case.validate_response(answer, excluded_checks=left_out)
