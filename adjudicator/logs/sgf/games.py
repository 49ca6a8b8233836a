"""The nodes of one tree as the record of a game.

A node that cannot be read breaks its game, never the file.

Source: ``docs/formats/sgf.md``, section "Nodes".
"""

import re
from dataclasses import dataclass

from adjudicator.errors import Place
from adjudicator.logs.game_draft import GameDraft
from adjudicator.logs.limits import MAX_STEPS
from adjudicator.logs.sgf.roots import Root
from adjudicator.logs.sgf.trees import GameTree, Node, Property
from adjudicator.rules.board import BAR, OFF, Checkers, Position, check_position, checkers_from
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import Variant

_SIDES = {"W": Side.WHITE, "B": Side.BLACK}
_SETUP = {"AW": Side.WHITE, "AB": Side.BLACK}
_ANSWERS = {"take": CubeAction.TAKE, "drop": CubeAction.DROP}
_DICE = re.compile(r"[1-6]{2}")
_MAX_SET_UP = 500
"""A position takes some thirty values; a game may be set up a few times before it begins."""
_OWNERS = {"c": None, "w": Side.WHITE, "b": Side.BLACK}


def read_game(tree: GameTree, root: Root, number: int, variant: Variant, *, crawford: bool) -> GameRecord:
    """The record of one game, whatever its nodes hold; ``crawford``: whether the rule holds in the match.

    Raises: TooLargeError for a game that is too long.
    """
    is_crawford_game = "CrawfordGame" in root.rules if crawford else None
    draft = GameDraft(number, tree.place, root.score, crawford=is_crawford_game)
    reading = _GameReading(draft, variant)
    for reason, place in root.unread:
        draft.remark(RemarkCode.PART_IGNORED, f"not read: {reason}", place)
    for node in tree.nodes:
        reading.take(node)
    if tree.fault is not None:
        draft.break_off(tree.fault.reason, tree.fault.place)
    if tree.variation is not None:
        draft.remark(RemarkCode.PART_IGNORED, "variations of the game are left out", tree.variation)
    reading.finish(root)
    return draft.finished()


@dataclass
class _GameReading:
    """The game under way. ``thrown``: a roll that is announced (``DI``) and not played yet.

    ``board``: the checkers put up so far, each side's by its own points; ``None`` without a set-up.
    ``set_up`` counts the values that did it.
    """

    draft: GameDraft
    variant: Variant
    thrown: RollRecord | None = None
    board: dict[Side, dict[int, int]] | None = None
    due: Side | None = None
    set_up: int = 0

    def take(self, node: Node) -> None:
        """Add what a node says."""
        if self.draft.broken is not None:
            return
        try:
            self._take_node(node)
        except ValueError as error:
            self.draft.break_off(str(error), node.place)

    def _take_node(self, node: Node) -> None:
        turn = node.find("PL")
        if turn is not None:
            self.due = _SIDES.get(turn.value[:1].upper())
        played = [entry for entry in node.properties if entry.name in _SIDES]
        for entry in node.properties:
            if entry.name in ("AE", *_SETUP):
                self._set_up(entry)
            elif entry.name in ("CV", "CP"):
                self._check_cube(entry)
            elif entry.name == "DI":
                self._throw(entry)
        if len(played) > 1:
            raise ValueError("two plays in one node")
        if played:
            self._start()
            self._take_action(_SIDES[played[0].name], played[0])

    # --- positions

    def _set_up(self, entry: Property) -> None:
        if self.draft.actions or self.thrown is not None:
            raise ValueError("the board is set up anew in mid-game")
        if self.board is None:
            start = self.variant.start_checkers
            points = {point: start[point] for point in range(1, BAR + 1) if start[point]}
            self.board = {Side.WHITE: dict(points), Side.BLACK: dict(points)}
        self.set_up += len(entry.values)
        if self.set_up > _MAX_SET_UP:
            raise ValueError("more is set up than a board holds")
        for value in entry.values:
            for letter in _letters(value):
                if entry.name == "AE":
                    for side in Side:
                        self.board[side].pop(_point(letter, side), None)
                else:
                    own = self.board[_SETUP[entry.name]]
                    point = _point(letter, _SETUP[entry.name])
                    own[point] = own.get(point, 0) + 1

    def _start(self) -> None:
        """Take the board that was put up, if there is one, for the start."""
        if self.board is None or self.draft.start is not None:
            return
        white, black = (self._checkers(self.board[side]) for side in Side)
        position = Position(white, black)
        complaints = check_position(position, self.variant.checkers_per_side)
        if complaints:
            raise ValueError(f"no position can be set up so: {complaints[0]}")
        self.draft.start = position

    def _checkers(self, points: dict[int, int]) -> Checkers:
        return checkers_from(points, self.variant.checkers_per_side)

    def _check_cube(self, entry: Property) -> None:
        """A cube that lies where the actions left it says nothing new; any other cannot be recorded."""
        cube = self.draft.cube.cube
        lies = str(cube.value) if entry.name == "CV" else cube.owner
        said = entry.value if entry.name == "CV" else _OWNERS.get(entry.value[:1], entry.value)
        if said != lies:
            raise ValueError(f"{entry.name}[{entry.value[:20]}] sets a cube that no double brought about")

    # --- actions

    def _throw(self, entry: Property) -> None:
        side = self.due
        if side is None and isinstance(self.draft.last, RollRecord):
            side = self.draft.last.side.opponent
        if side is None:
            raise ValueError("dice are thrown, and nothing tells by whom")
        self._start()
        self._end_throw()
        place = entry.place
        self.thrown = RollRecord(side, _dice(entry.value), Writing.NOT_PLAYED, place=place)

    def _end_throw(self) -> None:
        """A roll that was announced and not played is a roll of its own."""
        if self.thrown is not None:
            self.draft.add(self.thrown)
            self.thrown = None

    def _take_action(self, side: Side, entry: Property) -> None:
        place, value = entry.place, entry.value
        if value == "double":
            self._end_throw()
            self._double(side, place)
        elif value in _ANSWERS:
            self._end_throw()
            self._answer(CubeRecord(side, _ANSWERS[value], place=place))
        else:
            roll = _roll(side, value, place)
            if self.thrown is not None and (self.thrown.side, self.thrown.dice) == (side, roll.dice):
                self.thrown = None
            self._end_throw()
            self.draft.add(roll)
        self.due = None

    def _double(self, side: Side, place: Place) -> None:
        """A double right after the other side's is a beaver: taken, and doubled at once."""
        last = self.draft.last
        if isinstance(last, CubeRecord) and last.side is side.opponent:
            if last.action is CubeAction.BEAVER:
                raise ValueError("a third double in a row (a raccoon) cannot be recorded")
            if last.action is CubeAction.DOUBLE:
                self.draft.add(CubeRecord(side, CubeAction.BEAVER, place=place))
                return
        self.draft.add(CubeRecord(side, CubeAction.DOUBLE, place=place))

    def _answer(self, answer: CubeRecord) -> None:
        """A beaver stands without an answer, so that its take is no action of its own."""
        last = self.draft.last
        is_beavered = isinstance(last, CubeRecord) and last.action is CubeAction.BEAVER
        if not (is_beavered and answer.action is CubeAction.TAKE):
            self.draft.add(answer)

    # --- the end

    def finish(self, root: Root) -> None:
        """Add what the root says of the end."""
        if self.draft.broken is None:
            try:
                self._start()
            except ValueError as error:
                self.draft.break_off(str(error), self.draft.place)
            self._end_throw()
        result = root.result
        if result is None:
            return
        if result.resigned:
            win, place = self.draft.win_worth(result.points), result.place
            self.draft.add(ResignRecord(result.winner.opponent, win, place))
        self.draft.result = RecordedResult(result.winner, result.points, result.place)


