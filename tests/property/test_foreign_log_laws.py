"""Laws of the readers of other text formats: what a writer of its own wrote reads back, and damage shows."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engines.scripted import ScriptedEngine
from adjudicator.errors import NOWHERE, AdjudicatorError
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import read_log
from adjudicator.rules.board import BAR, HOME
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import (
    Action,
    CubeRecord,
    GameRecord,
    Movement,
    RecordedResult,
    ResignRecord,
    RollRecord,
    Writing,
)
from adjudicator.rules.replay import Ending, replay
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side
from adjudicator.rules.terms import terms_of_games
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON
from adjudicator.service.self_play import simulate_match
from tests.foreign_logs import format_bgammon, format_fibs, format_oldmoves, format_sgf, points_of


@dataclass(frozen=True)
class Format:
    """A format, its writer, and what a log written in it keeps."""

    name: str
    write: Callable[[MatchLog], str]
    any_variant: bool = False
    unplayed_rolls: bool = False
    resigned_wins: bool = True
    unlimited: bool = True
    crawford: bool | None = None


FORMATS = [
    Format("gnubg_sgf", format_sgf, any_variant=True, unplayed_rolls=True),
    Format("bgammon_match", format_bgammon, unlimited=False, crawford=False),
    Format("fibs", format_fibs, unplayed_rolls=True, crawford=True),
    Format("fibs", format_oldmoves, resigned_wins=False, crawford=True),
]
IDS = ["sgf", "bgammon", "fibs", "oldmoves"]

DICE = st.builds(Dice, st.integers(1, 6), st.integers(1, 6))
SIDES = st.sampled_from(Side)
NAMES = st.text("abcdefghijklmnoprstuvwxyzABCDEFG_", min_size=1, max_size=12)


@st.composite
def movements(draw: st.DrawFn) -> Movement:
    """A movement that can be one by its points alone: entering in the far home, bearing off from the own."""
    source = draw(st.integers(1, BAR))
    lowest = {BAR: BAR - HOME}.get(source, 0 if source <= HOME else 1)
    return Movement(source, draw(st.integers(lowest, source - 1)))


@st.composite
def turns(draw: st.DrawFn) -> list[Action]:
    """A roll with its play or none; sometimes a taken double before it."""
    side = draw(SIDES)
    play = tuple(draw(st.lists(movements(), max_size=4)))
    roll = RollRecord(side, draw(DICE), Writing.PLAY if play else Writing.NOTHING, play)
    if draw(st.integers(0, 5)):
        return [roll]
    return [CubeRecord(side, CubeAction.DOUBLE), CubeRecord(side.opponent, CubeAction.TAKE), roll]


@st.composite
def games(
    draw: st.DrawFn, number: int, score: Score, kept: Format, *, may_be_open: bool, says_crawford: bool
) -> GameRecord:
    actions = [action for turn in draw(st.lists(turns(), max_size=8)) for action in turn]
    cube = 2 ** sum(isinstance(a, CubeRecord) and a.action is CubeAction.TAKE for a in actions)
    winner, win = draw(SIDES), draw(st.sampled_from(Win))
    end = draw(st.sampled_from(["out", "drop", "resign"] + ["open"] * may_be_open))
    points = cube if end == "drop" else cube * win
    if end == "drop":
        actions += [CubeRecord(winner, CubeAction.DOUBLE), CubeRecord(winner.opponent, CubeAction.DROP)]
    elif end == "resign":
        if kept.unplayed_rolls and draw(st.booleans()):
            actions.append(RollRecord(winner.opponent, draw(DICE), Writing.NOT_PLAYED))
        actions.append(ResignRecord(winner.opponent, win if kept.resigned_wins else None))
    result = None if end == "open" else RecordedResult(winner, points)
    crawford = draw(st.booleans()) if says_crawford else None
    return GameRecord(number, tuple(actions), result, score, crawford=crawford, stars_used=False)


@st.composite
def logs(draw: st.DrawFn, kept: Format) -> MatchLog:
    length = draw(st.integers(0 if kept.unlimited else 1, 25))
    crawford = length > 0 and (draw(st.booleans()) if kept.crawford is None else kept.crawford)
    score, played = Score(draw(st.integers(0, 9)), draw(st.integers(0, 9))), list[GameRecord]()
    count = draw(st.integers(1, 3))
    for number in range(1, count + 1):
        says_crawford = kept.crawford is None and crawford
        game = draw(games(number, score, kept, may_be_open=number == count, says_crawford=says_crawford))
        played.append(game)
        if game.result is not None:
            score = score.plus(game.result.winner, points_of(game.result))
    white, black = draw(st.lists(NAMES, min_size=2, max_size=2, unique=True))
    variants = [BACKGAMMON, NACKGAMMON, HYPERGAMMON] if kept.any_variant else [BACKGAMMON]
    return MatchLog(
        format=kept.name,
        match_length=length,
        white=white,
        black=black,
        games=tuple(played),
        variant=draw(st.sampled_from(variants)),
        crawford=crawford,
        jacoby=length == 0 and kept.crawford is None and draw(st.booleans()),
    )


def _bare(log: MatchLog) -> MatchLog:
    """The log without places, cube values and remarks, with one writing for a roll that moves nothing."""

    def bare_action(action: Action) -> Action:
        if isinstance(action, RollRecord) and action.writing is Writing.CANNOT_MOVE:
            action = action._replace(writing=Writing.NOTHING)
        if isinstance(action, RollRecord):
            action = action._replace(dice=Dice(action.dice.high, action.dice.low))
        if isinstance(action, CubeRecord):
            action = action._replace(value=None)
        return action._replace(place=NOWHERE)

    bare = [
        replace(
            game,
            actions=tuple(map(bare_action, game.actions)),
            result=None if game.result is None else replace(game.result, place=NOWHERE),
            remarks=(),
            place=NOWHERE,
        )
        for game in log.games
    ]
    return replace(log, games=tuple(bare), metadata={}, remarks=())


def _read(text: str, name: str) -> MatchLog | AdjudicatorError:
    """The log, or the error of ours that says why there is none; any other error fails the test."""
    try:
        return read_log(text.encode(), format_name=name)
    except AdjudicatorError as error:
        return error


@pytest.mark.parametrize("kept", FORMATS, ids=IDS)
@given(data=st.data())
@settings(max_examples=40)
def test_a_log_reads_back_as_it_was_written(kept: Format, data: st.DataObject) -> None:
    log = data.draw(logs(kept))
    read = read_log(kept.write(log).encode(), format_name=kept.name)
    assert _bare(read) == _bare(log)


@pytest.mark.parametrize("kept", FORMATS, ids=IDS)
@given(data=st.data())
@settings(max_examples=40)
def test_a_log_with_a_roll_is_told_by_its_content(kept: Format, data: st.DataObject) -> None:
    log = data.draw(logs(kept).filter(lambda log: any(game.rolls for game in log.games)))
    assert read_log(kept.write(log).encode()).format == kept.name


@pytest.mark.parametrize("kept", FORMATS, ids=IDS)
@given(data=st.data())
@settings(max_examples=40)
def test_a_log_cut_anywhere_keeps_its_whole_games(kept: Format, data: st.DataObject) -> None:
    text = kept.write(data.draw(logs(kept)))
    whole = read_log(text.encode(), format_name=kept.name)
    cut = _read(text[: data.draw(st.integers(0, len(text)))], kept.name)
    if isinstance(cut, AdjudicatorError):
        assert cut.detail
        return
    assert [game.actions for game in cut.games[:-1]] == [
        game.actions for game in whole.games[: len(cut.games) - 1]
    ]


def _written(kept: Format, log: MatchLog) -> MatchLog:
    return read_log(kept.write(log).encode(), format_name=kept.name)


def _is_roll(line: str) -> bool:
    """Whether a line of any of these formats holds a roll."""
    return re.search(r"[BW]\[[1-6]{2}| r [1-6]-[1-6]| rolls [1-6] and |: \([1-6] [1-6]\)", line) is not None


def _is_damage_told(log: MatchLog) -> bool:
    """Whether anything is said of a game that would end by a last checker borne off."""
    terms = terms_of_games(log.games, match_length=log.match_length, crawford=log.crawford, jacoby=log.jacoby)
    replayed = [replay(game, log.variant, term) for game, term in zip(log.games, terms, strict=True)]
    return any(
        game.broken or game.remarks or game.record.broken or game.ending is not Ending.BEAR_OFF
        for game in replayed
    )


@pytest.mark.parametrize("kept", FORMATS, ids=IDS)
def test_a_roll_that_is_missing_never_goes_unsaid(kept: Format) -> None:
    log = simulate_match(ScriptedEngine(), match_length=1, seed=1, white="ann", black="bob")
    lines = kept.write(log).splitlines()
    rolls = [number for number, line in enumerate(lines) if _is_roll(line) and not line.startswith("13 ")]
    assert len(rolls) == len(log.games[0].rolls)
    assert not _is_damage_told(_written(kept, log))
    for number in rolls:
        damaged = _read("\n".join(lines[:number] + lines[number + 1 :]), kept.name)
        assert isinstance(damaged, AdjudicatorError) or _is_damage_told(damaged)


@pytest.mark.parametrize("kept", FORMATS, ids=IDS)
def test_a_die_that_is_none_never_goes_unsaid(kept: Format) -> None:
    log = simulate_match(ScriptedEngine(), match_length=1, seed=1, white="ann", black="bob")
    lines = kept.write(log).splitlines()
    for number, line in enumerate(lines):
        if _is_roll(line) and not line.startswith("13 "):
            text = re.sub(
                r"(?<=\[)[1-6](?=[1-6])|(?<= r )[1-6]|(?<=rolls )[1-6]|(?<=\()[1-6](?= )", "7", line
            )
            damaged = _read("\n".join([*lines[:number], text, *lines[number + 1 :]]), kept.name)
            assert isinstance(damaged, MatchLog)
            assert damaged.games[0].broken is not None
            assert damaged.games[0].broken.place.line == number + 1


_PIECES = {
    "sgf": [
        "(;FF[4]GM[6]",
        "MI[length:3][game:0]",
        "PW[a]PB[b]",
        ";W[31hefe]",
        ";B[double]",
        ";W[",
        "]",
        "(",
        ")",
        ";",
        "\\",
        "AE[a:y]",
        "AW[a][b]",
        "PL[B]DI[21]",
        "RE[B+2R]",
        "RU[Crawford]",
        "C[x\\]y]",
        "\n",
    ],
    "bgammon": [
        "bgammon-replay 00000024\n",
        "i 1 a b 5 0 0 1 2 0\n",
        "1 r 3-1 8/5 6/5\n",
        "2 r 6-6\n",
        "1 d 2 1\n",
        "2 d 4 0\n",
        "1 t\n",
        "2 r 7-1",
        " bar/3",
        " 9/off",
        "\n",
        "i ",
        "3 r 1-1\n",
    ],
    "fibs": [
        "ann rolls 6 and 4.\n",
        "bob moves 12-18 1-5 .\n",
        "You roll 3 and 1.\n",
        "m 8-5 6-5\n",
        "ann can't move.\n",
        "ann doubles.\n",
        "bob accepts the double. The cube shows 2.",
        "score in 5 point match: ann-1 bob-0\n",
        "ann wins the game and gets 2 points.\n",
        "ann gives up. bob wins 1 point.\n",
        "Starting a new game with bob.\n",
        "You rolled 1, bob rolled 4\n",
        "carl rolls 1 and 1.\n",
        "ann rolls 9 and 1.\n",
        "\n",
        "board:ann:bob:5:0:0:0\n",
    ],
    "oldmoves": [
        "Score is 0-0 in a 5 point match.\n",
        "ann is X - bob is O\n",
        "X: (3 1) 8-5 6-5\n",
        "O: (6 6) can't move\n",
        "X: doubles\n",
        "O: accepts\n",
        "O: rejects\n",
        "X: wants to resign\n",
        "X: wins\n",
        "X: (7 1) 1-2\n",
        "O: foo\n",
        "\n",
    ],
}


@pytest.mark.parametrize("name", _PIECES)
@given(data=st.data())
@settings(max_examples=200)
def test_any_pieces_are_a_log_or_an_error_of_ours(name: str, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from(_PIECES[name]), max_size=30))
    format_name = FORMATS[IDS.index(name)].name
    log = _read("".join(pieces), format_name)
    if isinstance(log, AdjudicatorError):
        assert log.detail
    else:
        assert (log.format, bool(log.games)) == (format_name, True)
