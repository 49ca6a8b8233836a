"""The reader of Smile: values as the specification writes them, and everything that is no Smile."""

import json
import struct
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.logs.bgf import smile
from adjudicator.logs.bgf.smile import MAX_DEPTH, SmileError, parse_smile
from tests.smile_writer import smile_bytes

HEAD = b":)\n\0"

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=70), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON, st.booleans(), st.booleans())
def test_any_json_reads_back_as_it_was_written(value: Any, shares_names: bool, shares_texts: bool) -> None:
    content = smile_bytes(value, shares_names=shares_names, shares_texts=shares_texts)
    assert parse_smile(content) == value


def test_shared_names_and_texts_are_found_again_after_the_tables_were_full() -> None:
    value = [{f"name {number}": f"text {number % 1500}"} for number in [*range(2500), *range(2400, 2500)]]
    assert parse_smile(smile_bytes(value, shares_texts=True)) == value


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("c0", 0),
        ("c1", -1),
        ("df", -16),
        ("24 01 a0", 48),
        ("25 ff", -32),
        ("28 00 00 00 00 00", 0.0),
        ("28 03 7c 00 00 00", 1.0),
        ("29 00 3f 78 00 00 00 00 00 00 00", 1.0),
        ("40 61", "a"),
        ("80 c3 a9", "é"),
        ("e0 61 62 fc", "ab"),
        ("e4 c3 a9 fc", "é"),
        ("26 82 00 00 00", None),
        ("fd 83 01 02 03", None),
        ("e8 81 00 00", None),
        ("2a c2 81 00 00", None),
        ("fa fb", {}),
        ("fa 20 21 fb", {"": None}),
        ("fa 34 61 fc 23 fb", {"a": True}),
        ("f8 f9", []),
    ],
)
def test_bytes_mean_what_the_specification_says(content: str, value: Any) -> None:
    assert parse_smile(HEAD + bytes.fromhex(content)) == value


def test_a_double_keeps_all_its_bits() -> None:
    (value,) = struct.unpack(">d", bytes.fromhex("c00921fb54442d18"))
    assert parse_smile(smile_bytes(value)) == value


def without_equity(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_equity(inner) for name, inner in value.items() if name != "equity"}
    return [without_equity(inner) for inner in value] if isinstance(value, list) else value


@given(JSON, JSON, st.booleans(), st.booleans())
def test_what_is_passed_over_changes_nothing_behind_it(
    dropped: Any, kept: Any, shares_names: bool, shares_texts: bool
) -> None:
    value = [{"red": 1, "equity": dropped, "kept": kept}, {"equity": kept, "again": dropped}]
    content = smile_bytes(value, shares_names=shares_names, shares_texts=shares_texts)
    assert parse_smile(content, frozenset({"equity"})) == without_equity(value)


def test_values_of_names_that_are_dropped_are_passed_over() -> None:
    value = {"equity": {"a": [1, {"b": 2}]}, "red": 3, "pr": None}
    assert parse_smile(smile_bytes(value), frozenset({"equity", "pr"})) == {"red": 3}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "mark of Smile"),
        (b":)\n", "mark of Smile"),
        (b":)\n\x10\xc0", "version 1"),
        (HEAD, "cut short"),
        (HEAD + b"\xfa", "cut short"),
        (HEAD + b"\xf8\xc0", "cut short"),
        (HEAD + b"\x24", "cut short"),
        (HEAD + b"\x24" + b"\x01" * 12, "more than 64 bits"),
        (HEAD + b"\x42ab", "cut short"),
        (HEAD + b"\xe0ab", "a text does not end"),
        (HEAD + b"\x40\xff", "not UTF-8"),
        (HEAD + b"\xfd\x7f\x7f\x7f\xbf", "cut short"),
        (HEAD + b"\x01", "number that was not given"),
        (HEAD + b"\xec\x05", "number that was not given"),
        (HEAD + b"\xfa\x41", "number that was not given"),
        (HEAD + b"\xfa\x31\x01", "number that was not given"),
        (HEAD + b"\xfa\x00", "no name begins with the byte 0x0"),
        (HEAD + b"\x00", "no value begins with the byte 0x0"),
        (HEAD + b"\xff", "no value begins with the byte 0xff"),
        (HEAD + b"\xfa\x80a\xc0\x80a\xc0\xfb", "'a' is given twice"),
        (HEAD + b"\xf8" * (MAX_DEPTH + 2), f"more than {MAX_DEPTH} levels"),
        (HEAD + b"\xfa\x80a" * 5000, f"more than {MAX_DEPTH} levels"),
    ],
)
def test_what_is_no_smile_is_refused_with_its_place(content: bytes, reason: str) -> None:
    with pytest.raises(SmileError) as caught:
        parse_smile(content)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xfa", "cut short"),
        (b"\xf8\xc0", "cut short"),
        (b"\xfa\x80b", "cut short"),
        (b"\x60ab", "cut short"),
        (b"\xff", "no value begins with the byte 0xff"),
        (b"\xfa\x00", "no name begins with the byte 0x0"),
        (b"\xf8" * (MAX_DEPTH + 1), f"more than {MAX_DEPTH} levels"),
    ],
)
def test_what_cannot_be_passed_over_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(SmileError) as caught:
        parse_smile(HEAD + b"\xfa\x80a" + content, frozenset({"a"}))
    assert reason in str(caught.value)


def test_values_that_are_passed_over_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smile, "MAX_VALUES", 20)
    with pytest.raises(SmileError, match="more than 20 values"):
        parse_smile(smile_bytes({"a": [1] * 20}), frozenset({"a"}))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_error_of_ours(content: bytes) -> None:
    with suppress(SmileError):
        json.dumps(parse_smile(b":)\n\3" + content))
