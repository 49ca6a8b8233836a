"""What telling others asks of the outside: rows of what is to be told, and a way to send."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from adjudicator.service.pages import Mark
from adjudicator.service.webhooks.values import (
    Answer,
    Claim,
    Delivery,
    DeliveryStatus,
    Endpoint,
    Event,
    Message,
    Outcome,
    Secret,
)


@dataclass(frozen=True, slots=True)
class Room:
    """How much more may be sent at once: ``most`` altogether, so many to a host and of an owner.

    ``hosts`` and ``owners`` are how many are under way already, by host and by owner.
    """

    most: int
    a_host: int
    an_owner: int
    hosts: dict[str, int]
    owners: dict[str, int]


class DeliveryStore(Protocol):
    """Keeps who is to be told, and what is to be told. Every method is one transaction.

    What an adjudication's end tells is written by the store of adjudications, in the transaction that ends
    it. Raises everywhere: StoreUnavailableError.
    """

    def put_endpoint(self, owner: str, url: str, *, at: datetime) -> Endpoint:
        """Sets where that owner is told of everything, enabled; what is pending for it goes there too."""

    def endpoint(self, owner: str) -> Endpoint | None:
        """The endpoint of that owner, ``None`` where there is none."""

    def delete_endpoint(self, owner: str, *, at: datetime) -> bool:
        """Forgets the endpoint, if there is one; what is pending for it is failed."""

    def call_back(self, adjudication_id: str, owner: str, url: str, *, at: datetime) -> None:
        """Has that URL told of the end of an adjudication, at once where it has ended already."""

    def tell(self, event: Event) -> Sequence[Delivery]:
        """Has the owner's endpoint told, if there is one that is enabled."""

    def add_secret(self, secret: Secret, *, others_until: datetime, most: int) -> bool:
        """Keeps a secret; others without an end end then. ``False``: that many count already."""

    def secrets(self, owner: str, *, at: datetime) -> Sequence[Secret]:
        """The secrets of that owner that count, the newest first."""

    def delete_secret(self, secret_id: str, owner: str) -> bool:
        """Forgets a secret of that owner, if there is one."""

    def deliveries(
        self, owner: str, *, status: DeliveryStatus | None, after: Mark | None, limit: int
    ) -> Sequence[Delivery]:
        """A page of that owner's deliveries, the newest first."""

    def delivery(self, delivery_id: str, owner: str) -> Delivery | None:
        """The delivery of that owner, ``None`` where there is none."""

    def replay(self, delivery_id: str, owner: str, *, at: datetime) -> bool:
        """Makes a delivery that has ended due again; ``False`` where it has not or there is none."""

    def claim(
        self, room: Room, *, at: datetime, until: datetime, new_secret: Callable[[str], Secret]
    ) -> Sequence[Claim]:
        """Takes what is due, oldest first and within the room, for this process until that moment.

        Whose owner has no secret that counts gets a new one first.
        """

    def settle(self, delivery: Delivery, outcome: Outcome, *, at: datetime) -> bool:
        """Notes what an attempt came to, unless another has been begun since."""

    def give_up_endpoint(self, delivery: Delivery, outcome: Outcome, *, at: datetime) -> bool:
        """As ``settle``, and disables the endpoint it went to: what else is pending for it is failed."""


class Sender(Protocol):
    """Sends one message to its receiver, by one request."""

    def send(self, message: Message) -> Answer:
        """What the receiver answers; whatever is wrong with the way there is an answer without a status."""
