"""A roll of two dice."""

from typing import NamedTuple


class Dice(NamedTuple):
    """Both numbers of a roll, in the order in which they were written; the order means nothing."""

    first: int
    second: int

    @classmethod
    def of(cls, first: int, second: int) -> "Dice":
        """The roll of these two numbers.

        Raises: ValueError unless both are 1 to 6.

        >>> Dice.of(2, 5).high
        5
        """
        if not (1 <= first <= 6 and 1 <= second <= 6):
            raise ValueError(f"a die shows 1 to 6, not {first} and {second}")
        return cls(first, second)

    @property
    def high(self) -> int:
        """The larger number."""
        return max(self.first, self.second)

    @property
    def low(self) -> int:
        """The smaller number."""
        return min(self.second, self.first)

    @property
    def is_doublet(self) -> bool:
        """Whether both dice show the same number, which is then played four times."""
        return self.first == self.second

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of every step that may be made, the larger first: four for a doublet.

        >>> Dice(2, 5).numbers, Dice(3, 3).numbers
        ((5, 2), (3, 3, 3, 3))
        """
        return (self.first,) * 4 if self.is_doublet else (self.high, self.low)

    @property
    def pips(self) -> int:
        """How many pips may be played.

        >>> Dice(3, 3).pips
        12
        """
        return self.total * 2 if self.is_doublet else self.total

    @property
    def chance(self) -> float:
        """The chance to throw these two numbers in either order."""
        return (1 if self.is_doublet else 2) / 36

    @property
    def total(self) -> int:
        """The sum of the two dice; a doublet counts its two dice (HE-3.1).

        >>> Dice.of(6, 6).total
        12
        """
        return self.first + self.second

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


ALL_ROLLS = tuple(Dice(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls."""
