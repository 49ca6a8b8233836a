"""The store of first answers keeps its port's promises on every database that it is made for."""

import dataclasses
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.service.access_ports import Standing
from adjudicator.service.answer_values import Answer, Claim
from adjudicator.store.answer_store import AnswerTable
from adjudicator.store.database import Database
from adjudicator.store.schema import upgrade
from tests.contract.databases import fresh_database

NOON = datetime(2026, 11, 29, 12, 0, 0, 123_456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
FIRST = Claim("club", "order-17", "f" * 64, NOON)
LATER = dataclasses.replace(FIRST, claimed_at=NOON + 10 * MINUTE)
ANSWER = Answer(202, (("Location", "/v1/x"), ("Content-Type", "application/json")), b'{"n": "\xc3\x84"}' * 9)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnswerTable]:
    with fresh_database(request.param, tmp_path) as url:
        upgrade(url)
        database = Database(url)
        yield AnswerTable(database)
        database.close()


def claim(store: AnswerTable, claim: Claim, lease: timedelta = MINUTE) -> Standing | None:
    """Claims where a claim lasts for ``lease`` and an answer for an hour."""
    return store.claim(claim, lost_before=claim.claimed_at - lease, kept_since=claim.claimed_at - 60 * MINUTE)


def test_the_first_has_the_key_and_the_others_see_its_answer(store: AnswerTable) -> None:
    assert claim(store, FIRST) is None
    other = dataclasses.replace(FIRST, fingerprint="e" * 64, claimed_at=NOON + MINUTE / 2)
    assert claim(store, other) == Standing(FIRST.fingerprint, None)
    assert store.keep(FIRST, ANSWER)
    assert claim(store, LATER) == Standing(FIRST.fingerprint, ANSWER)


def test_an_answer_without_body_and_headers_is_one(store: AnswerTable) -> None:
    assert claim(store, FIRST) is None
    assert store.keep(FIRST, Answer(204, (), b""))
    assert claim(store, LATER) == Standing(FIRST.fingerprint, Answer(204, (), b""))


def test_keys_of_two_owners_have_nothing_to_do_with_each_other(store: AnswerTable) -> None:
    assert claim(store, FIRST) is None
    assert claim(store, dataclasses.replace(FIRST, owner="other")) is None
    assert store.keep(FIRST, ANSWER)
    assert claim(store, dataclasses.replace(LATER, owner="other"), 20 * MINUTE) == Standing("f" * 64, None)


def test_a_claim_whose_holder_is_dead_goes_to_the_next_who_alone_may_answer(store: AnswerTable) -> None:
    assert claim(store, FIRST) is None
    assert claim(store, LATER) is None
    assert not store.keep(FIRST, ANSWER)
    assert not store.release(FIRST)
    other = dataclasses.replace(ANSWER, status=201)
    assert store.keep(LATER, other)
    assert claim(store, dataclasses.replace(LATER, claimed_at=NOON + 11 * MINUTE)) == Standing(
        "f" * 64, other
    )


def test_a_claim_given_back_is_free_and_an_answer_is_not_given_back(store: AnswerTable) -> None:
    assert claim(store, FIRST) is None
    assert store.release(FIRST)
    again = dataclasses.replace(FIRST, claimed_at=NOON + MINUTE / 2)
    assert claim(store, again) is None
    assert store.keep(again, ANSWER)
    assert not store.release(again)
    assert not store.keep(again, dataclasses.replace(ANSWER, status=500))
    assert claim(store, LATER) == Standing("f" * 64, ANSWER)


def test_an_answer_that_was_kept_for_long_enough_makes_room(store: AnswerTable) -> None:
    assert claim(store, FIRST) is None
    assert store.keep(FIRST, ANSWER)
    much_later = dataclasses.replace(FIRST, claimed_at=NOON + 61 * MINUTE, fingerprint="e" * 64)
    assert claim(store, much_later) is None
    assert claim(store, dataclasses.replace(much_later, claimed_at=NOON + 61.5 * MINUTE)) == Standing(
        "e" * 64, None
    )


def test_the_oldest_are_cleared_first_and_no_more_than_asked_for(store: AnswerTable) -> None:
    for number in range(5):
        assert claim(store, Claim("club", str(number), "f" * 64, NOON + number * MINUTE)) is None
    assert store.clear(before=NOON, limit=10) == 0
    assert store.clear(before=NOON + 3 * MINUTE, limit=2) == 2
    assert store.clear(before=NOON + 3 * MINUTE, limit=2) == 1
    left = [
        number
        for number in range(5)
        if claim(store, Claim("club", str(number), "f" * 64, NOON + 5 * MINUTE), 20 * MINUTE) is not None
    ]
    assert left == [3, 4]


def test_of_many_at_once_one_has_the_key(store: AnswerTable) -> None:
    answers: list[Standing | None] = []

    def take(number: int) -> None:
        moment = NOON + timedelta(microseconds=number)
        answers.append(claim(store, dataclasses.replace(FIRST, claimed_at=moment)))

    threads = [threading.Thread(target=take, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer is None for answer in answers) == [False] * 7 + [True]


def test_the_answers_of_an_owner_are_forgotten_but_not_what_is_being_answered(store: AnswerTable) -> None:
    other, pending = dataclasses.replace(FIRST, owner="other"), dataclasses.replace(FIRST, key="order-18")
    for each in (FIRST, other, pending):
        assert claim(store, each) is None
    assert store.keep(FIRST, ANSWER)
    assert store.keep(other, ANSWER)
    assert [store.forget("club"), store.forget("club")] == [1, 0]
    assert claim(store, dataclasses.replace(LATER, owner="other")) == Standing(FIRST.fingerprint, ANSWER)
    assert claim(store, LATER) is None
    assert store.keep(pending, ANSWER)
