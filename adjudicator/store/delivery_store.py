"""The port of what is to be told, over SQLAlchemy: endpoints, secrets and deliveries in one database."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adjudicator.service.pages import Mark
from adjudicator.service.webhooks.ports import Room
from adjudicator.service.webhooks.values import (
    Claim,
    Delivery,
    DeliveryStatus,
    Endpoint,
    Event,
    EventType,
    Outcome,
    Secret,
)
from adjudicator.store import outbox
from adjudicator.store.database import INSERT, Database
from adjudicator.store.page_queries import latest_first
from adjudicator.store.tables import deliveries, webhook_endpoints, webhook_secrets

PENDING = deliveries.c.status == sa.literal_column(f"'{DeliveryStatus.PENDING.value}'")
"""Written out, so that both databases see that the index of the pending ones fits."""

MOST_LOOKED_AT = 200
"""Due deliveries that one claim chooses from."""

DELETED = "The endpoint was deleted."


class DeliveryStore:
    """Keeps the ``DeliveryStore`` port; see there for what each method promises. Safe to share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put_endpoint(self, owner: str, url: str, *, at: datetime) -> Endpoint:
        """See ``DeliveryStore.put_endpoint`` of the ports."""
        endpoint = Endpoint(owner, url, at)
        enabled = {"url": url, "created_at": at, "disabled_at": None, "disabled_because": None}
        with self._database.writing() as connection:
            insert = INSERT[connection.dialect.name](webhook_endpoints).values(owner=owner, **enabled)
            connection.execute(insert.on_conflict_do_update(index_elements=["owner"], set_=enabled))
            connection.execute(_pending_of_endpoint(owner).values(**outbox.addressed(url)))
        return endpoint

    def endpoint(self, owner: str) -> Endpoint | None:
        """See ``DeliveryStore.endpoint`` of the ports."""
        named = sa.select(webhook_endpoints).where(webhook_endpoints.c.owner == owner)
        with self._database.reading() as connection:
            row = connection.execute(named).mappings().one_or_none()
        return None if row is None else Endpoint(**row)

    def delete_endpoint(self, owner: str, *, at: datetime) -> bool:
        """See ``DeliveryStore.delete_endpoint`` of the ports."""
        named = sa.delete(webhook_endpoints).where(webhook_endpoints.c.owner == owner)
        with self._database.writing() as connection:
            if connection.execute(named).rowcount != 1:
                return False
            connection.execute(_pending_of_endpoint(owner).values(**_failed(DELETED, at)))
            return True

    def call_back(self, adjudication_id: str, owner: str, url: str, *, at: datetime) -> None:
        """See ``DeliveryStore.call_back`` of the ports."""
        with self._database.writing() as connection:
            outbox.call_back(connection, adjudication_id, owner, url, at=at)

    def tell(self, event: Event) -> Sequence[Delivery]:
        """See ``DeliveryStore.tell`` of the ports."""
        with self._database.writing() as connection:
            ids = outbox.enqueue_event(connection, event, at=event.at)
            rows = connection.execute(sa.select(deliveries).where(deliveries.c.id.in_(ids)))
            return [_delivery(row) for row in rows.mappings()]

    def add_secret(self, secret: Secret, *, others_until: datetime, most: int) -> bool:
        """See ``DeliveryStore.add_secret`` of the ports."""
        its = webhook_secrets.c.owner == secret.owner
        without_end = webhook_secrets.c.expires_at.is_(None)
        with self._database.writing() as connection:
            count = sa.select(sa.func.count()).where(its, _counts(secret.created_at))
            if connection.execute(count).scalar_one() >= most:
                return False
            connection.execute(sa.delete(webhook_secrets).where(its, sa.not_(_counts(secret.created_at))))
            connection.execute(
                sa.update(webhook_secrets).where(its, without_end).values(expires_at=others_until)
            )
            connection.execute(sa.insert(webhook_secrets).values(_secret_row(secret)))
            return True

    def secrets(self, owner: str, *, at: datetime) -> Sequence[Secret]:
        """See ``DeliveryStore.secrets`` of the ports."""
        with self._database.reading() as connection:
            return _secrets(connection, [owner], at)

    def delete_secret(self, secret_id: str, owner: str) -> bool:
        """See ``DeliveryStore.delete_secret`` of the ports."""
        named = sa.delete(webhook_secrets).where(
            webhook_secrets.c.id == secret_id, webhook_secrets.c.owner == owner
        )
        with self._database.writing() as connection:
            return connection.execute(named).rowcount == 1

    def deliveries(
        self, owner: str, *, status: DeliveryStatus | None, after: Mark | None, limit: int
    ) -> Sequence[Delivery]:
        """See ``DeliveryStore.deliveries`` of the ports."""
        query = sa.select(deliveries).where(deliveries.c.owner == owner)
        if status is not None:
            query = query.where(deliveries.c.status == status.value)
        query = latest_first(query, deliveries.c.created_at, deliveries.c.id, after=after, limit=limit)
        with self._database.reading() as connection:
            return [_delivery(row) for row in connection.execute(query).mappings()]

    def delivery(self, delivery_id: str, owner: str) -> Delivery | None:
        """See ``DeliveryStore.delivery`` of the ports."""
        named = sa.select(deliveries).where(deliveries.c.id == delivery_id, deliveries.c.owner == owner)
        with self._database.reading() as connection:
            row = connection.execute(named).mappings().one_or_none()
        return None if row is None else _delivery(row)

    def replay(self, delivery_id: str, owner: str, *, at: datetime) -> bool:
        """See ``DeliveryStore.replay`` of the ports."""
        named = deliveries.c.id == delivery_id, deliveries.c.owner == owner
        its_endpoint = (
            sa.select(webhook_endpoints.c.url)
            .join(deliveries, deliveries.c.owner == webhook_endpoints.c.owner)
            .where(*named, deliveries.c.to_endpoint)
        )
        with self._database.writing() as connection:
            url = connection.scalar(its_endpoint)
            again = outbox.due(at) | ({} if url is None else outbox.addressed(url))
            ended = sa.update(deliveries).where(*named, sa.not_(PENDING)).values(**again)
            return connection.execute(ended).rowcount == 1

    def claim(
        self, room: Room, *, at: datetime, until: datetime, new_secret: Callable[[str], Secret]
    ) -> Sequence[Claim]:
        """See ``DeliveryStore.claim`` of the ports.

        What is due is looked for without a lock, and each then taken if it still stands as it was seen.
        """
        with self._database.reading() as connection:
            seen = connection.execute(_due(room, at)).all()
        chosen = _fitting(seen, room)
        if not chosen:
            return []
        with self._database.writing() as connection:
            taken = [row for row in chosen if connection.execute(_take(row, at, until)).rowcount == 1]
            keys = _signing_keys(connection, {row.owner for row in taken}, at, new_secret)
            claimed = sa.select(deliveries).where(deliveries.c.id.in_([row.id for row in taken]))
            found = [_delivery(row) for row in connection.execute(claimed).mappings()]
        return [Claim(delivery, keys[delivery.owner]) for delivery in found]

    def settle(self, delivery: Delivery, outcome: Outcome, *, at: datetime) -> bool:
        """See ``DeliveryStore.settle`` of the ports."""
        with self._database.writing() as connection:
            return connection.execute(_settled(delivery, outcome, at)).rowcount == 1

    def give_up_endpoint(self, delivery: Delivery, outcome: Outcome, *, at: datetime) -> bool:
        """See ``DeliveryStore.give_up_endpoint`` of the ports."""
        went_to = sa.update(webhook_endpoints).where(
            webhook_endpoints.c.owner == delivery.owner,
            webhook_endpoints.c.url == delivery.url,
            webhook_endpoints.c.disabled_at.is_(None),
        )
        reason = outcome.error or ""
        with self._database.writing() as connection:
            if connection.execute(_settled(delivery, outcome, at)).rowcount != 1:
                return False
            disabled = went_to.values(disabled_at=at, disabled_because=reason)
            if connection.execute(disabled).rowcount == 1:
                connection.execute(_pending_of_endpoint(delivery.owner).values(**_failed(reason, at)))
            return True


