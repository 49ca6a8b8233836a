"""How a format is told by the content, how text is decoded, and what is said of everything else."""

import pytest

from adjudicator.errors import AdjudicatorError, RecordError, RequestError, UnknownFormatError
from adjudicator.logs.log_format import LogFormat
from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.reading import FORMATS, detect_format, read_log
from adjudicator.rules.remarks import RemarkCode

MAT = " 7 point match\n\n Game 1\n Hézec : 0                 Bo : 0\n  1) 31: 8/5 6/5\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_marked_and_plain_unicode_is_read_with_any_line_end(encoding: str, line_end: str) -> None:
    log = read_log(MAT.replace("\n", line_end).encode(encoding))
    assert (log.white, log.remarks, len(log.games[0].rolls)) == ("Hézec", (), 1)


def test_utf_16_may_have_either_byte_order() -> None:
    assert read_log(b"\xfe\xff" + MAT.encode("utf-16-be")).white == "Hézec"


@pytest.mark.parametrize(("letter", "name"), [(b"\xe9", "Hézec"), (b"\x80", "H€zec"), (b"\x81", "H\x81zec")])
def test_other_bytes_are_taken_as_western_with_a_remark(letter: bytes, name: str) -> None:
    log = read_log(MAT.encode().replace("é".encode(), letter))
    assert log.white == name
    assert [remark.code for remark in log.remarks] == [RemarkCode.ENCODING_GUESSED]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "is empty"),
        (b" \r\n\t ", "is empty"),
        (b"\xef\xbb\xbf", "text that begins with ''"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a PNG picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture"),
        (b"GIF89a\x01\x00", "a GIF picture"),
        (b"BM\x36\0\0\0", "a BMP picture"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"PK\x03\x04\x14\0", "a ZIP archive"),
        (b"\x1f\x8b\x08\0", "a gzip archive"),
        (b"7 point match\n Game 1\n\0\0", "zero bytes"),
        (b"\xff\xfe7\0\0\0", "zero bytes"),
        (b"<!DOCTYPE html><html></html>", "an HTML or XML page"),
        (
            b"The score (after 0 games) is: gnubg 0, root 0 (match to 7 points)",
            "an analysis text of GNU Backgammon",
        ),
        (b"Dear arbiter,\nplease see below", "text that begins with 'Dear arbiter,'"),
        (b"BMW is no picture", "text that begins with 'BMW is no picture'"),
    ],
)
def test_other_content_is_named(content: bytes, kind: str) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        read_log(content)
    assert kind in caught.value.detail


def test_text_that_breaks_its_byte_order_mark_is_a_broken_record() -> None:
    with pytest.raises(RecordError, match="begins as UTF-8 text and then is not"):
        read_log(b"\xef\xbb\xbf7 point match\n\xff")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (MAT.encode(), "jellyfish_mat"),
        (b'; [Site "x"]\r\n7 point match\r\n', "jellyfish_mat"),
        (b"Game 1\n", "jellyfish_mat"),
        (b'\n {"schema": 1}', "match_record"),
        (b"[]", "match_record"),
        (b"RGMH\x01\0\0\0", "xg"),
        (b'{"format":"BGF","version":"1.0"}\n\x1f\x8b\0', "bgf"),
        (b"OGXM\x01\0\0", "ogxm"),
        (b'{"games": [{"plies": [{"action_id": 21}]}]}', "ogxm"),
        (b'{"games": [{"note": "\\"plies\\": \\"action_id\\":"}]}', "match_record"),
    ],
)
def test_the_content_decides_the_format(content: bytes, name: str) -> None:
    assert detect_format(content).name == name


def test_a_format_is_found_by_the_registry_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_picture(_content: bytes) -> MatchLog:
        return MatchLog("picture", 7, "", "", ())

    picture = LogFormat(
        "picture",
        "A picture",
        ("image/png",),
        (".png",),
        lambda content: content[1:4] == b"PNG",
        read_picture,
    )
    monkeypatch.setitem(FORMATS, picture.name, picture)
    assert read_log(b"\x89PNG\r\n").format == "picture"
    assert read_log(MAT.encode()).format == "jellyfish_mat"


def test_the_file_name_decides_nothing() -> None:
    assert read_log(MAT.encode(), file_name="picture.png").format == "jellyfish_mat"


@pytest.mark.parametrize("content", [b"\x89PNG\r\n", b"7 point match\n", b"{}", MAT.encode() * 2])
def test_every_fault_of_a_named_file_names_it(content: bytes) -> None:
    with pytest.raises(AdjudicatorError) as unnamed:
        read_log(content)
    with pytest.raises(AdjudicatorError) as caught:
        read_log(content, file_name="a.mat")
    assert (type(caught.value), caught.value.detail) == (type(unnamed.value), unnamed.value.detail)
    assert caught.value.faults
    assert all(fault.place.file == "a.mat" for fault in caught.value.faults)
    assert "a.mat" in str(caught.value)


def test_a_wrong_format_name_is_no_fault_of_the_file() -> None:
    with pytest.raises(RequestError) as caught:
        read_log(MAT.encode(), file_name="a.mat", format_name="sgf")
    assert [fault.place.file for fault in caught.value.faults] == [None]


def test_a_format_may_be_chosen_and_must_exist() -> None:
    with pytest.raises(RecordError, match="is no JSON"):
        read_log(MAT.encode(), format_name="match_record")
    with pytest.raises(RequestError) as caught:
        read_log(MAT.encode(), format_name="sgf")
    assert caught.value.faults[0].place.parameter == "format"


def test_every_format_is_listed_with_what_it_is() -> None:
    assert {"xg", "bgf", "ogxm", "match_record", "jellyfish_mat"} <= set(FORMATS)
    assert all(entry.description and entry.media_types and entry.suffixes for entry in FORMATS.values())
