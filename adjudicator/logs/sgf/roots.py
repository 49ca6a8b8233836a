"""The root of a game tree: what is played, by whom, at what score, and how it ended.

Source: ``docs/formats/sgf.md``, section "Roots".
"""

import re
from typing import NamedTuple

from adjudicator.errors import Fault, Place, RecordError
from adjudicator.logs.refusals import unknown_game
from adjudicator.logs.sgf.trees import Node
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant

BACKGAMMON_GAME = "6"
"""The number that SGF gives to backgammon; a tree without one is of the game of Go."""

_VARIATIONS = {"Nackgammon": NACKGAMMON, "Hypergammon3": HYPERGAMMON}
_RULES = ("Crawford", "CrawfordGame", "Jacoby", "NoCube")
_NUMBER = re.compile(r"\s*[0-9]{1,6}\s*")
_RESULT = re.compile(
    r"(?P<winner>[BW])\+(?P<points>[0-9]{1,6})?(?P<how>R|Resign|T|Time|F|Forfeit)?", re.IGNORECASE
)
_NO_RESULTS = ("", "?", "void")
_METADATA = {
    "AP": "application",
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "DT": "date",
    "AN": "annotator",
    "WR": "white rating",
    "BR": "black rating",
}


class Result(NamedTuple):
    """Who won, how many points (``None`` where it is not said), and whether the other side resigned."""

    winner: Side
    points: int | None
    resigned: bool
    place: Place


class Root(NamedTuple):
    """What the root of a tree says.

    ``length`` is the match length, 0 for money, ``None`` where it is not said. ``number`` counts from 1.
    ``result`` is ``None`` where the game has none; ``unread`` lists what cannot be read, with its place.
    """

    place: Place
    length: int | None
    number: int | None
    score: Score | None
    white: str
    black: str
    rules: tuple[str, ...]
    result: Result | None
    unread: tuple[tuple[str, Place], ...]
    metadata: dict[str, str]

    @property
    def variant(self) -> Variant:
        """The game that the rules name; backgammon where they name none.

        Raises: UnsupportedVariantError for rules that are not known here.
        """
        variant = BACKGAMMON
        for rule in self.rules:
            if rule in _VARIATIONS:
                variant = _VARIATIONS[rule]
            elif rule not in _RULES:
                raise unknown_game(rule, self.place)
        return variant


def read_root(node: Node) -> Root:
    """What a root says.

    Raises: RecordError for a match length that is no number.
    """
    info = _MatchInfo.of(node)
    try:
        length = info.number_of("length")
    except ValueError as error:
        fault = Fault(str(error), node.place)
        raise RecordError("The match information cannot be read.", [fault]) from error
    unread: list[tuple[str, Place]] = []
    score = number = None
    try:
        number = info.number_of("game")
        scores = [info.number_of(key) for key in ("ws", "bs")]
        if scores[0] is not None and scores[1] is not None:
            score = Score(scores[0], scores[1])
    except ValueError as error:
        unread.append((str(error), node.place))
    result = None
    try:
        result = _read_result(node)
    except ValueError as error:
        unread.append((str(error), node.place))
    return Root(
        place=node.place,
        length=length,
        number=None if number is None else number + 1,
        score=score,
        white=node.text("PW"),
        black=node.text("PB"),
        rules=tuple(rule for rule in node.text("RU").split(":") if rule),
        result=result,
        unread=tuple(unread),
        metadata={key: node.text(name) for name, key in _METADATA.items() if node.text(name)},
    )


class _MatchInfo(NamedTuple):
    """The values of ``MI``, such as ``length:7``, by their keys."""

    values: dict[str, str]

    @classmethod
    def of(cls, node: Node) -> "_MatchInfo":
        found = node.find("MI")
        pairs = [value.partition(":") for value in (found.values if found else ())]
        return cls({key.strip(): value for key, _, value in pairs})

    def number_of(self, key: str) -> int | None:
        """The number of that key; ``None`` where it is not given. Raises: ValueError if it is none."""
        text = self.values.get(key)
        if text is None:
            return None
        if _NUMBER.fullmatch(text) is None:
            raise ValueError(f"MI[{key}:{text[:20]}] gives no number")
        return int(text)


def _read_result(node: Node) -> Result | None:
    """The result. Raises: ValueError if it cannot be read."""
    text = node.text("RE")
    if text.lower() in _NO_RESULTS:
        return None
    match = _RESULT.fullmatch(text)
    if match is None:
        raise ValueError(f"the result {text[:40]!r} cannot be read")
    points = None if match["points"] is None else int(match["points"])
    how = (match["how"] or "").upper()
    winner = Side.BLACK if match["winner"].upper() == "B" else Side.WHITE
    found = node.find("RE")
    return Result(winner, points, how.startswith("R"), node.place if found is None else found.place)
