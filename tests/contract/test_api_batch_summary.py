"""``GET /v1/batches/{id}/summary``."""

import json

from adjudicator.service.batch_statistics import format_tally, tally_lines
from tests.archives import numbered_files, tarred
from tests.contract.contract import CheckedClient
from tests.contract.harness import House
from tests.contract.records import MAT

FILES = [*numbered_files(3), ("4.mat", MAT), ("5.mat", b"no record"), ("../6.mat", MAT)]


def test_the_numbers_are_those_of_what_is_done_so_far(client: CheckedClient, house: House) -> None:
    sent = client.post("/v1/batches", data=tarred(FILES), content_type="application/gzip")
    address = f"{sent.headers['Location']}/summary"
    empty = client.get(address).get_json()
    assert (empty["matches"]["total"], empty["matches"]["by_status"]["waiting"]) == (6, 5)
    assert (empty["matches"]["changed_share"], empty["games"]["total"]) == (None, 0)
    assert empty["failures"] == {"unreadable_record": 1}
    house.batches.step()
    house.service.run(*house.queue.tickets.pop(0))
    assert client.get(address).get_json()["matches"]["changed_share"] == 1.0
    house.fail_next()
    house.work_batches()
    summary = client.get(address).get_json()
    assert summary["matches"]["by_status"] == {
        **dict.fromkeys(["waiting", "queued", "running", "cancelled"], 0),
        "done": 3,
        "failed": 1,
        "refused": 2,
    }
    assert (summary["matches"]["changed"], summary["matches"]["changed_share"]) == (2, 0.666667)
    assert summary["games"]["by_status"] == {
        **dict.fromkeys(["undecided", "no_result", "unreadable"], 0),
        "played_out": 2,
        "stands": 1,
    }
    assert (summary["games"]["changed"], summary["games"]["total"]) == (2, 3)
    assert summary["games"]["changed_share"] == summary["games"]["played_out_share"] == 0.666667
    assert summary["failures"] == {"engine_failure": 1, "unknown_format": 1, "unreadable_record": 1}


def test_the_results_come_to_the_same_numbers(client: CheckedClient, house: House) -> None:
    sent = client.post("/v1/batches", data=tarred(FILES), content_type="application/gzip")
    house.batches.step()
    house.fail_next()
    house.work_batches()
    address = sent.headers["Location"]
    lines = [json.loads(line) for line in client.get(f"{address}/results").data.splitlines()]
    summary = client.get(f"{address}/summary").get_json()
    assert format_tally(tally_lines(lines)) == {
        name: value for name, value in summary.items() if name not in {"schema", "id"}
    }
