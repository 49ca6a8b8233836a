"""The games of a FIBS list of moves (``oldmoves``).

Source: ``docs/formats/fibs.md``, section "Lists of moves".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.errors import NOWHERE, Place
from adjudicator.logs.assembly import OTHER_PLAYERS, require_game_count
from adjudicator.logs.fibs.lines import Line, LineKind
from adjudicator.logs.fibs.plays import Direction, parse_fibs_play
from adjudicator.logs.fibs.seats import Seats
from adjudicator.logs.game_draft import GameDraft
from adjudicator.rules.cube import CubeAction
from adjudicator.rules.dice import Dice
from adjudicator.rules.record import CubeRecord, Movement, RecordedResult, ResignRecord, RollRecord, Writing
from adjudicator.rules.remarks import RemarkCode
from adjudicator.rules.score import Score, winner_between
from adjudicator.rules.sides import Side

_ROLL = re.compile(r"\((?P<first>[1-6])[ -](?P<second>[1-6])\)(?P<play>.*)", re.ASCII)
_CANNOT_MOVE = "can't move"


def read_listed_games(lines: Sequence[Line], seats: Seats) -> list[GameDraft]:
    """The games that these lines list, in order; lines of play between them are passed over.

    Raises: TooLargeError beyond the limits.
    """
    reading = _ListReading(seats)
    for line in lines:
        reading.take(line)
    reading.end_log()
    return reading.games


@dataclass
class _ListReading:
    """The games so far. ``winner`` is who won the last one, and the line that says so; a score says how much.

    ``players`` are X and O of the list under way, none if they are others: it counts for nobody.
    ``listed`` is the score line of the list, ``score`` the last one of the session, ``offer`` who offered to
    resign.
    """

    seats: Seats
    games: list[GameDraft] = field(default_factory=list)
    players: dict[str, Side] = field(default_factory=dict)
    directions: dict[Side, Direction] = field(default_factory=dict)
    listed: Line | None = None
    score: Score | None = None
    winner: tuple[Side, Place] | None = None
    offer: Side | None = None

    def take(self, line: Line) -> None:
        """Add what a line says."""
        if line.kind is LineKind.LIST_SCORE:
            self.listed = line
        elif line.kind is LineKind.LIST_HEAD:
            self._begin(line)
        elif line.kind is LineKind.SCORE:
            self.score = self.seats.score(line.names, line.numbers[-2:])
        elif line.kind is LineKind.LISTED and self.players:
            try:
                self._take_action(self.games[-1], self.players[line.names[0]], line)
            except ValueError as error:
                self.games[-1].break_off(str(error), line.place)
        elif line.kind is LineKind.DAMAGED and self.games and "(" in line.text:
            self.games[-1].break_off(f"{line.text[:60]!r} cannot be read", line.place)

    def end_log(self) -> None:
        """The log ends."""
        self._settle(None)
        self.games = _without_repeats(self.games)

    # --- games and scores

    def _begin(self, line: Line) -> None:
        """A new game. Its sides are found by name, since players change between X and O."""
        require_game_count(len(self.games) + 1, line.place)
        draft = GameDraft(len(self.games) + 1, line.place)
        sides = [self.seats.side(name) for name in line.names if name in self.seats]
        if len(set(sides)) == len(Side):
            self.players = dict(zip("XO", sides, strict=True))
            draft.score = self._listed_score(draft)
        else:
            self.players = {}
            draft.break_off(OTHER_PLAYERS, line.place)
        self._settle(draft.score)
        self.games.append(draft)
        self.directions, self.listed, self.offer = {}, None, None

    def _listed_score(self, draft: GameDraft) -> Score | None:
        """The score before the game: of X, then of O, unless only the other order follows."""
        if self.listed is None:
            return None
        of_x, of_o = self.listed.numbers[:2]
        score = Score(of_x, of_o) if self.players["X"] is Side.WHITE else Score(of_o, of_x)
        turned = Score(score.black, score.white)
        if self._follows(score) or not self._follows(turned):
            return score
        detail = f"the score line says {of_x}-{of_o}; only the other order follows from the game before"
        draft.remark(RemarkCode.SCORE_TURNED, detail, self.listed.place)
        return turned

    def _follows(self, score: Score) -> bool:
        """Whether that score follows from the last game, as far as it is known."""
        before = self.games[-1].score if self.games else None
        return (
            before is not None and self.winner is not None and winner_between(before, score) is self.winner[0]
        )

    def _settle(self, after: Score | None) -> None:
        """Give the last game its result, by the score after it; else by the last one of the session."""
        if self.winner is None:
            return
        draft, (winner, place) = self.games[-1], self.winner
        before, after = draft.score or Score(), after or self.score
        points = None
        if after is not None and winner_between(before, after) is winner:
            points = after.of(winner) - before.of(winner)
            draft.remark(
                RemarkCode.RESULT_FROM_SCORE, f"by the score after the game the points are {points}", place
            )
        draft.result = RecordedResult(winner, points, place)
        self.winner = None

    # --- actions

    def _take_action(self, draft: GameDraft, side: Side, line: Line) -> None:
        place, text = line.place, line.text.rstrip(". ")
        roll = _ROLL.fullmatch(line.text)
        if roll is not None:
            draft.add(self._parse_roll(roll, side, place))
        elif text == "doubles":
            draft.add(CubeRecord(side, CubeAction.DOUBLE, place=place))
        elif text == "wants to resign":
            self.offer = side
        elif text in ("accepts", "rejects"):
            self._answer(draft, side, place, accepts=text == "accepts")
        elif text == "wins":
            self._win(draft, side, place)
        else:
            raise ValueError(f"{text[:60]!r} is no roll, cube action or end of a game")

    def _parse_roll(self, match: re.Match[str], side: Side, place: Place) -> RollRecord:
        dice, play = Dice.of(int(match["first"]), int(match["second"])), match["play"].strip()
        if play.rstrip(". ") == _CANNOT_MOVE:
            return RollRecord(side, dice, Writing.CANNOT_MOVE, place=place)
        movements: tuple[Movement, ...] = ()
        try:
            if play.strip(". "):
                movements, self.directions[side] = parse_fibs_play(play, self.directions.get(side))
        except ValueError as error:
            return RollRecord(side, dice, Writing.UNREAD, unread=str(error), place=place)
        return RollRecord(side, dice, Writing.PLAY if movements else Writing.NOTHING, movements, place=place)

    def _answer(self, draft: GameDraft, side: Side, place: Place, *, accepts: bool) -> None:
        """An answer: to an offer to resign, if there is one, else to a double."""
        if self.offer is side.opponent:
            self.offer = None
            if accepts:
                draft.add(ResignRecord(side.opponent, place=place))
            return
        draft.add(CubeRecord(side, CubeAction.TAKE if accepts else CubeAction.DROP, place=place))

    def _win(self, draft: GameDraft, winner: Side, place: Place) -> None:
        if self.offer is winner.opponent:
            draft.add(ResignRecord(winner.opponent, place=place))
            self.offer = None
        self.winner = (winner, place)


def _without_repeats(games: Sequence[GameDraft]) -> list[GameDraft]:
    """The games, each once: a list that was asked for in mid-game is the beginning of a later one."""
    kept: list[GameDraft] = []
    for draft in games:
        if kept and _begins(kept[-1], draft):
            early = kept.pop()
            draft.remark(RemarkCode.PART_IGNORED, "an earlier list of the same game is left out", early.place)
            draft.result = draft.result or early.result
        draft.number = len(kept) + 1
        kept.append(draft)
    return kept


def _begins(early: GameDraft, late: GameDraft) -> bool:
    """Whether one list is the beginning of the other, or the same."""
    if early.score != late.score or not 0 < len(early.actions) <= len(late.actions):
        return False
    pairs = zip(early.actions, late.actions, strict=False)
    return all(one._replace(place=NOWHERE) == other._replace(place=NOWHERE) for one, other in pairs)
