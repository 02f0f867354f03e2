"""Small PNG files for screenshots: at most 256 colours, with frequent colours kept exactly."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

_PIXELS = """async (picture) => {
  const held = await (await fetch("data:image/png;base64," + picture)).blob();
  const bitmap = await createImageBitmap(held);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const drawn = canvas.getContext("2d");
  drawn.drawImage(bitmap, 0, 0);
  const bytes = drawn.getImageData(0, 0, bitmap.width, bitmap.height).data;
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return [bitmap.width, bitmap.height, btoa(text)];
}"""


def write_small(page: Page, picture: bytes, path: Path, colours: int = 24) -> None:
    """Write a screenshot as a file with few colours; the browser reads its pixels."""
    width, height, told = page.evaluate(_PIXELS, base64.b64encode(picture).decode())
    pixels = np.frombuffer(base64.b64decode(told), np.uint8).reshape(-1, 4)[:, :3].astype(np.int32)
    codes = pixels[:, 0] << 16 | pixels[:, 1] << 8 | pixels[:, 2]
    found, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = found[np.sort(np.argsort(-counts, kind="stable")[:colours])]
    apart = sum(((found[:, None] >> shift & 255) - (kept[None] >> shift & 255)) ** 2 for shift in (0, 8, 16))
    rows = np.argmin(apart, axis=1).astype(np.uint8)[places].reshape(height, width)
    lines = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()
    palette = b"".join(int(one).to_bytes(3, "big") for one in kept)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_part(*part) for part in parts))


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
