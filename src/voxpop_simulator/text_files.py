"""Reader for authored text files: a folder of ``.txt`` files in a checkout, one packed file in a wheel."""

from __future__ import annotations

import bz2
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PACKED = ".json.bz2"
"""Ending of a packed folder: a bzip2-compressed JSON object of file name -> text."""


def text_of(path: Path) -> str:
    """Return the text of a file, from its folder or from the packed folder beside it.

    A wheel contains ``texts.json.bz2`` instead of the folder ``texts/``: compressed together, the files take
    about a quarter less space.

    Raises
    ------
    FileNotFoundError
        There is neither the file nor the packed folder.
    KeyError
        The packed folder has no file of this name.

    Examples
    --------
    >>> text_of(Path(__file__).parent / "speech" / "texts" / "lexicon.txt")[:5]
    '# her'
    """
    if path.is_file():
        return path.read_text(encoding="utf-8")
    return _unpacked(path.parent.with_name(path.parent.name + PACKED))[path.name]


def pack(folder: Path) -> bytes:
    """Return the ``.txt`` files of a folder as one packed file; equal texts give equal bytes."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    return bz2.compress(json.dumps(texts, ensure_ascii=False).encode())


@cache
def _unpacked(packed: Path) -> Mapping[str, str]:
    told: dict[str, str] = json.loads(bz2.decompress(packed.read_bytes()))
    return told
