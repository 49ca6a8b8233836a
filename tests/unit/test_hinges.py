"""On which choices the winner hangs, HE-7.7."""

import random
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

import pytest

from adjudicator.happy_end import hinges as searching
from adjudicator.happy_end.hinges import Hinges, find_hinges
from adjudicator.happy_end.judge import EngineJudge
from adjudicator.happy_end.last_checker import LastChecker
from adjudicator.happy_end.modifier import modifier_steps
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.happy_end.playout import Playout, play_out
from adjudicator.happy_end.ruleset import Finish, Ruleset
from adjudicator.happy_end.series import DiceSeries
from adjudicator.happy_end.strongest_play import Choice, Measure
from adjudicator.notation.play_text import format_play
from adjudicator.rules.board import Position, count_on_board, highest_point
from adjudicator.rules.cube import Cube
from adjudicator.rules.dice import ALL_ROLLS
from adjudicator.rules.plays import legal_plays
from adjudicator.rules.sides import Side
from tests.boards import BLACK, MONEY, WHITE, board, dice
from tests.opinions import EvenEngine, EvenEstimator
from tests.twins.plays_twin import Row, row_of, twin_results

State = tuple[Row, str, int]

OTHER = {"white": "black", "black": "white"}


def played(
    position: Position, rolls: str, finish: Finish = Finish.EXACT, engine: EvenEngine | None = None
) -> Playout:
    """``position`` is seen by black, who is on roll; white has the last checker."""
    return _played(position, DiceSeries(tuple(dice(roll) for roll in rolls.split()), 1), finish, engine)


def _played(
    position: Position, series: DiceSeries, finish: Finish, engine: EvenEngine | None = None
) -> Playout:
    start = LastChecker(1, WHITE, highest_point(position.opponent), False, BLACK, position, Cube())
    judge = EngineJudge(engine or EvenEngine(), EvenEstimator(), MONEY, Cube())
    return play_out(start, series, Ruleset(finish=finish), judge)


def hinges(position: Position, rolls: str, engine: EvenEngine | None = None) -> Hinges:
    return find_hinges(played(position, rolls, engine=engine), Ruleset())


def is_forced(position: Position, rolls: str) -> bool | None:
    return hinges(position, rolls).is_forced


def test_a_winner_that_every_play_leads_to_is_forced() -> None:
    assert is_forced(board({6: 15}, {2: 1}), "65 21") is True


def test_a_winner_that_hangs_on_a_choice_is_not_forced() -> None:
    """3/off 2/off wins at once; 3/1 2/off leaves white, whose roll is 6-1, its exact 6."""
    assert is_forced(board({3: 1, 2: 1}, {6: 1}), "32 61") is False


def test_a_game_that_nobody_can_finish_is_forced_to_that_end() -> None:
    assert is_forced(board({4: 1}, {3: 1}), "65 21") is True
    assert is_forced(board({4: 1}, {3: 1}), "65 21 55") is True


def test_a_game_that_some_plays_finish_and_others_never_do_is_not_forced() -> None:
    """White never throws its 6, black always 3-1: 4/1 2/1 wins next time, 4/1 1/off leaves a 2 for ever."""
    assert is_forced(board({4: 1, 2: 1}, {6: 1}), "31 55") is False


class ManyEngine(EvenEngine):
    """Likes to have many checkers left."""

    def evaluate(self, positions: Sequence[Position]) -> list[Outcomes]:
        return [Outcomes(count_on_board(position.own) / 15, 0.0, 0.0, 0.0, 0.0) for position in positions]


def test_a_hinge_names_the_turn_and_the_play_after_which_it_might_have_ended_otherwise() -> None:
    """HE-7.4 prefers 4/1 1/off, and nobody ever finishes; after 4/1 2/1 black would."""
    found = hinges(board({4: 1, 2: 1}, {6: 1}), "31 55")
    (hinge,) = found.found
    assert (hinge.turn, format_play(hinge.alternative.steps)) == (1, "4/1 2/1")
    assert found.is_complete


def test_a_hinge_where_the_game_was_won_at_once_has_no_lead_and_is_not_close() -> None:
    found = hinges(board({3: 1, 2: 1}, {6: 1}), "32 61")
    (hinge,) = found.found
    assert (hinge.turn, hinge.lead, hinge.is_close(1.0)) == (1, None, False)
    assert format_play(hinge.alternative.steps) == "3/1 2/off"


