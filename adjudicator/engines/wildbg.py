"""Any server that speaks the HTTP interface of wildbg.

Source: https://github.com/carsten-wenderdel/wildbg (MIT or Apache-2.0), its ``crates/web``:

- ``GET /eval?p0=..&p25=..``: ``p1`` to ``p24`` are the points of the side on roll, its checkers positive and
  the others' negative, ``p25`` its bar, ``p0`` the other's bar, not above 0. Points without checkers may be
  left out; checkers borne off follow from the rest.
- ``{"probabilities": {"win", "winG", "winBg", "loseG", "loseBg"}}`` of the side on roll, gammons among
  wins and backgammons among gammons. 400 and 500 come with ``{"message": ...}``.
- It says nowhere which networks it has. So a result names the version in the server's own description, where
  it has one, and its chance to win from the start, by which other networks are noticed.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engines.answers import DECIMALS, rounded
from adjudicator.engines.questions import VARIANT_NAMES, require_answerable
from adjudicator.errors import AdjudicatorError, EngineFailureError, EngineUnavailableError
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.ports import EngineIdentity
from adjudicator.notation.signed_counts import signed_counts
from adjudicator.rules.board import Position
from adjudicator.rules.variants import BACKGAMMON

NAME = "wildbg"
UNSTATED = "unstated"
"""The version of a server that does not describe itself."""
KNOWN_FOR_S = 30.0
AWAY_FOR_S = 5.0
"""How long it is remembered which server answers at an address, and that none does."""
IDENTITY_LIMIT_S = 2.0
"""For each of the two questions by which a server is known: people wait for that."""

_KEYS = ("win", "winG", "winBg", "loseG", "loseBg")


def identity(url: str = "") -> EngineIdentity:
    """Which server answers at that address; it is asked twice a minute at most.

    Raises: EngineUnavailableError where no address of a server is set, EngineFailureError where none answers.
    """
    if not url:
        raise EngineUnavailableError(
            "No wildbg server is known here: set ADJUDICATOR_WILDBG_URL to the address of one."
        )
    known = _KNOWN.get(url)
    if isinstance(known, EngineFailureError):
        raise EngineFailureError(known.detail, rest_s=AWAY_FOR_S)
    if isinstance(known, AdjudicatorError):
        raise type(known)(known.detail)
    return known


class WildbgEngine:
    """A server asked over one connection that is kept.

    Made in the engine process, which is killed at its deadline however slowly the server sends.

    Raises: EngineUnavailableError for an address that cannot be one, EngineFailureError where none answers.
    """

    variants = VARIANT_NAMES

    def __init__(self, url: str = "") -> None:
        from adjudicator.engines.json_server import JsonServer  # noqa: PLC0415 (loads an HTTP client)

        self._identity = identity(url)
        self._server = JsonServer(url)

    @property
    def identity(self) -> EngineIdentity:
        """Which server this is."""
        return self._identity

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        """The chances of the side that just played (``own``), opponent to roll, in order.

        Raises: ValueError for an impossible or finished position (then nothing is asked), EngineFailureError.
        """
        require_answerable(positions)
        return [parse_answer(self._server.get("eval", format_question(position))) for position in positions]

    def close(self) -> None:
        """Let go of the connection."""
        self._server.close()


def format_question(position: Position) -> dict[str, int]:
    """The parameters that ask about a position, its opponent being on roll.

    >>> from adjudicator.rules.variants import BACKGAMMON
    >>> question = format_question(BACKGAMMON.start)
    >>> question["p24"], question["p1"], len(question)
    (2, -2, 8)
    """
    counts = signed_counts(position.swapped())
    return {f"p{point}": count for point, count in enumerate(counts) if count}


def parse_answer(answer: Mapping[str, Any]) -> Outcomes:
    """The chances of the side that is not on roll.

    Raises: EngineFailureError for what holds no five chances.
    """
    chances = answer.get("probabilities")
    found = [chances.get(key) for key in _KEYS] if isinstance(chances, dict) else []
    values = [float(one) for one in found if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(values) != len(_KEYS):
        raise EngineFailureError(f"the server answered without chances: {str(answer)[:200]}")
    outcomes = Outcomes(*values)
    if not outcomes.is_sound():
        raise EngineFailureError(f"the server answered what are no chances: {tuple(outcomes)}")
    return rounded(outcomes.swapped())


class _KnownServers:
    """Which server answers at an address, or why none does, for a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, EngineIdentity | AdjudicatorError]] = {}

    def get(self, url: str) -> EngineIdentity | AdjudicatorError:
        with self._lock:
            until, known = self._known.get(url, (0.0, None))
            if known is None or until < time.monotonic():
                known = _ask_identity(url)
                kept_s = AWAY_FOR_S if isinstance(known, AdjudicatorError) else KNOWN_FOR_S
                self._known[url] = (time.monotonic() + kept_s, known)
            return known


_KNOWN = _KnownServers()


def _ask_identity(url: str) -> EngineIdentity | AdjudicatorError:
    from adjudicator.engines.json_server import JsonServer  # noqa: PLC0415 (loads an HTTP client)

    try:
        server = JsonServer(url, IDENTITY_LIMIT_S, pauses_s=())
    except ValueError as error:
        return EngineUnavailableError(f"{error} Mend ADJUDICATOR_WILDBG_URL.")
    try:
        start = parse_answer(server.get("eval", format_question(BACKGAMMON.start)))
        return EngineIdentity(
            NAME, _described_version(server), {"decimals": DECIMALS, "win_from_start": start.win}
        )
    except EngineFailureError as error:
        return error
    finally:
        server.close()


def _described_version(server: Any) -> str:
    """The version in the server's description of its interface, if it has one."""
    try:
        version = server.get("api-docs/openapi.json").get("info", {}).get("version")
    except (EngineFailureError, AttributeError):
        return UNSTATED
    return version if isinstance(version, str) and 0 < len(version) <= 40 else UNSTATED
