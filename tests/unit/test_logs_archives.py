"""Archives of match logs: what is read of them, and every known way to do harm with one."""

import bz2
import contextlib
import gzip
import hashlib
import io
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable

import pytest

from adjudicator.errors import AdjudicatorError, RecordError, TooLargeError, UnknownFormatError
from adjudicator.logs.archives.limits import ArchiveLimits
from adjudicator.logs.archives.members import BadMember, Member
from adjudicator.logs.archives.reading import begins_archive, read_archive
from adjudicator.logs.archives.sources import Source

NOISE = b"".join(hashlib.sha256(bytes([n])).digest() for n in range(100))
FILES = {"2024/a.mat": b"first", "2024/b.mat": b"", "c.json": NOISE}
SMALL = ArchiveLimits(member_bytes=5000, total_bytes=200_000, ratio=20, ratio_free_bytes=1000, members=10)


class _Pipe(io.RawIOBase):
    """A stream that cannot be sought in and gives a few bytes at a time."""

    def __init__(self, content: bytes) -> None:
        self._inner = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def read(self, size: int = -1, /) -> bytes:
        return self._inner.read(min(size, 700))


def zipped(files: Iterable[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content, compress_type=method)
    return out.getvalue()


def tarred(
    files: Iterable[tuple[str | tarfile.TarInfo, bytes]], mode: str = "w", form: int = tarfile.PAX_FORMAT
) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=form) as archive:  # type: ignore[call-overload]
        for name, content in files:
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = info.size or len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def record_lines(count: int) -> bytes:
    return b"".join(json.dumps({"schema": "match-record/1", "n": n}).encode() + b"\n" for n in range(count))


def read(
    content: bytes, limits: ArchiveLimits = SMALL, *, file_name: str | None = None
) -> list[Member | BadMember]:
    return list(read_archive(Source.of(io.BytesIO(content)), limits, file_name=file_name))


def outcomes(content: bytes, limits: ArchiveLimits = SMALL) -> dict[str, str]:
    """By name the content, or why there is none: the reason of the fault, else the error's sentence."""
    found = {}
    for member in read(content, limits):
        if isinstance(member, Member):
            found[member.name] = member.content.decode()
        else:
            faults = member.error.faults
            found[member.name] = faults[0].reason if faults else member.error.detail
    return found


def read_until_broken(
    content: bytes, limits: ArchiveLimits = SMALL
) -> tuple[list[Member | BadMember], AdjudicatorError]:
    members: list[Member | BadMember] = []
    with pytest.raises(AdjudicatorError) as caught:
        members.extend(read_archive(Source.of(io.BytesIO(content)), limits))
    return members, caught.value


KINDS: dict[str, Callable[[Iterable[tuple[str, bytes]]], bytes]] = {
    "zip": zipped,
    "zip stored": lambda files: zipped(files, zipfile.ZIP_STORED),
    "zip behind other content": lambda files: b"PK\x03\x04 self-extracting" + zipped(files),
    "tar, pax": tarred,
    "tar, GNU": lambda files: tarred(files, form=tarfile.GNU_FORMAT),
    "tar, ustar": lambda files: tarred(files, form=tarfile.USTAR_FORMAT),
    "tar.gz": lambda files: tarred(files, "w:gz"),
    "tar.bz2": lambda files: tarred(files, "w:bz2"),
    "tar.xz": lambda files: tarred(files, "w:xz"),
}