def test_a_choice_between_plays_equal_by_both_measures_is_close() -> None:
    (hinge,) = hinges(board({4: 1, 2: 1}, {6: 1}), "31 55").found
    assert hinge.lead is not None
    assert (hinge.lead.equity, hinge.lead.measure) == (0.0, Measure.MODIFIER)
    assert hinge.is_close(0.0)


def test_a_choice_that_the_engine_made_is_never_close() -> None:
    playout = played(board({4: 1, 2: 1}, {6: 1}), "31 55", engine=ManyEngine())
    (hinge,) = find_hinges(playout, Ruleset()).found
    assert hinge.lead is not None
    assert playout.turns[0].strongest.choice is Choice.ENGINE
    assert hinge.lead.measure is Measure.ENGINE
    assert not hinge.is_close(Ruleset().indifference)


def test_beyond_the_limit_the_question_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    playout = played(board({6: 5, 5: 4, 4: 3}, {2: 1}), "65 43 31 65 54 63")
    assert find_hinges(playout, Ruleset()).is_forced is not None
    monkeypatch.setattr(searching, "STATE_LIMIT", 3)
    found = find_hinges(playout, Ruleset())
    assert (found.found, found.is_complete, found.is_forced) == ((), False, None)


def _ends(
    position: Position,
    side: Side,
    roll: int,
    series: DiceSeries,
    finish: Finish,
    passed: set[State] | None = None,
) -> set[str]:
    """All ends from there, by the slow twin: who wins, and ``"never"`` if a state can come back.

    ``passed``: states that the game has been in.
    """
    ends: set[str] = set()
    graph: dict[State, set[State]] = {}
    waiting: list[State] = [(row_of(position), side.label, roll)]
    while waiting:
        state = waiting.pop()
        if state in graph:
            continue
        if state in (passed or ()):
            ends.add("never")
        graph[state] = set()
        row, label, roll = state
        for after in twin_results(_position(row), *series.dice_of(roll), finish):
            if any(count > 0 for count in after):
                turned = tuple(-count for count in reversed(after))
                graph[state].add((turned, OTHER[label], roll % len(series.rolls) + 1))
            else:
                ends.add(label)
        waiting += graph[state]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        ends.add("never")
    return ends


def _position(row: Row) -> Position:
    own = {point: count for point, count in enumerate(row) if count > 0 and point}
    opponent = {25 - point: -count for point, count in enumerate(row) if count < 0}
    return board(own, opponent)


@pytest.mark.parametrize("finish", Finish)
def test_going_through_all_plays_another_way_finds_the_same(finish: Finish) -> None:
    """The turns found are just those with another play from which the slow twin finds another end."""
    chance = random.Random(17)
    answers = []
    for _ in range(60):
        black = [chance.randint(1, chance.choice((3, 6, 6, 9, 24))) for _ in range(chance.choice((1, 2, 3)))]
        white = chance.randint(1, 6)
        if 25 - white in black:
            continue
        position = board({point: black.count(point) for point in black}, {white: 1})
        series = DiceSeries(tuple(chance.choice(ALL_ROLLS) for _ in range(chance.randint(1, 7))), 1)
        playout = _played(position, series, finish)
        found = find_hinges(playout, Ruleset(finish=finish))
        if found.is_complete:
            assert [hinge.turn for hinge in found.found] == _turns_that_matter(playout, finish), playout
            assert found.is_forced is (len(_ends(position, BLACK, 1, series, finish)) == 1)
            answers.append(found.is_forced)
    assert answers.count(True) > 15
    assert answers.count(False) > 5


def _turns_that_matter(playout: Playout, finish: Finish) -> list[int]:
    end = "never" if playout.winner is None else playout.winner.label
    position, turns = playout.start.position, []
    for number, turn in enumerate(playout.turns, start=1):
        plays = legal_plays(position, turn.dice, modifier_steps(finish))
        others = [play.result for play in plays if play.result != turn.strongest.play.result]
        ends: set[str] = set()
        for result in others:
            if count_on_board(result.own):
                following = playout.series.roll_after(turn.series_roll)
                ends |= _ends(
                    result.swapped(),
                    turn.side.opponent,
                    following,
                    playout.series,
                    finish,
                    _states(playout, number),
                )
            else:
                ends.add(turn.side.label)
        if ends - {end}:
            turns.append(number)
        position = turn.position
    return turns


def _states(playout: Playout, turns: int) -> set[State]:
    """The states that the playout went through before and in that many turns."""
    state = playout.start.position, playout.start.on_roll
    states = set()
    for turn in playout.turns[:turns]:
        states.add((row_of(state[0]), state[1].label, turn.series_roll))
        state = turn.position, turn.side.opponent
    return states
