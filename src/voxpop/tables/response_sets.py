"""Multiple response sets of an SPSS system file, which pyreadstat reads and cannot write."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

_HEADER = 176
_VARIABLE, _LABELS, _LABELLED, _NOTES, _EXTENSION, _END = 2, 3, 4, 6, 7, 999
_SETS, _LONG_NAMES = 7, 13
_DISPLAY = 11
"""Subtype of the first extension after the sets in the files of SPSS."""

Set = tuple[str, str, Sequence[str]]
"""Name, label and columns of a set whose chosen options have the code 1."""


def add_response_sets(path: Path, sets: Iterable[Set]) -> None:
    """Insert multiple dichotomy sets into a system file; sets of fewer than two columns are left out."""
    wanted = [one for one in sets if len(one[2]) > 1]
    if not wanted:
        return
    held = path.read_bytes()
    place, short = _dictionary(held)
    lines = b"".join(
        _line(name, label, [short[column] for column in columns]) for name, label, columns in wanted
    )
    record = struct.pack("<iiii", _EXTENSION, _SETS, 1, len(lines)) + lines
    path.write_bytes(held[:place] + record + held[place:])


def _line(name: str, label: str, columns: Sequence[str]) -> bytes:
    words = " ".join(label.split()).encode()[:255].decode(errors="ignore").encode()
    return b"$%s=D1 1 %d %s %s\n" % (name.encode(), len(words), words, " ".join(columns).lower().encode())


def _dictionary(held: bytes) -> tuple[int, dict[str, str]]:
    """Return where the sets belong, and the short name of each column by its name.

    The dictionary is a sequence of records, each with its type and size, before the data.
    """
    at, place = _HEADER, 0
    short: dict[str, str] = {}
    while True:
        kind, start = _integer(held, at), at
        if kind == _END:
            return place or start, short
        if kind == _EXTENSION:
            subtype, size, count = struct.unpack_from("<iii", held, at + 4)
            at += 16 + size * count
            if subtype >= _DISPLAY and not place:
                place = start
            if subtype == _LONG_NAMES:
                pairs = held[start + 16 : at].decode().split("\t")
                short = {long: name for name, _, long in (pair.partition("=") for pair in pairs)}
        else:
            at = _after(held, at, kind)


def _after(held: bytes, at: int, kind: int) -> int:
    """Return where the record after one of a variable, of labels or of notes starts."""
    if kind == _VARIABLE:
        labelled, missing = _integer(held, at + 8), _integer(held, at + 12)
        at += 32
        if labelled:
            at += 4 + -(-_integer(held, at) // 4) * 4
        return at + 8 * abs(missing)
    count = _integer(held, at + 4)
    if kind == _LABELS:
        at += 8
        for _ in range(count):
            at += 8 + -(-(held[at + 8] + 1) // 8) * 8
        return at
    if kind in (_LABELLED, _NOTES):
        return at + 8 + count * (4 if kind == _LABELLED else 80)
    raise ValueError(f"the SPSS file has a record of the unknown type {kind}")


def _integer(held: bytes, at: int) -> int:
    return int(struct.unpack_from("<i", held, at)[0])
