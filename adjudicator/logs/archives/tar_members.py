"""The members of a tar, of any of its dialects: v7, ustar, GNU, pax.

Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header"; the GNU tar manual,
"Basic Tar Format".
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from adjudicator.errors import AdjudicatorError
from adjudicator.logs.archives.limits import Budget
from adjudicator.logs.archives.members import (
    BadMember,
    Member,
    NameCheck,
    broken_archive,
    clean_name,
    decode_name,
    is_left_by_system,
    refused,
)
from adjudicator.logs.archives.sources import Source

BLOCK = 512
RECORD = 20 * BLOCK
"""Bytes that tar writes at once: every tar is made up to that."""
_MAX_EXTENSION_BYTES = 65_536
"""Bytes of an extended header; real ones have a few hundred."""

_FILES = (b"0", b"\0", b"7")
_FOLDER = b"5"
_LONG_NAME, _LONG_LINK = b"L", b"K"
_EXTENSION, _GLOBAL_EXTENSION, _SOLARIS_EXTENSION = b"x", b"g", b"X"
_SPARSE = b"S"
_WITHOUT_DATA = {
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a named pipe",
}


def is_tar(beginning: bytes) -> bool:
    """Whether content that begins so is a tar: its first block has the sum it says."""
    return len(beginning) >= BLOCK and any(beginning[:BLOCK]) and _has_sum(beginning[:BLOCK])


def is_empty_tar(content: bytes) -> bool:
    """Whether this is all that a tar without members holds: its end mark, in one record.

    >>> is_empty_tar(bytes(10_240)), is_empty_tar(bytes(10_241)), is_empty_tar(b"")
    (True, False, False)
    """
    return len(content) == RECORD and not any(content)


def _has_sum(block: bytes) -> bool:
    """Whether a header's checksum is right; some old programs added signed bytes."""
    stated = _number(block[148:156])
    counted = block[:148] + b" " * 8 + block[156:BLOCK]
    signed = sum(counted) - 256 * sum(byte > 127 for byte in counted)
    return stated is not None and stated in (sum(counted), signed)


def _number(raw: bytes) -> int | None:
    """A number field: octal digits, or where its first bit is set a binary number; ``None`` for neither."""
    if raw[0] & 0x80:
        return int.from_bytes(raw, "big") - (0x80 << 8 * (len(raw) - 1)) if raw[0] == 0x80 else None
    digits = raw.strip(b" \0")
    if not all(digit in b"01234567" for digit in digits):
        return None
    return int(digits or b"0", 8)


@dataclass
class _Extension:
    """What extended headers say of the entry that follows them."""

    name: bytes | None = None
    size: int | None = None
    is_sparse: bool = False


@dataclass
class TarReading:
    """A tar under way. Gives its members; raises where the archive cannot be read on."""

    source: Source
    budget: Budget
    names: NameCheck = field(init=False)
    extension: _Extension = field(default_factory=_Extension)
    last: str | None = None

    def __post_init__(self) -> None:
        self.names = NameCheck(self.budget.limits.name_bytes)

    def members(self) -> Iterator[Member | BadMember]:
        """All members in order.

        Raises: RecordError where the archive is broken; TooLargeError beyond its limits.
        """
        while (block := self._next_header()) is not None:
            kind, size = block[156:157], _number(block[124:136])
            if size is None or size < 0:
                raise self._broken("a header without a readable size")
            if kind in (_LONG_NAME, _LONG_LINK, _EXTENSION, _SOLARIS_EXTENSION, _GLOBAL_EXTENSION):
                self._extend(kind, size)
                continue
            self.budget.count_member()
            yield from self._entry(block, kind, size)
            self.extension = _Extension()

    def _next_header(self) -> bytes | None:
        """The next header, ``None`` at the end mark, a block of zeros."""
        block = self.source.read(BLOCK)
        if len(block) == BLOCK and not any(block):
            return None
        if not block:
            raise self._broken("it ends without its end mark; was it cut off?")
        if len(block) < BLOCK:
            raise self._broken("it is cut off within a header")
        if not _has_sum(block):
            raise self._broken("this is no header of a member")
        return block

    def _extend(self, kind: bytes, size: int) -> None:
        if size > _MAX_EXTENSION_BYTES:
            raise self._broken(f"an extended header of {size} bytes")
        data = self._take(size)
        if kind == _LONG_NAME:
            self.extension.name = data.rstrip(b"\0")
        elif kind in (_EXTENSION, _SOLARIS_EXTENSION):
            self._take_records(data)

    def _take_records(self, data: bytes) -> None:
        """Records of an extended header: ``28 path=2024/a.mat`` and a line feed, the length first."""
        while data:
            digits, _, rest = data.partition(b" ")
            if not (digits.isdigit() and len(digits) <= 6 and len(digits) + 1 < int(digits) <= len(data)):
                raise self._broken("an extended header that cannot be read")
            key, _, value = rest[: int(digits) - len(digits) - 2].partition(b"=")
            data = data[int(digits) :]
            if key == b"path":
                self.extension.name = value
            elif key == b"size" and value.isdigit() and len(value) <= 20:
                self.extension.size = int(value)
            elif key.startswith(b"GNU.sparse."):
                self.extension.is_sparse = True

    def _entry(self, block: bytes, kind: bytes, size: int) -> Iterator[Member | BadMember]:
        name = self._name(block)
        self.last = name
        if kind in _WITHOUT_DATA:
            yield BadMember(name, refused(f"it is {_WITHOUT_DATA[kind]}; only files are read"))
            return
        if kind == _FOLDER or (kind in _FILES and name.endswith("/")):
            return
        size = size if self.extension.size is None else self.extension.size
        content = self._content(name, kind, size, is_extended=kind == _SPARSE and bool(block[482]))
        if content is not None:
            yield content

    def _name(self, block: bytes) -> str:
        raw = self.extension.name
        if raw is None:
            raw = block[:100].partition(b"\0")[0]
            prefix = block[345:500].partition(b"\0")[0]
            if prefix and block[257:263] == b"ustar\0":
                raw = prefix + b"/" + raw
        return clean_name(decode_name(raw, fallback="latin-1"))

    def _content(self, name: str, kind: bytes, size: int, *, is_extended: bool) -> Member | BadMember | None:
        """The member of a file, ``None`` for one that an operating system left; always goes past it."""
        while is_extended:
            is_extended = bool(self._take(BLOCK)[504])
        if is_left_by_system(name):
            self._pass_over(size)
            return None
        try:
            self.names.check(name)
            if kind == _SPARSE or self.extension.is_sparse:
                raise refused("it is a sparse file; only plain ones are read")
            if kind not in _FILES:
                raise refused(f"it is of a kind that is not known: {kind!r}")
            self.budget.check_member_size(size)
        except AdjudicatorError as error:
            self._pass_over(size)
            return BadMember(name, error)
        return Member(name, self._take(size))

    def _take(self, size: int) -> bytes:
        data = self.source.read(size)
        if len(data) < size:
            raise self._broken("it is cut off within a member")
        self.source.skip(-size % BLOCK)
        return data

    def _pass_over(self, size: int) -> None:
        if self.source.skip(size) < size:
            raise self._broken("it is cut off within a member")
        self.source.skip(-size % BLOCK)

    def _broken(self, reason: str) -> AdjudicatorError:
        return broken_archive(reason, byte=self.source.offset, member=self.last)
