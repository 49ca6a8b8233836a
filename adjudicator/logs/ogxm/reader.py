"""The reader of OGXM files (.ogxm, .gvab) and of their JSON form (.gva).

Source: ``docs/formats/ogxm.md``.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from adjudicator.errors import NOWHERE
from adjudicator.logs.assembly import assemble_log
from adjudicator.logs.json_content import parse_json
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.ogxm.container import MAGIC, OGXM_FILE, open_container
from adjudicator.logs.ogxm.games import read_game
from adjudicator.logs.ogxm.gva import carries_signature, parse_gva
from adjudicator.logs.ogxm.match_values import OgxmMatch
from adjudicator.logs.ogxm.signatures import (
    CheckedSignature,
    Verdict,
    check_signatures,
    signature_metadata,
    signature_remarks,
)
from adjudicator.logs.ogxm.version1 import parse_version1
from adjudicator.logs.ogxm.version2 import parse_version2
from adjudicator.logs.refusals import damaged, unknown_game
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant

FORMAT_NAME = "ogxm"

_VARIANTS: dict[int | str, Variant] = {0: BACKGAMMON, 1: NACKGAMMON, 2: HYPERGAMMON}
_NAMES: dict[int | str, str] = {3: "longgammon"}
_GVA_KEYS = (re.compile(rb'"plies"\s*:'), re.compile(rb'"action_id"\s*:'))
_Value = TypeVar("_Value")


def read_ogxm(content: bytes) -> MatchLog:
    """The match log in the bytes of an OGXM file of either version, or of its JSON form.

    What cannot be read of a game breaks that game. Signatures are checked: ``metadata`` says what was found,
    a remark stands for each that is not valid. Analyses, clock, video and annotations are not read.

    Raises: RecordError for a file that is damaged, cut short or without a match; UnsupportedVariantError for
    another game; TooLargeError beyond the limits.
    """
    if content.startswith(MAGIC):
        container = open_container(content)
        parse = parse_version1 if container.version == 1 else parse_version2
        return _make_log(_held(parse, container), check_signatures(container))
    document = parse_json(content)
    match = _held(parse_gva, document)
    signatures = [_JSON_SIGNATURE] if carries_signature(document) else []
    return _make_log(match, signatures)


_JSON_SIGNATURE = CheckedSignature(
    "match", Verdict.UNCHECKED, reason="signatures are made over the binary form, not over JSON"
)


def _held(parse: Callable[[_Value], OgxmMatch], source: _Value) -> OgxmMatch:
    """What the source says; RecordError where it says something impossible."""
    try:
        return parse(source)
    except ValueError as error:
        raise damaged(OGXM_FILE, str(error)) from error


def _make_log(match: OgxmMatch, signatures: list[CheckedSignature]) -> MatchLog:
    variant = _variant(match)
    scores = [match.first_score, *[None] * len(match.games)]
    games = tuple(
        read_game(game, number, variant, score)
        for number, (game, score) in enumerate(zip(match.games, scores, strict=False), start=1)
    )
    remarks = [_GUESSED] if match.is_guessed else []
    return assemble_log(
        MatchLog(
            format=FORMAT_NAME,
            match_length=match.match_length,
            white=match.white,
            black=match.black,
            games=games,
            variant=variant,
            crawford=match.crawford,
            jacoby=match.jacoby,
            metadata={**match.metadata, **signature_metadata(signatures)},
            remarks=(*remarks, *signature_remarks(signatures)),
        )
    )


_GUESSED = Remark(
    RemarkCode.ENCODING_GUESSED, "a text is not UTF-8; it is taken as Windows-1252, so letters may be wrong"
)


def _variant(match: OgxmMatch) -> Variant:
    variant = _VARIANTS.get(match.variant)
    if variant is None:
        raise unknown_game(_NAMES.get(match.variant, str(match.variant)), NOWHERE)
    return variant


def is_ogxm(content: bytes) -> bool:
    """Whether content is an OGXM file, or a JSON object with the entries of one."""
    if content.startswith(MAGIC):
        return True
    begins = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return begins and all(key.search(content) for key in _GVA_KEYS)


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "OGXM match (.ogxm, .gvab) or its JSON form (.gva); signatures are checked",
    media_types=("application/x-ogxm",),
    suffixes=(".ogxm", ".gvab", ".gva"),
    recognises=is_ogxm,
    read=read_ogxm,
)
