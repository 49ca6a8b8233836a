"""How long a caller would like to wait."""

import pytest

from adjudicator.api.preferences import LONGEST_WAIT_S, parse_wait_s


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ([], 0),
        (["wait=10"], 10),
        (["Wait = 10"], 10),
        (['wait="7"; note=x'], 7),
        (["respond-async", "wait=3, wait=9"], 3),
        (["wait=0"], 0),
        (["wait=31"], LONGEST_WAIT_S),
        (["wait=99999999999999999999"], LONGEST_WAIT_S),
        (["wait=" + "9" * 5000], LONGEST_WAIT_S),
        (["wait=000000000000000000005"], 5),
        (["wait=" + "0" * 5000], 0),
        (["wait=-1"], 0),
        (["wait=1.5"], 0),
        (["wait"], 0),
        (["await=5"], 0),
        (["wait=٣"], 0),
    ],
)
def test_the_first_clear_wait_counts_up_to_the_longest(headers: list[str], wait_s: int) -> None:
    assert parse_wait_s(headers) == wait_s
