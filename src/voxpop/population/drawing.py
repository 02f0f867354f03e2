"""Registry of functions that draw a field from the fields drawn before it.

Most fields of a population are drawn jointly in :mod:`voxpop.population.build`. A field that is drawn
conditionally on the others registers a function here::

    @draws("veteran")
    def draw_veteran(streams: Streams, found: Columns) -> Column: ...

The function receives the random streams of a block and the columns of its agents. It may use any of them,
including fields that precede its own in the table of fields. The labels of a category must be the same in
every block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from voxpop.errors import PopulationError, UsageError
from voxpop.population.columns import Column, Members, Numbers
from voxpop.population.draw import Streams
from voxpop.vocabulary.fields import FIELDS, Field

Columns = Mapping[str, Column]
Draw = Callable[[Streams, Columns], Column]
"""Function that draws a column of a block from its random streams and the existing columns."""

_drawn_by: dict[str, Draw] = {}


def draws(name: str) -> Callable[[Draw], Draw]:
    """Register the function that draws a field.

    Raises
    ------
    UsageError
        There is no such field, or another function already draws it.
    """
    if name not in FIELDS:
        raise UsageError(f"{name!r} is drawn, but it has no row in the table of fields.")
    if name in _drawn_by:
        raise UsageError(f"{name!r} is drawn by {_drawn_by[name].__name__} already.")

    def register(draw: Draw) -> Draw:
        _drawn_by[name] = draw
        return draw

    return register


def drawn(streams: Streams, found: Columns) -> dict[str, Column]:
    """Return the given columns and the columns of all other fields.

    Raises
    ------
    PopulationError
        No function draws a field, or a drawn column does not fit its row.
    """
    columns = dict(found)
    for name, field in FIELDS.items():
        if name not in columns:
            if name not in _drawn_by:
                raise PopulationError(f"No function draws the field {name!r}; see voxpop.population.drawing.")
            columns[name] = _fitting(field, _drawn_by[name](streams, columns))
    return columns


def _fitting(field: Field, column: Column) -> Column:
    """Return a column unchanged after checking its kind and levels against the field."""
    if isinstance(column, Numbers):
        fits = column.sql_type == field.stored
    else:
        kind = "list" if isinstance(column, Members) else "category"
        fits = field.kind == kind and (not field.levels or set(column.labels) <= set(field.levels))
    if not fits:
        raise PopulationError(f"The column drawn for the field {field.name!r} does not fit its row.")
    return column
