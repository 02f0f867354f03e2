"""Code that draws fields from the fields drawn before it, registered field by field.

Most fields of a population are drawn jointly in :mod:`voxpop.population.build`. A field that is drawn given
the others registers a function here::

    @draws("veteran")
    def draw_veteran(seed: int, found: Columns) -> Column: ...

The function is given the columns of all agents, those of the USA first, and may use any of them, also fields
that stand before its own in the table of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from voxpop.errors import PopulationError, UsageError
from voxpop.population.columns import Column, Members, Numbers
from voxpop.vocabulary.fields import FIELDS, Field

Columns = Mapping[str, Column]
Draw = Callable[[int, Columns], Column]
"""Draws a column from the seed of the population and the columns that are there."""

_drawn_by: dict[str, Draw] = {}


def draws(name: str) -> Callable[[Draw], Draw]:
    """Register the function that draws a field.

    Raises
    ------
    UsageError
        There is no such field, or it is drawn by another function already.
    """
    if name not in FIELDS:
        raise UsageError(f"{name!r} is drawn, but it has no row in the table of fields.")
    if name in _drawn_by:
        raise UsageError(f"{name!r} is drawn by {_drawn_by[name].__name__} already.")

    def register(draw: Draw) -> Draw:
        _drawn_by[name] = draw
        return draw

    return register


def drawn(seed: int, found: Columns) -> dict[str, Column]:
    """Return the given columns and those of all other fields.

    Raises
    ------
    PopulationError
        Nothing draws a field, or what was drawn does not fit its row.
    """
    columns = dict(found)
    for name, field in FIELDS.items():
        if name not in columns:
            if name not in _drawn_by:
                raise PopulationError(f"Nothing draws the field {name!r}; see voxpop.population.drawing.")
            columns[name] = _fitting(field, _drawn_by[name](seed, columns))
    return columns


def _fitting(field: Field, column: Column) -> Column:
    """Return a column as it is, unless it is of another kind than its field or has unknown levels."""
    if isinstance(column, Numbers):
        fits = column.sql_type == field.stored
    else:
        kind = "list" if isinstance(column, Members) else "category"
        fits = field.kind == kind and (not field.levels or set(column.labels) <= set(field.levels))
    if not fits:
        raise PopulationError(f"What is drawn for the field {field.name!r} does not fit its row.")
    return column
