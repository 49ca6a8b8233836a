"""A game while a reader puts it together: actions in order, until something cannot be read."""

from dataclasses import dataclass, field

from adjudicator.errors import NOWHERE, Fault, Place
from adjudicator.logs.assembly import require_action_count
from adjudicator.rules.board import Position
from adjudicator.rules.cube import CubeAction, CubeInPlay
from adjudicator.rules.record import Action, CubeRecord, GameRecord, RecordedResult, RollRecord, Writing
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score, Win

RACCOON = CubeAction.DOUBLE
"""What a raccoon, which no rule here knows, is read as: a double of the beavered cube."""
SET_BY_HAND = "the log sets another position after it, by hand"
"""Why the play before a position that was set by hand is not known."""


@dataclass
class GameDraft:
    """A game under way; ``place`` is where it begins. The other fields become those of the record.

    ``cube`` is the cube as the actions so far leave it, ``rolls`` how many rolls there are.
    """

    number: int
    place: Place = NOWHERE
    score: Score | None = None
    start: Position | None = None
    crawford: bool | None = None
    result: RecordedResult | None = None
    actions: list[Action] = field(default_factory=list)
    rolls: int = 0
    cube: CubeInPlay = field(default_factory=CubeInPlay)
    broken: Fault | None = None
    remarks: list[Remark] = field(default_factory=list)

    def add(self, action: Action) -> None:
        """Add an action, unless the game is broken before it.

        Raises: TooLargeError beyond the limits.
        """
        if self.broken is not None:
            return
        if isinstance(action, RollRecord):
            self.rolls += 1
            self.cube.play_on()
        elif isinstance(action, CubeRecord):
            self._turn_cube(action)
        require_action_count(len(self.actions) + 1, self.rolls, self._in_game(action.place))
        self.actions.append(action)

    @property
    def last(self) -> Action | None:
        """The last action; ``None`` while there is none."""
        return self.actions[-1] if self.actions else None

    def correct_last(self, action: Action) -> None:
        """Put an action in the place of the last one, about which more has become known."""
        if self.broken is None:
            self.actions.pop()
            self.rolls -= isinstance(action, RollRecord)
            self.add(action)

    def unread_last_roll(self, reason: str) -> bool:
        """What the last roll came to is not known after all, for that reason; whether there is a roll."""
        for index in range(len(self.actions) - 1, -1, -1):
            roll = self.actions[index]
            if isinstance(roll, RollRecord):
                self.actions[index] = roll._replace(
                    writing=Writing.UNREAD, movements=(), agreed=None, unread=reason
                )
                return True
        return False

    def next_turn(self, place: Place = NOWHERE) -> Place:
        """That place as one of the turn that would come next."""
        return place._replace(game=self.number, turn=self.rolls + 1)

    def break_off(self, reason: str, place: Place = NOWHERE) -> None:
        """Say why nothing can be read from that place on; the first reason is kept.

        The fault's turn is the one that would come next.
        """
        if self.broken is None:
            self.broken = Fault(reason, self.next_turn(place))

    def remark(self, code: RemarkCode, detail: str, place: Place = NOWHERE) -> None:
        """Remark on something at that place."""
        self.remarks.append(Remark(code, detail, place=self._in_game(place)))

    def win_worth(self, points: int | None) -> Win | None:
        """The kind of win that counts so many points with the cube as it is; ``None`` where there is none."""
        kinds = {win * self.cube.cube.value: win for win in Win}
        return None if points is None else kinds.get(points)

    def finished(self) -> GameRecord:
        """The record of the game."""
        return GameRecord(
            self.number,
            tuple(self.actions),
            self.result,
            self.score,
            self.start,
            self.crawford,
            remarks=tuple(self.remarks),
            broken=self.broken,
            place=self._in_game(self.place),
        )

    def _in_game(self, place: Place) -> Place:
        return place._replace(game=self.number)

    def _turn_cube(self, action: CubeRecord) -> None:
        if action.action is CubeAction.DOUBLE:
            self.cube.double(action.side, action.value)
        elif self.cube.offered_by is action.side.opponent:
            self.cube.answer(action.action, action.side, action.value)
