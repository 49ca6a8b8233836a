"""The head of a .mat: comment lines ``; [Key "value"]``, then the line ``7 point match``.

Source: ``docs/formats/mat.md``, section "Head".
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.errors import Fault, Place, RecordError, UnsupportedVariantError
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, VARIANTS, Variant

_MATCH_LENGTH = re.compile(r"\s*(?P<points>[0-9]{1,5})\s*-?\s*points?\s+match\s*$", re.IGNORECASE)
_VARIATIONS = {
    "": BACKGAMMON,
    "standard": BACKGAMMON,
    "backgammon": BACKGAMMON,
    "nackgammon": NACKGAMMON,
    "nack": NACKGAMMON,
    "hypergammon": HYPERGAMMON,
    "hyperbackgammon": HYPERGAMMON,
}


class MatHeader(NamedTuple):
    """What the head says. ``metadata``: comment values by lower-case key; ``line``: that of the length."""

    match_length: int
    metadata: Mapping[str, str]
    line: int

    @property
    def variant(self) -> Variant:
        """The game that the ``Variation`` comment names; backgammon where there is none.

        Raises: UnsupportedVariantError for a game whose rules are not known here.
        """
        name = self.metadata.get("variation", "")
        variant = _VARIATIONS.get("".join(filter(str.isalpha, name.lower())))
        if variant is None:
            known = ", ".join(VARIANTS)
            raise UnsupportedVariantError(
                f"The log is one of {name[:60]!r}; the games known here are {known}."
            )
        return variant

    def says(self, key: str) -> bool | None:
        """Whether a comment such as ``Crawford "On"`` says yes; ``None`` where the head is silent."""
        return {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}.get(
            self.metadata.get(key, "").strip().lower()
        )


def read_header(lines: Sequence[str]) -> MatHeader:
    """The head of the log whose lines these are.

    Raises: RecordError where no match length is given, or a second one: several matches in one file.
    """
    metadata: dict[str, str] = {}
    found: tuple[int, int] | None = None
    for number, line in enumerate(lines, start=1):
        match = _MATCH_LENGTH.match(line)
        if match is None:
            pair = _parse_comment(line) if found is None else None
            if pair is not None:
                metadata.setdefault(*pair)
        elif found is None:
            found = int(match["points"]), number
        else:
            fault = Fault("a second line with a match length", Place(line=number))
            raise RecordError("The file holds more than one match; send each by itself.", [fault])
    if found is None:
        raise RecordError("The log has no line that gives the match length, such as '7 point match'.")
    return MatHeader(found[0], metadata, found[1])


def _parse_comment(line: str) -> tuple[str, str] | None:
    """Key and value of a comment line ``; [Key "value"]``, ``None`` for any other line.

    >>> _parse_comment('; [Player 1 "A "B" C"]   ')
    ('player 1', 'A "B" C')
    """
    text = line.strip()
    if not text.startswith(";"):
        return None
    text = text.lstrip("; ").removeprefix("[").removesuffix("]").rstrip()
    key, quote, value = text.partition('"')
    if not quote or not value.endswith('"') or not key.strip():
        return None
    return " ".join(key.lower().split()), value[:-1]
