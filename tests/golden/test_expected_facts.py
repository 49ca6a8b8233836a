"""81 samples of real logs: what an independent program worked out for every game of them."""

import pytest

from tests.golden.facts import differences, facts_of
from tests.opinions import result_of
from tests.shared_data import ROOT, load_json, needs_shared_data

EXPECTED = load_json("expected.json", {})


@needs_shared_data
@pytest.mark.parametrize("name", EXPECTED)
def test_every_game_has_the_facts_that_an_independent_program_found(name: str) -> None:
    games = {game["game"]: game for game in result_of((ROOT / "matches" / name).read_bytes())["games"]}
    for expected in EXPECTED[name]:
        assert differences(facts_of(games[expected["game"]]), expected) == {}, expected["game"]


@needs_shared_data
def test_the_samples_are_the_400_games_known() -> None:
    assert sum(map(len, EXPECTED.values())) == 400
