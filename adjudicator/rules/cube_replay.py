"""Replays the cube actions of a game."""

from dataclasses import dataclass, field

from adjudicator.errors import NOWHERE, Place
from adjudicator.rules.cube import Cube, CubeAction
from adjudicator.rules.record import CubeRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import CrawfordState, GameTerms
from adjudicator.rules.sides import Side


@dataclass
class CubeReplay:
    """The cube under way: as it lies, and what is offered by whom."""

    cube: Cube = field(default_factory=Cube)
    offered_by: Side | None = None
    offered_value: int = 0
    offered_at: Place = NOWHERE

    def take(self, action: CubeRecord, due: Side | None, turn: int, terms: GameTerms) -> list[Remark]:
        """Replay one cube action; ``due`` is the side on roll, ``None`` before the first roll."""
        remarks: list[Remark] = []

        def remark(code: RemarkCode, detail: str) -> None:
            remarks.append(Remark(code, detail, turn or None, action.place))

        if action.action is CubeAction.DOUBLE:
            if due is not action.side or not self.cube.may_double(action.side):
                remark(RemarkCode.CUBE_OUT_OF_TURN, f"{action.side.label} doubled without the right to")
            elif self.offered_by is not None:
                remark(
                    RemarkCode.CUBE_OUT_OF_TURN, f"{action.side.label} doubled again, the double was open yet"
                )
            if terms.crawford is CrawfordState.CRAWFORD:
                remark(RemarkCode.DOUBLE_IN_CRAWFORD, f"{action.side.label} doubled in the Crawford game")
            if self._offer(action):
                remark(
                    RemarkCode.CUBE_VALUE_ODD,
                    f"{action.side.label} doubled from {self.cube.value} to {self.offered_value}",
                )
        elif self.offered_by is not action.side.opponent:
            remark(
                RemarkCode.CUBE_OUT_OF_TURN, f"{action.action.value} by {action.side.label} without a double"
            )
            if action.action is not CubeAction.DROP:
                return remarks
        elif action.action is CubeAction.BEAVER and not terms.is_money:
            remark(RemarkCode.CUBE_OUT_OF_TURN, f"{action.side.label} beavered, and this is no money game")
        self._answer(action)
        return remarks

    def _offer(self, action: CubeRecord) -> bool:
        """Take a double down; whether its value is another than twice the cube."""
        doubled = self.cube.value * 2
        self.offered_by, self.offered_at = action.side, action.place
        self.offered_value = action.value or doubled
        return self.offered_value != doubled

    def _answer(self, action: CubeRecord) -> None:
        if action.action is CubeAction.TAKE:
            self._accept(action.side, self.offered_value)
        elif action.action is CubeAction.BEAVER:
            self._accept(action.side, action.value or self.offered_value * 2)
        elif action.action is CubeAction.DROP:
            self.offered_by = None

    def _accept(self, side: Side, value: int) -> None:
        self.cube = self.cube.taken_by(side, value)
        self.offered_by = None

    def before_roll(self, side: Side, place: Place, turn: int) -> list[Remark]:
        """Take a double for accepted if the game goes on with a roll."""
        if self.offered_by is None:
            return []
        detail = f"the double to {self.offered_value} has no answer before {side.label}'s roll: taken"
        self._accept(self.offered_by.opponent, self.offered_value)
        return [Remark(RemarkCode.CUBE_OUT_OF_TURN, detail, turn, place)]

    def at_end(self, turn: int) -> list[Remark]:
        """Remark a double that is open where the record stops."""
        if self.offered_by is None:
            return []
        detail = f"the double to {self.offered_value} has no answer, and the record stops there"
        return [Remark(RemarkCode.CUBE_OUT_OF_TURN, detail, turn or None, self.offered_at)]
