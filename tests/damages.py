"""Everything that may happen to a log on its way: each damage is a function of the text as it was written.

A damage gives ``None`` where the text holds nothing that it could change.
"""

import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Damage: TypeAlias = Callable[[str, random.Random], str | None]

_NUMBERED = re.compile(r" *\d+\) ")
_DICE = re.compile(r"\b[1-6](?=:)|\b[1-6](?=[1-6]:)")
_POINT = re.compile(r"\b\d+(?=/)|(?<=/)(?:\d+|off)\b")
_TARGET = re.compile(r"/\d+(?!\*)\b")
_WINS = re.compile(r" +Wins ")


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _pick(text: str, pattern: re.Pattern[str], chance: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return chance.choice(found) if found else None


def _pick_line(text: str, pattern: re.Pattern[str], chance: random.Random) -> int | None:
    found = [index for index, line in enumerate(_lines(text)) if pattern.match(line)]
    return chance.choice(found) if found else None


def _replaced(text: str, old: re.Match[str] | None, new: str) -> str | None:
    return None if old is None else text[: old.start()] + new + text[old.end() :]


# --- of any text


def cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text))]


def drop_line(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    del lines[_some_line(lines, chance)]
    return "\n".join(lines)


def double_line(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    at = _some_line(lines, chance)
    return "\n".join([*lines[: at + 1], *lines[at:]])


def swap_lines(text: str, chance: random.Random) -> str:
    lines = _lines(text)
    at = _some_line(lines[:-1], chance)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


def _some_line(lines: list[str], chance: random.Random) -> int:
    """The place of any line that is not blank."""
    return chance.choice([at for at, line in enumerate(lines) if line.strip()])


def mix_line_ends(text: str, chance: random.Random) -> str:
    return "".join(line + chance.choice(["\n", "\r\n", "\r"]) for line in _lines(text))


# --- of a .mat


def _edit_row(edit: Callable[[list[str], int], None], pattern: re.Pattern[str] = _NUMBERED) -> Damage:
    """The damage that edits the lines at one that the pattern matches."""

    def damage(text: str, chance: random.Random) -> str | None:
        at = _pick_line(text, pattern, chance)
        if at is None:
            return None
        lines = _lines(text)
        edit(lines, at)
        return "\n".join(lines)

    return damage


def _drop(lines: list[str], at: int) -> None:
    del lines[at]


def _double(lines: list[str], at: int) -> None:
    lines.insert(at, lines[at])


def _swap_with_next(lines: list[str], at: int) -> None:
    if at + 1 < len(lines):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]


def _swap_columns(lines: list[str], at: int) -> None:
    row = lines[at]
    lines[at] = f"{row[:5]}{row[38:]:32} {row[5:37]}".rstrip()


def _insert_blank_row(lines: list[str], at: int) -> None:
    lines.insert(at, "")


def _insert_numbered_blank_row(lines: list[str], at: int) -> None:
    lines.insert(at, f"{lines[at][:4]}")


def _swap_result(lines: list[str], at: int) -> None:
    was_white = lines[at].index("W") < 20
    lines[at] = " " * (38 if was_white else 6) + lines[at].strip()


def _renumbered(pattern: re.Pattern[str], most: int) -> Damage:
    """The damage that changes one number that the pattern finds to another, 0 to ``most``."""

    def damage(text: str, chance: random.Random) -> str | None:
        old = _pick(text, pattern, chance)
        if old is None:
            return None
        others = [number for number in range(most + 1) if str(number) != old[0]]
        return _replaced(text, old, str(chance.choice(others)))

    return damage


def change_die(text: str, chance: random.Random) -> str | None:
    old = _pick(text, _DICE, chance)
    return old and _replaced(text, old, chance.choice([die for die in "01234567" if die != old[0]]))


def delete_star(text: str, chance: random.Random) -> str | None:
    return _replaced(text, _pick(text, re.compile(r"\*"), chance), "")


def add_star(text: str, chance: random.Random) -> str | None:
    old = _pick(text, _TARGET, chance)
    return old and _replaced(text, old, f"{old[0]}*")


def double_game(text: str, chance: random.Random) -> str:
    head, *games = re.split(r"(?m)^(?= Game )", text)
    at = chance.randrange(len(games))
    return head + "".join([*games[: at + 1], games[at].rstrip("\n") + "\n\n", *games[at + 1 :]])


def drop_game(text: str, chance: random.Random) -> str | None:
    head, *games = re.split(r"(?m)^(?= Game )", text)
    del games[chance.randrange(len(games))]
    return head + "".join(games)


def change_name(text: str, chance: random.Random) -> str | None:
    names = list(re.finditer(r"(?m)(?<=^ )White(?= : )|(?<=  )Black(?= : )", text))
    return _replaced(text, chance.choice(names), "Other") if len(names) > 2 else None


def squeeze_blanks(text: str, chance: random.Random) -> str:
    return "\n".join(" ".join(line.split()) for line in _lines(text))


def tabs_for_blanks(text: str, chance: random.Random) -> str:
    """As editors do: every run of blanks up to a tab stop becomes a tab."""
    lines = []
    for line in _lines(text):
        parts = [line[at : at + 8] for at in range(0, len(line), 8)]
        whole = [part.rstrip() + "\t" if part.endswith("  ") and len(part) == 8 else part for part in parts]
        lines.append("".join(whole))
    return "\n".join(lines)


_SCORE_LINE = re.compile(r" White : ")
_SCORE = re.compile(r"(?<= : )\d+")
_POINTS = re.compile(r"(?<=Wins )\d+")

ANY_TEXT: Mapping[str, Damage] = {
    "cut": cut,
    "drop a line": drop_line,
    "double a line": double_line,
    "swap two lines": swap_lines,
}
MAT: Mapping[str, Damage] = {
    **ANY_TEXT,
    "drop a row": _edit_row(_drop),
    "double a row": _edit_row(_double),
    "swap two rows": _edit_row(_swap_with_next),
    "swap the columns of a row": _edit_row(_swap_columns),
    "change a die": change_die,
    "change a point": _renumbered(_POINT, 25),
    "delete a star": delete_star,
    "add a star": add_star,
    "double a game": double_game,
    "drop a game": drop_game,
    "drop a score line": _edit_row(_drop, _SCORE_LINE),
    "change a score": _renumbered(_SCORE, 9),
    "change a name": change_name,
    "change the side of a result": _edit_row(_swap_result, _WINS),
    "change the points of a result": _renumbered(_POINTS, 9),
    "drop a result": _edit_row(_drop, _WINS),
    "drop the match length": _edit_row(_drop, re.compile(r" \d+ point match$")),
}
MAT_COSMETIC: Mapping[str, Damage] = {
    "insert a blank row": _edit_row(_insert_blank_row),
    "insert a row of a number only": _edit_row(_insert_numbered_blank_row),
    "squeeze blanks": squeeze_blanks,
    "tabs for blanks": tabs_for_blanks,
    "mix line ends": mix_line_ends,
}
"""What changes no word of the log."""


# --- of a match record

_Json: TypeAlias = dict[str, Any]


def _edit_record(edit: Callable[[_Json, random.Random], bool | None]) -> Damage:
    """The damage that edits the record as a value; ``False`` from ``edit``: there was nothing to edit."""

    def damage(text: str, chance: random.Random) -> str | None:
        record: _Json = json.loads(text)
        return None if edit(record, chance) is False else json.dumps(record, indent=1)

    return damage


def _edit_actions(edit: Callable[[list[_Json], int], None]) -> Damage:
    def edit_one(record: _Json, chance: random.Random) -> None:
        actions = chance.choice(record["games"])["actions"]
        edit(actions, chance.randrange(len(actions)))

    return _edit_record(edit_one)


def _drop_action(actions: list[_Json], at: int) -> None:
    del actions[at]


def _double_action(actions: list[_Json], at: int) -> None:
    actions.insert(at, dict(actions[at]))


def _swap_actions(actions: list[_Json], at: int) -> None:
    if at + 1 < len(actions):
        actions[at], actions[at + 1] = actions[at + 1], actions[at]


def _change_side(actions: list[_Json], at: int) -> None:
    actions[at]["player"] = "black" if actions[at]["player"] == "white" else "white"


def _edit_game(edit: Callable[[_Json, random.Random], bool | None]) -> Damage:
    return _edit_record(lambda record, chance: edit(chance.choice(record["games"]), chance))


def _change_roll(game: _Json, chance: random.Random) -> bool | None:
    roll = chance.choice([action for action in game["actions"] if "roll" in action])["roll"]
    at = chance.randrange(2)
    roll[at] = chance.choice([die for die in range(8) if die != roll[at]])
    return None


def _change_score(game: _Json, chance: random.Random) -> bool | None:
    side = chance.choice(["white", "black"])
    game["score"][side] = chance.choice([point for point in range(9) if point != game["score"][side]])
    return None


def _change_winner(game: _Json, chance: random.Random) -> bool | None:
    result = game["result"]
    result["winner"] = "black" if result["winner"] == "white" else "white"
    return None


def _change_points(game: _Json, chance: random.Random) -> bool | None:
    result = game["result"]
    result["points"] = chance.choice([points for points in range(9) if points != result["points"]])
    return None


def _double_game(record: _Json, chance: random.Random) -> bool | None:
    games = record["games"]
    at = chance.randrange(len(games))
    games.insert(at, games[at])
    return None


def _drop_game(record: _Json, chance: random.Random) -> bool | None:
    del record["games"][chance.randrange(len(record["games"]))]
    return None


RECORD: Mapping[str, Damage] = {
    **ANY_TEXT,
    "drop an action": _edit_actions(_drop_action),
    "double an action": _edit_actions(_double_action),
    "swap two actions": _edit_actions(_swap_actions),
    "change the side of an action": _edit_actions(_change_side),
    "change a die": _edit_game(_change_roll),
    "change a point": _renumbered(_POINT, 25),
    "delete a star": delete_star,
    "add a star": add_star,
    "double a game": _edit_record(_double_game),
    "drop a game": _edit_record(_drop_game),
    "drop a score": _edit_game(lambda game, _: bool(game.pop("score"))),
    "change a score": _edit_game(_change_score),
    "change the side of a result": _edit_game(_change_winner),
    "change the points of a result": _edit_game(_change_points),
    "drop a result": _edit_game(lambda game, _: bool(game.pop("result"))),
    "drop the match length": _edit_record(lambda record, _: record.pop("match_length") > 0),
}
RECORD_COSMETIC: Mapping[str, Damage] = {
    "squeeze blanks": lambda text, _: json.dumps(json.loads(text), separators=(",", ":")),
    "mix line ends": mix_line_ends,
}
