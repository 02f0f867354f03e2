"""SPSS and Stata files, read with their labels, missing codes, measures and multiple-response sets."""

from __future__ import annotations

import struct
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from voxpop.errors import UsageError
from voxpop.survey.frame_columns import arrow_table
from voxpop.survey.raw import Measure, OptionSet, Raw

if TYPE_CHECKING:
    import pandas as pd

_FIRST_TAG = 2_147_483_622
"""Code of the missing value .a in the value labels of a Stata file; .b follows, up to .z."""

_MEASURES: dict[str, Measure] = {"nominal": "nominal", "ordinal": "ordinal", "scale": "scale"}


def in_memory(frame: pd.DataFrame) -> duckdb.DuckDBPyRelation:
    """Return a frame as rows of a database of its own."""
    return duckdb.connect().from_arrow(arrow_table(frame, list(map(str, frame.columns)))[0])


def read_spss(path: Path, name: str) -> Raw:
    """Read a .sav or .zsav file.

    Raises
    ------
    UsageError
        The extra is not installed, or the file is damaged.
    """
    try:
        pyreadstat = import_module("pyreadstat")
    except ModuleNotFoundError as error:
        raise UsageError(
            "SPSS files need the extra 'spss'; install it with: pip install 'voxpop[spss]'"
        ) from error
    try:
        frame, meta = pyreadstat.read_sav(str(path), user_missing=True)
    except (pyreadstat.ReadstatError, ValueError) as error:
        raise UsageError(f"{path.name} cannot be read: {error}") from error
    _blank_to_missing(frame)
    sets = {
        key.removeprefix("$"): OptionSet(
            tuple(told["variable_list"]),
            told["label"] or "",
            told["counted_value"] if told["is_dichotomy"] else None,
            not told["is_dichotomy"],
        )
        for key, told in meta.mr_sets.items()
    }
    raw = Raw(name, in_memory(_whole_numbers(frame)), sets=sets)
    raw.labels = {column: label for column, label in meta.column_names_to_labels.items() if label}
    raw.codes = {column: _sorted(told) for column, told in meta.variable_value_labels.items()}
    raw.missing = {column: _ranges(told) for column, told in meta.missing_ranges.items()}
    raw.measures = {column: _MEASURES.get(told, "unknown") for column, told in meta.variable_measure.items()}
    return raw


def read_stata(path: Path, name: str) -> Raw:
    """Read a .dta file; the tagged missing values .a to .z are counted by their labels.

    Raises
    ------
    UsageError
        The file is damaged.
    """
    try:
        return _of_stata(path, name)
    except struct.error as error:
        raise UsageError(f"{path.name} cannot be read: it is damaged, or no Stata file.") from error


def _of_stata(path: Path, name: str) -> Raw:
    import pandas as pd

    reader: Any
    with pd.read_stata(path, iterator=True, convert_categoricals=False) as reader:
        wordings = {column: label for column, label in reader.variable_labels().items() if label}
        frame = reader.read()
        told, names = reader.value_labels(), dict(zip(reader._varlist, reader._lbllist, strict=True))
    labels = {column: _sorted(told[names[column]]) for column in frame if names.get(column) in told}
    tagged = {
        column: {_tag(code): text for code, text in held.items() if _is_tag(code)}
        for column, held in labels.items()
    }
    tagged = {column: held for column, held in tagged.items() if held}
    lost: dict[str, dict[str, int]] = {}
    if tagged:
        with pd.read_stata(
            path, iterator=True, convert_categoricals=False, convert_missing=True, columns=list(tagged)
        ) as reader:
            kept = reader.read()
        for column, named in tagged.items():
            found = kept[column].map(str, na_action="ignore").value_counts()
            lost[column] = {text or tag: int(found.get(tag, 0)) for tag, text in named.items()}
    _blank_to_missing(frame)
    raw = Raw(name, in_memory(_whole_numbers(frame)), labels=wordings, missing_labels=tagged, lost=lost)
    raw.codes = {
        column: {code: text for code, text in held.items() if not _is_tag(code)}
        for column, held in labels.items()
    }
    return raw


def _blank_to_missing(frame: pd.DataFrame) -> None:
    """Take an empty text for a missing one, as these files have no other."""
    for column in frame.select_dtypes(include=["object", "string"]):
        frame[column] = frame[column].where(frame[column] != "", None)


def _is_tag(code: Any) -> bool:
    return isinstance(code, int | float) and code >= _FIRST_TAG


def _tag(code: Any) -> str:
    return f".{chr(ord('a') + int(code) - _FIRST_TAG)}"


def _sorted(told: dict[Any, str]) -> dict[Any, str]:
    plain = {_whole(code): text for code, text in told.items()}
    return dict(sorted(plain.items(), key=lambda pair: (isinstance(pair[0], str), pair[0])))


def _whole(code: Any) -> Any:
    code = code.item() if hasattr(code, "item") else code
    return int(code) if isinstance(code, float) and code.is_integer() else code


def _ranges(told: list[dict[str, Any]]) -> list[Any]:
    """Return missing codes: single values, and pairs for ranges."""
    ends = [(_whole(one["lo"]), _whole(one["hi"])) for one in told]
    return [low if low == high else (low, high) for low, high in ends]


def _whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Store codes as whole numbers where all are, for these files know no other numbers than doubles."""
    for column in frame.select_dtypes(include=["float"]):
        held = frame[column]
        known = held.dropna()
        if len(known) and (known % 1 == 0).all() and known.abs().max() < 2**53:
            frame[column] = held.astype("Int64")
    return frame