def _pending_of_endpoint(owner: str) -> sa.Update:
    return sa.update(deliveries).where(deliveries.c.owner == owner, deliveries.c.to_endpoint, PENDING)


def _failed(reason: str, at: datetime) -> dict[str, Any]:
    return {"status": DeliveryStatus.FAILED.value, "due_at": None, "ended_at": at, "error": reason}


def _due(room: Room, at: datetime) -> sa.Select[Any]:
    """What is due, but for those there is no room for: they would hide the others."""
    full_hosts = [host for host, count in room.hosts.items() if count >= room.a_host]
    full_owners = [owner for owner, count in room.owners.items() if count >= room.an_owner]
    columns = deliveries.c
    return (
        sa.select(columns.id, columns.attempt, columns.host, columns.owner)
        .where(PENDING, columns.due_at <= at)
        .where(columns.host.not_in(full_hosts), columns.owner.not_in(full_owners))
        .order_by(columns.due_at)
        .limit(MOST_LOOKED_AT)
    )


def _fitting(seen: Sequence[sa.Row[Any]], room: Room) -> list[sa.Row[Any]]:
    """Those of them, in order, that the room holds together with what is under way."""
    hosts, owners = Counter(room.hosts), Counter(room.owners)
    chosen: list[sa.Row[Any]] = []
    for row in seen:
        if len(chosen) == room.most:
            break
        if hosts[row.host] < room.a_host and owners[row.owner] < room.an_owner:
            hosts[row.host] += 1
            owners[row.owner] += 1
            chosen.append(row)
    return chosen


