"""The audit report as plain text: what an arbiter needs to do every game again by hand (HE-9)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.happy_end.result_parts import parse_place
from adjudicator.reports.board_picture import draw_board
from adjudicator.reports.plain_text import printable
from adjudicator.rules.board import Checkers, checkers_from
from adjudicator.rules.variants import VARIANTS

ROLLS_PER_LINE = 8

CHOICES = {
    "none": "no play possible, the turn passes",
    "only": "the only position that can be reached",
    "wins": "ends the game at once (HE-7.2)",
    "engine": "best for the engine (HE-7.1)",
    "tie_break": "equal for the engine, best under the modifier (HE-7.3)",
}
"""What each ``choice`` of a result means."""


def format_report(result: Mapping[str, Any]) -> str:
    """The report on a result, as ``format_result`` makes it; ends with a line feed.

    Source: HE-9.
    """
    lines = [*_heading(result), *_match_lines(result)]
    lines += [_remark(remark) for remark in result["remarks"]]
    checkers_per_side = VARIANTS[result["match"]["variant"]].checkers_per_side
    for game in result["games"]:
        lines += ["", *_game_lines(game, checkers_per_side)]
    return "".join(f"{printable(line)}\n" for line in lines)


def _heading(result: Mapping[str, Any]) -> Iterator[str]:
    match, ruleset, engine = result["match"], result["ruleset"], result["engine"]
    options = ", ".join(
        f"{name} {value}" for name, value in ruleset.items() if name not in {"name", "version"}
    )
    length = f"{match['match_length']} points" if match["match_length"] else "money session"
    title = f"Adjudication {result['id']}"
    yield title
    yield "=" * len(title)
    yield f"Match    {match['players']['white']} (white) - {match['players']['black']} (black), {length}"
    yield f"Record   {match['id']}, {match['format']}, {match['variant']}, SHA-256 {match['sha256']}"
    yield f"Ruleset  {ruleset['name']} {ruleset['version']}: {options}"
    yield f"Engine   {_engine(engine)}"
    for build in engine.get("cross_checks", ()):
        yield f"Besides  {_engine(build)} (decides nothing, HE-7.7)"


def _engine(engine: Mapping[str, Any]) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in engine["settings"].items())
    return f"{engine['name']} {engine['version']}: {settings or 'no settings'}"


def _match_lines(result: Mapping[str, Any]) -> Iterator[str]:
    tally = result["match_result"]
    for title, name in (("Recorded", "recorded"), ("Adjudicated", "adjudicated")):
        outcome = tally[name]
        winner = f"{outcome['winner']} wins" if outcome["winner"] else "no winner"
        score = outcome["score"]
        yield f"{title + ':':12} {winner}, white {score['white']} - black {score['black']}"
        for line in games_left_out(outcome):
            yield f"{'':12} {line}"
    yield "The winner of the match changes." if tally["changed"] else "The winner of the match stands."


def games_left_out(outcome: Mapping[str, Any]) -> Iterator[str]:
    """The games that do not count in an outcome of the match, one line for each reason.

    Source: HE-8.1.
    """
    for name, reason in (
        ("not_counted", "not counted, unreadable or without result"),
        ("surplus_games", "not counted, played after the match was won"),
    ):
        if numbers := outcome[name]:
            noun = "game" if len(numbers) == 1 else "games"
            yield f"{reason}: {noun} {', '.join(map(str, numbers))} (HE-8.1)"


def _game_lines(game: Mapping[str, Any], checkers_per_side: int) -> Iterator[str]:
    clause = f" ({game['clause']})" if game["clause"] else ""
    title = f"Game {game['game']}: {game['status'].replace('_', ' ')}{clause}"
    yield title
    yield "-" * len(title)
    yield f"Score before it: white {game['score']['white']} - black {game['score']['black']}"
    yield f"Recorded:    {_outcome(game['recorded'])}"
    yield f"Adjudicated: {_outcome(game['adjudicated'])}{', changed' if game['changed'] else ''}"
    if "playout" in game:
        yield from _playout_lines(game["playout"], checkers_per_side)
    if "unreadable" in game:
        unreadable = game["unreadable"]
        yield f"Cannot be followed from here{_where(unreadable)}: {unreadable['reason']}"
    for remark in game["remarks"]:
        yield _remark(remark)


def _outcome(outcome: Mapping[str, Any] | None) -> str:
    if outcome is None:
        return "no result"
    how = outcome.get("ending") or outcome.get("win")
    return f"{outcome['winner']} wins {outcome['points']}{', ' + how.replace('_', ' ') if how else ''}"


def _remark(remark: Mapping[str, Any]) -> str:
    return f"Remark {remark['code']}{_where(remark)}: {remark['detail']}"


def _where(thing: Mapping[str, Any]) -> str:
    """The place of a remark or fault in brackets, ``""`` where none is known."""
    place = str(parse_place(thing))
    return f" ({place})" if place else ""


def _playout_lines(playout: Mapping[str, Any], checkers_per_side: int) -> Iterator[str]:
    start = playout["start"]
    within = "within" if start["mid_turn"] else "after"
    yield f"Last roll {_dice(playout['last_roll'])}: roll number {playout['roll_number']} (HE-3)"
    yield f"Last checker: {start['side']} on point {start['point']}, {within} turn {start['turn']} (HE-5)"
    first, rolls = start["series_roll"], playout["rolls_in_game"]
    yield f"Dice series: starts at roll {first} of {rolls}, {start['on_roll']} is to roll (HE-4)"
    yield from _series_lines(playout["series"], first)
    white, black = (_checkers(start["checkers"][side], checkers_per_side) for side in ("white", "black"))
    yield from draw_board(white, black)
    owner = start["cube"]["owner"]
    yield f"  Cube {start['cube']['value']}, {f'owned by {owner}' if owner else 'in the middle'}"
    yield f"  Position ID {start['position_id']}  {start['xgid']}"
    chances = playout["chances"]
    yield (
        f"Chance to win from here with fresh dice: white {chances['white']['win']:.1%}, "
        f"black {chances['black']['win']:.1%}"
    )
    yield from _hinge_lines(playout)
    for number, turn in enumerate(playout["turns"], start=1):
        yield from _turn_lines(number, turn)


def _hinge_lines(playout: Mapping[str, Any]) -> Iterator[str]:
    """On which turns the end hung (HE-7.7)."""
    if playout["winner_forced"]:
        yield "The end is forced: every way to play these dice leads to it (HE-7.7)."
    if playout["winner_forced"] is None:
        yield "Whether the end hangs on a choice is not known: too many ways to play (HE-7.7)."
    for hinge in playout["hinges"]:
        lead = "" if hinge["lead"] is None else f", behind by {hinge['lead']:.6f} for the {hinge['measure']}"
        close = ": a close choice" if hinge["close"] else ""
        yield f"The end hung on turn {hinge['turn']}: {hinge['alternative']} may end otherwise{lead}{close}."


def _checkers(points: Mapping[str, int], total: int) -> Checkers:
    return checkers_from({int(point): count for point, count in points.items()}, total)


def _series_lines(series: Sequence[Sequence[int]], first: int) -> Iterator[str]:
    """All rolls of the game with their numbers, the one the series starts with in angle brackets."""
    cells = [
        f"{number:3} {f'<{_dice(dice)}>' if number == first else f' {_dice(dice)} '}"
        for number, dice in enumerate(series, start=1)
    ]
    for begin in range(0, len(cells), ROLLS_PER_LINE):
        yield "  " + "  ".join(cells[begin : begin + ROLLS_PER_LINE]).rstrip()


def _dice(dice: Sequence[int]) -> str:
    """The dice in the order in which they are written."""
    first, second = dice
    return f"{first}-{second}"


def _turn_lines(number: int, turn: Mapping[str, Any]) -> Iterator[str]:
    reason = CHOICES[turn["choice"]]
    used = f"{turn['side']} uses roll {turn['series_roll']}, {_dice(turn['dice'])}"
    yield f"{number:3}. {used}: {turn['play'] or '-'} ({reason})"
    yield f"     Position ID after it {turn['position_id']}"
    candidates: Sequence[Mapping[str, Any]] = turn["candidates"]
    for candidate in candidates if len(candidates) > 1 else ():
        mark = "*" if candidate["play"] == turn["play"] else " "
        yield f"       {mark} {candidate['play']:24} {_equities(candidate)}"
    for name, play in turn.get("cross_choices", {}).items():
        yield f"     {name}, asked besides, would play {play}"


def _equities(candidate: Mapping[str, Any]) -> str:
    decided = f"engine {candidate['equity']:+.6f}  modifier {candidate['modifier_equity']:+.6f}"
    besides = (f"{name} {equity:+.6f}" for name, equity in candidate.get("cross_equities", {}).items())
    return "  besides ".join([decided, *besides])
