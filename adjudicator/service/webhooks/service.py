"""The use cases around webhooks: who is told, with which secrets, what was told, and telling it again."""

import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta

from adjudicator.errors import ConflictError, NotFoundError, Place
from adjudicator.service.clock import Clock, utc_clock
from adjudicator.service.identifiers import random_id
from adjudicator.service.meter import UNMETERED, Meter
from adjudicator.service.pages import USUAL_ENTRIES, Mark, Page, page_of
from adjudicator.service.webhooks.addresses import AddressPolicy
from adjudicator.service.webhooks.dispatch import DEFAULT_DISPATCH, Dispatcher, DispatchPolicy
from adjudicator.service.webhooks.ports import DeliveryStore, Sender
from adjudicator.service.webhooks.values import (
    Delivery,
    DeliveryStatus,
    Endpoint,
    Event,
    EventType,
    Secret,
)

KEY_BYTES = 32
CHANCE_BYTES = 16
MOST_SECRETS = 10
DEFAULT_OVERLAP = timedelta(hours=24)


class WebhookService:
    """What the doors and the worker call; safe to share between threads.

    ``chance`` gives so many random bytes.
    """

    def __init__(
        self,
        store: DeliveryStore,
        addresses: AddressPolicy,
        *,
        clock: Clock = utc_clock,
        chance: Callable[[int], bytes] = secrets.token_bytes,
        meter: Meter = UNMETERED,
    ) -> None:
        self._store = store
        self._addresses = addresses
        self._clock = clock
        self._chance = chance
        self._meter = meter

    def check_callback_url(self, url: str) -> str:
        """Lets pass the ``callback_url`` of a submission, as far as it can be told before it is called.

        Raises: RequestError for what is no URL to call, AddressRefusedError for one that is not called.
        """
        return self._addresses.check_url(url, Place(parameter="callback_url"))

    def call_back(self, adjudication_id: str, owner: str, url: str) -> None:
        """Has a URL (``check_callback_url``) told of an adjudication's end, at once if it has ended.

        Raises: StoreUnavailableError.
        """
        self._store.call_back(adjudication_id, owner, url, at=self._clock())

    def put_endpoint(self, owner: str, url: str) -> Endpoint:
        """Sets where the owner is told of everything, and enables it again if it was disabled.

        Raises: RequestError, AddressRefusedError, StoreUnavailableError.
        """
        self._addresses.check_url(url, Place(pointer="/url"))
        return self._store.put_endpoint(owner, url, at=self._clock())

    def endpoint(self, owner: str) -> Endpoint:
        """Where the owner is told of everything.

        Raises: NotFoundError where that is not set, StoreUnavailableError.
        """
        endpoint = self._store.endpoint(owner)
        if endpoint is None:
            raise NotFoundError("There is no webhook endpoint; PUT /v1/webhooks/endpoint sets one.")
        return endpoint

    def delete_endpoint(self, owner: str) -> None:
        """Has the owner told of nothing any more, but what it asks for with a ``callback_url``.

        Raises: NotFoundError where there is no endpoint, StoreUnavailableError.
        """
        if not self._store.delete_endpoint(owner, at=self._clock()):
            raise NotFoundError("There is no webhook endpoint.")

    def add_secret(self, owner: str, overlap: timedelta = DEFAULT_OVERLAP) -> Secret:
        """A new secret of the owner; for so long the others count beside it.

        Raises: ConflictError where too many count already, StoreUnavailableError.
        """
        secret = self._new_secret(owner)
        until = secret.created_at + overlap
        if not self._store.add_secret(secret, others_until=until, most=MOST_SECRETS):
            raise ConflictError(f"There are {MOST_SECRETS} secrets already; delete some first.")
        return secret

    def secrets(self, owner: str) -> Sequence[Secret]:
        """The secrets that sign the owner's deliveries now, the newest first.

        Raises: StoreUnavailableError.
        """
        return self._store.secrets(owner, at=self._clock())

    def delete_secret(self, secret_id: str, owner: str) -> None:
        """Has a secret sign nothing any more, from the next attempt on.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        if not self._store.delete_secret(secret_id, owner):
            raise NotFoundError(f"There is no secret {secret_id!r}")

    def deliveries(
        self,
        owner: str,
        *,
        status: DeliveryStatus | None = None,
        after: Mark | None = None,
        most: int = USUAL_ENTRIES,
    ) -> Page[Delivery]:
        """That owner's deliveries, latest first: at most so many from behind a mark on.

        Raises: StoreUnavailableError.
        """
        found = self._store.deliveries(owner, status=status, after=after, limit=most + 1)
        return page_of(found, most, lambda delivery: Mark(delivery.created_at, delivery.id))

    def delivery(self, delivery_id: str, owner: str) -> Delivery:
        """The delivery as it stands.

        Raises: NotFoundError, also for those of other owners; StoreUnavailableError.
        """
        delivery = self._store.delivery(delivery_id, owner)
        if delivery is None:
            raise NotFoundError(f"There is no delivery {delivery_id!r}")
        return delivery

    def replay(self, delivery_id: str, owner: str) -> Delivery:
        """Has a delivery that has ended sent once more under its id, by the schedule from its start.

        What went to the owner's endpoint goes to where that is now.

        Raises: NotFoundError; ConflictError where it has not ended, or there is no endpoint to send it to;
        StoreUnavailableError.
        """
        if self.delivery(delivery_id, owner).to_endpoint:
            self._require_enabled_endpoint(owner)
        if not self._store.replay(delivery_id, owner, at=self._clock()):
            raise ConflictError("This delivery has not ended; it is sent again by itself when it is due.")
        return self.delivery(delivery_id, owner)

    def ping(self, owner: str) -> Delivery:
        """Sends an event to the owner's endpoint that tells of nothing, to try it out.

        Raises: NotFoundError where there is no endpoint, ConflictError where it is disabled,
        StoreUnavailableError.
        """
        self.endpoint(owner)
        self._require_enabled_endpoint(owner)
        occasion = self._chance(CHANCE_BYTES).hex()
        told = self._store.tell(Event(owner, EventType.PING, "", occasion, self._clock(), {}))
        if not told:
            raise ConflictError("The endpoint has been taken away meanwhile.")
        return told[0]

    def open_dispatcher(self, sender: Sender, policy: DispatchPolicy = DEFAULT_DISPATCH) -> Dispatcher:
        """What sends the deliveries that are due; for a worker process."""
        return Dispatcher(
            self._store,
            sender,
            clock=self._clock,
            new_secret=self._new_secret,
            policy=policy,
            meter=self._meter,
        )

    def _require_enabled_endpoint(self, owner: str) -> None:
        endpoint = self._store.endpoint(owner)
        if endpoint is None:
            raise ConflictError("There is no webhook endpoint any more; PUT /v1/webhooks/endpoint sets one.")
        if endpoint.disabled_at is not None:
            raise ConflictError(
                f"The endpoint is disabled ({endpoint.disabled_because}) "
                "PUT /v1/webhooks/endpoint enables it again."
            )

    def _new_secret(self, owner: str) -> Secret:
        new_id = random_id("s", self._chance)
        return Secret(new_id, owner, self._chance(KEY_BYTES), self._clock())
