"""The match in the JSON form of an OGXM file (.gva).

Every function raises ValueError, with the reason, for a document that says something impossible.

Source: ``docs/formats/ogxm.md``, section "JSON".
"""

from collections.abc import Iterator
from typing import Any

from adjudicator.errors import Place
from adjudicator.logs.document_fields import (
    Fields,
    take_flag,
    take_list,
    take_number,
    take_numbers,
    take_object,
    take_text,
    take_texts,
)
from adjudicator.logs.ogxm.match_values import (
    DICE,
    MAX_LISTED_STEPS,
    OgxmAction,
    OgxmEntry,
    OgxmGame,
    OgxmMatch,
    OgxmStep,
    read_games,
    resigned_win,
    take_entries,
    winner_of,
)
from adjudicator.rules.board import BAR
from adjudicator.rules.dice import Dice
from adjudicator.rules.score import Score, Win
from adjudicator.rules.sides import Side

_METADATA = {key: key.replace("_", " ") for key in ("event", "site", "stage", "city", "country", "platform")}
_VARIANTS = {"backgammon": 0, "nackgammon": 1, "hypergammon": 2, "longgammon": 3}
_WINS = {win.label: win for win in Win}
_NOBODY = 255
_COLORS = {0: Side.BLACK, 1: Side.WHITE}


def parse_gva(document: object) -> OgxmMatch:
    """The match in this document."""
    fields = take_object(document, "the match")
    match_length = take_number(fields, "match_length", 0)
    start = take_numbers(fields, "score_start")
    return OgxmMatch(
        match_length=match_length,
        variant=_variant(fields),
        white=take_text(fields, "player_white"),
        black=take_text(fields, "player_black"),
        crawford=take_flag(fields, "crawford"),
        jacoby=take_flag(fields, "jacoby"),
        games=read_games(
            take_list(fields, "games"), lambda game, number: _game(game, number, is_match=match_length > 0)
        ),
        metadata=take_texts(fields, _METADATA),
        first_score=Score(*_pair(start, "score_start")) if start else None,
    )


_SIGNATURE_SECTIONS = ("SIGN", "MSIG")


def carries_signature(document: Fields) -> bool:
    """Whether the document says that the file it was made from is signed; never raises.

    It names signatures by their own keys, or keeps the sections that GammonView does not decode.
    """
    if document.get("match_signatures"):
        return True
    infos = (document.get("analysis_info"), document.get("analyses_info"))
    kept = (document.get("_unknown_chunks"), document.get("_ogxm2_passthrough"))
    return any(
        (value.get("signature") if isinstance(value, dict) else value in _SIGNATURE_SECTIONS)
        for value in _values_within([*infos, *kept])
    )


def _values_within(value: object) -> Iterator[object]:
    """The value and all values within it, without recursion."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def _variant(fields: Fields) -> int | str:
    name = fields.get("variant")
    if isinstance(name, str):
        return _VARIANTS.get(name, name)
    return take_number(fields, "variant", 0)


def _pair(numbers: list[int], key: str) -> tuple[int, int]:
    if len(numbers) != 2 or min(numbers) < 0:
        raise ValueError(f"{key} has to be two whole numbers")
    return numbers[0], numbers[1]


def _game(game: object, number: int, *, is_match: bool) -> OgxmGame:
    where = f"/games/{number - 1}"
    fields = take_object(game, where)
    entries, broken = take_entries(_entries(take_list(fields, "plies"), f"{where}/plies"), number)
    says_crawford = is_match and "is_crawford" in fields
    return OgxmGame(
        entries=entries,
        winner=winner_of(take_number(fields, "winner", _NOBODY)),
        points=take_number(fields, "points_won", 0),
        board=_board(fields, "initial_board"),
        crawford=take_flag(fields, "is_crawford") if says_crawford else None,
        cube=take_number(fields, "initial_cube_value", 1) << min(take_number(fields, "auto_doubles", 0), 30),
        broken=broken,
    )


def _entries(entries: list[Any], where: str) -> Iterator[OgxmEntry]:
    for index, entry in enumerate(entries):
        yield _entry(entry, Place(pointer=f"{where}/{index}"))


def _entry(entry: object, place: Place) -> OgxmEntry:
    fields = take_object(entry, "an entry")
    side = _COLORS.get(take_number(fields, "color"))
    if side is None:
        raise ValueError("color has to be 1, white, or 0, black")
    action = take_number(fields, "action_id")
    dice = _dice(fields) if action < len(DICE) or fields.get("d1") is not None else None
    if dice is not None and action < len(DICE) and sorted(dice) != sorted(DICE[action]):
        raise ValueError(f"action_id {action} is the roll {DICE[action]}, and {dice} is written")
    return OgxmEntry(
        side,
        action,
        dice,
        _steps(fields) if action < len(DICE) else (),
        _board(fields, "set_position") if action == OgxmAction.SET_POSITION else None,
        _win(fields),
        place,
    )


def _dice(fields: Fields) -> Dice:
    return Dice.of(take_number(fields, "d1"), take_number(fields, "d2"))


def _steps(fields: Fields) -> tuple[OgxmStep, ...]:
    steps = take_list(fields, "moves")
    if len(steps) > MAX_LISTED_STEPS:
        raise ValueError(f"a play of {len(steps)} steps")
    return tuple(map(_step, steps))


def _step(step: object) -> OgxmStep:
    fields = take_object(step, "a step")
    source, pips = take_number(fields, "from"), take_number(fields, "pips", least=1)
    if source > BAR:
        raise ValueError(f"a step from {source}")
    return OgxmStep(source, pips)


def _board(fields: Fields, key: str) -> tuple[int, ...] | None:
    return tuple(take_numbers(fields, key)) or None


def _win(fields: Fields) -> Win | None:
    """What a resignation gives: a number, or its name in the documents of the reference codec."""
    value = fields.get("resign_value")
    if isinstance(value, str):
        return _WINS.get(value)
    return None if value is None else resigned_win(take_number(fields, "resign_value"))
