"""One side of a combination: the rows of people or of agents, one by one, in the order of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from voxpop.analysis.cohort import check_values, chosen, columns_of, names_of, read_where
from voxpop.analysis.frames import Bools, Floats, Frame, Key, Variable
from voxpop.errors import UsageError
from voxpop.survey.bands import Bands
from voxpop.survey.frame_columns import plain_data
from voxpop.survey.store_view import with_words
from voxpop.survey.survey import Survey

Codes = npt.NDArray[np.intp]
Attribute = str | Bands
ROW = "voxpop_row"


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """The rows of people or agents.

    Attributes
    ----------
    noun : str
        ``people`` or ``agents``, for messages.
    frame : Frame
        The columns, one row per person or agent.
    order : array of int
        Positions in the frame, in the order of the data.
    kept : array of bool
        Whether a row is chosen and has a weight above 0, in the order of the data.
    weights : array of float, optional
        Weights, in the order of the data.
    """

    noun: str
    frame: Frame
    order: Codes
    kept: Bools
    weights: Floats | None

    def numbers(self, name: str) -> Floats:
        """Return a column as numbers, NaN where missing."""
        return self.frame.numbers(name)[self.order]

    def is_number(self, name: str) -> bool:
        """Return whether a column is numeric and does not declare levels."""
        return self.frame.is_number(name) and not self.frame.declared(name)

    def answered(self, name: str) -> Bools:
        """Return whether each row has an answer."""
        return self.variable(name).answered[self.order]

    def variable(self, key: Attribute, *, most: bool = True) -> Variable:
        """Return a column or its bands as levels."""
        if isinstance(key, str) and not most:
            return self.frame.variable(key, most=None)
        return self.frame.attribute(key)

    def members(self, variable: Variable) -> dict[str, Bools]:
        """Return, by level, whether each row has it."""
        return {
            level: inside[self.order]
            for level, inside in zip(variable.levels, variable.members(), strict=True)
        }

    def codes(self, key: Attribute, levels: Sequence[str]) -> Codes:
        """Return the position of each row's level in a list, -1 if it is missing or not in it."""
        variable = self.variable(key, most=False)
        if variable.multiple:
            raise UsageError(
                f"{name_of(key)!r} is a multi-response question; a profile needs one value each."
            )
        places = {level: place for place, level in enumerate(levels)}
        own = np.array([places.get(level, -1) for level in variable.levels], dtype=np.intp)
        held = np.full(self.frame.rows, -1, dtype=np.intp)
        held[variable.agents] = own[variable.codes]
        return held[self.order]


def name_of(key: Attribute) -> str:
    """Return the column of an attribute."""
    return key if isinstance(key, str) else key.column


def read_side(noun: str, data: Any, keys: Sequence[Attribute], weight: str | None, where: Any) -> Side:
    """Read the columns of people or agents, one row each.

    Raises
    ------
    UsageError
        If a column is unknown, weights are invalid, or no row is left.
    """
    chooser = read_where(where, data)
    if where is not None and not hasattr(chooser, "rules"):
        raise UsageError(
            "where selects people and agents alike, so it must be a filter such as "
            "vp.where(gender='female'), "
            "not one bool per row."
        )
    try:
        columns: list[Key] = [*keys, *columns_of(chooser)]
        frame = Frame(_numbered(data, noun), columns, weight, person=ROW)
    except UsageError as error:
        raise UsageError(f"{noun}: {error}") from None
    check_values(frame, chooser)
    persons = frame.persons()
    order = np.argsort(np.zeros(0) if persons is None else persons)
    weights = frame.sums[order] if weight is not None else None
    kept = chosen(frame, chooser)[order] & (frame.positive[order] > 0 if weight is not None else True)
    if not kept.any():
        raise UsageError(f"{noun}: no row is left{'' if where is None else ' by the filter'}.")
    return Side(noun, frame, order, kept, weights)


def _numbered(data: Any, noun: str) -> Any:
    """Return the data with a column that numbers the rows."""
    if ROW in names_of(data):
        raise UsageError(f"the data have a column {ROW!r}, a name that is reserved; rename it.")
    if isinstance(data, Survey):
        data = data.arrow()
    data = with_words(data) if isinstance(data, duckdb.DuckDBPyRelation) else plain_data(data)
    if isinstance(data, pa.Table):
        return data.append_column(ROW, pa.array(np.arange(data.num_rows)))
    if hasattr(data, "assign"):
        return data.assign(**{ROW: np.arange(len(data))})
    raise UsageError(
        "must be a survey, a DataFrame, a Polars or Arrow table or a DuckDB relation, "
        f"not {type(data).__name__}."
    )
