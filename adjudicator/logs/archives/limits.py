"""How much of an archive is taken."""

from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.errors import NOWHERE, Fault, Place, TooLargeError


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may hold; beyond it a member or the archive is refused.

    ``members`` counts all entries, directories too. ``member_bytes`` and ``total_bytes`` are sizes after
    unpacking. ``ratio``: how many times its packed size anything may come to, once it is beyond
    ``ratio_free_bytes`` (match logs come to 3 to 12 times). ``archive_bytes``: as it was sent, looked at
    where it has to be kept aside. ``name_bytes``: the longest name of a member.
    """

    members: int = 100_000
    member_bytes: int = 16_000_000
    total_bytes: int = 4_000_000_000
    ratio: int = 200
    ratio_free_bytes: int = 1_000_000
    archive_bytes: int = 2_000_000_000
    name_bytes: int = 512


DEFAULT_LIMITS = ArchiveLimits()


def member_too_large(most: int, reason: str | None = None, place: Place = NOWHERE) -> TooLargeError:
    """The error of a member of more than so many bytes; ``reason`` says what is known of it besides."""
    faults = [] if reason is None else [Fault(reason, place)]
    return TooLargeError(f"The member has more than {most} bytes.", faults)


class Budget:
    """What is left of the limits while one archive is read."""

    def __init__(self, limits: ArchiveLimits) -> None:
        self.limits = limits
        self._members = 0
        self._bytes = 0

    def count_member(self) -> None:
        """Count one more entry.

        Raises: TooLargeError beyond ``members``.
        """
        self._members += 1
        if self._members > self.limits.members:
            raise TooLargeError(f"The archive holds more than {self.limits.members} members.")

    def count_bytes(self, count: int) -> None:
        """Count bytes that were unpacked.

        Raises: TooLargeError beyond ``total_bytes``.
        """
        self._bytes += count
        self.check_total()

    def check_total(self) -> None:
        """Raises: TooLargeError if more was unpacked than ``total_bytes``."""
        if self._bytes > self.limits.total_bytes:
            raise TooLargeError(f"The archive unpacks to more than {self.limits.total_bytes} bytes.")

    def counted(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        """The same way to read, what it gives being counted as unpacked."""

        def read_counted(count: int) -> bytes:
            data = read(count)
            self.count_bytes(len(data))
            return data

        return read_counted

    def check_ratio(self, unpacked: int, packed: int) -> None:
        """Raises: TooLargeError where so few packed bytes came to so many."""
        limits = self.limits
        if unpacked > limits.ratio_free_bytes and unpacked > limits.ratio * packed:
            raise TooLargeError(f"It unpacks to more than {limits.ratio} times its size; no match log does.")

    def check_member_size(self, size: int) -> None:
        """Raises: TooLargeError for a member of more than ``member_bytes``."""
        if size > self.limits.member_bytes:
            raise member_too_large(self.limits.member_bytes, f"{size} bytes")
