"""The reader of GNU Backgammon's SGF: a collection of trees, one tree a game.

Source: ``docs/formats/sgf.md``.
"""

import re
from collections.abc import Iterator, Sequence

from adjudicator.errors import Place, RecordError
from adjudicator.logs.assembly import are_others, assemble_log, foreign_game
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.refusals import several_matches, unknown_game
from adjudicator.logs.sgf.games import read_game
from adjudicator.logs.sgf.roots import BACKGAMMON_GAME, Root, read_root
from adjudicator.logs.sgf.trees import GameTree, parse_collection
from adjudicator.logs.text_content import TextContent, decode_text, peek_text
from adjudicator.rules.record import GameRecord
from adjudicator.rules.remarks import Remark, RemarkCode
from adjudicator.rules.variants import Variant

FORMAT_NAME = "gnubg_sgf"

_BEGINNING = re.compile(r"\(\s*;")
_CHARSET = re.compile(rb"\bCA\[([A-Za-z0-9_-]{1,20})\]")
_CHARSETS = frozenset(
    ["koi8-r", "koi8-u", *(f"iso-8859-{number}" for number in (*range(1, 12), *range(13, 17)))]
    + [f"{family}125{number}" for family in ("windows-", "cp") for number in range(9)]
)
_GAMES = {"1": "Go", "2": "Othello", "3": "chess"}


def read_sgf(content: bytes) -> MatchLog:
    """The match log in the bytes of an SGF file.

    A game that cannot be read to its end is ``broken``, with line and reason; the others are read all the
    same.

    Raises: UnknownFormatError for content that is no text; UnsupportedVariantError for another game;
    TooLargeError beyond the limits; RecordError for a file without games, or of several matches.
    """
    text = _decode(content)
    collection = parse_collection(text.text)
    remarks = [*text.remarks, *_remark_strays(collection.strays)]
    trees = list(_backgammon_trees(collection.trees, remarks))
    roots = [read_root(tree.nodes[0]) for tree in trees]
    if not roots:
        raise RecordError("The file holds no game: an SGF game begins with '(;'.")
    first, length, variant = roots[0], _match_length(roots), _variant(roots)
    crawford = any("Crawford" in root.rules for root in roots)
    return assemble_log(
        MatchLog(
            format=FORMAT_NAME,
            match_length=length,
            white=first.white,
            black=first.black,
            games=tuple(_read_games(trees, roots, variant, crawford=crawford)),
            variant=variant,
            crawford=crawford,
            jacoby=any("Jacoby" in root.rules for root in roots),
            metadata=first.metadata,
            remarks=tuple(remarks),
        )
    )


def _decode(content: bytes) -> TextContent:
    """The text in the charset that the file names, where it is a usual one of single bytes; else as ever."""
    named = _CHARSET.search(content)
    charset = "" if named is None else named[1].decode("ascii").lower().replace("_", "-")
    if charset in _CHARSETS and b"\0" not in content:
        try:
            return TextContent.of(content.decode(charset))
        except UnicodeDecodeError:
            pass
    return decode_text(content)


def _remark_strays(places: Sequence[Place]) -> Iterator[Remark]:
    if places:
        detail = f"text outside of the game trees is left out, in {len(places)} places"
        yield Remark(RemarkCode.PART_IGNORED, detail, place=places[0])


def _backgammon_trees(trees: Sequence[GameTree], remarks: list[Remark]) -> Iterator[GameTree]:
    """The trees of backgammon; others are remarked on.

    Raises: UnsupportedVariantError where all are of other games.
    """
    others = []
    for tree in trees:
        game = tree.nodes[0].text("GM") if tree.nodes else ""
        if tree.nodes and game == BACKGAMMON_GAME:
            yield tree
        else:
            others.append((tree.place, game or "1"))
            detail = f"a tree of another game (GM[{game[:10]}]) is left out"
            remarks.append(Remark(RemarkCode.PART_IGNORED, detail, place=tree.place))
    if others and len(others) == len(trees):
        place, game = others[0]
        raise unknown_game(_GAMES.get(game, f"GM[{game[:10]}]"), place)


def _match_length(roots: Sequence[Root]) -> int:
    """The one length that the roots give, 0 for money or where none does."""
    lengths = [(root.length, root.place) for root in roots if root.length is not None]
    for length, place in lengths:
        if length != lengths[0][0]:
            raise several_matches(place)
    return lengths[0][0] if lengths else 0


def _variant(roots: Sequence[Root]) -> Variant:
    variant = roots[0].variant
    for root in roots:
        if root.variant is not variant:
            raise several_matches(root.place)
    return variant


def _read_games(
    trees: Sequence[GameTree], roots: Sequence[Root], variant: Variant, *, crawford: bool
) -> Iterator[GameRecord]:
    """The games of the match; one between others counts for nobody."""
    number = 0
    for tree, root in zip(trees, roots, strict=True):
        number = number + 1 if root.number is None else root.number
        if are_others((root.white, root.black), (roots[0].white, roots[0].black)):
            yield foreign_game(number, tree.place)
        else:
            yield read_game(tree, root, number, variant, crawford=crawford)


def is_sgf(content: bytes) -> bool:
    """Whether content is SGF, of whatever game: the first tree begins with a node."""
    return _BEGINNING.match(peek_text(content)) is not None


LOG_FORMAT = LogFormat(
    FORMAT_NAME,
    "SGF match record (.sgf), as GNU Backgammon saves it",
    media_types=("application/x-go-sgf", "text/plain"),
    suffixes=(".sgf",),
    recognises=is_sgf,
    read=read_sgf,
)
