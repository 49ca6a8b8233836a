"""A submission over real HTTP, its webhook at a real receiver, verified; and told again after a kill."""

import json
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import sqlalchemy as sa
from standardwebhooks import Webhook, WebhookVerificationError

from adjudicator.service.values import LOCAL_OWNER
from adjudicator.service.webhooks.values import DeliveryStatus
from adjudicator.store.database import open_database
from adjudicator.store.tables import deliveries
from tests.contract.contract import Contract
from tests.contract.records import MAT
from tests.e2e.workshop import Workshop, long_record, open_workshop, wait_until
from tests.receiver import Receiver, open_receiver

ALLOWED = {"WEBHOOK_ALLOWED": "127.0.0.1", "LEASE_S": "5"}
GUIDE = Path(__file__).parents[2] / "docs" / "api.md"
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with open_receiver() as receiver:
        yield receiver


def verify_of_the_guide() -> Callable[[str, Any, bytes], None]:
    """What the guide tells integrators to write."""
    (block,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/api.md", "exec"), names)  # noqa: S102 - it is our own
    verify: Callable[[str, Any, bytes], None] = names["verify"]
    return verify


def wait_for_door(base: str) -> None:
    def answers() -> bool:
        try:
            return requests.get(f"{base}/livez", timeout=5).ok
        except requests.ConnectionError:
            return False

    wait_until(answers, limit_s=60)


@pytest.mark.slow
def test_a_webhook_follows_a_submission_and_is_what_it_says(tmp_path: Path, receiver: Receiver) -> None:
    with open_workshop(tmp_path, {**ALLOWED, "WORKERS": "1"}, has_door=True) as workshop:
        base = f"http://127.0.0.1:{workshop.settings.port}"
        wait_for_door(base)
        secret = requests.post(f"{base}/v1/webhooks/secrets", timeout=30).json()["secret"]
        submitted = requests.post(
            f"{base}/v1/matches",
            params={"callback_url": receiver.url},
            data=MAT,
            headers={"Content-Type": "text/plain"},
            timeout=30,
        )
        assert submitted.status_code == 202
        request = receiver.next()
        told = Webhook(secret).verify(request.body, dict(request.headers))
        assert told["type"] == "adjudication.done"
        assert told["data"]["id"] == submitted.json()["id"]
        result = requests.get(base + told["data"]["location"], timeout=30).json()
        assert result["schema"] == "adjudication/1"
        assert result["match_result"]["changed"] == told["data"]["changed"]
        contract = Contract.load()
        assert contract.faults("/components/schemas/AdjudicationDoneEvent", told) == []
        for name in ("WebhookId", "WebhookSignature"):
            header = contract.document["components"]["parameters"][name]
            pointer = f"/components/parameters/{name}/schema"
            assert contract.faults(pointer, request.headers[header["name"]]) == []

        verify = verify_of_the_guide()
        verify(secret, request.headers, request.body)
        with pytest.raises(ValueError, match="not signed"):
            verify(secret, request.headers, request.body + b" ")
        with pytest.raises(ValueError, match="too old"):
            verify(secret, {**request.headers, "webhook-timestamp": "1700000000"}, request.body)
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(request.body + b" ", dict(request.headers))

        listed = wait_until(
            lambda: requests.get(
                f"{base}/v1/webhooks/deliveries", params={"status": "delivered"}, timeout=30
            ).json()["deliveries"],
            limit_s=20,
        )
        assert [entry["id"] for entry in listed] == [request.headers["webhook-id"]]


@pytest.mark.slow
def test_what_a_killed_worker_sent_and_did_not_note_is_told_again_under_the_same_id(
    tmp_path: Path, receiver: Receiver
) -> None:
    with open_workshop(tmp_path, {**ALLOWED, "WORKERS": "0"}) as workshop:
        workshop.services.webhooks.put_endpoint(LOCAL_OWNER, receiver.url)
        usual = receiver.script
        worker = workshop.start_worker()

        def kill_the_sender(_connection: object) -> None:
            receiver.script = usual
            worker.send_signal(signal.SIGKILL)
            worker.wait()

        receiver.script = kill_the_sender
        adjudication = workshop.submit(long_record(1, games=1))
        first = receiver.next()
        worker.wait(20)
        (row,) = delivery_rows(workshop)
        assert (row.status, row.attempt) == ("pending", 1)
        end_lease(workshop)
        with workshop.start_worker() as other:
            second = receiver.next()
            wait_until(lambda: delivery_rows(workshop)[0].status == "delivered", limit_s=20)
            other.send_signal(signal.SIGTERM)
            assert other.wait(20) == 0
        assert first.headers["webhook-id"] == second.headers["webhook-id"] == row.id
        assert first.body == second.body
        assert json.loads(second.body)["data"]["id"] == adjudication.id
        assert receiver.received.empty()


@pytest.mark.slow
def test_the_trace_of_a_submission_comes_with_its_webhook(tmp_path: Path, receiver: Receiver) -> None:
    with open_workshop(tmp_path, {**ALLOWED, "WORKERS": "0"}) as workshop:
        workshop.services.webhooks.put_endpoint(LOCAL_OWNER, receiver.url)
        told = workshop.services.webhooks.ping(LOCAL_OWNER)
        change(workshop, sa.update(deliveries).values(traceparent=PARENT))
        with workshop.start_worker() as worker:
            assert receiver.next().headers["traceparent"] == PARENT
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(20) == 0
        delivered = workshop.services.webhooks.delivery(told.id, LOCAL_OWNER)
        assert delivered.status is DeliveryStatus.DELIVERED


def delivery_rows(workshop: Workshop) -> list[sa.Row[Any]]:
    engine = open_database(workshop.settings.database_address())
    with engine.connect() as connection:
        rows = list(connection.execute(sa.select(deliveries)))
    engine.dispose()
    return rows


def end_lease(workshop: Workshop) -> None:
    """Puts the time back at which the delivery is due again, so that nobody has to wait for it here."""
    change(workshop, sa.update(deliveries).values(due_at=deliveries.c.created_at))


def change(workshop: Workshop, statement: sa.Update) -> None:
    engine = open_database(workshop.settings.database_address())
    with engine.begin() as connection:
        connection.execute(statement)
    engine.dispose()
