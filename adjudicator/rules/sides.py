"""The two sides of a match."""

from enum import IntEnum


class Side(IntEnum):
    """White is the first-named player (the left column of a .mat), black the other."""

    WHITE = 0
    BLACK = 1

    @property
    def opponent(self) -> "Side":
        """The other side.

        >>> Side.WHITE.opponent.label
        'black'
        """
        return _OPPONENT[self]

    @property
    def label(self) -> str:
        """``"white"`` or ``"black"``, as records and results write it."""
        return _LABEL[self]

    @classmethod
    def from_label(cls, label: str) -> "Side":
        """The side of that label.

        Raises: ValueError for anything but ``"white"`` and ``"black"``.
        """
        return Side(_LABEL.index(label))


_OPPONENT = (Side.BLACK, Side.WHITE)
_LABEL = ("white", "black")
