"""Sending webhooks to real receivers, good ones and bad ones."""

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from adjudicator.outgoing.sender import SendLimits, WebhookSender, sign
from adjudicator.service.webhooks.addresses import AddressPolicy
from adjudicator.service.webhooks.values import Answer, Message, Secret
from tests.certificates import Authority
from tests.receiver import Receiver, answer, open_receiver

LOOPBACK = AddressPolicy.of("127.0.0.1/32,::1/128", "443")
QUICK = SendLimits(connect_s=2.0, read_s=2.0, total_s=1.0)
PATIENT = SendLimits(connect_s=20.0, read_s=20.0, total_s=20.0)
NAME = "hooks.example"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with open_receiver() as receiver:
        yield receiver


def a_message(url: str, *keys: bytes, traceparent: str | None = None) -> Message:
    body = json.dumps({"type": "ping", "name": "Ä"}, ensure_ascii=False).encode()
    return Message("msg_1", url, body, datetime.now(UTC), keys or (b"k" * 32,), traceparent)


def send(url: str, *, policy: AddressPolicy = LOOPBACK, limits: SendLimits = PATIENT) -> Answer:
    return WebhookSender(policy, limits=limits).send(a_message(url))


class Resolver:
    """Answers with these in turn, the last for ever, and lists what it was asked."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.asked: list[tuple[str, int]] = []
        self._answers = list(answers)

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def test_the_signature_is_that_of_the_specification() -> None:
    key = Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")._whsecret
    message = Message(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "https://hooks.example/",
        b'{"test": 2432232314}',
        datetime.fromtimestamp(1614265330, UTC),
        (key,),
    )
    assert sign(message) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_receiver_verifies_what_it_gets_by_any_live_secret(receiver: Receiver) -> None:
    message = a_message(receiver.url, b"new" * 10, b"old" * 10, traceparent=TRACE)
    assert WebhookSender(LOOPBACK).send(message) == Answer(204)
    request = receiver.next()
    assert request.line == "POST /hook HTTP/1.1"
    assert request.body == message.body
    assert request.headers["content-type"] == "application/json"
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert (request.headers["webhook-id"], request.headers["traceparent"]) == ("msg_1", TRACE)
    for key in message.secrets:
        secret = Secret("s", "local", key, message.sent_at).text
        assert Webhook(secret).verify(request.body, dict(request.headers)) == json.loads(message.body)
    with pytest.raises(WebhookVerificationError):
        Webhook(b"another").verify(request.body, dict(request.headers))


def test_without_a_trace_there_is_no_header_for_one(receiver: Receiver) -> None:
    send(receiver.url)
    assert "traceparent" not in receiver.next().headers


@pytest.mark.parametrize("status", [200, 204, 400, 404, 410, 500])
def test_the_status_comes_back_as_it_was_answered(receiver: Receiver, status: int) -> None:
    receiver.script = answer(status, "Retry-After: 9", body=b"all of this is passed over")
    assert send(receiver.url) == Answer(status)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("written", "understood"),
    [("120", 120.0), ("soon", None), ("-1", None), ("", None), ("1e9", None), ("9" * 5000, None)],
)
def test_a_receiver_may_ask_to_be_left_alone(
    receiver: Receiver, status: int, written: str, understood: float | None
) -> None:
    receiver.script = answer(status, f"Retry-After: {written}")
    assert send(receiver.url) == Answer(status, None, understood)


def test_it_may_name_a_date_for_that(receiver: Receiver) -> None:
    receiver.script = answer(503, "Retry-After: Sun, 29 Nov 2026 10:02:00 GMT")
    at = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
    message = Message("msg_1", receiver.url, b"{}", at, (b"key",))
    assert WebhookSender(LOOPBACK).send(message) == Answer(503, None, 120.0)


def test_a_redirect_is_an_answer_and_not_followed(receiver: Receiver) -> None:
    with open_receiver() as private:
        receiver.script = answer(307, f"Location: {private.url}")
        assert send(receiver.url) == Answer(307)
        receiver.next()
        assert private.received.empty()


def test_no_proxy_and_no_password_come_from_the_environment(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    assert send(receiver.url) == Answer(204)
    assert "authorization" not in receiver.next().headers


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",  # noqa: S104 - a place to call, not to listen at
    ],
)
def test_this_machine_is_not_called_however_it_is_written(receiver: Receiver, host: str) -> None:
    answered = send(f"http://{host}:{receiver.port}/", policy=AddressPolicy())
    assert answered.status is None
    assert answered.error is not None
    assert answered.error == "The host leads to no public address."
    assert receiver.received.empty()


def test_this_machine_is_not_called_by_ipv6() -> None:
    with open_receiver("::1") as receiver:
        url = f"http://[::1]:{receiver.port}/"
        refused = send(url, policy=AddressPolicy())
        assert (refused.status, refused.error) == (None, "The host leads to no public address.")
        assert receiver.received.empty()
        assert send(url) == Answer(204)
        assert receiver.next().headers["host"] == f"[::1]:{receiver.port}"


def test_a_metadata_server_is_not_called() -> None:
    refused = send("http://169.254.169.254/latest/meta-data/", policy=AddressPolicy())
    assert refused == Answer(None, "The host leads to no public address.")


def test_a_name_is_resolved_once_and_what_was_checked_is_what_is_called(receiver: Receiver) -> None:
    resolver = Resolver(["127.0.0.1"], ["127.0.0.2"])
    sender = WebhookSender(LOOPBACK, resolver=resolver)
    assert sender.send(a_message(f"http://{NAME}:{receiver.port}/")) == Answer(204)
    assert receiver.next().headers["host"] == f"{NAME}:{receiver.port}"
    assert resolver.asked == [(NAME, receiver.port)]


def test_a_name_that_rebinds_is_refused_once_it_leads_elsewhere(receiver: Receiver) -> None:
    resolver = Resolver(["8.8.8.8"], ["127.0.0.1"])
    sender = WebhookSender(AddressPolicy(), limits=QUICK, resolver=resolver)
    url = f"http://{NAME}:{receiver.port}/"
    first = sender.send(a_message(url))
    assert first.status is None
    assert "public" not in (first.error or "")
    assert resolver.asked == [(NAME, receiver.port)]
    assert sender.send(a_message(url)) == Answer(None, "The host leads to no public address.")
    assert receiver.received.empty()


def test_one_private_address_among_public_ones_is_enough_to_refuse(receiver: Receiver) -> None:
    sender = WebhookSender(LOOPBACK, resolver=Resolver(["127.0.0.1", "10.0.0.1"]))
    refused = sender.send(a_message(f"http://{NAME}:{receiver.port}/"))
    assert refused == Answer(None, "The host leads to no public address.")
    assert receiver.received.empty()


def test_where_one_address_does_not_answer_the_next_is_tried(receiver: Receiver) -> None:
    policy = AddressPolicy.of("127.0.0.0/8", "443")
    sender = WebhookSender(policy, resolver=Resolver(["127.0.0.2", "127.0.0.1"]))
    assert sender.send(a_message(f"http://{NAME}:{receiver.port}/")) == Answer(204)


@pytest.mark.parametrize("addresses", [[], [f"127.0.0.{number}" for number in range(1, 10)]])
def test_a_name_with_no_or_too_many_addresses_is_not_called(addresses: list[str]) -> None:
    policy = AddressPolicy.of("127.0.0.0/8", "443")
    refused = WebhookSender(policy, resolver=Resolver(addresses)).send(a_message(f"http://{NAME}/"))
    assert refused == Answer(None, f"The name has {len(addresses)} addresses.")


def test_a_name_that_is_not_found_is_told() -> None:
    def lost(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    answered = WebhookSender(LOOPBACK, resolver=lost).send(a_message(f"http://{NAME}/"))
    assert answered == Answer(None, "The connection failed: Name or service not known")


def test_nobody_there_is_told() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        answered = send(f"http://127.0.0.1:{unused.getsockname()[1]}/")
    assert answered == Answer(None, "The connection failed: Connection refused")


def test_the_certificate_is_held_against_the_name_and_not_the_address(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    policy = AddressPolicy.of(f"{NAME},other.example", "443")
    sender = WebhookSender(policy, resolver=Resolver(["127.0.0.1"]), verify=str(authority.file))
    with open_receiver(context=authority.context(NAME)) as receiver:
        assert sender.send(a_message(f"https://{NAME}:{receiver.port}/")) == Answer(204)
        assert receiver.next().headers["host"] == f"{NAME}:{receiver.port}"
        wrong = sender.send(a_message(f"https://other.example:{receiver.port}/"))
        assert wrong.status is None
        assert wrong.error is not None
        assert "TLS failed" in wrong.error
        assert "other.example" in wrong.error
        assert receiver.received.empty()


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    sender = WebhookSender(AddressPolicy.of(NAME, "443"), resolver=Resolver(["127.0.0.1"]))
    with open_receiver(context=Authority(tmp_path).context(NAME)) as receiver:
        refused = sender.send(a_message(f"https://{NAME}:{receiver.port}/"))
        assert refused.status is None
        assert "TLS failed" in (refused.error or "")
        assert receiver.received.empty()


def drip(head: bytes, receiver: Receiver) -> None:
    """Has the receiver answer with this and then a byte now and then, without end."""

    def script(connection: socket.socket) -> None:
        connection.sendall(head)
        while not receiver.over.wait(0.02):
            connection.sendall(b"x")

    receiver.script = script


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nA: b\r\nLong: "])
def test_an_answer_that_does_not_get_on_is_cut_off(receiver: Receiver, head: bytes) -> None:
    drip(head, receiver)
    assert send(receiver.url, limits=QUICK) == Answer(None, "It took longer than 1 s altogether.")


@pytest.mark.parametrize(
    "head", [b"Content-Length: 999999\r\n\r\n", b"\r\n", b"Transfer-Encoding: chunked\r\n\r\n"]
)
def test_a_body_without_end_changes_nothing_about_the_status(receiver: Receiver, head: bytes) -> None:
    drip(b"HTTP/1.1 200 OK\r\n" + head, receiver)
    assert send(receiver.url, limits=QUICK) == Answer(200)


def test_of_a_long_body_the_beginning_is_read(receiver: Receiver) -> None:
    sent = []

    def flood(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 500 Oops\r\n\r\n")
        while not receiver.over.is_set():
            sent.append(connection.send(b"x" * 65536))

    receiver.script = flood
    assert send(receiver.url) == Answer(500)


def test_a_handshake_that_does_not_get_on_is_cut_off() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        assert send(url, limits=QUICK) == Answer(None, "It took longer than 1 s altogether.")


def test_a_receiver_that_says_nothing_is_given_up(receiver: Receiver) -> None:

    def say_nothing(_connection: socket.socket) -> None:
        receiver.over.wait()

    receiver.script = say_nothing
    limits = SendLimits(connect_s=5, read_s=0.2, total_s=20)
    assert send(receiver.url, limits=limits) == Answer(None, "The receiver took too long to answer.")


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n" + b"".join(b"Name-%d: x\r\n" % number for number in range(200)) + b"\r\n",
        b"HTTP/1.1 200 OK\r\nLong: " + b"x" * 100_000 + b"\r\n\r\n",
        b"SMTP at your service\r\n\r\n",
        b"HTTP/1.1 two hundred\r\n\r\n",
        b"",
    ],
)
def test_what_is_no_answer_by_http_is_an_error(receiver: Receiver, head: bytes) -> None:
    receiver.script = lambda connection: connection.sendall(head)
    answered = send(receiver.url)
    assert answered.status is None
    assert (answered.error or "").startswith("The connection failed: ")
    assert len(answered.error or "") <= 200


def test_what_watched_over_a_message_ends_with_it(receiver: Receiver) -> None:
    assert send(receiver.url) == Answer(204)
    assert [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)] == []
