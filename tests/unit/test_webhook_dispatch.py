"""The use cases around webhooks, over a real database, with a clock and receivers that tests command."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from queue import Queue

import pytest

from adjudicator.errors import (
    AddressRefusedError,
    ConflictError,
    NotFoundError,
    RequestError,
    StoreUnavailableError,
)
from adjudicator.service.meter import Delivery as Attempt
from adjudicator.service.meter import Unmetered
from adjudicator.service.webhooks.addresses import AddressPolicy
from adjudicator.service.webhooks.dispatch import GONE, Dispatcher, DispatchPolicy
from adjudicator.service.webhooks.schedule import PAUSES, next_pause
from adjudicator.service.webhooks.service import MOST_SECRETS, WebhookService
from adjudicator.service.webhooks.values import Answer, Delivery, DeliveryStatus, Message
from adjudicator.store.database import Database
from adjudicator.store.delivery_store import DeliveryStore
from adjudicator.store.schema import upgrade
from tests.unit.office import HandSetClock

HOOK = "https://hooks.example/done"
OWNER = "local"
LIMIT_S = 20


class CommandedSender:
    """Keeps the ``Sender`` port: answers as the test says, and lists what it was given."""

    def __init__(self) -> None:
        self.sent: Queue[Message] = Queue()
        self.act: Callable[[Message], Answer] = lambda _message: Answer(204)

    def send(self, message: Message) -> Answer:
        self.sent.put(message)
        return self.act(message)

    def urls(self) -> list[str]:
        return [self.sent.get_nowait().url for _ in range(self.sent.qsize())]


class AttemptMeter(Unmetered):
    """Lists how attempts ended."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def delivered(self, outcome: Attempt) -> None:
        self.attempts.append(outcome)


class PostOffice:
    """Webhooks of one process; ``colleague`` is another one over the same database."""

    def __init__(self, folder: Path) -> None:
        url = f"sqlite:///{folder / 'hooks.db'}"
        upgrade(url)
        self.database = Database(url)
        self.clock = HandSetClock()
        self.sender = CommandedSender()
        self.meter = AttemptMeter()
        self.service = WebhookService(
            DeliveryStore(self.database), AddressPolicy(), clock=self.clock, meter=self.meter
        )

    def dispatcher(self, policy: DispatchPolicy | None = None) -> Dispatcher:
        return self.service.open_dispatcher(self.sender, policy or DispatchPolicy())

    def send_due(self) -> int:
        """Sends all that is due now, to its end."""
        dispatcher = self.dispatcher()
        begun = dispatcher.step()
        dispatcher.close()
        return begun

    def ping(self, owner: str = OWNER) -> Delivery:
        return self.service.ping(owner)

    def delivery(self, of: Delivery) -> Delivery:
        return self.service.delivery(of.id, of.owner)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[PostOffice]:
    office = PostOffice(tmp_path)
    office.service.put_endpoint(OWNER, HOOK)
    yield office
    office.database.close()


def test_what_is_delivered_is_noted_and_not_sent_again(office: PostOffice) -> None:
    pinged = office.ping()
    assert office.send_due() == 1
    message = office.sender.sent.get_nowait()
    assert (message.id, message.url, message.sent_at) == (pinged.id, HOOK, office.clock.now)
    assert message.body == b'{"data":{},"timestamp":"2026-11-29T12:00:00.000Z","type":"ping"}'
    delivered = office.delivery(pinged)
    assert (delivered.status, delivered.answered, delivered.attempt) == (DeliveryStatus.DELIVERED, 204, 1)
    office.clock.move(days=30)
    assert office.send_due() == 0


def test_every_attempt_is_counted_by_how_it_ended(office: PostOffice) -> None:
    office.ping()
    office.send_due()
    office.sender.act = lambda _message: Answer(500)
    office.ping()
    for _ in range(len(PAUSES) + 1):
        office.send_due()
        office.clock.move(days=2)
    office.sender.act = lambda _message: Answer(410)
    office.ping()
    office.send_due()
    retried = [Attempt.RETRIED] * len(PAUSES)
    assert office.meter.attempts == [Attempt.DELIVERED, *retried, Attempt.GIVEN_UP, Attempt.REFUSED]


