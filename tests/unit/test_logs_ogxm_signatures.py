"""Signatures in OGXM files: right ones, wrong ones, and those that cannot be checked are told apart."""

import base64
import hashlib
import json
import struct
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adjudicator.logs.match_log import MatchLog
from adjudicator.logs.ogxm.container import open_container
from adjudicator.logs.ogxm.reader import read_ogxm
from adjudicator.logs.ogxm.signatures import MAX_SIGNATURES, check_signatures, match_digest
from adjudicator.rules.remarks import RemarkCode
from tests.ogxm_codecs import needs_reference, reference, reference_signing, write_gvab, write_gvab1
from tests.unit.test_logs_ogxm_reader import OPENING, REPLY, document_of, gva

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw()


def section2(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<IB", len(body), 0) + body


def record(mask: int, *parts: bytes) -> bytes:
    body = bytes([mask]) + b"".join(parts)
    assert len(body) < 128
    return bytes([len(body)]) + body


def signature_record(signature: bytes, *, key: bytes | None = PUBLIC, algorithm: int = 1) -> bytes:
    signed = bytes([algorithm, len(signature)]) + signature
    return record(0, signed) if key is None else record(2, signed, bytes([len(key)]), key)


def with_section(content: bytes, section: bytes) -> bytes:
    """The file of version 2 with one more section at its end, and without its checksum."""
    end = content.index(b"CSUM") if b"CSUM" in content else len(content) - 4
    grown = content[:end] + section + b"END!"
    return grown[:12] + struct.pack("<I", len(grown)) + grown[16:]


UNSIGNED = write_gvab(document_of(OPENING, REPLY))
DIGEST = match_digest(open_container(UNSIGNED))
SIGNED = with_section(UNSIGNED, section2(b"MSIG", signature_record(KEY.sign(b"OGXM-MTCH-SIG-v2" + DIGEST))))


def remarks(log: MatchLog) -> list[RemarkCode]:
    return [remark.code for remark in log.remarks]


def test_a_file_without_a_signature_says_nothing_of_one() -> None:
    log = read_ogxm(UNSIGNED)
    assert (remarks(log), [key for key in log.metadata if "signature" in key]) == ([], [])


def test_a_right_signature_is_told_with_its_key() -> None:
    log = read_ogxm(SIGNED)
    assert remarks(log) == []
    assert log.metadata["match signature"] == f"valid by {PUBLIC.hex()}"


@pytest.mark.parametrize("place", [SIGNED.index(b"Ann"), SIGNED.index(b"GAME") + 15])
def test_a_match_changed_after_signing_is_told(place: int) -> None:
    """A letter of a name, or a step: both are covered."""
    altered = bytearray(SIGNED)
    altered[place] ^= 1
    log = read_ogxm(bytes(altered))
    assert remarks(log)[0] is RemarkCode.SIGNATURE_INVALID
    assert log.metadata["match signature"] == f"invalid by {PUBLIC.hex()}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (signature_record(bytes(64), key=None), "no public key"),
        (signature_record(bytes(64), key=b"short"), "no public key"),
        (signature_record(bytes(64), algorithm=9), "algorithm 9"),
        (record(10, bytes([1, 64]) + bytes(64), bytes([32]), bytes(32), bytes([2])), "covers parts"),
        (b"\x09\x00", "cannot be read"),
        (b"", "cannot be read"),
    ],
)
def test_a_signature_that_cannot_be_checked_is_told_with_the_reason(body: bytes, reason: str) -> None:
    log = read_ogxm(with_section(UNSIGNED, section2(b"MSIG", body)))
    assert remarks(log) == [RemarkCode.SIGNATURE_UNCHECKED]
    assert reason in log.remarks[0].detail
    assert log.metadata["match signature"].startswith("unchecked")


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64)])
def test_a_signature_of_any_length_is_wrong_rather_than_an_error(signature: bytes) -> None:
    log = read_ogxm(with_section(UNSIGNED, section2(b"MSIG", signature_record(signature))))
    assert remarks(log) == [RemarkCode.SIGNATURE_INVALID]


def test_a_signed_clock_is_covered_too() -> None:
    clock = b"any clock"
    with_clock = with_section(UNSIGNED, section2(b"CLCK", clock))
    for covered, code in ((clock, []), (b"another", [RemarkCode.SIGNATURE_INVALID])):
        payload = b"OGXM-MTCH-SIG-v2" + DIGEST + hashlib.sha256(covered).digest()
        signed = bytes([1, 64]) + KEY.sign(payload)
        body = record(10, signed, bytes([32]), PUBLIC, bytes([1]))
        assert remarks(read_ogxm(with_section(with_clock, section2(b"MSIG", body)))) == code


