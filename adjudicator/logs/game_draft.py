"""A game while a reader puts it together: actions in order, until something cannot be read."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from adjudicator.errors import Fault, Place, TooLargeError
from adjudicator.logs.assembly import check_roll_count
from adjudicator.logs.match_log import MAX_ROLLS
from adjudicator.rules.board import Position
from adjudicator.rules.cube import Cube, CubeAction
from adjudicator.rules.record import Action, CubeRecord, GameRecord, RecordedResult, RollRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score, Win

MAX_ACTIONS = 4 * MAX_ROLLS
"""A roll has at most a double, an answer and a resignation beside it."""


@dataclass
class GameDraft:
    """A game under way; ``line`` is the line it begins in. The other fields become those of the record.

    ``cube`` is the cube as the actions so far leave it, ``rolls`` how many rolls there are.
    """

    number: int
    line: int
    score: Score | None = None
    start: Position | None = None
    crawford: bool | None = None
    result: RecordedResult | None = None
    actions: list[Action] = field(default_factory=list)
    rolls: int = 0
    cube: Cube = field(default_factory=Cube)
    _offered: int = 0
    _break: tuple[str, int, int] | None = None
    _noted: list[tuple[RemarkCode, str, int]] = field(default_factory=list)

    def add(self, action: Action) -> None:
        """Add an action, unless the game is broken before it.

        Raises: TooLargeError beyond ``MAX_ROLLS`` rolls or ``MAX_ACTIONS`` actions.
        """
        if self.is_broken:
            return
        if isinstance(action, RollRecord):
            self.rolls += 1
            check_roll_count(self.rolls, replace(action.place, game=self.number))
        elif isinstance(action, CubeRecord):
            self._turn_cube(action)
        if len(self.actions) >= MAX_ACTIONS:
            fault = Fault(f"more than {MAX_ACTIONS} actions", replace(action.place, game=self.number))
            raise TooLargeError("A game of the log is too long.", [fault])
        self.actions.append(action)

    @property
    def last(self) -> Action | None:
        """The last action; ``None`` while there is none."""
        return self.actions[-1] if self.actions else None

    @property
    def is_broken(self) -> bool:
        """Whether nothing more can be read of the game."""
        return self._break is not None

    def correct_last(self, action: Action) -> None:
        """Put an action in the place of the last one, about which more has become known."""
        if not self.is_broken:
            self.actions.pop()
            self.rolls -= isinstance(action, RollRecord)
            self.add(action)

    def break_off(self, reason: str, line: int) -> None:
        """Say why nothing can be read from that line on; the first reason is kept."""
        if self._break is None:
            self._break = reason, line, self.rolls + 1

    def remark(self, code: RemarkCode, detail: str, line: int) -> None:
        """Remark on something in that line."""
        self._noted.append((code, detail, line))

    def win_worth(self, points: int | None) -> Win | None:
        """The kind of win that counts so many points with the cube as it is; ``None`` where there is none."""
        kinds = {win * self.cube.value: win for win in Win}
        return None if points is None else kinds.get(points)

    def finished(self) -> GameRecord:
        """The record of the game."""
        broken = None
        if self._break is not None:
            reason, line, turn = self._break
            broken = Fault(reason, Place(line=line, game=self.number, turn=turn))
        return GameRecord(
            self.number,
            tuple(self.actions),
            self.result,
            self.score,
            self.start,
            self.crawford,
            remarks=tuple(self._remarks()),
            broken=broken,
            place=Place(line=self.line, game=self.number),
        )

    def _remarks(self) -> Iterator[Remark]:
        for code, detail, line in self._noted:
            yield Remark(code, detail, place=Place(line=line, game=self.number))

    def _turn_cube(self, action: CubeRecord) -> None:
        if action.action is CubeAction.DOUBLE:
            self._offered = action.value or self.cube.value * 2
        elif action.action is CubeAction.TAKE and self._offered:
            self.cube = self.cube.taken_by(action.side, self._offered)
        elif action.action is CubeAction.BEAVER and self._offered:
            self.cube = self.cube.taken_by(action.side, self._offered * 2)
