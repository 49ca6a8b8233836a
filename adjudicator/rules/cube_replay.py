"""Replays the cube actions of a game, and remarks what is odd about them."""

from dataclasses import dataclass, field

from adjudicator.errors import NOWHERE, Place
from adjudicator.rules.cube import Cube, CubeAction, CubeInPlay
from adjudicator.rules.record import CubeRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import CrawfordState, GameTerms
from adjudicator.rules.sides import Side


@dataclass
class CubeReplay:
    """The cube under way, and where the double stands that is open, if one is."""

    in_play: CubeInPlay = field(default_factory=CubeInPlay)
    offered_at: Place = NOWHERE

    @property
    def cube(self) -> Cube:
        """The cube as it lies."""
        return self.in_play.cube

    def take(self, action: CubeRecord, due: Side | None, turn: int, terms: GameTerms) -> list[Remark]:
        """Replay one cube action; ``due`` is the side on roll, ``None`` before the first roll."""
        remarks = [
            Remark(code, detail, turn or None, action.place)
            for code, detail in (
                self._check_double(action, due, terms)
                if action.action is CubeAction.DOUBLE
                else self._check_answer(action, terms)
            )
        ]
        if action.action is CubeAction.DOUBLE:
            doubled = self.cube.value * 2
            self.in_play.double(action.side, action.value)
            self.offered_at = action.place
            if self.in_play.offered_value != doubled:
                detail = f"{action.side.label} doubled from {self.cube.value} to {self.in_play.offered_value}"
                remarks.append(Remark(RemarkCode.CUBE_VALUE_ODD, detail, turn or None, action.place))
        elif self._is_answered_by(action) or action.action is CubeAction.DROP:
            self.in_play.answer(action.action, action.side, action.value)
        return remarks

    def _check_double(
        self, action: CubeRecord, due: Side | None, terms: GameTerms
    ) -> list[tuple[RemarkCode, str]]:
        found = []
        if due is not action.side or not self.cube.may_double(action.side):
            found.append((RemarkCode.CUBE_OUT_OF_TURN, f"{action.side.label} doubled without the right to"))
        elif self.in_play.offered_by is not None:
            detail = f"{action.side.label} doubled again, the double was open yet"
            found.append((RemarkCode.CUBE_OUT_OF_TURN, detail))
        if terms.crawford is CrawfordState.CRAWFORD:
            detail = f"{action.side.label} doubled in the Crawford game"
            found.append((RemarkCode.DOUBLE_IN_CRAWFORD, detail))
        return found

    def _check_answer(self, action: CubeRecord, terms: GameTerms) -> list[tuple[RemarkCode, str]]:
        if not self._is_answered_by(action):
            detail = f"{action.action.value} by {action.side.label} without a double"
            return [(RemarkCode.CUBE_OUT_OF_TURN, detail)]
        if action.action is CubeAction.BEAVER and not terms.is_money:
            detail = f"{action.side.label} beavered, and this is no money game"
            return [(RemarkCode.CUBE_OUT_OF_TURN, detail)]
        return []

    def _is_answered_by(self, action: CubeRecord) -> bool:
        return self.in_play.offered_by is action.side.opponent

    def before_roll(self, side: Side, place: Place, turn: int) -> list[Remark]:
        """Take a double for accepted if the game goes on with a roll."""
        if self.in_play.offered_by is None:
            return []
        value = self.in_play.offered_value
        self.in_play.play_on()
        detail = f"the double to {value} has no answer before {side.label}'s roll: taken"
        return [Remark(RemarkCode.CUBE_OUT_OF_TURN, detail, turn, place)]

    def at_end(self, turn: int) -> list[Remark]:
        """Remark a double that is open where the record stops."""
        if self.in_play.offered_by is None:
            return []
        value = self.in_play.offered_value
        detail = f"the double to {value} has no answer, and the record stops there"
        return [Remark(RemarkCode.CUBE_OUT_OF_TURN, detail, turn or None, self.offered_at)]