def test_several_signatures_are_told_in_their_order() -> None:
    twice = with_section(SIGNED, section2(b"MSIG", signature_record(bytes(64))))
    log = read_ogxm(twice)
    assert log.metadata["match signature"] == f"valid by {PUBLIC.hex()}, invalid by {PUBLIC.hex()}"
    many = with_section(UNSIGNED, section2(b"MSIG", b"") * (MAX_SIGNATURES + 5))
    assert len(check_signatures(open_container(many))) == MAX_SIGNATURES


def chunk1(name: bytes, body: bytes) -> bytes:
    return struct.pack("<4sIHH", name, len(body), 0, 0) + body


def version1(signature: bytes) -> bytes:
    """A file of version 1 with an analysis and its signature, without a checksum."""
    plain = write_gvab1(document_of(OPENING, REPLY))
    end = plain.index(b"CSUM")
    signed = struct.pack("<4B", 1, 0, 32, len(signature)) + PUBLIC + signature
    grown = plain[:end] + chunk1(b"ANAL", b"analysis") + chunk1(b"SIGN", signed) + plain[-8:]
    return grown[:12] + struct.pack("<I", len(grown)) + grown[16:]


def test_the_signature_of_an_analysis_in_version_1_covers_the_games() -> None:
    container = open_container(version1(bytes(64)))
    payload = b"OGXM-ANAL-SIG-v1" + match_digest(container) + hashlib.sha256(b"analysis").digest()
    log = read_ogxm(version1(KEY.sign(payload)))
    assert (remarks(log), log.metadata["analysis signature"]) == ([], f"valid by {PUBLIC.hex()}")
    assert remarks(read_ogxm(version1(bytes(64)))) == [RemarkCode.SIGNATURE_INVALID]


@pytest.mark.parametrize(
    "kept",
    [
        {"match_signatures": [{"signature": "AA=="}]},
        {"analysis_info": {"signature": {"signature": "AA=="}}},
        {"analyses_info": [{"signature": {"signature": "AA=="}}]},
        {"_unknown_chunks": [{"name": "SIGN"}]},
        {"_ogxm2_passthrough": {"blocks": [{"k": "MSIG"}]}},
    ],
)
def test_a_signature_in_the_json_form_cannot_be_checked(kept: Any) -> None:
    log = read_ogxm(gva(document_of(OPENING) | kept))
    assert remarks(log) == [RemarkCode.SIGNATURE_UNCHECKED]
    assert "not over JSON" in log.remarks[0].detail


@pytest.mark.parametrize(
    "kept",
    [
        {"player_white": "SIGN", "match_signatures": []},
        {"analysis_info": 3, "analyses_info": 4, "_unknown_chunks": 5, "_ogxm2_passthrough": "x"},
        {"analyses_info": [None, {"signature": None}]},
    ],
)
def test_a_json_form_that_names_no_signature_has_none(kept: Any) -> None:
    assert remarks(read_ogxm(gva(document_of(OPENING) | kept))) == []


# --- beside the reference codec


def reference_file(change: Callable[[Any], None]) -> bytes:
    """A file that the reference codec wrote, signed over what it says is to be signed."""
    document = document_of(OPENING, REPLY, analysis_info={"model_id": "m", "ply": 2, "analysis_id": ID})
    change(document)
    return bytes(reference().json_to_binary(document))


ID = "2e9c3194-58f6-887a-b05e-eec1537d8f4c"


def said(signature: bytes) -> dict[str, str]:
    encode = base64.b64encode
    return {
        "algorithm": "ed25519",
        "public_key": encode(PUBLIC).decode(),
        "signature": encode(signature).decode(),
    }


def sign_match(document: Any) -> None:
    ogxm = reference()
    document["match_signatures"] = [said(bytes(64))]
    whole = json.loads(json.dumps(ogxm.binary_to_json(ogxm.json_to_binary(document))))
    document["match_signatures"] = [said(KEY.sign(reference_signing().match_payload(whole, 0)))]


@needs_reference
def test_what_the_reference_codec_has_signed_is_valid_here_and_there() -> None:
    content = reference_file(sign_match)
    assert reference().verify_match(content)
    log = read_ogxm(content)
    assert (remarks(log), log.metadata["match signature"]) == ([], f"valid by {PUBLIC.hex()}")


@needs_reference
def test_the_digest_of_a_match_is_that_of_the_reference_codec() -> None:
    assert match_digest(open_container(UNSIGNED)) == reference().match_digest(UNSIGNED)


@needs_reference
@pytest.mark.parametrize("place", range(30, 210, 7))
def test_both_agree_on_every_change(place: int) -> None:
    """Wherever a byte is changed in what the reference codec still reads, covered or not."""
    ogxm = reference()
    content = bytearray(reference_file(sign_match))
    content[place] ^= 1
    try:
        ogxm.binary_to_json(bytes(content))
    except ogxm.OgxmError:
        return
    (found,) = check_signatures(open_container(bytes(content)))
    assert (found.verdict.value == "valid") is ogxm.verify_match(bytes(content))
