"""All use cases of one process, over the same database, queue and engines."""

from dataclasses import dataclass

from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.answers import AnswerService
from adjudicator.service.batches import Batches
from adjudicator.service.erasure import Erasure
from adjudicator.service.keys import KeyService
from adjudicator.service.listing import Listing
from adjudicator.service.rate_limits import RateLimits
from adjudicator.service.webhooks.service import WebhookService


@dataclass(frozen=True, slots=True)
class Services:
    """What the doors and the worker are given; safe to share between threads."""

    adjudications: AdjudicationService
    batches: Batches
    listing: Listing
    erasure: Erasure
    webhooks: WebhookService
    keys: KeyService
    answers: AnswerService
    rate_limits: RateLimits

    def close(self) -> None:
        """Lets go of the database, the queue and the engines; may be called twice."""
        self.rate_limits.close()
        self.keys.close()
        self.adjudications.close()
