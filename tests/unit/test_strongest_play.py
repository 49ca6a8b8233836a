"""Which play is the strongest, HE-6.2 and HE-7.2 to HE-7.4."""

from collections.abc import Mapping, Sequence

import pytest

from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.strongest_play import (
    Choice,
    Measure,
    StrongestPlay,
    leads_of_others,
    strongest_play,
)
from adjudicator.rules.board import Position
from adjudicator.rules.plays import Play, Step
from adjudicator.rules.sides import Side
from tests.boards import WHITE, board

Points = Mapping[int, int]


class GivenJudge:
    """Judges by two given lists, in the order of the plays, and counts how often it is asked."""

    def __init__(
        self,
        engine: Sequence[float] = (),
        modifier: Sequence[float] = (),
        cross: Mapping[str, list[float]] | None = None,
    ) -> None:
        self.engine, self.modifier, self.cross = list(engine), list(modifier), cross or {}
        self.asked = 0

    def engine_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:  # noqa: ARG002
        self.asked += 1
        return self.engine

    def modifier_equities(self, side: Side, plays: Sequence[Play]) -> list[float]:  # noqa: ARG002
        self.asked += 1
        return self.modifier

    def cross_equities(self, side: Side, plays: Sequence[Play]) -> Mapping[str, list[float]]:  # noqa: ARG002
        return self.cross

    def chances(self, position: Position) -> Outcomes:
        raise AssertionError(f"nothing here asks about {position}")


def to(own: Points, opponent: Points | None = None) -> Play:
    """A play of one step, whatever it is, that leads there."""
    return Play((Step(6, 1, 5, hit=False),), board(own, opponent or {2: 1}))


LONG, MIDDLE, SHORT = to({6: 3}), to({6: 1, 5: 2}), to({6: 2, 1: 1})


def choose(
    plays: Sequence[Play],
    engine: Sequence[float],
    modifier: Sequence[float],
    indifference: float = 0.001,
) -> StrongestPlay:
    return strongest_play(WHITE, plays, GivenJudge(engine, modifier), indifference)


def test_he_6_2_with_no_play_possible_the_turn_passes_and_no_engine_is_asked() -> None:
    judge = GivenJudge()
    passed = Play((), board({6: 1}, {2: 1}))
    found = strongest_play(WHITE, [passed], judge, 0.001)
    assert (found.play, found.choice, found.candidates, judge.asked) == (passed, Choice.NONE, (), 0)


def test_he_6_2_with_only_one_resulting_position_no_engine_is_asked() -> None:
    judge = GivenJudge()
    found = strongest_play(WHITE, [LONG], judge, 0.001)
    assert (found.play, found.choice, found.candidates, judge.asked) == (LONG, Choice.ONLY, (), 0)


def test_he_7_2_a_play_that_wins_the_game_at_once_is_strongest_and_no_engine_is_asked() -> None:
    judge = GivenJudge()
    wins = to({})
    found = strongest_play(WHITE, [LONG, wins, SHORT], judge, 0.001)
    assert (found.play, found.choice, judge.asked) == (wins, Choice.WINS, 0)


def test_he_7_1_a_play_that_the_engine_holds_better_by_more_than_the_indifference_is_taken() -> None:
    found = choose([LONG, MIDDLE, SHORT], [0.1, 0.3, 0.2989], [0.9, -0.9, 0.9])
    assert (found.play, found.choice) == (MIDDLE, Choice.ENGINE)


def test_he_7_3_of_plays_within_the_indifference_the_best_under_the_modifier_is_taken() -> None:
    found = choose([LONG, MIDDLE, SHORT], [0.2995, 0.3, 0.1], [0.2, 0.1, 0.9])
    assert (found.play, found.choice) == (LONG, Choice.TIE_BREAK)


def test_he_7_3_a_play_just_as_far_off_as_the_indifference_counts_as_equal() -> None:
    assert choose([LONG, MIDDLE], [0.299, 0.3], [0.2, 0.1]).play == LONG
    assert choose([LONG, MIDDLE], [0.298999, 0.3], [0.2, 0.1]).play == MIDDLE


def test_he_7_3_the_indifference_is_an_option() -> None:
    assert choose([LONG, MIDDLE], [0.25, 0.3], [0.2, 0.1], indifference=0.1).play == LONG
    assert choose([LONG, MIDDLE], [0.2999, 0.3], [0.2, 0.1], indifference=0.0).play == MIDDLE


