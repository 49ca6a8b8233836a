"""Submitting and looking up."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adjudicator.errors import (
    NotFoundError,
    RequestError,
    UnknownFormatError,
)
from adjudicator.happy_end.values import IDENTITY as TIE_BREAK
from adjudicator.service.choice import Choice
from adjudicator.service.values import LOCAL_OWNER, Status, Ticket
from tests.contract.records import MAT, match_record_bytes
from tests.unit.office import NOON, Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.service.close()


def test_a_submission_is_kept_and_queued(office: Office) -> None:
    adjudication = office.submit()
    assert office.queue.tickets == [Ticket(adjudication.id, 1)]
    assert (adjudication.status, adjudication.submitted_at) == (Status.QUEUED, NOON)
    match = office.service.match(adjudication.match_id, LOCAL_OWNER)
    assert (match.format, match.match_length, match.white, match.black) == (
        "jellyfish_mat",
        1,
        "white",
        "black",
    )
    assert match.adjudication_ids == (adjudication.id,)
    record = office.service.record(match.id, LOCAL_OWNER)
    assert (record.content, record.media_type) == (MAT, "text/plain")


def test_the_same_submission_is_the_same_adjudication(office: Office) -> None:
    first = office.submit()
    office.clock.move(hours=1)
    assert office.submit() == first
    assert office.queue.tickets == [Ticket(first.id, 1)]


def test_ids_follow_from_what_they_name(office: Office) -> None:
    adjudication = office.submit()
    assert (adjudication.id[0], adjudication.match_id[0]) == ("a", "m")
    assert len(adjudication.id) == len(adjudication.match_id) == 26
    of_others = office.submit(owner="other")
    by_option = office.submit(MAT, choice=Choice(options={"finish": "exact_or_double"}))
    assert of_others.match_id != adjudication.match_id == by_option.match_id
    assert len({adjudication.id, of_others.id, by_option.id}) == 3


def test_a_choice_that_only_names_the_defaults_is_the_same_choice(office: Office) -> None:
    options = {"finish": "exact", "numbering": "roll", "indifference": 0.001}
    named = Choice(engine="scripted", options=options)
    assert office.submit(MAT, choice=named) == office.submit()


def test_a_submission_outlives_a_queue_that_is_down(office: Office) -> None:
    office.queue.broken = "it is down"
    adjudication = office.submit()
    assert adjudication.status is Status.QUEUED
    office.queue.broken = None
    office.clock.move(seconds=6)
    assert [office.service.requeue_lost() for _ in range(2)] == [0, 1]
    assert office.queue.tickets == [Ticket(adjudication.id, 1)]


def test_nothing_is_kept_of_what_cannot_be_read(office: Office) -> None:
    with pytest.raises(UnknownFormatError):
        office.submit(b"\x89PNG")
    office.clock.move(hours=1)
    assert office.service.requeue_lost() == 0
    assert office.queue.tickets == []


def test_every_wrong_choice_is_named_at_once(office: Office) -> None:
    options = {"finish": "never", "numbering": "dice", "indifference": float("nan"), "luck": 1}
    wrong = Choice(engine="crystal ball", options=options)
    with pytest.raises(RequestError) as raised:
        office.submit(MAT, choice=wrong)
    named = [fault.place.parameter for fault in raised.value.faults]
    assert named == ["finish", "numbering", "indifference", "luck", "engine"]
    with pytest.raises(RequestError, match="'sad-end' is not known here; known: happy-end"):
        office.submit(MAT, choice=Choice(ruleset="sad-end"))


@pytest.mark.parametrize("value", [-0.001, 1.001, float("inf")])
def test_an_indifference_is_a_number_from_0_to_1(office: Office, value: float) -> None:
    with pytest.raises(RequestError, match="is not a number from 0 to 1"):
        office.submit(MAT, choice=Choice(options={"indifference": value}))


def test_an_engine_is_not_asked_about_a_game_it_does_not_know(office: Office) -> None:
    record = match_record_bytes(variant="hypergammon", games=[{"number": 1, "actions": []}])
    with pytest.raises(RequestError) as caught:
        office.submit(record)
    (fault,) = caught.value.faults
    assert fault.place.parameter == "engine"
    assert fault.reason == "scripted judges backgammon, nackgammon; this is a record of hypergammon"
    assert office.queue.tickets == []


def test_an_adjudication_is_known_by_all_that_judges(office: Office) -> None:
    """HE-7.6: the estimate under the modifier is named in the engine's settings."""
    settings = office.submit().engine.settings
    assert settings["tie_break"] == TIE_BREAK
    assert settings["match_equity_table"] == "Kazaross-XG2"


def test_what_belongs_to_others_is_not_found(office: Office) -> None:
    theirs = office.submit(owner="other")
    for look_up in (
        lambda: office.adjudication(theirs.id),
        lambda: office.result(theirs.id),
        lambda: office.service.match(theirs.match_id, LOCAL_OWNER),
        lambda: office.service.record(theirs.match_id, LOCAL_OWNER),
        lambda: office.adjudicate_again(theirs.match_id),
    ):
        with pytest.raises(NotFoundError):
            look_up()


def test_a_match_is_adjudicated_again_by_other_rules(office: Office) -> None:
    first = office.submit(match_record_bytes())
    second = office.adjudicate_again(first.match_id, choice=Choice(options={"numbering": "move"}))
    assert second.id != first.id
    assert set(office.service.match(first.match_id, LOCAL_OWNER).adjudication_ids) == {first.id, second.id}
    assert office.queue.tickets == [Ticket(first.id, 1), Ticket(second.id, 1)]


def test_readiness_names_what_is_away_and_leaves_the_reason_to_the_log(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    assert office.service.check_ready() == {"database": "ok", "queue": "ok", "workers": "ok"}
    office.queue.broken = "no socket /secret"
    assert office.service.check_ready() == {"database": "ok", "queue": "away", "workers": "unknown"}
    assert "the queue is away: no socket /secret" in caplog.text


def test_readiness_tells_whether_a_worker_is_alive(office: Office) -> None:
    office.queue.workers.clear()
    assert office.service.check_ready() == {"database": "ok", "queue": "ok", "workers": "none"}
    office.service.announce_worker()
    assert office.service.check_ready()["workers"] == "ok"
    office.queue.broken = "it is down"
    office.service.announce_worker()


def test_the_same_many_times_at_once_is_queued_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[Ticket] = []
    monkeypatch.setattr(office.queue, "put", put.append)
    with ThreadPoolExecutor(8) as threads:
        (adjudication,) = set(threads.map(lambda _: office.submit().id, range(24)))
    office.adjudicate_again(office.adjudication(adjudication).match_id)
    assert put == [Ticket(adjudication, 1)]
