"""Remarks: what is odd about a record, as data. A remark never stops the work."""

from dataclasses import dataclass
from enum import Enum

from adjudicator.errors import NOWHERE, Place


class RemarkCode(Enum):
    """Every remark there is; ``docs/remarks.md`` explains each."""

    # made by the readers
    MONEY_AS_16 = "money_as_16"
    CRAWFORD_UNKNOWN = "crawford_unknown"
    CRAWFORD_DIFFERS = "crawford_differs"
    GAME_MISSING = "game_missing"
    GAME_AFTER_MATCH = "game_after_match"
    SCORE_MISSING = "score_missing"
    SCORE_TOO_HIGH = "score_too_high"
    SCORE_TURNED = "score_turned"
    ROW_IGNORED = "row_ignored"
    ROW_OUT_OF_ORDER = "row_out_of_order"
    ENCODING_GUESSED = "encoding_guessed"
    PART_IGNORED = "part_ignored"
    RESULT_FROM_SCORE = "result_from_score"
    SIGNATURE_INVALID = "signature_invalid"
    SIGNATURE_UNCHECKED = "signature_unchecked"
    # made by the replay
    NO_ROLLS = "no_rolls"
    OPENING_DOUBLET = "opening_doublet"
    ILLEGAL_PLAY = "illegal_play"
    HALF_PLAY = "half_play"
    PATH_CHOSEN = "path_chosen"
    PLAY_SUPPLIED = "play_supplied"
    PLAY_OMITTED = "play_omitted"
    POSITION_AGREED = "position_agreed"
    HIT_NOT_MARKED = "hit_not_marked"
    STAR_WITHOUT_HIT = "star_without_hit"
    SIDE_OUT_OF_TURN = "side_out_of_turn"
    ROLL_AFTER_END = "roll_after_end"
    CUBE_OUT_OF_TURN = "cube_out_of_turn"
    CUBE_VALUE_ODD = "cube_value_odd"
    DOUBLE_IN_CRAWFORD = "double_in_crawford"
    DUPLICATE_RESIGNATION = "duplicate_resignation"
    RESIGNATION_TOO_HIGH = "resignation_too_high"
    FINISH_MISSING = "finish_missing"
    NOT_REPLAYED_AFTER = "not_replayed_after"
    # made by the adjudication
    RESULT_MISSING = "result_missing"
    GAME_UNFINISHED = "game_unfinished"
    POINTS_DIFFER = "points_differ"
    POINTS_IMPOSSIBLE = "points_impossible"
    POINTS_MISSING = "points_missing"
    WINNER_DIFFERS = "winner_differs"
    SCORE_DOES_NOT_FOLLOW = "score_does_not_follow"
    UNDECIDED = "undecided"
    CLOSE_CHOICE = "close_choice"


@dataclass(frozen=True, slots=True)
class Remark:
    """One oddity: its code, a sentence, the turn it stands at (rolls of the game from 1), and the place."""

    code: RemarkCode
    detail: str
    turn: int | None = None
    place: Place = NOWHERE