def test_what_fails_is_tried_by_the_schedule_and_then_kept_as_failed(office: PostOffice) -> None:
    office.sender.act = lambda _message: Answer(500)
    pinged = office.ping()
    for tries in range(1, len(PAUSES) + 1):
        assert office.send_due() == 1
        pause = next_pause(pinged.id, tries)
        assert pause is not None
        waiting = office.delivery(pinged)
        assert (waiting.status, waiting.tries, waiting.due_at) == (
            DeliveryStatus.PENDING,
            tries,
            office.clock.now + pause,
        )
        office.clock.now += pause - timedelta(milliseconds=1)
        assert office.send_due() == 0
        office.clock.move(milliseconds=1)
    assert office.send_due() == 1
    failed = office.delivery(pinged)
    assert (failed.status, failed.attempt, failed.answered) == (DeliveryStatus.FAILED, 10, 500)
    assert failed.error == "The receiver answered 500."
    assert {message.id for message in office.sender.sent.queue} == {pinged.id}
    assert len({message.body for message in office.sender.sent.queue}) == 1
    office.clock.move(days=30)
    assert office.send_due() == 0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(302), "The receiver answered 302; redirects are not followed."),
        (Answer(404), "The receiver answered 404."),
        (Answer(None, "The connection failed: refused"), "The connection failed: refused"),
    ],
)
def test_why_it_failed_is_kept(office: PostOffice, answer: Answer, reason: str) -> None:
    office.sender.act = lambda _message: answer
    pinged = office.ping()
    office.send_due()
    tried = office.delivery(pinged)
    assert (tried.status, tried.answered, tried.error) == (DeliveryStatus.PENDING, answer.status, reason)


def test_a_receiver_that_asks_for_a_pause_gets_it(office: PostOffice) -> None:
    office.sender.act = lambda _message: Answer(429, None, 1000.0)
    pinged = office.ping()
    office.send_due()
    assert office.delivery(pinged).due_at == office.clock.now + timedelta(seconds=1000)


def test_an_endpoint_that_answers_410_is_disabled_with_the_reason(office: PostOffice) -> None:
    office.sender.act = lambda _message: Answer(410)
    pinged = office.ping()
    office.send_due()
    endpoint = office.service.endpoint(OWNER)
    assert (endpoint.disabled_at, endpoint.disabled_because) == (office.clock.now, GONE)
    assert (office.delivery(pinged).status, office.delivery(pinged).error) == (DeliveryStatus.FAILED, GONE)
    with pytest.raises(ConflictError, match="disabled"):
        office.ping()
    with pytest.raises(ConflictError, match="disabled"):
        office.service.replay(pinged.id, OWNER)
    office.service.put_endpoint(OWNER, HOOK)
    assert office.service.replay(pinged.id, OWNER).status is DeliveryStatus.PENDING


def test_what_nobody_noted_is_sent_again_under_the_same_id(office: PostOffice) -> None:
    pinged = office.ping()

    def die(_message: Message) -> Answer:
        raise RuntimeError("as if the process ended between sending and noting")

    office.sender.act = die
    office.send_due()
    assert office.delivery(pinged).status is DeliveryStatus.PENDING
    office.sender.act = lambda _message: Answer(204)
    office.clock.now += DispatchPolicy().lease - timedelta(seconds=1)
    assert office.send_due() == 0
    office.clock.move(seconds=1)
    assert office.send_due() == 1
    assert [message.id for message in office.sender.sent.queue] == [pinged.id, pinged.id]
    assert office.delivery(pinged).status is DeliveryStatus.DELIVERED


def test_a_slow_receiver_holds_nobody_else_up(office: PostOffice) -> None:
    go_on = threading.Event()

    def act(message: Message) -> Answer:
        if message.url == HOOK:
            assert go_on.wait(LIMIT_S)
        return Answer(204)

    office.sender.act = act
    for _ in range(50):
        office.ping()
    office.clock.move(seconds=1)
    others = [f"https://other-{number}.example/" for number in range(20)]
    for url in others:
        office.service.put_endpoint(url, url)
        office.ping(owner=url)
    policy = DispatchPolicy(most=4, a_host=2, an_owner=2)
    dispatcher = office.dispatcher(policy)
    dispatcher.step()
    begun = [office.sender.sent.get(timeout=LIMIT_S).url for _ in range(22)]
    assert sorted(begun) == sorted([*others, HOOK, HOOK])
    assert office.sender.sent.empty()
    go_on.set()
    rest = [office.sender.sent.get(timeout=LIMIT_S).url for _ in range(48)]
    assert set(rest) == {HOOK}
    dispatcher.close()
    assert dispatcher.step() == 0


def test_no_more_is_sent_at_once_than_there_is_room_for(office: PostOffice) -> None:
    lock, under_way, most = threading.Lock(), 0, 0
    together = threading.Barrier(3)

    def act(_message: Message) -> Answer:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        together.wait(LIMIT_S)
        with lock:
            under_way -= 1
        return Answer(204)

    office.sender.act = act
    for _ in range(9):
        office.ping()
    dispatcher = office.dispatcher(DispatchPolicy(most=3, a_host=9, an_owner=9))
    dispatcher.step()
    for _ in range(9):
        office.sender.sent.get(timeout=LIMIT_S)
    dispatcher.close()
    assert most == 3


