"""The Ed25519 signatures that an OGXM file carries, and what they are made over.

A signature that is right proves that what it covers was not changed since the owner of the key signed it; the
key stands in the file, so who that is has to be known from elsewhere.

Source: ``docs/formats/ogxm.md``, section "Signatures".
"""

import hashlib
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from adjudicator.logs.ogxm.byte_reading import ByteReading
from adjudicator.logs.ogxm.container import Container
from adjudicator.rules.remarks import Remark, RemarkCode

_ED25519 = 1
_KEY_BYTES = 32
_COVERS_CLOCK = 1
MAX_SIGNATURES = 100
"""More signatures of one file are not checked."""


class Verdict(Enum):
    """What became of a signature."""

    VALID = "valid"
    INVALID = "invalid"
    UNCHECKED = "unchecked"


class CheckedSignature(NamedTuple):
    """A signature of the match or of an analysis of it: the verdict, the key in hexadecimal, the reason."""

    subject: str
    verdict: Verdict
    key: str = ""
    reason: str = ""


class _Signature(NamedTuple):
    """What a signature section says; ``covers`` are bits, 1 the clock."""

    algorithm: int
    signature: bytes
    key: bytes
    covers: int = 0


def check_signatures(container: Container) -> list[CheckedSignature]:
    """Every signature of the file, in order."""
    return [
        _check(subject, body, container, covered)
        for (subject, body, covered), _ in zip(
            _signature_sections(container), range(MAX_SIGNATURES), strict=False
        )
    ]


def signature_metadata(checked: Sequence[CheckedSignature]) -> dict[str, str]:
    """What was found, as values of the log's metadata: ``valid by 3b6a...`` under ``match signature``.

    >>> signature_metadata([CheckedSignature("match", Verdict.UNCHECKED)])
    {'match signature': 'unchecked'}
    """
    found: dict[str, list[str]] = {}
    for signature in checked:
        by = f" by {signature.key}" if signature.key else ""
        found.setdefault(f"{signature.subject} signature", []).append(f"{signature.verdict.value}{by}")
    return {subject: ", ".join(verdicts) for subject, verdicts in found.items()}


def signature_remarks(checked: Sequence[CheckedSignature]) -> Iterator[Remark]:
    """A remark on every signature that is not valid."""
    for signature in checked:
        if signature.verdict is Verdict.INVALID:
            detail = f"the signature of the {signature.subject} does not fit the file"
            yield Remark(RemarkCode.SIGNATURE_INVALID, detail)
        elif signature.verdict is Verdict.UNCHECKED:
            detail = f"the signature of the {signature.subject} cannot be checked: {signature.reason}"
            yield Remark(RemarkCode.SIGNATURE_UNCHECKED, detail)


def _signature_sections(container: Container) -> Iterator[tuple[str, bytes, bytes]]:
    """Subject, section, and what it is made over but for the clock.

    The signature of an analysis follows the sections of that analysis.
    """
    analysis: list[bytes] = []
    names = (b"ANAL", b"EVAL", b"ALTS", b"CUBE") if container.version == 1 else (b"ANAL", b"DECS")
    for name, body in container.sections:
        if name == b"ANAL":
            analysis = [body]
        elif name in names:
            analysis.append(body)
        elif name == b"SIGN":
            mark = b"OGXM-ANAL-SIG-v1" if container.version == 1 else b"OGXM-ANAL-SIG-v2"
            yield "analysis", body, mark + match_digest(container) + _sha256(*analysis)
        elif name == b"MSIG":
            yield "match", body, b"OGXM-MTCH-SIG-v2" + match_digest(container)


def match_digest(container: Container) -> bytes:
    """What stands for the match in all that is signed.

    In version 2 head and games, each behind its length; in version 1 the games alone.
    """
    if container.version == 1:
        return _sha256(*container.named(b"GAME"))
    parts = [body for name, body in container.sections if name in (b"MTCH", b"GAME")]
    return _sha256(*(len(part).to_bytes(4, "little") + part for part in parts))


def _check(subject: str, body: bytes, container: Container, covered: bytes) -> CheckedSignature:
    try:
        said = _parse1(body) if container.version == 1 else _parse2(body, has_covers=subject == "match")
    except ValueError as error:
        return CheckedSignature(subject, Verdict.UNCHECKED, reason=f"it cannot be read: {error}")
    key = said.key.hex()
    if said.algorithm != _ED25519:
        return CheckedSignature(subject, Verdict.UNCHECKED, key, f"algorithm {said.algorithm} is not known")
    if len(said.key) != _KEY_BYTES:
        return CheckedSignature(subject, Verdict.UNCHECKED, key, "it carries no public key")
    if said.covers & ~_COVERS_CLOCK:
        return CheckedSignature(subject, Verdict.UNCHECKED, key, "it covers parts that are not known")
    if said.covers:
        covered += _sha256(*container.named(b"CLCK"))
    try:
        Ed25519PublicKey.from_public_bytes(said.key).verify(said.signature, covered)
    except (InvalidSignature, ValueError):
        return CheckedSignature(subject, Verdict.INVALID, key)
    return CheckedSignature(subject, Verdict.VALID, key)


def _parse1(body: bytes) -> _Signature:
    reading = ByteReading(body)
    algorithm, *sizes = (reading.unsigned(1) for _ in range(4))
    _, key, signature = (reading.take(size) for size in sizes)
    return _Signature(algorithm, signature, key)


def _parse2(body: bytes, *, has_covers: bool) -> _Signature:
    record = ByteReading(body).record()
    reading = record.reading
    algorithm = reading.number()
    signature = reading.take(reading.number())
    if record.has(0):
        reading.text()
    key = reading.take(reading.number()) if record.has(1) else b""
    if record.has(2):
        reading.number(64)
    covers = reading.number() if has_covers and record.has(3) else 0
    return _Signature(algorithm, signature, key, covers)


def _sha256(*parts: bytes) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()
