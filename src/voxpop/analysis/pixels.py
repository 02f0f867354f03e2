"""PNG compression for charts, by a small palette and repeated lines."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER = ">IIBBBBB"
_COLOURS = 256

Bytes = npt.NDArray[np.uint8]


def packed(png: bytes) -> bytes:
    """Return the image as a PNG with at most 256 colours; return unsupported images unchanged.

    Charts have few colours and many shades from antialiased text; beyond 256, the rarest shades are replaced
    by the nearest frequent ones.

    Parameters
    ----------
    png : bytes
        An image of the converter: 8 bits per channel, without transparency.

    Examples
    --------
    >>> packed(b"no picture")
    b'no picture'
    """
    read = _read(png)
    if read is None:
        return png
    colours, places = _few(read)
    height, width = places.shape
    lines = np.hstack([np.zeros((height, 1), np.uint8), places]).tobytes()
    made = _SIGNATURE + b"".join(
        (
            _chunk(b"IHDR", struct.pack(_HEADER, width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", colours.tobytes()),
            _chunk(b"IDAT", zlib.compress(lines, 9)),
            _chunk(b"IEND", b""),
        )
    )
    return made if len(made) < len(png) else png


def _read(png: bytes) -> Bytes | None:
    """Return the image as rows of red, green and blue; None if the format is not supported."""
    if not png.startswith(_SIGNATURE):
        return None
    parts: dict[bytes, bytes] = {}
    for name, held in _chunks(png):
        parts[name] = parts.get(name, b"") + held
    width, height, *kind = struct.unpack(_HEADER, parts[b"IHDR"])
    if kind != [8, 6, 0, 0, 0]:
        return None
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + 4 * width)
    if (lines[:, 0] > 1).any():
        return None
    pixels = lines[:, 1:].reshape(height, width, 4).copy()
    left = lines[:, 0] == 1  # PNG filter 1: differences from the pixel to the left
    pixels[left] = np.cumsum(pixels[left], axis=1, dtype=np.uint8)
    return pixels[:, :, :3] if (pixels[:, :, 3] == 255).all() else None


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(_SIGNATURE)
    while place < len(png):
        size, name = struct.unpack(">I4s", png[place : place + 8])
        yield name, png[place + 8 : place + 8 + size]
        place += size + 12


def _few(pixels: Bytes) -> tuple[Bytes, Bytes]:
    """Return the palette, and the palette index of each pixel."""
    wide = pixels.astype(np.int64)
    coded = (wide[:, :, 0] << 16) | (wide[:, :, 1] << 8) | wide[:, :, 2]
    found, places, counts = np.unique(coded, return_inverse=True, return_counts=True)
    every = np.stack([found >> 16, (found >> 8) & 255, found & 255], axis=1)
    kept = np.sort(np.argsort(-counts, kind="stable")[:_COLOURS])
    apart = ((every[:, None, :] - every[kept][None, :, :]) ** 2).sum(axis=2)
    nearest = apart.argmin(axis=1).astype(np.uint8)
    return every[kept].astype(np.uint8), nearest[places.reshape(coded.shape)]


def _chunk(name: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))