def _roll(side: Side, value: str, place: Place) -> RollRecord:
    """A roll and its play. Raises: ValueError where there are no two dice."""
    dice, play = _dice(value[:2]), value[2:]
    try:
        movements = _parse_play(play, side)
    except ValueError as error:
        return RollRecord(side, dice, Writing.UNREAD, unread=str(error), place=place)
    return RollRecord(side, dice, Writing.PLAY if movements else Writing.NOTHING, movements, place=place)


def _dice(text: str) -> Dice:
    if _DICE.fullmatch(text) is None:
        raise ValueError(f"{text[:20]!r} is no roll, double, take or drop")
    return Dice.of(int(text[0]), int(text[1]))


def _parse_play(letters: str, side: Side) -> tuple[Movement, ...]:
    """Pairs of letters as movements, in the side's own numbering.

    >>> _parse_play("xrmi", Side.WHITE)
    (Movement(source=24, target=18, hit=False), Movement(source=13, target=9, hit=False))
    """
    if len(letters) % 2 or len(letters) > 2 * MAX_STEPS:
        raise ValueError(f"{letters[:20]!r} is no play: one to four pairs of letters are")
    movements = []
    for source, target in zip(letters[::2], letters[1::2], strict=True):
        movement = Movement(_point(source, side), OFF if target == "z" else _point(target, side))
        if movement.target >= movement.source:
            raise ValueError(f"{source + target!r} does not move downwards")
        movements.append(movement)
    return tuple(movements)


def _point(letter: str, side: Side) -> int:
    """The point of a letter in that side's own numbering: white's a to x are 1 to 24, y is the bar.

    >>> _point("a", Side.WHITE), _point("a", Side.BLACK), _point("y", Side.BLACK)
    (1, 24, 25)
    """
    number = "abcdefghijklmnopqrstuvwxy".find(letter) + 1 if len(letter) == 1 else 0
    if not number:
        raise ValueError(f"there is no point {letter[:20]!r}")
    return BAR - number if side is Side.BLACK and number != BAR else number


def _letters(value: str) -> str:
    """The letters of a point or of a range such as ``a:y``. Raises: ValueError for anything else."""
    first, colon, last = value.strip().partition(":")
    numbers = [ord(letter) for letter in (first, last or first) if len(letter) == 1]
    if len(numbers) != 2 or numbers[0] > numbers[1] or numbers[1] - numbers[0] > BAR or (colon and not last):
        raise ValueError(f"{value[:20]!r} names no points")
    return "".join(map(chr, range(numbers[0], numbers[1] + 1)))
