"""The JSON match record, ``match-record/1``: how other servers hand in a match.

The envelope is checked by a marshmallow schema, the actions by plain code; all faults are found at once.

Source: ``docs/formats/match-record.md``.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from marshmallow import Schema, ValidationError

from adjudicator.errors import MOST_FAULTS, Fault, Place, RecordError, UnsupportedVariantError
from adjudicator.logs.assembly import assemble_log
from adjudicator.logs.json_content import format_pointer, parse_json
from adjudicator.logs.limits import MAX_MATCH_LENGTH, MAX_NUMBER
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.match_record.fields import Flag, Games, Metadata, Part, Start, Text, WholeNumber
from adjudicator.logs.refusals import unknown_game
from adjudicator.logs.text_content import peek_text
from adjudicator.rules.record import GameRecord, RecordedResult
from adjudicator.rules.score import Score
from adjudicator.rules.sides import Side
from adjudicator.rules.variants import BACKGAMMON, VARIANTS, Variant

FORMAT_NAME = "match_record"
SCHEMA_NAME = "match-record/1"


def read_match_record(content: bytes) -> MatchLog:
    """The match log in the bytes of a JSON match record.

    Raises: UnsupportedVariantError for a game whose rules are not known here; RecordError with all faults at
    once, each with the JSON pointer of its place.
    """
    document = parse_json(content)
    named = document.get("variant") if isinstance(document, dict) else None
    variant = VARIANTS.get(named, BACKGAMMON) if isinstance(named, str) else BACKGAMMON
    try:
        loaded = _schema(variant).load(document)
    except ValidationError as error:
        raise _unsupported(document, error.messages) or _record_error(error.messages) from error
    return _build_log(loaded, variant)


def _unsupported(document: object, messages: object) -> UnsupportedVariantError | None:
    """The error of a record with nothing wrong but that its game is not known here."""
    named = document.get("variant") if isinstance(document, dict) else None
    if not isinstance(named, str) or not isinstance(messages, dict) or messages.keys() != {"variant"}:
        return None
    return unknown_game(named, Place(pointer="/variant"))


def is_match_record(content: bytes) -> bool:
    """Whether content looks like a match record: its text begins as a JSON object or list does."""
    return peek_text(content).startswith(("{", "["))


_OBJECT_MESSAGES = {"unknown": "unknown key", "type": "has to be an object"}


class _Object(Schema):
    """An object that holds the keys named and no other."""

    error_messages = _OBJECT_MESSAGES


class _SideScores(_Object):
    white = WholeNumber(0, MAX_NUMBER, required=True)
    black = WholeNumber(0, MAX_NUMBER, required=True)


class _Player(_Object):
    name = Text(required=True)


class _Players(_Object):
    white = Part(_Player, required=True)
    black = Part(_Player, required=True)


class _Rules(_Object):
    crawford = Flag(load_default=True)
    jacoby = Flag(load_default=False)


class _Result(_Object):
    winner = Text("white", "black", required=True)
    points = WholeNumber(0, MAX_NUMBER, required=True, allow_none=True)


@cache
def _schema(variant: Variant) -> Schema:
    """The schema of a record of that game. Unknown keys are refused at every level but the metadata."""
    game = _Object.from_dict(
        {
            "number": WholeNumber(0, MAX_NUMBER, required=True),
            "score": Part(_SideScores, allow_none=True, load_default=None),
            "start": Start(variant, load_default=None),
            "crawford": Flag(allow_none=True, load_default=None),
            "result": Part(_Result, allow_none=True, load_default=None),
        }
    )
    record = _Object.from_dict(
        {
            "schema": Text(SCHEMA_NAME, required=True),
            "variant": Text(*VARIANTS, required=True),
            "match_length": WholeNumber(0, MAX_MATCH_LENGTH, required=True),
            "rules": Part(_Rules, load_default=dict),
            "players": Part(_Players, required=True),
            "metadata": Metadata(load_default=dict),
            "games": Games(game(), variant, required=True),
        }
    )
    return record()


def _build_log(loaded: Mapping[str, Any], variant: Variant) -> MatchLog:
    games = [_build_game(game, index) for index, game in enumerate(loaded["games"])]
    log = MatchLog(
        format=FORMAT_NAME,
        match_length=loaded["match_length"],
        white=loaded["players"]["white"]["name"],
        black=loaded["players"]["black"]["name"],
        games=tuple(games),
        variant=variant,
        crawford=loaded["rules"].get("crawford", True),
        jacoby=loaded["rules"].get("jacoby", False),
        metadata=loaded["metadata"],
    )
    return assemble_log(log)


def _build_game(loaded: Mapping[str, Any], index: int) -> GameRecord:
    where = format_pointer("games", index)
    score, result = loaded["score"], loaded["result"]
    return GameRecord(
        number=loaded["number"],
        actions=loaded["actions"],
        result=None
        if result is None
        else RecordedResult(
            Side.from_label(result["winner"]), result["points"], Place(pointer=f"{where}/result")
        ),
        score=None if score is None else Score(score["white"], score["black"]),
        start=loaded["start"],
        crawford=loaded["crawford"],
        place=Place(pointer=where, game=loaded["number"]),
    )


def _record_error(messages: Any) -> RecordError:
    faults = list(_flatten(messages))
    detail = (
        "The match record has a fault." if len(faults) == 1 else f"The match record has {len(faults)} faults."
    )
    if len(faults) > MOST_FAULTS:
        detail += f" The first {MOST_FAULTS} are listed."
    return RecordError(detail, faults[:MOST_FAULTS])


def _flatten(messages: Any, steps: tuple[object, ...] = ()) -> Iterator[Fault]:
    """The faults in marshmallow's messages: by key or index the same again, down to lists of sentences."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from _flatten(inner, steps if key == "_schema" else (*steps, key))
        return
    for message in messages:
        yield Fault(message, Place(pointer=format_pointer(*steps)))


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "Match record: the JSON format of this service, match-record/1",
    media_types=("application/json",),
    suffixes=(".json",),
    recognises=is_match_record,
    read=read_match_record,
)
