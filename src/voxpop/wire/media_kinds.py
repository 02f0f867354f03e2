"""File type detection from bytes, including completeness, for five types.

A signature alone would accept a truncated picture, or HTML after six letters. So the structure of a file is
checked: PNG chunks with checksums, JPEG segments, GIF blocks, the RIFF length of WEBP, and header and end of
PDF. Pixels are not decoded. PNG and WEBP must end where they say; JPEG, GIF and PDF may have trailing bytes,
which cameras and editors write.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

ALIASES = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "application/x-pdf": "application/pdf",
}
"""Aliases of the types used by some programs."""

MOST_PARTS = 200_000
"""Maximum number of chunks, segments or blocks: a GIF of 20 MB has 80,000, other files far fewer."""

_MANY = f"it has more than {MOST_PARTS:,} parts"
_PNG = b"\x89PNG\r\n\x1a\n"
_OTHERS: tuple[tuple[bytes, str], ...] = (
    (rb"PK\x03\x04", "a ZIP archive or an Office document"),
    (rb"\xd0\xcf\x11\xe0", "an old Office document"),
    (rb"II\*\x00|MM\x00\*", "a TIFF picture"),
    (rb"BM.{4}\x00\x00\x00\x00", "a BMP picture"),
    (rb"(?s:.{4})ftyp(heic|heix|mif1|avif)", "a HEIC or AVIF picture"),
    (rb"(?s:.{4})ftyp", "an MP4 film"),
    (rb"\xef?\xbb?\xbf?\s*(?i:<!doctype html|<html|<head|<body|<script)", "an HTML page"),
    (rb"(?s:\xef?\xbb?\xbf?\s*(<\?xml.{0,1000})?<svg)", "an SVG picture"),
    (rb"\xef?\xbb?\xbf?\s*<\?xml", "an XML document"),
    (rb"data:", "a data: address instead of the bytes"),
    (rb"\x1f\x8b", "a gzip archive"),
)


def kind_of(data: bytes | bytearray) -> str | None:
    """Return the type indicated by the first bytes, or None if it is not supported.

    Examples
    --------
    >>> kind_of(b"%PDF-1.7 ...")
    'application/pdf'
    """
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return "application/pdf" if data.startswith(b"%PDF-") else None


def looks_like(data: bytes | bytearray) -> str:
    """Describe bytes of an unsupported type, for a message.

    Examples
    --------
    >>> looks_like(b"<!DOCTYPE html><p>")
    'an HTML page'
    """
    start = bytes(data[:2_000])
    found = next((name for pattern, name in _OTHERS if re.match(pattern, start)), None)
    if found is not None:
        return found
    return "text" if re.fullmatch(rb"[\t\n\r\x20-\x7e\x80-\xff]+", start) else "something else"


def fault_of(data: bytes | bytearray, kind: str) -> str | None:
    """Return why a file of a type is incomplete or invalid, or None if it is valid.

    Examples
    --------
    >>> fault_of(b"%PDF-1.7 ...", "application/pdf")
    'it has no end (%%EOF): it is cut off'
    """
    return KINDS[kind](data)


def _png_fault(data: bytes | bytearray) -> str | None:
    view, at = memoryview(data), len(_PNG)
    seen: set[bytes] = set()
    for _ in range(MOST_PARTS):
        if at + 12 > len(view):
            return "it has no end (IEND): it is cut off"
        length = int.from_bytes(view[at : at + 4], "big")
        name, end = bytes(view[at + 4 : at + 8]), at + 12 + length
        if end > len(view):
            return "it has no end (IEND): it is cut off"
        if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
            return f"the checksum of its chunk {name.decode('latin-1')!r} is wrong"
        if not seen and (name != b"IHDR" or length != 13 or not _sides(view[at + 8 : at + 16])):
            return "it does not begin with a header of width and height (IHDR)"
        seen.add(name)
        if name == b"IEND":
            if b"IDAT" not in seen:
                return "it holds no picture (IDAT)"
            left = len(view) - end
            return f"{left:,} bytes follow its end (IEND)" if left else None
        at = end
    return _MANY


def _sides(eight: memoryview) -> bool:
    width, height = int.from_bytes(eight[:4], "big"), int.from_bytes(eight[4:], "big")
    return 0 < width < 2**31 and 0 < height < 2**31


_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_BARE = {0x01, *range(0xD0, 0xD8)}


def _jpeg_fault(data: bytes | bytearray) -> str | None:
    at, framed = 2, False
    for _ in range(MOST_PARTS):
        if at + 4 > len(data):
            return "it has no end (EOI): it is cut off"
        if data[at] != 0xFF:
            return "its segments are broken"
        marker = data[at + 1]
        if marker == 0xFF or marker in _BARE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in (0x00, 0xD8, 0xD9):
            return "it holds no picture (SOS)"
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2:
            return "its segments are broken"
        framed = framed or marker in _FRAMES
        at += 2 + length
        if marker == 0xDA:
            if not framed:
                return "it holds no frame (SOF)"
            return None if data.find(b"\xff\xd9", at) >= 0 else "it has no end (EOI): it is cut off"
    return _MANY


def _gif_fault(data: bytes | bytearray) -> str | None:
    cut_off = "it has no end (trailer): it is cut off"
    if len(data) < 13 or not any(data[6:8]) or not any(data[8:10]):
        return "it does not begin with a screen of width and height"
    at, pictures, within = 13 + _colours(data[10]), 0, False
    for _ in range(MOST_PARTS):
        if at >= len(data):
            return cut_off
        block = data[at]
        if within:  # sub-blocks up to an empty one
            at, within = at + 1 + block, block > 0
        elif block == 0x3B:
            return None if pictures else "it holds no picture"
        elif block == 0x21:
            at, within = at + 2, True
        elif block != 0x2C:
            return "its blocks are broken"
        elif at + 10 > len(data):
            return cut_off
        else:
            pictures += 1
            at, within = at + 11 + _colours(data[at + 9]), True
    return _MANY


def _colours(flags: int) -> int:
    """Return the size of the colour table declared by flags."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _webp_fault(data: bytes | bytearray) -> str | None:
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data):
        return "it is cut off: its RIFF length is larger than the file"
    if len(data) - end - end % 2 > 0:
        return f"{len(data) - end:,} bytes follow its end"
    at = 12
    seen: set[bytes] = set()
    for _ in range(MOST_PARTS):
        if at + 8 > end:
            break
        seen.add(bytes(data[at : at + 4]))
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + length + length % 2
    if at - end not in (0, 1):
        return "its chunks are broken"
    return None if seen & {b"VP8 ", b"VP8L", b"ANMF"} else "it holds no picture (VP8)"


def _pdf_fault(data: bytes | bytearray) -> str | None:
    if not re.match(rb"%PDF-[12]\.\d", data):
        return "it does not say which version of PDF it is"
    ending = data[-1024:]
    if b"%%EOF" not in ending:
        return "it has no end (%%EOF): it is cut off"
    return None if b"startxref" in ending else "it does not say where its objects are (startxref)"


KINDS: dict[str, Callable[[bytes | bytearray], str | None]] = {
    "image/png": _png_fault,
    "image/jpeg": _jpeg_fault,
    "image/gif": _gif_fault,
    "image/webp": _webp_fault,
    "application/pdf": _pdf_fault,
}
"""The five types with the function that finds a fault in a file."""
