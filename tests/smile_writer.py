"""Writes JSON values as Smile, after its specification; for tests of its reader."""

import struct
from typing import Any


def smile_bytes(value: Any, *, shares_names: bool = True, shares_texts: bool = False) -> bytes:
    """The document."""
    writing = _Writing(shares_names, shares_texts)
    return b":)\n" + bytes([shares_names | shares_texts << 1]) + writing.value(value)


def number_bytes(number: int) -> bytes:
    """Seven bits a byte, the last byte marked and of six."""
    last = bytes([0x80 | number & 0x3F])
    number >>= 6
    while number:
        last = bytes([number & 0x7F]) + last
        number >>= 7
    return last


class _Writing:
    def __init__(self, shares_names: bool, shares_texts: bool) -> None:
        self.shares_names, self.shares_texts = shares_names, shares_texts
        self.names: list[str] = []
        self.texts: list[str] = []

    def value(self, value: Any) -> bytes:
        if value is None or isinstance(value, bool):
            return bytes([{None: 0x21, False: 0x22, True: 0x23}[value]])
        if isinstance(value, int):
            zigzag = value << 1 if value >= 0 else (-value << 1) - 1
            return bytes([0xC0 | zigzag]) if zigzag < 32 else b"\x25" + number_bytes(zigzag)
        if isinstance(value, float):
            bits = int.from_bytes(struct.pack(">d", value), "big")
            return b"\x29" + bytes(bits >> shift & 0x7F for shift in range(63, -1, -7))
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return b"\xf8" + b"".join(map(self.value, value)) + b"\xf9"
        return b"\xfa" + b"".join(self.name(key) + self.value(part) for key, part in value.items()) + b"\xfb"

    def text(self, text: str) -> bytes:
        raw = text.encode()
        if not raw:
            return b"\x20"
        if self.shares_texts and text in self.texts:
            index = self.texts.index(text)
            return bytes([index + 1]) if index < 31 else bytes([0xEC | index >> 8, index & 0xFF])
        if len(raw) > 64:
            return (b"\xe0" if raw.isascii() else b"\xe4") + raw + b"\xfc"
        self._remember(self.texts, text, is_used=self.shares_texts)
        return bytes([0x40 + len(raw) - 1 if raw.isascii() else 0x80 + len(raw) - 2]) + raw

    def name(self, name: str) -> bytes:
        raw = name.encode()
        if not raw:
            return b"\x20"
        if self.shares_names and name in self.names:
            index = self.names.index(name)
            return bytes([0x40 + index]) if index < 64 else bytes([0x30 | index >> 8, index & 0xFF])
        if len(raw) > (64 if raw.isascii() else 57):
            return b"\x34" + raw + b"\xfc"
        self._remember(self.names, name, is_used=self.shares_names)
        return bytes([0x80 + len(raw) - 1 if raw.isascii() else 0xC0 + len(raw) - 2]) + raw

    @staticmethod
    def _remember(seen: list[str], text: str, *, is_used: bool) -> None:
        """Full tables are cleared, as the specification has it."""
        if is_used:
            if len(seen) == 1024:
                seen.clear()
            seen.append(text)
