"""How exactly an engine's answers are kept."""

from typing import Final

from adjudicator.happy_end.outcomes import Outcomes

DECIMALS: Final = 5
"""A hundred times finer than what is told apart (HE-7.3), and coarser than what machines differ by."""


def rounded(outcomes: Outcomes) -> Outcomes:
    """The same chances to ``DECIMALS``: what compilations of one network differ by vanishes, mostly.

    >>> rounded(Outcomes(0.4733126, 0.1, 0.0, 0.1, 0.0)).win
    0.47331
    """
    return Outcomes(*(round(chance, DECIMALS) for chance in outcomes))
