"""Writers of the text formats that are only read here, made from their descriptions and not from the readers.

They write what every one of these formats can hold: turns with a play or none, doubles with their answers,
and one end a game. Names are words of letters.
"""

from collections.abc import Iterator

from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.cube import CubeAction
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
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import HYPERGAMMON, NACKGAMMON

WHITE, BLACK = Side


def cube_at_end(game: GameRecord) -> int:
    """What the cube shows at the end: it doubles with every take."""
    takes = [a for a in game.actions if isinstance(a, CubeRecord) and a.action is CubeAction.TAKE]
    return int(2 ** len(takes))


def _last(game: GameRecord) -> Action | None:
    return game.actions[-1] if game.actions else None


def _is_dropped(game: GameRecord) -> bool:
    last = _last(game)
    return isinstance(last, CubeRecord) and last.action is CubeAction.DROP


def _score(game: GameRecord) -> Score:
    return game.score or Score()


# --- SGF

_SGF_VARIANTS = {NACKGAMMON: "Nackgammon", HYPERGAMMON: "Hypergammon3"}


def format_sgf(log: MatchLog) -> str:
    """The log as GNU Backgammon's SGF."""
    return "".join(f"({''.join(_sgf_nodes(game, log))})\n" for game in log.games)


def _sgf_nodes(game: GameRecord, log: MatchLog) -> Iterator[str]:
    score = _score(game)
    yield f";FF[4]GM[6]CA[UTF-8]AP[tests]MI[length:{log.match_length}][game:{game.number - 1}]"
    yield f"[ws:{score.white}][bs:{score.black}]PW[{log.white}]PB[{log.black}]"
    rules = ["Crawford"] * log.crawford + ["CrawfordGame"] * bool(game.crawford) + ["Jacoby"] * log.jacoby
    rules += [_SGF_VARIANTS[variant] for variant in (log.variant,) if variant in _SGF_VARIANTS]
    if rules:
        yield f"RU[{':'.join(rules)}]"
    if game.result is not None:
        resigned = "R" if isinstance(_last(game), ResignRecord) else ""
        yield f"RE[{'WB'[game.result.winner]}+{game.result.points}{resigned}]"
    for action in game.actions:
        if isinstance(action, CubeRecord):
            yield f"\n;{'WB'[action.side]}[{action.action.value}]"
        elif isinstance(action, RollRecord) and action.writing is Writing.NOT_PLAYED:
            yield f"\n;PL[{'WB'[action.side]}]DI[{action.dice.first}{action.dice.second}]"
        elif isinstance(action, RollRecord):
            play = "".join(_sgf_pair(movement, action.side) for movement in action.movements)
            yield f"\n;{'WB'[action.side]}[{action.dice.first}{action.dice.second}{play}]"


def _sgf_pair(movement: Movement, side: Side) -> str:
    whites = "abcdefghijklmnopqrstuvwx"
    points = "z" + (whites if side is WHITE else whites[::-1]) + "y"
    return points[movement.source] + points[movement.target]


# --- bgammon.org


def format_bgammon(log: MatchLog) -> str:
    """The log as a bgammon.org match, the table of games included."""
    games = ["\n".join(_bgammon_lines(game, log)) + "\n" for game in log.games]
    offset = len("bgammon-replay 00000000\n") * len(games)
    table = ""
    for game in games:
        table += f"bgammon-replay {offset:08}\n"
        offset += len(game.encode())
    return table + "".join(games)


def points_of(result: RecordedResult) -> int:
    """The points of a result, which the games here always have."""
    assert result.points is not None
    return result.points


def _bgammon_lines(game: GameRecord, log: MatchLog) -> Iterator[str]:
    winner, points, score = 0, 0, _score(game)
    if game.result is not None:
        is_played_out = not _is_dropped(game) and not isinstance(_last(game), ResignRecord)
        winner = game.result.winner + 1
        points = points_of(game.result) // (cube_at_end(game) if is_played_out else 1)
    scores = f"{score.white} {score.black}"
    yield f"i 1702738670 {log.white} {log.black} {log.match_length} {scores} {winner} {points} 0"
    cube = 1
    for action in game.actions:
        if isinstance(action, RollRecord):
            steps = [_bgammon_step(movement, action.side) for movement in action.movements]
            dice = f"{action.dice.high}-{action.dice.low}"
            yield " ".join([f"{action.side + 1} r {dice}", *steps])
        elif isinstance(action, ResignRecord):
            yield f"{action.side + 1} t"
        elif action.action is not CubeAction.DOUBLE:
            cube *= 2
            yield f"{action.side.opponent + 1} d {cube} {int(action.action is CubeAction.TAKE)}"