class TestKinds:
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_members_come_in_order_with_name_and_content(self, kind: str) -> None:
        archive = KINDS[kind](FILES.items())
        expected = [Member(name, content) for name, content in FILES.items()]
        assert begins_archive(Source.of(io.BytesIO(archive)))
        assert read(archive) == expected

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_pipe_gives_the_same(self, kind: str) -> None:
        archive = KINDS[kind](FILES.items())
        source = Source.of(_Pipe(archive))  # type: ignore[arg-type]
        assert begins_archive(source)
        assert list(read_archive(source, SMALL, scratch=io.BytesIO())) == read(archive)

    @pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
    def test_one_packed_file_is_a_member_of_its_own_name(self, pack: Callable[[bytes], bytes]) -> None:
        packed = pack(b"a match")
        assert read(packed, file_name="x/a.mat.gz") == [Member("a.mat", b"a match")]
        assert read(packed) == [Member("content", b"a match")]

    @pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
    def test_packed_streams_one_after_the_other_are_one(self, pack: Callable[[bytes], bytes]) -> None:
        assert read(pack(b"a ") + pack(b"match")) == [Member("content", b"a match")]

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_every_line_of_ndjson_is_a_member(self, pack: Callable[[bytes], bytes]) -> None:
        first, second = record_lines(2).splitlines()
        expected = [Member("line 1", first), Member("line 3", second)]
        assert read(pack(b"\xef\xbb\xbf" + first + b"\r\n\n" + second)) == expected

    def test_a_first_line_of_any_length_is_looked_at_whole(self) -> None:
        first = json.dumps({"a": "x" * 200_000}).encode()
        large = ArchiveLimits(total_bytes=300_000)
        assert [member.name for member in read(first + b"\n" + record_lines(1), large)] == [
            "line 1",
            "line 2",
        ]

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b" 7 point match\n\n Game 1\n",
            record_lines(1),
            json.dumps({"schema": "match-record/1", "games": [{}, {}]}, indent=1).encode(),
            b"[{}]\n{}",
            b"\0" * 1024,
            b"{" * 3000 + b"\n{",
        ],
    )
    def test_what_is_a_log_or_nothing_is_no_archive(self, content: bytes) -> None:
        assert not begins_archive(Source.of(io.BytesIO(content)))
        with pytest.raises(UnknownFormatError):
            read(content)

    def test_folders_and_what_systems_leave_are_passed_over(self) -> None:
        names = ["a/", "__MACOSX/a.mat", "a/.DS_Store", "a/._b.mat", "Thumbs.db", "a/b.mat"]
        assert outcomes(zipped((name, b"x") for name in names)) == {"a/b.mat": "x"}
        folder = tarfile.TarInfo("a")
        folder.type = tarfile.DIRTYPE
        assert outcomes(tarred([(folder, b""), *((name, b"x") for name in names[1:])])) == {"a/b.mat": "x"}

    def test_an_empty_zip_has_no_members(self) -> None:
        assert read(zipped([])) == []

    def test_a_zip_with_large_records_is_read(self) -> None:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive, archive.open("a.mat", "w", force_zip64=True) as member:
            member.write(b"a match")
        assert read(out.getvalue()) == [Member("a.mat", b"a match")]


class TestNames:
    @pytest.mark.parametrize("pack", [zipped, tarred])
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("../a.mat", "its name leads out of the archive: it holds '..'"),
            ("a\\..\\..\\b.mat", "its name leads out of the archive: it holds '..'"),
            ("/etc/passwd", "its name leads out of the archive: it is absolute"),
            ("\\\\server\\a.mat", "its name leads out of the archive: it is absolute"),
            ("C:\\a.mat", "its name leads out of the archive: it is absolute"),
            ("x" * 600, "its name has more than 512 bytes"),
        ],
    )
    def test_a_name_that_leads_elsewhere_is_refused_alone(
        self, pack: Callable[[Iterable[tuple[str, bytes]]], bytes], name: str, reason: str
    ) -> None:
        found = outcomes(pack([(name, b"x"), ("b.mat", b"y")]))
        assert list(found.values()) == [reason, "y"]
        assert found["b.mat"] == "y"

    def test_a_name_with_a_zero_byte_is_refused(self) -> None:
        archive = zipped([("aZb.mat", b"x"), ("c.mat", b"y")]).replace(b"aZb", b"a\0b")
        assert outcomes(archive) == {"a\0b.mat": "its name holds a zero byte", "c.mat": "y"}

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_the_second_of_two_equal_names_is_refused(
        self, pack: Callable[[Iterable[tuple[str, bytes]]], bytes]
    ) -> None:
        first, second = read(pack([("a.mat", b"x"), ("./a.mat", b"y")]))
        assert first == Member("a.mat", b"x")
        assert isinstance(second, BadMember)
        assert "the same name" in str(second.error)

    def test_names_are_utf_8_or_of_dos(self) -> None:
        marked = zipped([("größe.mat", b"x")])
        unmarked = zipped([("abcd.mat", b"x")])
        assert list(outcomes(marked)) == ["größe.mat"]
        assert list(outcomes(unmarked.replace(b"abcd", b"gr\x94\xe1"))) == ["größ.mat"]
        assert list(outcomes(unmarked.replace(b"abcd", "жж".encode()))) == ["жж.mat"]

    def test_a_name_that_is_not_the_utf_8_it_promises_stops_nobody(self) -> None:
        archive = zipped([("é.mat", b"x"), ("b.mat", b"y")]).replace("é".encode(), b"\xff\xfe")
        assert list(outcomes(archive).values()) == ["x", "y"]

    def test_long_names_of_every_dialect_of_tar_are_whole(self) -> None:
        name = "folder/" * 20 + "é.mat"
        for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
            assert list(outcomes(tarred([(name, b"x")], form=form))) == [name]

    def test_names_of_old_tars_in_latin_1_are_read(self) -> None:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT, encoding="latin-1") as archive:
            archive.addfile(tarfile.TarInfo("é.mat"))
        assert list(outcomes(out.getvalue())) == ["é.mat"]