def _take(row: sa.Row[Any], at: datetime, until: datetime) -> sa.Update:
    """The claim: an attempt that becomes due again by itself if nobody says what came of it."""
    return (
        sa.update(deliveries)
        .where(deliveries.c.id == row.id, deliveries.c.attempt == row.attempt, PENDING)
        .where(deliveries.c.due_at <= at)
        .values(attempt=deliveries.c.attempt + 1, tries=deliveries.c.tries + 1, tried_at=at, due_at=until)
    )


def _settled(delivery: Delivery, outcome: Outcome, at: datetime) -> sa.Update:
    """The fence: noted as long as no later attempt was begun."""
    return (
        sa.update(deliveries)
        .where(deliveries.c.id == delivery.id, deliveries.c.attempt == delivery.attempt, PENDING)
        .values(
            status=outcome.status.value,
            due_at=outcome.due_at,
            ended_at=None if outcome.status is DeliveryStatus.PENDING else at,
            answered=outcome.answered,
            error=outcome.error,
        )
    )


def _signing_keys(
    connection: sa.Connection, owners: set[str], at: datetime, new_secret: Callable[[str], Secret]
) -> dict[str, tuple[bytes, ...]]:
    keys: dict[str, tuple[bytes, ...]] = {}
    for secret in _secrets(connection, owners, at):
        keys[secret.owner] = (*keys.get(secret.owner, ()), secret.key)
    for owner in owners - keys.keys():
        secret = new_secret(owner)
        connection.execute(sa.insert(webhook_secrets).values(_secret_row(secret)))
        keys[owner] = (secret.key,)
    return keys


def _secrets(connection: sa.Connection, owners: Sequence[str] | set[str], at: datetime) -> list[Secret]:
    query = (
        sa.select(webhook_secrets)
        .where(webhook_secrets.c.owner.in_(owners), _counts(at))
        .order_by(webhook_secrets.c.created_at.desc(), webhook_secrets.c.id)
    )
    return [
        Secret(row.id, row.owner, row.secret, row.created_at, row.expires_at)
        for row in connection.execute(query)
    ]


def _counts(at: datetime) -> sa.ColumnElement[bool]:
    return sa.or_(webhook_secrets.c.expires_at.is_(None), webhook_secrets.c.expires_at > at)


def _secret_row(secret: Secret) -> dict[str, Any]:
    return {
        "id": secret.id,
        "owner": secret.owner,
        "secret": secret.key,
        "created_at": secret.created_at,
        "expires_at": secret.expires_at,
    }


def _delivery(row: sa.RowMapping) -> Delivery:
    values = {name: value for name, value in row.items() if name != "host"}
    return Delivery(**values | {"event": EventType(row["event"]), "status": DeliveryStatus(row["status"])})