def _bgammon_step(movement: Movement, side: Side) -> str:
    source, target = (_board_point(point, side) for point in (movement.source, movement.target))
    return f"{'bar' if movement.source == 25 else source}/{'off' if movement.target == 0 else target}"


def _board_point(point: int, side: Side) -> int:
    """The point as white counts it."""
    return point if side is WHITE else 25 - point


# --- FIBS


def format_fibs(log: MatchLog) -> str:
    """The log as a watcher sees it, with the talk of others in between."""
    return "\n".join(_fibs_lines(log)) + "\n"


def _fibs_lines(log: MatchLog) -> Iterator[str]:
    length = f"a {log.match_length} point" if log.match_length else "an unlimited"
    score_in = f"{log.match_length} point" if log.match_length else "unlimited"
    if _score(log.games[0]) == Score():
        yield f"{log.white} and {log.black} start {length} match."
    yield f"13 carl {log.white} rolls 6 and 6."
    for index, game in enumerate(log.games):
        score = _score(game)
        if index == 0:
            shown = log.match_length or 9999
            yield f"{log.white} rolled 1, {log.black} rolled 1"
            yield f"board:{log.white}:{log.black}:{shown}:{score.white}:{score.black}:0:-2:0:0:0:0:5:0:3"
        else:
            yield f"score in {score_in} match: {log.white}-{score.white} {log.black}-{score.black}"
            yield f"{log.white} rolled 1, {log.black} rolled 1"
        yield from _fibs_game(game, log)


def _fibs_game(game: GameRecord, log: MatchLog) -> Iterator[str]:
    cube = 1
    for action in game.actions:
        name, other = log.player(action.side), log.player(action.side.opponent)
        if isinstance(action, RollRecord):
            yield f"{name} rolls {action.dice.first} and {action.dice.second}."
            if action.movements:
                steps = " ".join(_fibs_step(movement, action.side) for movement in action.movements)
                yield f"{name} moves {steps} ."
            elif action.writing is not Writing.NOT_PLAYED:
                yield f"{name} can't move."
        elif isinstance(action, ResignRecord):
            points = 0 if game.result is None else game.result.points
            yield f"{name} wants to resign. {other} will win {points} points."
            yield f"{other} rejects. The game continues."
            yield f"{name} wants to resign. {other} will win {points} points."
            yield f"{other} accepts and wins {points} point{'s' * (points != 1)}."
        elif action.action is CubeAction.DOUBLE:
            yield f"{name} doubles. Type 'accept' or 'reject'."
        elif action.action is CubeAction.TAKE:
            cube *= 2
            yield f"{name} accepts the double. The cube shows {cube}."
        else:
            yield f"{name} gives up. {other} wins {cube} point{'s' * (cube > 1)}."
    if game.result is not None and not _is_dropped(game) and not isinstance(_last(game), ResignRecord):
        points, winner = points_of(game.result), log.player(game.result.winner)
        yield f"{winner} wins the game and gets {points} point{'s' * (points > 1)}."


def _fibs_step(movement: Movement, side: Side) -> str:
    source, target = (_board_point(point, side) for point in (movement.source, movement.target))
    return f"{'bar' if movement.source == 25 else source}-{'off' if movement.target == 0 else target}"


def format_oldmoves(log: MatchLog) -> str:
    """The log as FIBS lists its moves, and the score after the last game."""
    length = f"a {log.match_length} point" if log.match_length else "an unlimited"
    lines = []
    for game in log.games:
        lines += [f"Score is {_score(game).white}-{_score(game).black} in {length} match."]
        lines += [f"{log.white} is X - {log.black} is O", *_listed(game), ""]
    last = log.games[-1]
    if last.result is not None:
        score = _score(last).plus(last.result.winner, points_of(last.result))
        score_in = f"{log.match_length} point" if log.match_length else "unlimited"
        lines += [f"score in {score_in} match: {log.white}-{score.white} {log.black}-{score.black}"]
    return "\n".join(lines) + "\n"


def _listed(game: GameRecord) -> Iterator[str]:
    words = {CubeAction.DOUBLE: "doubles", CubeAction.TAKE: "accepts", CubeAction.DROP: "rejects"}
    for action in game.actions:
        sign, other = "XO"[action.side], "XO"[action.side.opponent]
        if isinstance(action, RollRecord):
            play = " ".join(_fibs_step(movement, action.side) for movement in action.movements)
            yield f"{sign}: ({action.dice.first} {action.dice.second}) " + (play or "can't move")
        elif isinstance(action, ResignRecord):
            yield from (f"{sign}: wants to resign", f"{other}: accepts")
        else:
            yield f"{sign}: {words[action.action]}"
    if game.result is not None:
        yield f"{'XO'[game.result.winner]}: wins"
