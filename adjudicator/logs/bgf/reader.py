"""The reader of BGBlitz files (.bgf).

Source: ``docs/formats/bgf.md``.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adjudicator.errors import Place, RecordError
from adjudicator.logs.assembly import assemble_log, require_game_count
from adjudicator.logs.bgf.games import read_game, start_position
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
from adjudicator.logs.json_content import parse_json
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.packed_parts import inflate
from adjudicator.logs.refusals import damaged, unknown_game
from adjudicator.rules.record import GameRecord, RecordedResult
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.score import Score, winner_between
from adjudicator.rules.variants import VARIANTS, Variant

FORMAT_NAME = "bgf"

MAX_HEAD_BYTES = 1024
_WHAT = ".bgf file"
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

    Green is white, red is black. What cannot be read of a game, its head too, breaks that game: what stands
    before it is kept, the result is still taken, and the other games are read.

    Raises: RecordError for a file that is damaged, cut short or without a match; UnsupportedVariantError for
    another game; TooLargeError beyond the limits.
    """
    document = _parse_document(content)
    try:
        fields = take_object(document, "the match")
        games = take_list(fields, "games")
        require_game_count(len(games))
        log = MatchLog(
            format=FORMAT_NAME,
            match_length=take_number(fields, "matchlen", 0),
            white=take_text(fields, "nameGreen"),
            black=take_text(fields, "nameRed"),
            games=(),
            variant=_variant(fields, games),
            crawford=take_flag(fields, "useCrawford"),
            jacoby=take_flag(fields, "useJacoby"),
            metadata=take_texts(fields, _METADATA),
        )
        final = Score(take_number(fields, "finalGreen", 0), take_number(fields, "finalRed", 0))
    except ValueError as error:
        raise damaged(_WHAT, str(error)) from error
    places = [Place(pointer=f"/games/{index}", game=index + 1) for index in range(len(games))]
    read = [read_game(game, place, log) for game, place in zip(games, places, strict=True)]
    return assemble_log(replace(log, games=_with_results(read, final)))


def _parse_document(content: bytes) -> Any:
    """The match behind the head, as JSON would give it."""
    line, _, packed = content.partition(b"\n")
    head = _parse_head(line)
    if head is None:
        raise RecordError("This is no .bgf file: its first line is not a JSON object with the format BGF.")
    payload = inflate(packed, _WHAT) if head.get("compress") is True else packed
    if head.get("useSmile") is not True:
        return parse_json(payload)
    try:
        return parse_smile(payload, dropped=_ANALYSIS)
    except SmileError as error:
        raise damaged(_WHAT, str(error)) from error


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
    first = games[0].get("initial") if games and isinstance(games[0], dict) else None
    initial = first if isinstance(first, dict) else {}
    if take_flag(initial, "egyptian"):
        raise unknown_game("the Egyptian rule", Place(pointer="/games/0/initial/egyptian"))
    for variant in VARIANTS.values():
        if _starts_as(variant, initial):
            return variant
    if mode := take_number(fields, "gameMode", 0):
        raise unknown_game(f"mode {mode}", Place(pointer="/gameMode"))
    return VARIANTS["backgammon"]


def _starts_as(variant: Variant, initial: Fields) -> bool:
    try:
        return start_position(initial, variant) == variant.start
    except ValueError:
        return False


def _with_results(games: Sequence[GameRecord], final: Score) -> tuple[GameRecord, ...]:
    """The games, with the results that only the scores after them tell, each with a remark."""
    after = [*(game.score for game in games[1:]), final]
    return tuple(_with_result(game, score) for game, score in zip(games, after, strict=False))


def _with_result(game: GameRecord, after: Score | None) -> GameRecord:
    """The game with the result that the score after it tells, where its own is not whole."""
    written = game.result
    if (written is not None and written.points is not None) or game.score is None or after is None:
        return game
    winner = winner_between(game.score, after)
    if winner is None or (written is not None and written.winner is not winner):
        return game
    points = after.of(winner) - game.score.of(winner)
    detail = f"no points are written; by the score after the game {winner.label} won {points}"
    return replace(
        game,
        result=RecordedResult(winner, points, game.place),
        remarks=(*game.remarks, Remark(RemarkCode.RESULT_FROM_SCORE, detail, place=game.place)),
    )


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
