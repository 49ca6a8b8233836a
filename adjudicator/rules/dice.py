"""A roll of two dice."""

from typing import NamedTuple


class Dice(NamedTuple):
    """Both numbers of a roll, the larger first. The order in which they fell means nothing."""

    high: int
    low: int

    @classmethod
    def of(cls, one: int, other: int) -> "Dice":
        """The roll of these two numbers.

        Raises: ValueError unless both are 1 to 6.

        >>> Dice.of(2, 5)
        Dice(high=5, low=2)
        """
        if not (1 <= one <= 6 and 1 <= other <= 6):
            raise ValueError(f"a die shows 1 to 6, not {one} and {other}")
        return cls(one, other) if one >= other else cls(other, one)

    @property
    def is_doublet(self) -> bool:
        """Whether both dice show the same number, which is then played four times."""
        return self.high == self.low

    @property
    def total(self) -> int:
        """The sum of the two dice; a doublet counts its two dice (HE-3.1).

        >>> Dice.of(6, 6).total
        12
        """
        return self.high + self.low

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


ALL_ROLLS = tuple(Dice(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls."""
