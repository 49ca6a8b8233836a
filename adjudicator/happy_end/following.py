"""A game followed as far as its record leads: what adjudicating and inspecting both go by."""

from dataclasses import dataclass

from adjudicator.errors import Fault
from adjudicator.happy_end.last_checker import ExactFinish, LastChecker, find_last_checker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.recorded import Recorded, recorded_result
from adjudicator.happy_end.ruleset import Finish
from adjudicator.rules.plays import ordinary_steps
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark
from adjudicator.rules.replay import ReplayedGame, replay
from adjudicator.rules.score import GameTerms
from adjudicator.rules.variants import Variant


@dataclass(frozen=True, slots=True)
class FollowedGame:
    """One game as it was followed.

    ``reached`` is the last-checker position or the exact finish in its place, ``None`` where neither came.
    ``recorded`` is the result that the record states.
    """

    terms: GameTerms
    replayed: ReplayedGame
    reached: LastChecker | ExactFinish | None
    recorded: Recorded

    @property
    def record(self) -> GameRecord:
        """The record that was followed."""
        return self.replayed.record

    @property
    def unread(self) -> Fault | None:
        """Where and why the reader stopped within the game: rolls of it may be missing.

        ``None`` also where the game had ended by then, since nothing after its end belongs to it.
        """
        return None if self.replayed.ending.is_by_actions else self.record.broken

    @property
    def unreadable(self) -> Fault | None:
        """From where and why the game cannot be followed on, ``None`` where it can be to its end.

        A play that the replay broke at was read, so it stands before what was not.
        """
        return self.replayed.broken or self.unread

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Those of the reader, of the replay, and on the recorded result."""
        return (*self.record.remarks, *self.replayed.remarks, *self.recorded.remarks)


def follow_game(record: GameRecord, variant: Variant, terms: GameTerms, finish: Finish) -> FollowedGame:
    """Follow one game; nothing a record may hold raises.

    A play is legal if the ordinary rules or the modifier allow it.

    Source: HE-2, HE-5.
    """
    replayed = replay(record, variant, terms, legal_by=(ordinary_steps, modifier_steps(finish)))
    return FollowedGame(terms, replayed, find_last_checker(replayed, finish), recorded_result(replayed))
