"""The outbox: what is to be told is written in the transaction of what it tells.

So nothing is told that was not committed, and nothing committed goes untold.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adjudicator.service.batch_values import Batch
from adjudicator.service.identifiers import delivery_id
from adjudicator.service.webhooks.addresses import host_of
from adjudicator.service.webhooks.values import DeliveryStatus, Event, EventType, adjudication_event
from adjudicator.store.database import INSERT
from adjudicator.store.tables import adjudications, callbacks, deliveries, webhook_endpoints


def enqueue_event(
    connection: sa.Connection, event: Event, urls: Iterable[str] = (), *, at: datetime
) -> list[str]:
    """Has the owner's endpoint (if it is enabled) and those URLs told, from that moment on.

    To be called within the transaction that makes the event true. Gives the ids of the deliveries. The same
    event for the same URL is the same delivery: if it has ended, it is sent once more.
    """
    endpoint = connection.scalar(
        sa.select(webhook_endpoints.c.url).where(
            webhook_endpoints.c.owner == event.owner, webhook_endpoints.c.disabled_at.is_(None)
        )
    )
    receivers = dict.fromkeys(urls, False) | ({} if endpoint is None else {endpoint: True})
    return [
        _enqueue(connection, event, url, to_endpoint=to_endpoint, at=at)
        for url, to_endpoint in receivers.items()
    ]


def tell_of_end(connection: sa.Connection, adjudication_id: str, *, at: datetime) -> None:
    """Has all told that want to know of the end of that adjudication, which this transaction makes."""
    called_back = sa.select(callbacks.c.url).where(callbacks.c.adjudication_id == adjudication_id)
    has_endpoint = (
        sa.select(webhook_endpoints.c.url)
        .join(adjudications, adjudications.c.owner == webhook_endpoints.c.owner)
        .where(adjudications.c.id == adjudication_id, webhook_endpoints.c.disabled_at.is_(None))
    )
    if connection.execute(sa.union_all(called_back, has_endpoint).limit(1)).first() is None:
        return
    urls = list(connection.scalars(called_back))
    enqueue_event(connection, _end_of(connection, adjudication_id), urls, at=at)


def tell_of_batch(connection: sa.Connection, batch: Batch) -> None:
    """Has all told that want to know that the batch is done, which this transaction makes it."""
    at = batch.finished_at or batch.received_at
    data = {"id": batch.id, "members": batch.members, "location": f"/v1/batches/{batch.id}"}
    event = Event(batch.owner, EventType.BATCH_DONE, batch.id, "1", at, data, batch.traceparent)
    enqueue_event(connection, event, [] if batch.callback_url is None else [batch.callback_url], at=at)


def call_back(connection: sa.Connection, adjudication_id: str, owner: str, url: str, *, at: datetime) -> None:
    """Has that URL told of the end of an adjudication, at once where it has ended already.

    The row is locked first: an end that is just being made either sees this URL, or is seen here.
    """
    row = {"adjudication_id": adjudication_id, "url": url}
    named = adjudications.c.id == adjudication_id, adjudications.c.owner == owner
    finished_at = sa.select(adjudications.c.finished_at).where(*named).with_for_update()
    found = connection.execute(finished_at).one_or_none()
    if found is None:
        return
    connection.execute(INSERT[connection.dialect.name](callbacks).values(row).on_conflict_do_nothing())
    if found.finished_at is not None:
        _enqueue(connection, _end_of(connection, adjudication_id), url, to_endpoint=False, at=at)


def due(at: datetime) -> dict[str, Any]:
    """What a row says that is to be sent from that moment on, by the schedule from its start."""
    return {
        "status": DeliveryStatus.PENDING.value,
        "tries": 0,
        "due_at": at,
        "ended_at": None,
        "answered": None,
        "error": None,
    }


def addressed(url: str) -> dict[str, Any]:
    """What a row says that goes to that URL."""
    return {"url": url, "host": host_of(url)}


def _end_of(connection: sa.Connection, adjudication_id: str) -> Event:
    row = connection.execute(sa.select(adjudications).where(adjudications.c.id == adjudication_id)).one()
    return adjudication_event(
        owner=row.owner,
        adjudication_id=row.id,
        match_id=row.match_id,
        attempt=row.attempt,
        changed=row.changed,
        error_code=row.error_code,
        at=row.finished_at,
        traceparent=row.traceparent,
    )


def _enqueue(connection: sa.Connection, event: Event, url: str, *, to_endpoint: bool, at: datetime) -> str:
    new_id = delivery_id(event.owner, event.type.value, event.subject_id, event.occasion, url)
    row = {
        "id": new_id,
        "owner": event.owner,
        "event": event.type.value,
        "subject_id": event.subject_id,
        "payload": event.payload,
        "to_endpoint": to_endpoint,
        "traceparent": event.traceparent,
        "attempt": 0,
        "created_at": at,
        **addressed(url),
        **due(at),
    }
    insert = INSERT[connection.dialect.name](deliveries).values(row)
    once_more = insert.on_conflict_do_update(
        index_elements=[deliveries.c.id],
        set_=due(at),
        where=deliveries.c.status != DeliveryStatus.PENDING.value,
    )
    connection.execute(once_more)
    return new_id
