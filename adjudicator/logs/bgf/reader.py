"""The reader of BGBlitz files (.bgf).

Source: ``docs/formats/bgf.md``.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adjudicator.errors import Fault, Place, RecordError, TooLargeError, UnsupportedVariantError
from adjudicator.logs.assembly import assemble_log, check_game_count
from adjudicator.logs.bgf.games import parse_start, read_game
from adjudicator.logs.bgf.smile import SmileError, parse_smile
from adjudicator.logs.document_fields import (
    Fields,
    take_flag,
    take_list,
    take_number,
    take_object,
    take_text,
    take_texts,
)
from adjudicator.logs.inflation import inflate
from adjudicator.logs.json_content import parse_json
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.rules.record import GameRecord, RecordedResult
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import VARIANTS, Variant

FORMAT_NAME = "bgf"

MAX_HEAD_BYTES = 1024
_ANALYSIS = frozenset({"equity", "dancingEquity", "moveAnalysis", "luck", "pr", "prGreen", "prRed"})
_METADATA = {
    "event": "event",
    "site": "site",
    "location": "location",
    "round": "round",
    "date": "date",
    "extMatchID": "match id",
}


def read_bgf(content: bytes) -> MatchLog:
    """The match log in the bytes of a .bgf file; analysis and comments are not read.

    Green is white, red is black. A move of a game that cannot be read breaks that game: what stands before it
    is kept, the result is still taken, and the other games are read.

    Raises: RecordError for a file that is damaged, cut short or without a match; UnsupportedVariantError for
    another game; TooLargeError beyond the limits.
    """
    document = _parse_document(content)
    try:
        fields = take_object(document, "the match")
        games = take_list(fields, "games")
        check_game_count(len(games))
        match_length = take_number(fields, "matchlen", 0)
        variant = _variant(fields, games)
        log = MatchLog(
            format=FORMAT_NAME,
            match_length=match_length,
            white=take_text(fields, "nameGreen"),
            black=take_text(fields, "nameRed"),
            games=(),
            variant=variant,
            crawford=match_length > 0 and take_flag(fields, "useCrawford"),
            jacoby=match_length == 0 and take_flag(fields, "useJacoby"),
            metadata=take_texts(fields, _METADATA),
        )
        final = Score(take_number(fields, "finalGreen", 0), take_number(fields, "finalRed", 0))
    except ValueError as error:
        raise _broken(str(error), Place()) from error
    read = [_read_game(game, index, log) for index, game in enumerate(games)]
    return assemble_log(replace(log, games=_with_results(read, final)))


def _parse_document(content: bytes) -> Any:
    """The match behind the head, as JSON would give it."""
    line, _, packed = content.partition(b"\n")
    head = _parse_head(line)
    if head is None:
        raise RecordError("This is no BGF file: its first line is not a JSON object with the format BGF.")
    payload = inflate(packed, "BGF file") if head.get("compress") is True else packed
    if head.get("useSmile") is not True:
        return parse_json(payload)
    try:
        return parse_smile(payload, dropped=_ANALYSIS)
    except SmileError as error:
        raise RecordError(f"The BGF file is damaged: {error}. Send it as the program wrote it.") from error


def _parse_head(line: bytes) -> dict[str, Any] | None:
    """The first line of the file, ``None`` where it is no head of a BGF."""
    if len(line) > MAX_HEAD_BYTES:
        return None
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return head if isinstance(head, dict) and head.get("format") == "BGF" else None


def _variant(fields: Fields, games: Sequence[Any]) -> Variant:
    """The game of the match, told by the start of its first game."""
    known = ", ".join(VARIANTS)
    initial = take_object(games[0], "a game").get("initial") if games else None
    first = take_object(initial or {}, "initial")
    if take_flag(first, "egyptian"):
        raise UnsupportedVariantError(
            f"The match is played by the Egyptian rule; the games known here are {known}."
        )
    for variant in VARIANTS.values():
        if _starts_as(variant, first):
            return variant
    if take_number(fields, "gameMode", 0):
        raise UnsupportedVariantError(
            f"The match is one of mode {fields['gameMode']}; the games known here are {known}."
        )
    return VARIANTS["backgammon"]


def _starts_as(variant: Variant, initial: Fields) -> bool:
    try:
        return parse_start(initial, variant) == variant.start
    except ValueError:
        return False


def _read_game(game: object, index: int, log: MatchLog) -> GameRecord:
    place = Place(pointer=f"/games/{index}", game=index + 1)
    try:
        return read_game(take_object(game, "a game"), log, place)
    except TooLargeError:
        raise
    except ValueError as error:
        raise _broken(str(error), place) from error


def _with_results(games: Sequence[GameRecord], final: Score) -> tuple[GameRecord, ...]:
    """The games, with the results that only the scores after them tell, each with a remark."""
    after = [*(game.score or Score() for game in games[1:]), final]
    return tuple(_with_result(game, score) for game, score in zip(games, after, strict=False))


def _with_result(game: GameRecord, after: Score) -> GameRecord:
    before = game.score or Score()
    gains = {side: after.of(side) - before.of(side) for side in Side}
    won = [side for side in Side if gains[side] > 0]
    if (game.result is not None and game.result.points) or len(won) != 1 or min(gains.values()) < 0:
        return game
    if game.result is not None and game.result.winner is not won[0]:
        return game
    detail = f"no points are written; by the score after the game {won[0].label} won {gains[won[0]]}"
    return replace(
        game,
        result=RecordedResult(won[0], gains[won[0]], game.place),
        remarks=(*game.remarks, Remark(RemarkCode.RESULT_FROM_SCORE, detail, place=game.place)),
    )


def _broken(reason: str, place: Place) -> RecordError:
    return RecordError("The BGF file cannot be read.", [Fault(reason, place)])


def is_bgf(content: bytes) -> bool:
    """Whether content is a .bgf file: its first line is a JSON object that names the format."""
    return _parse_head(content[: MAX_HEAD_BYTES + 1].partition(b"\n")[0]) is not None


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "BGBlitz match (.bgf)",
    media_types=("application/x-bgblitz",),
    suffixes=(".bgf",),
    recognises=is_bgf,
    read=read_bgf,
)
