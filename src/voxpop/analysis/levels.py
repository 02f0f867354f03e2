"""Levels: the distinct values of a column, with labels and order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from voxpop.analysis.columns import label_of
from voxpop.errors import UsageError
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import NUMBER

MOST_LEVELS = 200
"""Maximum number of distinct values of an attribute."""

MOST_NUMBERS = 20
"""Maximum number of distinct numbers that are not points of a scale; beyond it, cut them into bands."""

Codes = npt.NDArray[np.intp]

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def code_levels(
    name: str, values: pa.Array, declared: Sequence[str], about: Mapping[str, Any]
) -> tuple[tuple[str, ...], Codes]:
    """Assign each value its position among the levels, in declared, known or sorted order."""
    encoded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
    raw = encoded.dictionary.to_pylist()
    labels = [label_of(value) for value in raw]
    places = np.asarray(encoded.indices, dtype=np.intp)
    used = np.bincount(places, minlength=len(labels)) > 0
    seen = [label for label, own in zip(labels, used, strict=True) if own]
    held = dict(zip(labels, raw, strict=True))
    if declared:
        order = [*declared, *_sorted(set(seen) - set(declared), held)]
    else:
        order = _order(name, held, seen, about)
    position = {level: place for place, level in enumerate(order)}
    mapped = np.array([position.get(label, -1) for label in labels], dtype=np.intp)
    return tuple(order), mapped[places] if places.size else places


def check_size(
    name: str, values: pa.Array, levels: Sequence[str], about: Mapping[str, Any], most: int
) -> None:
    """Refuse a column with too many values for an attribute, with a hint."""
    scaled = has_points(about) or (name in FIELDS and FIELDS[name].kind != "range")
    if is_number(values.type) and not scaled and len(levels) > MOST_NUMBERS:
        raise UsageError(
            f"{name!r} has {len(levels):,} different numbers; a table takes {MOST_NUMBERS}. Cut it into "
            f"bands first: vp.bands({name!r}, [...]), or a column of its own by pd.cut(people[{name!r}], 5)."
        )
    if len(levels) > most:
        cure = "Code its answers into categories" if _is_text(values) else "Cut it into bands"
        raise UsageError(
            f"{name!r} has {len(levels):,} different values; a table takes up to {most}. {cure} first."
        )


def has_points(about: Mapping[str, Any]) -> bool:
    """Return whether every whole number of a range is a level of a question."""
    ends = about.get("min") is not None and about.get("max") is not None
    return ends and shape_of(about.get("type")) is not NUMBER


def is_number(kind: pa.DataType) -> bool:
    """Return whether a type is numeric."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _order(name: str, held: Mapping[str, Any], seen: Sequence[str], about: Mapping[str, Any]) -> list[str]:
    if has_points(about) and about["max"] - about["min"] <= MOST_LEVELS:
        known = [str(point) for point in range(about["min"], about["max"] + 1)]
        return [*known, *_sorted(set(seen) - set(known), held)]
    if name in FIELDS:
        field = FIELDS[name]
        known = ["yes", "no"] if field.kind == "boolean" else list(field.levels)
        if not seen or set(seen) & set(known):
            return [*known, *_sorted(set(seen) - set(known), held)]
    if seen and all(isinstance(held[label], bool) for label in seen):
        return ["yes", "no"]
    return _sorted(set(seen), held)


def _sorted(labels: Iterable[str], held: Mapping[str, Any]) -> list[str]:
    """Sort levels by value; numeric text is sorted by number, before other text."""

    def place(label: str) -> tuple[Any, ...]:
        value = held[label]
        if not isinstance(value, str):
            return (0, value)
        return (0, float(value), value) if _NUMBER.fullmatch(value) else (1, value)

    return sorted(labels, key=place)


def _is_text(values: pa.Array) -> bool:
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
