"""How many requests are taken, and what happens where nobody can count them."""

import pytest

from adjudicator.errors import QueueUnavailableError
from adjudicator.service.access_ports import Count
from adjudicator.service.rate_limits import REFUSED_KEYS, REST_S, Kind, Rate, RateLimits, parse_rate

TEN = Rate(10, 60)


class ScriptedCounter:
    """Keeps the ``RateCounter`` port: counts in windows that do not end, unless it is away."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, int], int] = {}
        self.is_away = False
        self.asked = 0

    def count(self, name: str, window_s: int) -> Count:
        self.asked += 1
        if self.is_away:
            raise QueueUnavailableError("away")
        self.counts[name, window_s] = self.counts.get((name, window_s), 0) + 1
        return Count(self.counts[name, window_s], 12.2)

    def close(self) -> None:
        pass


def test_what_is_left_goes_down_to_nothing_and_then_it_is_too_much() -> None:
    limits = RateLimits(ScriptedCounter(), TEN)
    stands = [limits.count(Kind.READS, "club") for _ in range(12)]
    assert [stand.left for stand in stands if stand] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2]
    assert [stand.is_exceeded for stand in stands if stand] == [False] * 10 + [True] * 2
    assert {stand.reset_s for stand in stands if stand} == {13}


def test_owners_and_kinds_are_counted_apart_and_wrong_keys_by_a_rate_of_their_own() -> None:
    counter = ScriptedCounter()
    limits = RateLimits(counter, TEN)
    for kind, who in ((Kind.READS, "a"), (Kind.READS, "b"), (Kind.SUBMISSIONS, "a"), (Kind.READS, "a")):
        limits.count(kind, who)
    refused = limits.count(Kind.REFUSED_KEYS, "192.0.2.1")
    assert refused is not None
    assert refused.rate == REFUSED_KEYS
    assert counter.counts == {
        ("reads/a", 60): 2,
        ("reads/b", 60): 1,
        ("submissions/a", 60): 1,
        ("refused-keys/192.0.2.1", 60): 1,
    }


def test_without_a_limit_nothing_is_counted() -> None:
    counter = ScriptedCounter()
    assert RateLimits(counter, None).count(Kind.READS, "a") is None
    assert counter.asked == 0


def test_where_the_counter_is_away_there_is_no_limit_and_it_is_left_alone_for_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    counter, now = ScriptedCounter(), [100.0]
    limits = RateLimits(counter, TEN, clock=lambda: now[0])
    counter.is_away = True
    assert [limits.count(Kind.READS, "a") for _ in range(3)] == [None] * 3
    assert counter.asked == 1
    assert caplog.text.count("Requests are not limited for now: away") == 1
    now[0] += REST_S
    assert limits.count(Kind.READS, "a") is None
    counter.is_away = False
    now[0] += REST_S
    assert limits.count(Kind.READS, "a") is not None


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("600/minute", Rate(600, 60)),
        ("1/second", Rate(1, 1)),
        ("10000000/day", Rate(10_000_000, 86400)),
        ("off", None),
    ],
)
def test_a_rate_is_written_as_requests_in_a_time(text: str, rate: Rate | None) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize(
    "text", ["0/minute", "-1/minute", "600", "6e2/minute", "600/fortnight", "10000001/day", ""]
)
def test_another_text_is_no_rate(text: str) -> None:
    with pytest.raises(ValueError, match="such as 600/minute, or off"):
        parse_rate(text)
