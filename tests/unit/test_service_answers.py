"""A request made twice under one key is carried out once."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.errors import AnswerPendingError, IdempotencyKeyReusedError, StoreUnavailableError
from adjudicator.service.answer_values import Answer, Claim
from adjudicator.service.answers import CLAIM_LEASE, CLEARED_EVERY, AnswerService, fingerprint
from adjudicator.store.answer_store import AnswerTable
from adjudicator.store.database import Database
from adjudicator.store.schema import upgrade
from tests.unit.office import HandSetClock

THIS = fingerprint("POST", "/v1/matches?a=1", "text/plain", "b0d1")
OTHER = fingerprint("POST", "/v1/matches?a=1", "text/plain", "07e5")
TAKEN = Answer(202, (("Location", "/x"),), b"{}")
REFUSED = Answer(422, (), b"{}")
FAILED = Answer(503, (), b"{}")


@pytest.fixture
def clock() -> HandSetClock:
    return HandSetClock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerTable]:
    url = f"sqlite:///{tmp_path / 'answers.db'}"
    upgrade(url)
    database = Database(url)
    yield AnswerTable(database)
    database.close()


@pytest.fixture
def answers(store: AnswerTable, clock: HandSetClock) -> AnswerService:
    return AnswerService(store, kept_for=timedelta(hours=2), clock=clock)


def claim(answers: AnswerService, fingerprint: str = THIS) -> Claim:
    claim = answers.claim("club", "order-17", fingerprint)
    assert isinstance(claim, Claim)
    return claim


@pytest.mark.parametrize("answer", [TAKEN, REFUSED])
def test_the_second_is_answered_as_the_first_refusals_too(answers: AnswerService, answer: Answer) -> None:
    answers.settle(claim(answers), answer)
    assert answers.claim("club", "order-17", THIS) == answer


def test_while_the_first_is_at_it_the_second_has_to_wait(answers: AnswerService, clock: HandSetClock) -> None:
    claim(answers)
    clock.move(seconds=CLAIM_LEASE.total_seconds())
    with pytest.raises(AnswerPendingError):
        answers.claim("club", "order-17", THIS)


def test_another_request_under_the_key_is_refused_before_and_after_the_answer(answers: AnswerService) -> None:
    first = claim(answers)
    with pytest.raises(IdempotencyKeyReusedError, match="order-17"):
        answers.claim("club", "order-17", OTHER)
    answers.settle(first, TAKEN)
    with pytest.raises(IdempotencyKeyReusedError):
        answers.claim("club", "order-17", OTHER)


def test_after_a_failure_of_the_service_the_key_is_free(answers: AnswerService) -> None:
    answers.settle(claim(answers), FAILED)
    answers.settle(claim(answers, OTHER), TAKEN)
    assert answers.claim("club", "order-17", OTHER) == TAKEN


def test_a_first_that_died_makes_room_and_does_not_speak_any_more(
    answers: AnswerService, clock: HandSetClock, caplog: pytest.LogCaptureFixture
) -> None:
    dead = claim(answers)
    clock.move(seconds=CLAIM_LEASE.total_seconds() + 1)
    second = claim(answers)
    answers.settle(dead, REFUSED)
    assert "took too long" in caplog.text
    answers.settle(second, TAKEN)
    assert answers.claim("club", "order-17", THIS) == TAKEN


def test_a_key_is_known_for_the_time_that_is_set(answers: AnswerService, clock: HandSetClock) -> None:
    answers.settle(claim(answers), TAKEN)
    clock.move(hours=2)
    assert answers.claim("club", "order-17", THIS) == TAKEN
    clock.move(seconds=1)
    claim(answers, OTHER)


def test_an_answer_that_cannot_be_kept_is_given_all_the_same(
    answers: AnswerService,
    store: AnswerTable,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> bool:
        raise StoreUnavailableError("away")

    monkeypatch.setattr(store, "keep", fail)
    with caplog.at_level(logging.WARNING):
        answers.settle(claim(answers), TAKEN)
    assert "is not kept: away" in caplog.text


def test_old_ones_are_cleared_and_looked_for_once_a_minute(
    answers: AnswerService, store: AnswerTable, clock: HandSetClock
) -> None:
    answers.settle(claim(answers), TAKEN)
    assert answers.clear_old() == 0
    clock.move(hours=2, seconds=1)
    assert answers.clear_old() == 1
    answers.settle(claim(answers), TAKEN)
    long_after = AnswerService(store, kept_for=-timedelta(hours=1), clock=clock)
    assert long_after.clear_old() == 1
    answers.settle(claim(answers), TAKEN)
    assert long_after.clear_old() == 0
    clock.move(seconds=CLEARED_EVERY.total_seconds())
    assert long_after.clear_old() == 1


def test_whatever_makes_a_request_another_one_changes_its_fingerprint() -> None:
    parts = ("POST", "/v1/matches?a=1", "text/plain", "b0d1")
    others = [
        ("PUT", *parts[1:]),
        (parts[0], "/v1/matches?a=2", *parts[2:]),
        (*parts[:2], "text/html", parts[3]),
        (*parts[:3], "b0d2"),
    ]
    assert len({fingerprint(*some) for some in (parts, *others)}) == 5
    assert fingerprint(*parts) == THIS
