"""The audit report as plain text: what an arbiter needs to do every game again by hand (HE-9)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.logs.match_log import MatchLog
from adjudicator.notation.position_id import parse_position_id
from adjudicator.reports.board_picture import draw_board
from adjudicator.reports.plain_text import printable
from adjudicator.rules.record import GameRecord
from adjudicator.rules.sides import Side

ROLLS_PER_LINE = 8

CHOICES = {
    "none": "no play possible, the turn passes",
    "only": "the only position that can be reached",
    "wins": "ends the game at once (HE-7.2)",
    "engine": "best for the engine (HE-7.1)",
    "tie_break": "equal for the engine, best under the modifier (HE-7.3)",
}
"""What each ``choice`` of a result means."""


def format_report(result: Mapping[str, Any], log: MatchLog) -> str:
    """The report on a result, made with the log it came from; ends with a line feed.

    Source: HE-9.
    """
    lines = [*_heading(result), *_match_lines(result)]
    for game, record in zip(result["games"], log.games, strict=True):
        lines += ["", *_game_lines(game, record, log)]
    return "".join(f"{printable(line)}\n" for line in lines)


def _heading(result: Mapping[str, Any]) -> Iterator[str]:
    match, ruleset, engine = result["match"], result["ruleset"], result["engine"]
    options = ", ".join(
        f"{name} {value}" for name, value in ruleset.items() if name not in {"name", "version"}
    )
    settings = ", ".join(f"{name} {value}" for name, value in engine["settings"].items())
    length = f"{match['match_length']} points" if match["match_length"] else "money session"
    title = f"Adjudication {result['id']}"
    yield title
    yield "=" * len(title)
    yield f"Match    {match['players']['white']} (white) - {match['players']['black']} (black), {length}"
    yield f"Record   {match['id']}, {match['format']}, {match['variant']}, SHA-256 {match['sha256']}"
    yield f"Ruleset  {ruleset['name']} {ruleset['version']}: {options}"
    yield f"Engine   {engine['name']} {engine['version']}: {settings or 'no settings'}"


def _match_lines(result: Mapping[str, Any]) -> Iterator[str]:
    tally = result["match_result"]
    for title, name in (("Recorded", "recorded"), ("Adjudicated", "adjudicated")):
        outcome = tally[name]
        winner = f"{outcome['winner']} wins" if outcome["winner"] else "no winner"
        score = outcome["score"]
        yield f"{title + ':':12} {winner}, white {score['white']} - black {score['black']}"
    surplus = tally["adjudicated"].get("surplus_games")
    if surplus:
        yield f"After the match was won: games {', '.join(map(str, surplus))} (HE-8.1)"
    yield "The winner of the match changes." if tally["changed"] else "The winner of the match stands."


def _game_lines(game: Mapping[str, Any], record: GameRecord, log: MatchLog) -> Iterator[str]:
    title = f"Game {game['game']}: {game['status'].replace('_', ' ')} ({game['clause']})"
    yield title
    yield "-" * len(title)
    yield f"Recorded:    {_recorded(game.get('recorded'))}"
    yield f"Adjudicated: {_adjudicated(game.get('adjudicated'))}{', changed' if game['changed'] else ''}"
    playout = game.get("playout")
    if playout:
        yield from _playout_lines(playout, record, log)
    for remark in game.get("remarks", ()):
        turn = "" if remark.get("turn") is None else f" at turn {remark['turn']}"
        yield f"Remark {remark['code']}{turn}: {remark['detail']}"


def _recorded(outcome: Mapping[str, Any] | None) -> str:
    if not outcome or not outcome.get("winner"):
        return "no result"
    return f"{outcome['winner']} wins {outcome['points']}, {str(outcome['ending']).replace('_', ' ')}"


def _adjudicated(outcome: Mapping[str, Any] | None) -> str:
    if not outcome or not outcome.get("winner"):
        return "no result"
    kind = f" ({outcome['win']})" if outcome.get("win") else ""
    return f"{outcome['winner']} wins {outcome['points']}{kind}"


def _playout_lines(playout: Mapping[str, Any], record: GameRecord, log: MatchLog) -> Iterator[str]:
    start = playout["start"]
    within = "within" if start["mid_turn"] else "after"
    high, low = playout["last_roll"]
    yield f"Last roll {high}-{low}: roll number {playout['roll_number']} (HE-3)"
    yield f"Last checker: {start['side']} on point {start['point']}, {within} turn {start['turn']} (HE-5)"
    first, rolls = start["series_roll"], playout["rolls_in_game"]
    yield f"Dice series: starts at roll {first} of {rolls}, {start['on_roll']} is to roll (HE-4)"
    yield from _series_lines(record, first)
    viewer = Side.from_label(start["on_roll"])
    position = parse_position_id(start["position_id"], log.variant.checkers_per_side)
    yield from draw_board(position, viewer)
    yield f"  Position ID {start['position_id']}  XGID={start['xgid'].removeprefix('XGID=')}"
    if playout.get("winner_forced"):
        yield "The winner is forced: every way to play these dice leads to it (HE-7.7)."
    for number, turn in enumerate(playout["turns"], start=1):
        yield from _turn_lines(number, turn)


def _series_lines(record: GameRecord, first: int) -> Iterator[str]:
    """All rolls of the game with their numbers, the one the series starts with in angle brackets."""
    cells = [
        f"{number:3} {f'<{roll.dice}>' if number == first else f' {roll.dice} '}"
        for number, roll in enumerate(record.rolls, start=1)
    ]
    for begin in range(0, len(cells), ROLLS_PER_LINE):
        yield "  " + "  ".join(cells[begin : begin + ROLLS_PER_LINE]).rstrip()


def _turn_lines(number: int, turn: Mapping[str, Any]) -> Iterator[str]:
    high, low = turn["dice"]
    reason = CHOICES.get(turn["choice"], turn["choice"])
    used = f"{turn['side']} uses roll {turn['series_roll']}, {high}-{low}"
    yield f"{number:3}. {used}: {turn['play'] or '-'} ({reason})"
    yield f"     Position ID after it {turn['position_id']}"
    candidates: Sequence[Mapping[str, Any]] = turn.get("candidates", ())
    for candidate in candidates if len(candidates) > 1 else ():
        mark = "*" if candidate["play"] == turn["play"] else " "
        values = (
            f"{name} {candidate[key]:+.6f}"
            for name, key in (("engine", "equity"), ("modifier", "modifier_equity"))
            if candidate.get(key) is not None
        )
        yield f"       {mark} {candidate['play']:24} {'  '.join(values)}".rstrip()