class TestMembersThatAreRefused:
    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_an_archive_within_an_archive(self, pack: Callable[[Iterable[tuple[str, bytes]]], bytes]) -> None:
        inner = {
            "a.zip": zipped([("x", b"")]),
            "a.tar": tarred([("x", b"")])[:1024],
            "a.gz": gzip.compress(b""),
        }
        found = outcomes(pack([*inner.items(), ("b.mat", b"y")]), ArchiveLimits())
        assert set(found.values()) == {"an archive within an archive is not opened", "y"}
        assert len(found) == 4

    def test_a_packed_archive_within_a_packing(self) -> None:
        assert outcomes(gzip.compress(gzip.compress(b"x"))) == {
            "content": "an archive within an archive is not opened"
        }

    @pytest.mark.parametrize(
        ("kind", "reason"),
        [
            (tarfile.SYMTYPE, "it is a symbolic link; only files are read"),
            (tarfile.LNKTYPE, "it is a hard link; only files are read"),
            (tarfile.CHRTYPE, "it is a device; only files are read"),
            (tarfile.BLKTYPE, "it is a device; only files are read"),
            (tarfile.FIFOTYPE, "it is a named pipe; only files are read"),
        ],
    )
    def test_what_is_no_file_in_a_tar(self, kind: bytes, reason: str) -> None:
        other = tarfile.TarInfo("a.mat")
        other.type, other.linkname = kind, "/etc/passwd"
        assert outcomes(tarred([(other, b""), ("b.mat", b"y")])) == {"a.mat": reason, "b.mat": "y"}

    def test_a_symbolic_link_in_a_zip(self) -> None:
        link = zipfile.ZipInfo("a.mat")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        found = outcomes(zipped([(link, b"/etc/passwd"), ("b.mat", b"y")]))
        assert found == {"a.mat": "it is a symbolic link or a device; only files are read", "b.mat": "y"}

    def test_an_encrypted_member_of_a_zip(self) -> None:
        archive = bytearray(zipped([("a.mat", b"x"), ("b.mat", b"y")]))
        archive[archive.index(b"PK\x01\x02") + 8] |= 1
        assert outcomes(bytes(archive)) == {"a.mat": "it is encrypted", "b.mat": "y"}

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_a_member_packed_by_a_rare_method(self, method: int) -> None:
        found = outcomes(zipped([("a.mat", b"x")], method))
        assert found == {"a.mat": f"it is packed by method {method}; stored and deflated members are read"}

    def test_a_member_whose_bytes_were_changed(self) -> None:
        archive = zipped([("a.mat", b"first"), ("b.mat", b"y")], zipfile.ZIP_STORED).replace(
            b"first", b"fIrst"
        )
        assert outcomes(archive) == {"a.mat": "its checksum is wrong", "b.mat": "y"}

    @pytest.mark.parametrize("said", [3, 7])
    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_a_member_of_another_size_than_it_says(self, said: int, method: int) -> None:
        archive = bytearray(zipped([("a.mat", b"first"), ("b.mat", b"y")], method))
        entry = archive.index(b"PK\x01\x02")
        struct.pack_into("<L", archive, entry + 24, said)
        struct.pack_into("<L", archive, entry + 16, zlib.crc32(b"first"[:said]))
        found = outcomes(bytes(archive))
        assert "the directory says" in found["a.mat"]
        assert found["b.mat"] == "y"

    def test_a_sparse_file_in_a_tar(self) -> None:
        pax = tarfile.TarInfo("a.mat")
        pax.pax_headers = {
            "GNU.sparse.major": "1",
            "GNU.sparse.minor": "0",
            "GNU.sparse.realsize": str(1 << 50),
        }
        reason = "it is a sparse file; only plain ones are read"
        assert outcomes(tarred([(pax, b"x"), ("b.mat", b"y")])) == {"a.mat": reason, "b.mat": "y"}

        gnu = bytearray(tarred([("a.mat", b"x"), ("b.mat", b"y")], form=tarfile.GNU_FORMAT))
        gnu[156:157] = b"S"
        gnu[482] = 1
        gnu[483:495] = b"77777777777\0"
        gnu[512:512] = b"\0" * 512  # one more block of holes
        gnu[148:156] = b"%06o\0 " % sum(gnu[:148] + b" " * 8 + gnu[156:512])
        assert outcomes(bytes(gnu)) == {"a.mat": reason, "b.mat": "y"}


