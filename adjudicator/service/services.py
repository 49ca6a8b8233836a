"""All use cases of one process, over the same database, queue and engines."""

from dataclasses import dataclass

from adjudicator.service.adjudications import AdjudicationService
from adjudicator.service.erasure import Erasure
from adjudicator.service.listing import Listing


@dataclass(frozen=True, slots=True)
class Services:
    """What the doors and the worker are given; safe to share between threads."""

    adjudications: AdjudicationService
    listing: Listing
    erasure: Erasure

    def close(self) -> None:
        """Lets go of the database, the queue and the engines; may be called twice."""
        self.adjudications.close()
