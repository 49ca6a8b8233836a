"""Real logs told in another format, against facts that an independent program worked out from the first."""

from typing import Any

import pytest

from adjudicator.logs.conversion import TARGETS, convert_log
from adjudicator.logs.reading import read_log
from adjudicator.reports.inspection_data import format_inspection
from adjudicator.service.inspection import inspect_log
from tests.golden.facts import SIDES
from tests.shared_data import ROOT, load_json, needs_shared_data

EXPECTED = load_json("expected.json", {})


@needs_shared_data
@pytest.mark.parametrize("word", TARGETS)
@pytest.mark.parametrize("name", EXPECTED)
def test_a_real_log_keeps_its_facts_in_another_format(name: str, word: str) -> None:
    conversion = convert_log(read_log((ROOT / "matches" / name).read_bytes()), TARGETS[word])
    assert conversion.losses == ()
    inspection = inspect_log(conversion.content)
    games = {game["game"]: game for game in format_inspection(inspection, name)["games"]}
    for expected in EXPECTED[name]:
        assert _differences(games[expected["game"]], expected) == {}


def _differences(game: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    recorded, reached = game["recorded"], game["last_checker"]
    found: dict[str, Any] = {
        "rolls": game["rolls"],
        "recorded": recorded and {"side": SIDES.index(recorded["winner"]), "points": recorded["points"]},
    }
    if reached and not reached["exact_finish"]:
        found["turn"] = reached["turn"]
        checker = expected.get("last_checker", {})
        found["last_checker"] = checker | {"side": SIDES.index(reached["side"]), "point": reached["point"]}
    return {
        fact: (value, found.get(fact))
        for fact, value in expected.items()
        if fact in ("rolls", "recorded", "turn", "last_checker") and found.get(fact) != value
    }
