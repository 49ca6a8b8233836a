"""What follows when an attempt fails: another one, or the end, and how it is told."""

from dataclasses import dataclass
from datetime import timedelta

from adjudicator.errors import AdjudicatorError, EngineFailureError
from adjudicator.service.values import FailureReason


@dataclass(frozen=True, slots=True)
class RunPolicy:
    """How long an attempt may take and how often one is made.

    ``attempt_limit``: attempts at an adjudication before it is left failed. ``lease``: how long a worker
    may be silent before it counts as dead. ``run_limit``: how long one attempt may take altogether.
    ``queue_grace``: how long a ticket may be out of the queue, untaken, before it counts as lost.
    ``retry_pause``: how long after a failed attempt the next is due, so that what passes has time to pass.
    """

    attempt_limit: int = 3
    lease: timedelta = timedelta(seconds=30)
    run_limit: timedelta = timedelta(seconds=120)
    queue_grace: timedelta = timedelta(seconds=5)
    retry_pause: timedelta = timedelta(seconds=30)


DEFAULT_POLICY = RunPolicy()

INTERNAL_ERROR = FailureReason(
    "internal_error",
    "This program failed on the record; the log of the worker has the details under the adjudication's id.",
)
WORKER_LOST = FailureReason(
    "worker_lost",
    "Every worker that took this record died or was silent for too long; the attempts are used up.",
)


def run_too_long(limit: timedelta) -> FailureReason:
    """Why there is no second attempt after one beyond the limit: it would take as long."""
    return FailureReason(
        "run_too_long",
        f"The record took longer than the {limit.total_seconds():g} s that one may take here "
        "(ADJUDICATOR_RUN_LIMIT_S); it is tried again on demand only.",
    )


def may_try_again(error: AdjudicatorError) -> bool:
    """Whether another attempt can end otherwise: each error class says so of itself."""
    return type(error).transient


def rest_of(error: AdjudicatorError) -> timedelta:
    """How long there is no use in another attempt, this one having met an engine that is left alone.

    Zero for all else: the attempt was made, and counts.
    """
    return timedelta(seconds=error.rest_s if isinstance(error, EngineFailureError) else 0.0)


def failure_reason(error: AdjudicatorError) -> FailureReason:
    """How the error is told to whoever asks for the adjudication."""
    return FailureReason(error.code, str(error))
