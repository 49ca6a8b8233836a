"""A second, strict reader of what our writers write, and a judge of whether a whole match is without fault.

It shares nothing with the readers and the replay but the written forms; whether a play is legal is asked of
the other generator of plays. It is slow, and takes nothing that is only a little odd.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from adjudicator.rules.board import Position
from tests.twins.plays_twin import row_of, twin_results

WHITE, BLACK = 0, 1
SIDES = {"white": WHITE, "black": BLACK}
START = {24: 2, 13: 5, 8: 3, 6: 5}
KINDS = {"single": 1, "gammon": 2, "backgammon": 3}


class Act(NamedTuple):
    """One thing a side did: a roll with its play, ``double`` to a value, ``take``, ``drop``, ``resign``."""

    side: int
    what: str
    dice: tuple[int, int] = (0, 0)
    play: str = ""
    value: int = 0


class Told(NamedTuple):
    """One game as told: its number, the names, the score before it, the acts, and ``(winner, points)``."""

    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    acts: list[Act]
    result: tuple[int, int] | None


class ToldMatch(NamedTuple):
    length: int
    games: list[Told]


class FaultError(Exception):
    """What is not as a clean log has it."""


# --- reading

_LENGTH = re.compile(r"^ (\d+) point match$", re.MULTILINE)
_GAME = re.compile(r"^ Game (\d+)$", re.MULTILINE)
_SEATS = re.compile(r" (.+) : (\d+) {2,}(.+) : (\d+)")
_ROW = re.compile(r" *(\d+)\) (.{32}) (.*)|( *\d+\) .{1,31})")
_WINS = re.compile(r"( {6}| {38})Wins (\d+) points?( and the match)?")
_MOVED_ON = re.compile(r" (?=[1-6][1-6]:| [A-Z])")
_ROLL = re.compile(r"([1-6])([1-6]):(?: (.+))?")
_DOUBLE = re.compile(r" Doubles => (\d+)")
_RESIGN = re.compile(r" Resigns(?: (single|gammon|backgammon))?")


def parse_mat(text: str) -> ToldMatch:
    """Raises: FaultError for anything that our writer would not have written so."""
    lengths = _LENGTH.findall(text)
    if len(lengths) != 1 or "\t" in text or "\r" in text:
        raise FaultError("not one match length, or tabs")
    _head, *parts = _GAME.split(text)
    games = [_parse_game(int(number), body) for number, body in zip(parts[::2], parts[1::2], strict=True)]
    return ToldMatch(int(lengths[0]), games)


def _parse_game(number: int, body: str) -> Told:
    lines = [line for line in body.split("\n") if line]
    seats = _SEATS.fullmatch(lines[0]) if lines else None
    if seats is None:
        raise FaultError("no score line")
    acts: list[Act] = []
    result = None
    for line in lines[1:]:
        if wins := _WINS.fullmatch(line):
            told = (WHITE if len(wins[1]) == 6 else BLACK, int(wins[2]))
            if result not in (None, told):
                raise FaultError("a second, different result")
            result = told
        else:
            acts += _parse_row(line)
    names = seats[1].strip(), seats[3]
    return Told(number, names, (int(seats[2]), int(seats[4])), acts, result)


def _parse_row(line: str) -> Iterator[Act]:
    row = _ROW.fullmatch(line)
    if row is None:
        raise FaultError(f"no row: {line!r}")
    cells = (row[2], _second(row[2], row[3])) if row[4] is None else (row[4].partition(") ")[2], "")
    for side, cell in enumerate(cells):
        if cell.strip():
            yield _parse_cell(side, cell.rstrip())


def _second(first: str, second: str) -> str:
    """The second column, which a star put into the first one has moved on by a blank."""
    moved_on = _MOVED_ON.match(second) if "*" in first else None
    return second if moved_on is None else second[1:]


def _parse_cell(side: int, cell: str) -> Act:
    if roll := _ROLL.fullmatch(cell):
        return Act(side, "roll", (int(roll[1]), int(roll[2])), roll[3] or "")
    if double := _DOUBLE.fullmatch(cell):
        return Act(side, "double", value=int(double[1]))
    if resign := _RESIGN.fullmatch(cell):
        return Act(side, "resign", value=KINDS.get(resign[1], 0))
    if cell in (" Takes", " Drops"):
        return Act(side, cell.strip().lower().rstrip("s"))
    raise FaultError(f"no cell: {cell!r}")


def parse_record(record: Mapping[str, Any]) -> ToldMatch:
    """Raises: FaultError for anything that our writer would not have written so."""
    try:
        names = record["players"]["white"]["name"], record["players"]["black"]["name"]
        games = [
            Told(
                game["number"],
                names,
                (game["score"]["white"], game["score"]["black"]),
                list(map(_parse_action, game["actions"])),
                game["result"] and (SIDES[game["result"]["winner"]], game["result"]["points"]),
            )
            for game in record["games"]
        ]
    except (KeyError, TypeError) as error:
        raise FaultError(repr(error)) from error
    return ToldMatch(record["match_length"], games)


def _parse_action(action: Mapping[str, Any]) -> Act:
    side = SIDES[action["player"]]
    if "roll" in action:
        one, other = action["roll"]
        return Act(side, "roll", (one, other), action["moves"] or "????")
    if "cube" in action:
        return Act(side, action["cube"], value=action.get("value", 0))
    return Act(side, "resign", value=KINDS.get(action["resign"], 0))


# --- judging


def find_fault(match: ToldMatch) -> str:
    """The first thing about the match that is not as it has to be; ``""`` for a match without fault.

    A match may stop after any game, and a game may be cut short by its result.
    """
    try:
        _judge(match)
    except FaultError as error:
        return str(error)
    return ""


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise FaultError(what)


def _judge(match: ToldMatch) -> None:
    _require(bool(match.games), "no game")
    score = (0, 0)
    marks_hits = any("*" in act.play for game in match.games for act in game.acts)
    crawford_over = False
    for number, game in enumerate(match.games, start=1):
        _require(game.number == number, "numbers of games")
        _require(game.score == score, "score")
        _require(game.names == match.games[0].names, "names")
        _require(max(score) < match.length, "a game after the match")
        is_crawford = max(score) == match.length - 1 and match.length > 1 and not crawford_over
        crawford_over = crawford_over or is_crawford
        _Judging(is_crawford=is_crawford, marks_hits=marks_hits).judge(game)
        _require(game.result is not None, "no result")
        if game.result is not None:
            winner, points = game.result
            score = (score[0] + points, score[1]) if winner == WHITE else (score[0], score[1] + points)


class _Judging:
    """The judging of one game; ``sides`` are the checkers of each, in its own numbering, 0 borne off."""

    def __init__(self, *, is_crawford: bool, marks_hits: bool) -> None:
        self.is_crawford, self.marks_hits = is_crawford, marks_hits
        self.sides = [[START.get(point, 0) for point in range(26)] for _ in SIDES]
        self.cube, self.owner, self.offered = 1, -1, -1
        self.due = -1
        self.end: tuple[int, int] | None = None

    def judge(self, game: Told) -> None:
        _require(any(act.what == "roll" for act in game.acts), "no roll")
        judges = {
            "roll": self._roll,
            "double": self._double,
            "take": self._take,
            "drop": self._drop,
            "resign": self._resign,
        }
        for act in game.acts:
            _require(self.end is None, "an act after the end")
            _require(act.what in judges, act.what)
            judges[act.what](act)
        _require(self.offered < 0 or self.end is not None, "an open double")
        if game.result is None:
            return
        winner, points = game.result
        if self.end is not None:
            _require(winner == self.end[0], "winner")
        times, rest = divmod(points, self.cube)
        _require(not rest and 1 <= times <= 3, "points")
        if self.end is not None and self.end[1]:
            _require(times == self.end[1], "value")
        else:
            self._require_losable(1 - winner, times)
        if self.end is None:
            _require(15 - self.sides[winner][0] > 4, "a finish that is missing")

    def _roll(self, act: Act) -> None:
        _require(self.due in (-1, act.side), "turn")
        _require(self.offered < 0, "a roll before the answer")
        _require(self.due >= 0 or act.dice[0] != act.dice[1], "an opening doublet")
        self.due = 1 - act.side
        own, other = self.sides[act.side], self.sides[self.due]
        allowed = twin_results(Position(tuple(own), tuple(other)), *act.dice)
        if act.play not in ("Cannot Move", "cannot move"):
            self._move(own, other, act.play)
        _require(row_of(Position(tuple(own), tuple(other))) in allowed, f"play {act.play}")
        if own[0] == 15:
            in_home = other[25] or any(other[19:25])
            self.end = act.side, 1 if other[0] else 3 if in_home else 2

    def _move(self, own: list[int], other: list[int], play: str) -> None:
        """Make the steps of a play; its stars stand for one hit each, or more than one for the same."""
        hits, stars = set(), set()
        for part in play.split():
            found = re.fullmatch(r"(bar|\d+)/(off|\d+)(\*?)(?:\((\d)\))?", part)
            _require(found is not None, f"play {play}")
            if found is None:
                return
            source, target = (int({"bar": "25", "off": "0"}.get(end, end)) for end in found.group(1, 2))
            _require(25 >= source > target, f"play {play}")
            for _ in range(int(found[4] or 1)):
                _require(own[source] > 0, "no checker there")
                own[source] -= 1
                own[target] += 1
                if target > 0 and other[25 - target] == 1:
                    other[25 - target] = 0
                    other[25] += 1
                    hits.add(target)
                if found[3]:
                    stars.add(target)
        _require(hits == stars or not self.marks_hits, "stars")

    def _double(self, act: Act) -> None:
        _require(act.side == self.due and self.offered < 0 and self.owner in (-1, act.side), "double")
        _require(act.value == 2 * self.cube and not self.is_crawford, "double")
        self.offered = act.side

    def _take(self, act: Act) -> None:
        _require(self.offered == 1 - act.side, "take")
        self.cube, self.owner, self.offered = self.cube * 2, act.side, -1

    def _drop(self, act: Act) -> None:
        _require(self.offered == 1 - act.side, "drop")
        self.end = 1 - act.side, 1

    def _resign(self, act: Act) -> None:
        self._require_losable(act.side, act.value or 1)
        self.end = 1 - act.side, act.value

    def _require_losable(self, side: int, times: int) -> None:
        """A borne-off checker saves the gammon; a backgammon needs one that is caught, or may be hit yet."""
        own, other = self.sides[side], self.sides[1 - side]
        back = max((point for point in range(26) if own[point]), default=0)
        front = max((point for point in range(26) if other[point]), default=0)
        _require(times == 1 or not own[0], "a gammon")
        _require(times < 3 or back >= 19 or back + front > 25, "a backgammon")
