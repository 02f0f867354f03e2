"""Choosing rows: a filter of the vocabulary, or a mask, read on the columns of a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from voxpop.analysis.bands import Within
from voxpop.analysis.columns import Bools
from voxpop.analysis.frames import Frame
from voxpop.errors import UsageError
from voxpop.vocabulary.conditions import AllOf, Between, Condition
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse
from voxpop.vocabulary.values import levels_of

Mask = Any
"""One True or False per row: an array, or a Series that goes by the index of the data (see ``align``)."""


def read_where(where: Any) -> Filter | Mask | None:
    """Read ``where``: a filter, its JSON, or one True or False per row; a missing one is False."""
    if where is None or isinstance(where, Filter):
        return where
    if isinstance(where, Mapping):
        return parse(where)
    if isinstance(where, pd.Series) and pd.api.types.is_bool_dtype(where.dtype):
        return where.fillna(False).astype(np.bool_)
    mask = np.asarray(where)
    if mask.dtype != np.bool_ or mask.ndim != 1:
        raise UsageError(
            "where must be a filter such as vp.where(age=vp.between(25, 64)), or True/False per row."
        )
    return mask


def columns_of(where: Filter | Mask | None) -> list[str | Within]:
    """Return the columns that it takes to choose; a range is asked of the data, number by number."""
    if not isinstance(where, Filter):
        return []
    return [
        Within(name, condition.min, condition.max) if isinstance(condition, Between) else name
        for name, condition in where.conditions
    ]


def chosen(frame: Frame, where: Filter | Mask | None) -> Bools:
    """Return per row whether it is chosen; a row without a value meets no condition."""
    if not isinstance(where, Filter):  # a mask: the frame holds the rows that it chose
        return np.ones(frame.rows, dtype=np.bool_)
    met = [_meets(frame, name, condition) for name, condition in where.conditions]
    if not met:
        return np.ones(frame.rows, dtype=np.bool_)
    return _joined(met, every=where.match == "all")


def _meets(frame: Frame, name: str, condition: Condition) -> Bools:
    if isinstance(condition, Between):
        return frame.meets(Within(name, condition.min, condition.max))
    variable = frame.variable(name, most=None)
    folded = [level.casefold() for level in variable.levels]
    hits = []
    for value in condition.values:
        wanted = _wanted(name, value)
        places = np.array([level in wanted for level in folded], dtype=np.bool_)
        hit = np.zeros(frame.rows, dtype=np.bool_)
        hit[variable.agents[places[variable.codes]]] = True
        hits.append(hit)
    return _joined(hits, every=isinstance(condition, AllOf))


def _joined(masks: list[Bools], *, every: bool) -> Bools:
    joined: Bools = np.logical_and.reduce(masks) if every else np.logical_or.reduce(masks)
    return joined


def _wanted(name: str, value: str | bool) -> set[str]:
    if isinstance(value, bool):
        return {"yes" if value else "no"}
    return {level.casefold() for level in levels_of(FIELDS[name], value)}