class TestBombs:
    def test_a_member_beyond_the_size_is_refused_alone(self) -> None:
        files = [("a.mat", b"x" * 5001), ("b.mat", b"y" * 5000)]
        for archive in (zipped(files, zipfile.ZIP_STORED), tarred(files)):
            first, second = read(archive)
            assert isinstance(first, BadMember)
            assert isinstance(first.error, TooLargeError)
            assert second == Member("b.mat", b"y" * 5000)

    def test_a_member_that_unpacks_to_too_many_times_its_size_is_refused_alone(self) -> None:
        found = outcomes(zipped([("a.mat", b"\0" * 5000), ("b.mat", b"y")]))
        assert found == {
            "a.mat": "It unpacks to more than 20 times its size; no match log does.",
            "b.mat": "y",
        }

    @pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
    @pytest.mark.parametrize("limits", [SMALL, ArchiveLimits(ratio=10**9, total_bytes=10**6)])
    def test_a_packed_bomb_stops_at_its_limit(
        self, pack: Callable[[bytes], bytes], limits: ArchiveLimits
    ) -> None:
        bomb = pack(b"\0" * 5_000_000)
        for content in (bomb, pack(tarred([("a.mat", b"\0" * 2_000_000)]))):
            _, error = read_until_broken(content, limits)
            assert isinstance(error, TooLargeError)

    def test_a_zip_of_many_full_members_stops_at_the_total(self) -> None:
        archive = zipped([(f"{n}.mat", b"xyz" * 1600) for n in range(8)], zipfile.ZIP_STORED)
        members, error = read_until_broken(archive, ArchiveLimits(total_bytes=20_000))
        assert len(members) == 4
        assert error.detail == "The archive unpacks to more than 20000 bytes."

    def test_members_in_the_same_bytes_are_refused(self) -> None:
        """As in the bomb of overlapping files: a directory of many entries, all of them the first member."""
        whole = zipped([("a.mat", b"first")])
        end = whole.index(b"PK\x05\x06")
        entry = whole[whole.index(b"PK\x01\x02") : end]
        count = 5
        entries = b"".join(entry.replace(b"a.mat", b"%d.mat" % n) for n in range(count))
        tail = bytearray(whole[end:])
        struct.pack_into("<HHL", tail, 8, count, count, len(entries))
        found = outcomes(whole[: whole.index(b"PK\x01\x02")] + entries + tail)
        assert found["0.mat"] == "first"
        assert [found[f"{n}.mat"] for n in range(1, count)] == [
            "it stands in the same bytes as another member"
        ] * 4

    @pytest.mark.parametrize("pack", [zipped, tarred, lambda files: record_lines(len(list(files)))])
    def test_more_members_than_the_limit_stop_there(
        self, pack: Callable[[Iterable[tuple[str, bytes]]], bytes]
    ) -> None:
        members, error = read_until_broken(pack([(f"{n}.mat", b"") for n in range(11)]))
        assert len(members) == 10
        assert error.detail == "The archive holds more than 10 members."

    def test_a_zip_from_a_pipe_is_not_kept_beyond_its_limit(self) -> None:
        source = Source.of(_Pipe(zipped([("a.mat", bytes(range(256)) * 8)], 0)))  # type: ignore[arg-type]
        with pytest.raises(TooLargeError, match="more than 1000 bytes"):
            list(read_archive(source, ArchiveLimits(archive_bytes=1000), scratch=io.BytesIO()))

    def test_a_zip_from_a_pipe_needs_a_file_to_be_kept_in(self) -> None:
        source = Source.of(_Pipe(zipped([("a.mat", b"x")], 0)))  # type: ignore[arg-type]
        with pytest.raises(RecordError, match="cannot be taken as it comes"):
            list(read_archive(source))

    def test_an_xz_that_asks_for_much_memory_is_refused(self) -> None:
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]
        _, error = read_until_broken(lzma.compress(b"x", filters=filters))
        assert "cannot be read" in str(error)

    def test_a_line_beyond_the_size_is_refused_alone(self) -> None:
        long_line = json.dumps({"a": "x" * 6000}).encode() + b"\n"
        first, second, third = read(
            record_lines(1) + long_line + record_lines(1), ArchiveLimits(member_bytes=5000)
        )
        assert isinstance(second, BadMember)
        assert (second.name, second.error.faults[0].place.line) == ("line 2", 2)
        assert [first.name, third.name] == ["line 1", "line 3"]

    def test_lines_without_anything_in_them_do_not_go_on_for_ever(self) -> None:
        members, error = read_until_broken(record_lines(2) + b"\n" * 10_000)
        assert len(members) == 2
        assert error.detail == "The archive holds more than 10 members."

    def test_an_extended_header_of_any_size_is_not_taken(self) -> None:
        archive = bytearray(tarred([("x" * 200, b"y")], form=tarfile.GNU_FORMAT))
        archive[124:136] = b"77777777777\0"
        archive[148:156] = b"%06o\0 " % sum(archive[:148] + b" " * 8 + archive[156:512])
        _, error = read_until_broken(bytes(archive))
        assert "an extended header of 8589934591 bytes" in str(error)