def test_several_processes_share_the_work(office: PostOffice) -> None:
    for _ in range(60):
        office.ping()
    dispatchers = [office.dispatcher() for _ in range(3)]
    threads = [threading.Thread(target=dispatcher.step) for dispatcher in dispatchers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sent = [office.sender.sent.get(timeout=LIMIT_S).id for _ in range(60)]
    for dispatcher in dispatchers:
        dispatcher.close()
    assert len(set(sent)) == 60
    assert office.sender.sent.empty()


def test_all_live_secrets_sign_and_the_old_one_ends_with_the_overlap(office: PostOffice) -> None:
    first = office.service.add_secret(OWNER)
    office.clock.move(seconds=1)
    second = office.service.add_secret(OWNER, timedelta(hours=2))
    assert first.key != second.key
    office.ping()
    office.send_due()
    assert office.sender.sent.get_nowait().secrets == (second.key, first.key)
    office.clock.move(hours=2)
    office.ping()
    office.send_due()
    assert office.sender.sent.get_nowait().secrets == (second.key,)
    assert [secret.id for secret in office.service.secrets(OWNER)] == [second.id]


def test_what_is_sent_is_always_signed(office: PostOffice) -> None:
    office.ping()
    office.send_due()
    (made,) = office.service.secrets(OWNER)
    assert office.sender.sent.get_nowait().secrets == (made.key,)
    assert len(made.key) == 32


def test_there_is_an_end_to_secrets(office: PostOffice) -> None:
    for _ in range(MOST_SECRETS):
        last = office.service.add_secret(OWNER)
    with pytest.raises(ConflictError, match="delete some"):
        office.service.add_secret(OWNER)
    office.service.delete_secret(last.id, OWNER)
    office.service.add_secret(OWNER)


def test_what_has_not_ended_cannot_be_replayed(office: PostOffice) -> None:
    pinged = office.ping()
    with pytest.raises(ConflictError, match="not ended"):
        office.service.replay(pinged.id, OWNER)


def test_a_replay_is_the_same_message_once_more(office: PostOffice) -> None:
    pinged = office.ping()
    office.send_due()
    office.clock.move(hours=1)
    office.service.replay(pinged.id, OWNER)
    office.send_due()
    first, second = office.sender.sent.queue
    assert (first.id, first.body) == (second.id, second.body)
    assert second.sent_at - first.sent_at == timedelta(hours=1)


def test_owners_are_apart(office: PostOffice) -> None:
    pinged, secret = office.ping(), office.service.add_secret(OWNER)
    with pytest.raises(NotFoundError):
        office.service.delivery(pinged.id, "somebody")
    with pytest.raises(NotFoundError):
        office.service.replay(pinged.id, "somebody")
    with pytest.raises(NotFoundError):
        office.service.delete_secret(secret.id, "somebody")
    with pytest.raises(NotFoundError):
        office.service.ping("somebody")
    with pytest.raises(NotFoundError):
        office.service.delete_endpoint("somebody")
    assert office.service.deliveries("somebody").entries == []
    assert office.service.secrets("somebody") == []


def test_an_endpoint_is_checked_before_it_is_kept(office: PostOffice) -> None:
    with pytest.raises(AddressRefusedError):
        office.service.put_endpoint(OWNER, "https://127.0.0.1/")
    with pytest.raises(RequestError):
        office.service.put_endpoint(OWNER, "http://hooks.example/")
    assert office.service.endpoint(OWNER).url == HOOK


def test_a_database_that_fails_in_between_leaves_the_delivery_to_be_sent_again(office: PostOffice) -> None:
    pinged = office.ping()

    def rename(before: str, after: str) -> None:
        with office.database.writing() as connection:
            connection.exec_driver_sql(f"ALTER TABLE {before} RENAME TO {after}")

    def break_database(_message: Message) -> Answer:
        rename("deliveries", "broken")
        return Answer(204)

    office.sender.act = break_database
    dispatcher = office.dispatcher()
    dispatcher.step()
    dispatcher.close()
    with pytest.raises(StoreUnavailableError):
        office.dispatcher().step()
    rename("broken", "deliveries")
    assert office.delivery(pinged).status is DeliveryStatus.PENDING
    office.sender.act = lambda _message: Answer(204)
    office.clock.now += DispatchPolicy().lease
    assert office.send_due() == 1
    assert office.delivery(pinged).status is DeliveryStatus.DELIVERED
