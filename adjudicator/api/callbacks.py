"""``callback_url``: whom a submission wants to be told of its end."""

from typing import Any

from adjudicator.api.context import owner, webhooks
from adjudicator.service.values import Adjudication


def take_callback_url(parameters: dict[str, Any]) -> str | None:
    """The URL to call back, checked before anything is kept; ``None`` where there is none.

    Raises: RequestError, AddressRefusedError.
    """
    url: str | None = parameters.pop("callback_url", None)
    return None if url is None else webhooks().check_callback_url(url)


def call_back(adjudication: Adjudication, url: str | None) -> None:
    """Has the URL told of the adjudication's end, at once where it has ended."""
    if url is not None:
        webhooks().call_back(adjudication.id, owner(), url)
