"""The members of an archive, and which names are taken.

A name is a label only: nothing is ever written under it. It may hold anything that a file's name may, so
whoever shows it makes it safe for the screen first.

Source: ``docs/formats/archives.md``, section "Names".
"""

import re
from dataclasses import dataclass

from adjudicator.errors import AdjudicatorError, Fault, Place, RecordError


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive: its name with ``/`` between folders, and its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class BadMember:
    """One member that is refused, and why; the members after it are read all the same."""

    name: str
    error: AdjudicatorError


_DRIVE = re.compile(r"[A-Za-z]:")
_LEFT_BY_SYSTEMS = {".ds_store", "thumbs.db", "desktop.ini", "__macosx"}


def decode_name(raw: bytes, *, fallback: str) -> str:
    r"""The text of a name: UTF-8 where it is that, else in the ``fallback`` encoding, which takes all bytes.

    >>> decode_name(b"caf\x82.mat", fallback="cp437")
    'café.mat'
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode(fallback)


def clean_name(name: str) -> str:
    r"""The name with ``/`` between folders and no ``./`` before it.

    >>> clean_name(r".\2024\a.mat")
    '2024/a.mat'
    """
    name = name.replace("\\", "/")
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    return name


def is_left_by_system(name: str) -> bool:
    """Whether a file was put there by an operating system, not by a person: such are passed over.

    >>> is_left_by_system("__MACOSX/a.mat"), is_left_by_system("a/._b.mat"), is_left_by_system("a.mat")
    (True, True, False)
    """
    folders = name.lower().split("/")
    return folders[-1].startswith("._") or not _LEFT_BY_SYSTEMS.isdisjoint(folders)


class NameCheck:
    """Looks at the names of one archive's members, one after the other."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._seen: set[str] = set()

    def check(self, name: str) -> None:
        """Refuse a name that tries to lead elsewhere, or that came before; ``name`` is a clean one.

        Raises: RecordError.
        """
        reason = self._complaint(name)
        if reason is not None:
            raise refused(reason)
        self._seen.add(name)

    def _complaint(self, name: str) -> str | None:
        if len(name.encode("utf-8", "replace")) > self._most_bytes:
            return f"its name has more than {self._most_bytes} bytes"
        if not name or "\0" in name:
            return "its name is empty" if not name else "its name holds a zero byte"
        if name.startswith("/") or _DRIVE.match(name):
            return "its name leads out of the archive: it is absolute"
        if ".." in name.split("/"):
            return "its name leads out of the archive: it holds '..'"
        return "a member of the same name came before it" if name in self._seen else None


def refused(reason: str) -> RecordError:
    """The error of a member that is not taken for what it is."""
    return RecordError("The member of the archive is refused.", [Fault(reason)])


def broken_archive(reason: str, *, byte: int, member: str | None = None) -> RecordError:
    """The error of an archive that cannot be read on from that byte, within or before that member."""
    where = f" in {member!r}" if member else ""
    place = Place(file=member) if member else Place()
    return RecordError(f"The archive is broken at byte {byte}{where}.", [Fault(reason, place)])
