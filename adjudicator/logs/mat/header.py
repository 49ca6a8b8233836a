"""The head of a .mat: comment lines ``; [Key "value"]``, then the line ``7 point match``.

Source: ``docs/formats/mat.md``, section "Head".
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.errors import NOWHERE, Place, RecordError
from adjudicator.logs.refusals import unknown_game
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant

_TITLE = re.compile(
    r"""\s*(?: Game\s+(?P<number>[0-9]{1,6})\s*(?:$|[;(])
          | (?P<points>[0-9]{1,6})\s*-?\s*points?\s+match\s*$
          | match\s+of\s+(?P<of>[0-9]{1,6})\s+points?\s*$ )""",
    re.IGNORECASE | re.VERBOSE,
)
_COMMENTS = (";", "[")
VARIATION, CRAWFORD, JACOBY, CRAWFORD_GAMES = "variation", "crawford", "jacoby", "crawford games"
RULE_KEYS = (VARIATION, CRAWFORD, JACOBY, CRAWFORD_GAMES)
"""The keys of a head that say by which rules a match is played; the others are metadata and no more."""

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
    """What the head says. ``metadata``: comment values by lower-case key; ``line``: that of the length.

    ``variation_place``: where the game is named, if it is.
    """

    match_length: int
    metadata: Mapping[str, str]
    line: int
    variation_place: Place = NOWHERE

    @property
    def variant(self) -> Variant:
        """The game that the ``Variation`` comment names; backgammon where there is none.

        Raises: UnsupportedVariantError for a game whose rules are not known here.
        """
        name = self.metadata.get(VARIATION, "")
        variant = _VARIATIONS.get("".join(filter(str.isalpha, name.lower())))
        if variant is None:
            raise unknown_game(name, self.variation_place)
        return variant

    def says(self, key: str) -> bool | None:
        """Whether a comment such as ``Crawford "On"`` says yes; ``None`` where the head is silent."""
        return {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}.get(
            self.metadata.get(key, "").strip().lower()
        )


class Title(NamedTuple):
    """A line that parts a log: it begins a game, or gives a match length; the other is ``None``."""

    number: int | None
    length: int | None


def parse_title(line: str) -> Title | None:
    """What a line begins, ``None`` for any other line.

    >>> parse_title(" Game 3"), parse_title(" 7 point match"), parse_title("Match of 5 points")
    (Title(number=3, length=None), Title(number=None, length=7), Title(number=None, length=5))
    """
    match = _TITLE.match(line)
    if match is None:
        return None
    if match["number"]:
        return Title(int(match["number"]), None)
    return Title(None, int(match["points"] or match["of"]))


def read_header(lines: Sequence[str]) -> MatHeader:
    """The head of the log whose lines these are: all that stands before the first match length.

    Raises: RecordError where no match length is given.
    """
    metadata: dict[str, str] = {}
    variation_place = NOWHERE
    for number, line in enumerate(lines, start=1):
        title = None if line.startswith(_COMMENTS) else parse_title(line)
        if title is not None and title.length is not None:
            return MatHeader(title.length, metadata, number, variation_place)
        pair = _parse_comment(line)
        if pair is not None and pair[0] not in metadata:
            metadata[pair[0]] = pair[1]
            if pair[0] == VARIATION:
                variation_place = Place(line=number)
    raise RecordError("The log has no line that gives the match length, such as '7 point match'.")


def _parse_comment(line: str) -> tuple[str, str] | None:
    """Key and value of a comment line ``; [Key "value"]``, its semicolon or not; ``None`` for any other line.

    >>> _parse_comment('; [Player 1 "A "B" C"]   ')
    ('player 1', 'A "B" C')
    """
    text = line.strip()
    if not text.startswith(_COMMENTS):
        return None
    text = text.lstrip("; ").removeprefix("[").removesuffix("]").rstrip()
    key, quote, value = text.partition('"')
    if not quote or not value.endswith('"') or not key.strip():
        return None
    return " ".join(key.lower().split()), value[:-1]