def test_he_7_3_equality_is_measured_from_the_best_and_not_handed_on() -> None:
    """0.2990 is within reach of 0.3, 0.2981 is not, though it is within reach of 0.2990."""
    assert choose([LONG, MIDDLE, SHORT], [0.2981, 0.2990, 0.3], [0.9, 0.2, 0.1]).play == MIDDLE


def test_he_7_4_what_is_still_equal_is_decided_by_the_smaller_pip_count() -> None:
    found = choose([LONG, MIDDLE, SHORT], [0.0] * 3, [0.5, 0.5 + 9e-10, 0.5])
    assert found.play == SHORT  # 13 pips; the others have 18 and 16


def test_he_7_4_values_further_apart_than_a_billionth_are_not_equal() -> None:
    assert choose([LONG, SHORT], [0.0] * 2, [0.5 + 2e-9, 0.5]).play == LONG


def test_he_7_4_with_equal_pips_the_lower_tuple_of_the_mover_s_counts_from_point_1_is_taken() -> None:
    """12 pips each: (0,0,0,0,0,2), (0,0,0,3), (0,0,1,1,1), (1,0,0,0,1,1)."""
    plays = [to({4: 3}), to({6: 1, 5: 1, 1: 1}), to({6: 2}), to({5: 1, 4: 1, 3: 1})]
    assert choose(plays, [0.0] * 4, [0.0] * 4).play == to({6: 2})
    assert choose(plays[:2], [0.0] * 2, [0.0] * 2).play == to({4: 3})


def test_he_7_4_then_the_opponent_s_lower_tuple_decides() -> None:
    hit, missed = to({6: 2}, {25: 1, 3: 1}), to({6: 2}, {3: 2})
    assert choose([missed, hit], [0.0] * 2, [0.0] * 2).play == hit


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
def test_he_7_4_a_result_never_depends_on_the_order_of_the_list(order: tuple[int, ...]) -> None:
    plays = [LONG, MIDDLE, SHORT]
    engine, modifier = [0.3, 0.2995, 0.1], [0.2, 0.2, 0.9]
    found = choose(
        [plays[place] for place in order],
        [engine[place] for place in order],
        [modifier[place] for place in order],
    )
    assert [candidate.play for candidate in found.candidates] == [MIDDLE, LONG, SHORT]


def test_he_9_all_plays_considered_are_kept_with_both_evaluations_the_chosen_one_first() -> None:
    found = choose([LONG, MIDDLE, SHORT], [0.1, 0.3, 0.2], [0.4, 0.5, 0.6])
    assert [(one.play, one.equity, one.modifier_equity) for one in found.candidates] == [
        (MIDDLE, 0.3, 0.5),
        (SHORT, 0.2, 0.6),
        (LONG, 0.1, 0.4),
    ]


def test_he_7_7_engines_asked_besides_choose_by_the_same_rule_and_decide_nothing() -> None:
    judge = GivenJudge([0.3, 0.1, 0.3], [0.5, 0.9, 0.4], {"bold": [0.0, 0.2, 0.0], "calm": [0.0, 0.0, 0.0]})
    found = strongest_play(WHITE, [LONG, MIDDLE, SHORT], judge, 0.001)
    assert found.play == LONG
    assert found.cross_choices == {"bold": MIDDLE, "calm": MIDDLE}
    assert {candidate.play: candidate.cross_equities["bold"] for candidate in found.candidates} == {
        LONG: 0.0,
        MIDDLE: 0.2,
        SHORT: 0.0,
    }


def test_he_7_7_the_lead_over_another_play_is_told_by_the_measure_that_decided_the_closest_first() -> None:
    found = choose([LONG, MIDDLE, SHORT], [0.3, 0.2995, 0.1], [0.5, 0.2, 0.9])
    over_middle, over_short = leads_of_others(found, 0.001)
    assert (over_middle.over, over_middle.measure) == (MIDDLE, Measure.MODIFIER)
    assert over_middle.equity == pytest.approx(0.3)
    assert (over_short.over, over_short.measure) == (SHORT, Measure.ENGINE)
    assert over_short.equity == pytest.approx(0.2)


def test_he_7_7_where_nothing_was_compared_there_is_no_lead() -> None:
    assert leads_of_others(strongest_play(WHITE, [LONG], GivenJudge(), 0.001), 0.001) == []
