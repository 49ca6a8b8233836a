"""The text of an SGF collection as game trees: the syntax, whatever the game.

Source: ``docs/formats/sgf.md``, section "Trees".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.errors import NOWHERE, Fault, Place, TooLargeError
from adjudicator.logs.assembly import require_game_count

MAX_VALUE_LENGTH = 65_536
"""A longer value is no record's; the analysis of one play takes a few thousand characters."""

# A value without an end runs to the end of the text, so that no part of it is looked at twice.
_TOKEN = re.compile(
    r"""  \s+
      | (?P<sign>[();])
      | (?P<name>[A-Za-z]+)
      | \[ (?P<value>(?:[^\\\]]++|\\.)*+) (?P<end>\]?)
      | (?P<other>[^\s();\[A-Za-z]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ROOT_NAMES = ("FF", "GM")
"""Properties of roots only: a branch that begins with one is the next game, the one before was not closed."""


class Property(NamedTuple):
    """One property of a node: its name in capitals, and its values with the escapes undone."""

    name: str
    values: tuple[str, ...]
    place: Place

    @property
    def value(self) -> str:
        """The first value, without outer blanks."""
        return self.values[0].strip()


class Node(NamedTuple):
    """The properties of one node in written order."""

    properties: tuple[Property, ...]
    place: Place

    def find(self, name: str) -> Property | None:
        """The first property of that name; ``None`` where there is none."""
        return next((entry for entry in self.properties if entry.name == name), None)

    def text(self, name: str) -> str:
        """The value of that property on one line, ``""`` where there is none."""
        found = self.find(name)
        return "" if found is None else " ".join(found.value.split())


@dataclass
class GameTree:
    """The main line of one tree, root first. ``variation``: where the first branch left out begins.

    ``fault`` is what is wrong with the syntax: nodes before its place can be trusted.
    """

    place: Place
    nodes: list[Node] = field(default_factory=list)
    variation: Place | None = None
    fault: Fault | None = None


class Collection(NamedTuple):
    """The trees of a text, and the places of what stands outside of them."""

    trees: list[GameTree]
    strays: list[Place]


def parse_collection(text: str) -> Collection:
    """The game trees of a text. Broken syntax is told by the tree that it breaks.

    Raises: TooLargeError for too many trees, or a value that is too long.
    """
    parser = _Parser()
    for match, place in _tokens(text):
        if match["sign"]:
            parser.take_sign(match["sign"], place)
        elif match["name"]:
            parser.take_name(match["name"], place)
        elif match["value"] is not None:
            parser.take_value(match["value"], place, closed=bool(match["end"]))
        elif match["other"]:
            parser.break_off(f"{match['other'][:20]!r} is no part of a node", place)
    parser.finish(Place(line=text.count("\n") + 1))
    return Collection(parser.trees, parser.strays)


def _tokens(text: str) -> Iterator[tuple[re.Match[str], Place]]:
    place, seen = Place(line=1), 0
    for match in _TOKEN.finditer(text):
        if passed := text.count("\n", seen, match.start()):
            place = Place(line=(place.line or 0) + passed)
        seen = match.start()
        yield match, place


@dataclass
class _Parser:
    """The trees so far.

    ``on_main``: whether nodes belong to the main line, which ends at the first bracket that closes.
    ``branch``: where the last bracket opens. ``node`` is the node under way, as names, values and places;
    ``name`` its property without a value yet.
    """

    trees: list[GameTree] = field(default_factory=list)
    strays: list[Place] = field(default_factory=list)
    depth: int = 0
    on_main: bool = True
    branch: Place = NOWHERE
    node: list[tuple[str, list[str], Place]] | None = None
    node_place: Place = NOWHERE
    is_first_node: bool = False
    name: tuple[str, Place] | None = None

    def take_sign(self, sign: str, place: Place) -> None:
        """A bracket, or the beginning of a node."""
        self._end_node()
        if sign == ";" and self.depth:
            self.node, self.node_place = [], place
        elif sign == "(":
            self._open(place)
        elif sign == ")" and self.depth:
            self.depth -= 1
            self.on_main = False
        else:
            self.strays.append(place)

    def _open(self, place: Place) -> None:
        self.depth += 1
        self.is_first_node = True
        self.branch = place
        if self.depth == 1:
            self._begin(place)
        elif not self.on_main and self.trees[-1].variation is None:
            self.trees[-1].variation = place

    def _begin(self, place: Place) -> None:
        self.trees.append(GameTree(place))
        require_game_count(len(self.trees), place)
        self.depth, self.on_main = 1, True

    def take_name(self, name: str, place: Place) -> None:
        """The name of a property; small letters in it mean nothing."""
        self._end_name()
        if self.node is None:
            self.break_off(f"{name[:20]!r} stands outside of a node", place)
            return
        capitals = "".join(filter(str.isupper, name))
        if not capitals:
            self.break_off(f"{name[:20]!r} is no property", place)
            return
        if capitals in _ROOT_NAMES and self.is_first_node and self.depth > 1:
            self._begin_unclosed()
        self.name = (capitals, place)

    def _begin_unclosed(self) -> None:
        """Take the branch under way for a tree of its own."""
        tree = self.trees[-1]
        if tree.variation == self.branch:
            tree.variation = None
        self.break_off("the game is not closed with a bracket before the next one begins", self.branch)
        self._begin(self.branch)

    def take_value(self, value: str, place: Place, *, closed: bool) -> None:
        """One value of the property under way."""
        if len(value) > MAX_VALUE_LENGTH:
            reason = f"a value of {len(value)} characters; a record has at most {MAX_VALUE_LENGTH}"
            raise TooLargeError("The log holds a value that is too long.", [Fault(reason, place)])
        if not closed:
            self.break_off("a value has no end: the file is cut off here", place)
        elif self.node is None or not (self.name or self.node):
            self.break_off("a value stands where no property is", place)
        elif self.name is not None:
            name, place = self.name
            self.node.append((name, [_unescape(value)], place))
            self.name = None
        else:
            self.node[-1][1].append(_unescape(value))

    def break_off(self, reason: str, place: Place) -> None:
        """Say what is wrong with the tree under way; outside of trees it is a stray."""
        if not self.depth:
            self.strays.append(place)
        elif self.on_main and self.trees[-1].fault is None:
            self.trees[-1].fault = Fault(reason, place)

    def _end_name(self) -> None:
        if self.name is not None:
            name, place = self.name
            self.name = None
            self.break_off(f"the property {name[:20]} has no value", place)

    def _end_node(self) -> None:
        self._end_name()
        if self.node is None:
            return
        if self.on_main:
            properties = [Property(name, tuple(values), place) for name, values, place in self.node]
            self.trees[-1].nodes.append(Node(tuple(properties), self.node_place))
        self.node = None
        self.is_first_node = False

    def finish(self, place: Place) -> None:
        """The text ends there."""
        self._end_node()
        if self.depth:
            self.break_off("the game is not closed with a bracket: the file is cut off", place)


def _unescape(value: str) -> str:
    r"""The value as it is meant.

    >>> _unescape(r"a\]b\\c")
    'a]b\\c'
    """
    if "\\" not in value:
        return value
    return _ESCAPE.sub(lambda match: "" if match[1] == "\n" else match[1], value)
