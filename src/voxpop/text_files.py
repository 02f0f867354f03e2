"""Reader for authored texts and tables: a folder of files in a checkout, one packed file in a wheel.

It stands on the standard library alone, because the build of a wheel packs the folders with it.
"""

from __future__ import annotations

import bz2
import csv
import io
import json
import lzma
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PACKED = ".json.bz2"
"""Ending of a packed folder of ``.txt`` files: a bzip2-compressed JSON object of file name -> text."""

PACKED_TABLES = ".tables.xz"
"""Ending of a packed folder of ``.csv`` files: their cells, column by column, compressed together by xz.

The file separator of ASCII stands between two tables. Within a table, which begins with its file name, the
group separator stands before each column; within a column, which begins with its header, the unit separator
stands before each cell.
"""

_TABLE, _COLUMN, _CELL = "\x1c", "\x1d", "\x1f"
_OF_BYTES = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0}
"""Compression for text, which is not aligned to words of four bytes; a hundredth smaller."""


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
    >>> text_of(Path(__file__).parents[1] / "voxpop_simulator/speech/texts/lexicon.txt")[:5]
    '# her'
    """
    if path.is_file():
        return path.read_text(encoding="utf-8")
    return _texts(path.parent.with_name(path.parent.name + PACKED))[path.name]


def columns_of(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the cells of a CSV table by column, from its folder or from the packed folder beside it.

    A wheel contains ``reference.tables.xz`` instead of the folder ``reference/``: column by column and
    compressed together, the tables take half the space.

    Raises
    ------
    FileNotFoundError
        There is neither the file nor the packed folder.
    KeyError
        The packed folder has no table of this name.
    ValueError
        A row has more or fewer cells than there are columns.

    Examples
    --------
    >>> columns_of(Path(__file__).parent / "population/reference/us_urban_rural.csv")["area"]
    ('urban', 'rural')
    """
    if path.is_file():
        header, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
        cells = zip(*rows, strict=True) if rows else [()] * len(header)
        return dict(zip(header, cells, strict=True))
    _, *columns = _tables(path.parent.with_name(path.parent.name + PACKED_TABLES))[path.name].split(_COLUMN)
    return {name: tuple(cells) for name, *cells in (column.split(_CELL) for column in columns)}


def rows_of(path: Path) -> tuple[dict[str, str], ...]:
    """Return the rows of a CSV table, as strings by column; see :func:`columns_of`.

    Examples
    --------
    >>> rows_of(Path(__file__).parent / "population/reference/us_urban_rural.csv")[1]["area"]
    'rural'
    """
    columns = columns_of(path)
    return tuple(dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))


def pack(folder: Path) -> tuple[str, bytes]:
    """Return the name and the content of the file that a wheel contains instead of a folder.

    Equal folders give equal bytes.

    Raises
    ------
    ValueError
        The folder has neither texts nor tables, or both, or a table has a separator in it.
    """
    texts, tables = sorted(folder.glob("*.txt")), sorted(folder.glob("*.csv"))
    if bool(texts) == bool(tables):
        raise ValueError(f"{folder} must have .txt files or .csv files, and not both")
    if texts:
        told = {path.name: path.read_text(encoding="utf-8") for path in texts}
        return folder.name + PACKED, bz2.compress(json.dumps(told, ensure_ascii=False).encode())
    whole = _TABLE.join(_joined(path) for path in tables)
    return folder.name + PACKED_TABLES, lzma.compress(whole.encode(), filters=[_OF_BYTES])


def _joined(path: Path) -> str:
    columns = [_CELL.join((name, *cells)) for name, cells in columns_of(path).items()]
    if set(path.read_text(encoding="utf-8")) & {_TABLE, _COLUMN, _CELL}:
        raise ValueError(f"{path} has a separator of packed tables in it; remove it")
    return _COLUMN.join((path.name, *columns))


@cache
def _texts(packed: Path) -> Mapping[str, str]:
    told: dict[str, str] = json.loads(bz2.decompress(packed.read_bytes()))
    return told


@cache
def _tables(packed: Path) -> Mapping[str, str]:
    tables = lzma.decompress(packed.read_bytes()).decode().split(_TABLE)
    return {table.partition(_COLUMN)[0]: table for table in tables}