class TestBrokenArchives:
    @pytest.mark.parametrize("mode", ["w", "w:gz"])
    def test_a_tar_cut_off_gives_what_stands_before_and_says_where(self, mode: str) -> None:
        noise = [(f"{n}.mat", NOISE[n:]) for n in range(4)]
        archive = tarred(noise, mode)
        members, error = read_until_broken(archive[: len(archive) // 2])
        assert isinstance(error, RecordError)
        assert "cut off" in str(error)
        assert " at byte " in error.detail
        assert [member.name for member in members] == [name for name, _ in noise][: len(members)]

    def test_a_tar_without_its_end_mark_gives_all_and_says_so(self) -> None:
        members, error = read_until_broken(tarred([("a.mat", b"x")])[:1024])
        assert members == [Member("a.mat", b"x")]
        assert "without its end mark" in str(error)

    def test_a_gzip_cut_off_or_changed_is_broken(self) -> None:
        packed = gzip.compress(bytes(range(256)) * 10)
        for content in (packed[:-1], packed[:-8] + b"\0" * 8, packed[:40] + b"\xff" * 40 + packed[80:]):
            _, error = read_until_broken(content)
            assert error.detail.startswith("The archive is broken at byte ")

    def test_a_zip_cut_off_has_no_directory(self) -> None:
        members, error = read_until_broken(zipped(FILES.items())[:-30])
        assert members == []
        assert "the directory at its end is missing; was the file cut off?" in str(error)

    def test_a_zip_with_a_broken_entry_says_behind_which_member(self) -> None:
        archive = bytearray(zipped(FILES.items()))
        second = archive.index(b"PK\x01\x02", archive.index(b"PK\x01\x02") + 4)
        archive[second] = 0
        members, error = read_until_broken(bytes(archive))
        assert members == [Member("2024/a.mat", b"first")]
        assert error.detail == f"The archive is broken at byte {second} in '2024/a.mat'."

    def test_a_zip_whose_member_is_not_where_it_says_keeps_the_others(self) -> None:
        archive = bytearray(zipped([("a.mat", b"x"), ("b.mat", b"y")]))
        struct.pack_into("<L", archive, archive.index(b"PK\x01\x02") + 42, 7)
        assert outcomes(bytes(archive)) == {
            "a.mat": "no header stands at byte 7, where the directory says",
            "b.mat": "y",
        }

    def test_a_tar_with_a_changed_header_is_broken_there(self) -> None:
        archive = bytearray(tarred([("a.mat", b"x"), ("b.mat", b"y")], form=tarfile.USTAR_FORMAT))
        archive[1024] ^= 1
        members, error = read_until_broken(bytes(archive))
        assert members == [Member("a.mat", b"x")]
        assert error.detail == "The archive is broken at byte 1536 in 'a.mat'."

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_cut_and_no_changed_byte_gives_more_members_or_another_error_than_ours(
        self, kind: str
    ) -> None:
        archive = KINDS[kind](FILES.items())
        for place in range(0, len(archive), max(1, len(archive) // 150)):
            changed = archive[:place] + bytes([archive[place] ^ 0x55]) + archive[place + 1 :]
            for content in (archive[:place], changed):
                with contextlib.suppress(AdjudicatorError):
                    assert len(read(content)) <= len(FILES)
