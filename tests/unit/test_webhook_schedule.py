"""When a delivery that failed is tried again."""

from datetime import timedelta

import pytest

from adjudicator.service.webhooks.schedule import JITTER, PAUSES, next_pause

STANDARD_WEBHOOKS_S = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
"""The schedule that the specification gives as an example, in seconds."""


def test_the_schedule_is_the_one_of_standard_webhooks() -> None:
    assert [pause.total_seconds() for pause in PAUSES] == STANDARD_WEBHOOKS_S


@pytest.mark.parametrize("tries", range(1, 10))
def test_a_pause_is_longer_than_the_schedule_says_by_its_jitter_at_most(tries: int) -> None:
    least = timedelta(seconds=STANDARD_WEBHOOKS_S[tries - 1])
    pauses = [next_pause(f"msg_{number}", tries) for number in range(200)]
    assert all(pause is not None and least <= pause <= least * (1 + JITTER) for pause in pauses)
    assert len(set(pauses)) > 150


def test_the_same_delivery_has_the_same_pauses() -> None:
    assert next_pause("msg_a", 3) == next_pause("msg_a", 3) != next_pause("msg_b", 3)


def test_after_the_last_there_is_no_other() -> None:
    assert next_pause("msg_a", 9) is not None
    assert next_pause("msg_a", 10, retry_after_s=5) is None


@pytest.mark.parametrize(("asked_s", "expected_s"), [(3600, 3600), (86400, 86400), (10**9, 86400)])
def test_a_receiver_is_left_alone_for_as_long_as_it_asks_within_a_day(
    asked_s: float, expected_s: int
) -> None:
    assert next_pause("msg_a", 1, asked_s) == timedelta(seconds=expected_s)


@pytest.mark.parametrize("asked_s", [-5, 0, 1, 299])
def test_it_cannot_ask_to_be_told_sooner(asked_s: float) -> None:
    assert next_pause("msg_a", 2, asked_s) == next_pause("msg_a", 2)
