"""Small real files of the five kinds, made by hand: pixels and pages enough to be whole, and no more."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any


def png(width: int = 1, height: int = 1, *, padding: int = 0) -> bytes:
    """Make a grey PNG; ``padding`` bytes more go into a chunk of their own that no viewer shows."""
    rows = (b"\x00" + b"\x80" * width) * height
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))]
    chunks += [(b"paDd", bytes(padding))] if padding else []
    chunks += [(b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def jpeg() -> bytes:
    """Make a JPEG of 8 x 8 grey pixels."""
    quantization = _segment(0xDB, b"\x00" + b"\x01" * 64)
    frame = _segment(0xC0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\x01\x11\x00")
    one_code = b"\x01" + bytes(15)
    tables = _segment(0xC4, b"\x00" + one_code + b"\x00") + _segment(0xC4, b"\x10" + one_code + b"\x00")
    scan = _segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x3f"
    header = _segment(0xE0, b"JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00")
    return b"\xff\xd8" + header + quantization + frame + tables + scan + b"\xff\xd9"


def _segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def gif() -> bytes:
    """Make a GIF of one pixel, with a comment."""
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    comment = b"\x21\xfe\x05hello\x00"
    return screen + comment + b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00\x3b"


def webp() -> bytes:
    """Make a WEBP of one pixel, lossless."""
    data = b"\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
    body = b"WEBP" + b"VP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pdf() -> bytes:
    """Make a PDF of one empty page."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
    ]
    text, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 4\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return text + table + b"trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(text)


FILES: dict[str, bytes] = {
    "image/png": png(),
    "image/jpeg": jpeg(),
    "image/gif": gif(),
    "image/webp": webp(),
    "application/pdf": pdf(),
}
"""One file of each kind."""


def upload_body(mime: str = "image/png", data: bytes | None = None, **fields: Any) -> dict[str, Any]:
    """Return the body that uploads a file."""
    content = FILES[mime] if data is None else data
    name = f"file.{mime.rpartition('/')[2]}"
    encoded = base64.b64encode(content).decode()
    return {"filename": name, "mime": mime, "file_data": encoded, "encoding": "base64"} | fields
