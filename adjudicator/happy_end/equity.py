"""What the chances of a game are worth with a dead cube, in normalised equity (HE-7.1)."""

from typing import NamedTuple

from adjudicator.happy_end.match_equity import match_winning_chance
from adjudicator.happy_end.outcomes import Outcomes
from adjudicator.rules.cube import Cube
from adjudicator.rules.score import CrawfordState, GameTerms, Win
from adjudicator.rules.sides import Side


class OutcomeWorths(NamedTuple):
    """Normalised worth of the six ways a game can end, for one side: a plain win is +1, a plain loss -1."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose: float
    lose_gammon: float
    lose_backgammon: float

    def equity(self, outcomes: Outcomes) -> float:
        """What these chances are worth; ``outcomes`` are those of the side whose worths these are.

        >>> OutcomeWorths(1, 2, 3, -1, -2, -3).equity(Outcomes(0.5, 0.25, 0.0, 0.0, 0.0))
        0.25
        """
        win, gammon, backgammon, lose_gammon, lose_backgammon = outcomes
        return (
            (win - gammon) * self.win
            + (gammon - backgammon) * self.win_gammon
            + backgammon * self.win_backgammon
            + (1.0 - win - lose_gammon) * self.lose
            + (lose_gammon - lose_backgammon) * self.lose_gammon
            + lose_backgammon * self.lose_backgammon
        )


def equity(outcomes: Outcomes, terms: GameTerms, cube: Cube, side: Side) -> float:
    """The normalised dead-cube equity of ``side``, whose chances ``outcomes`` are.

    Source: HE-7.1. Where many chances of one game are to be valued, ask ``outcome_worths`` once.
    """
    return outcome_worths(terms, cube, side).equity(outcomes)


def outcome_worths(terms: GameTerms, cube: Cube, side: Side) -> OutcomeWorths:
    """The worths of the six outcomes for ``side``: points of a cube of 1, or chances to win the match.

    Source: HE-7.1, HE-6.5.
    """
    points = [terms.points_for(win, cube) for win in Win]
    if terms.is_money:
        wins = [count / cube.value for count in points]
        return OutcomeWorths(*wins, *[-worth for worth in wins])
    return _normalised(
        [_chance_after(terms, side, count, 0) for count in points],
        [_chance_after(terms, side, 0, count) for count in points],
    )


def _chance_after(terms: GameTerms, side: Side, won: int, lost: int) -> float:
    """The chance of ``side`` to win the match once this game has given it ``won`` or cost it ``lost``."""
    away, opponent_away = terms.away(side), terms.away(side.opponent)
    crawford = terms.crawford
    if crawford is CrawfordState.UNKNOWN:
        crawford = _told_by_score(away, opponent_away)
    return match_winning_chance(away - won, opponent_away - lost, crawford)


def _told_by_score(away: int, opponent_away: int) -> CrawfordState:
    """An unknown Crawford state: with a side 1 away before the game it is the Crawford game or a later one.

    Which of the two it is makes no difference to what the game leads to.
    """
    return CrawfordState.AFTER if min(away, opponent_away) == 1 else CrawfordState.BEFORE


def _normalised(wins: list[float], losses: list[float]) -> OutcomeWorths:
    """Chances to win the match stretched so that a plain win is +1 and a plain loss -1.

    Where both lead to the same chance (scores so far apart that nothing is left to tell them) the outcome
    alone counts.
    """
    middle, half = (wins[0] + losses[0]) / 2, (wins[0] - losses[0]) / 2
    if half <= 0.0:
        return OutcomeWorths(1.0, 1.0, 1.0, -1.0, -1.0, -1.0)
    return OutcomeWorths(*[(chance - middle) / half for chance in (*wins, *losses)])
