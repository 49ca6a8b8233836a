"""A format that match logs come in: what each reader says of itself."""

from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.logs.match_log import MatchLog


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A format that can be read: a name, a sentence, media types and suffixes (usual one first).

    ``recognises`` says whether content is in this format, and never raises; ``read`` reads it.
    """

    name: str
    description: str
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[bytes], MatchLog]
