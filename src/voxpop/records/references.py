"""References from outside: an integer id or a UUID."""

from __future__ import annotations

import uuid
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from voxpop.errors import NotFound

_LARGEST = 2**63 - 1


def find(table: sa.Table, organization_id: int, reference: int | str, *, noun: str) -> sa.ColumnElement[bool]:
    """Return the condition that selects one row of an organization.

    Parameters
    ----------
    table
        A table with ``id``, ``uuid`` and ``organization_id``.
    organization_id
        The owner of the row.
    reference
        An id, its digits, or a UUID with or without dashes.
    noun
        Name of the resource, for the message.

    Raises
    ------
    NotFound
        The reference is not a valid id or UUID.
    """
    name, value = _named(reference, noun)
    return sa.and_(table.c.organization_id == organization_id, table.c[name] == value)


def one(
    c: sa.Connection,
    columns: sa.Select[*tuple[Any, ...]],
    table: sa.Table,
    organization_id: int,
    reference: int | str,
    *,
    noun: str,
) -> sa.Row[*tuple[Any, ...]] | None:
    """Return the row of an organization that a reference names, or None; as :func:`find` understands it.

    The statement is built once for each select, as building it takes longer than running it.

    Parameters
    ----------
    c
        A connection.
    columns
        A select from the table, which lives as long as the program.
    table, organization_id, reference, noun
        As for :func:`find`.
    """
    name, value = _named(reference, noun)
    return c.execute(
        _one(columns, table, name), {"organization": organization_id, "reference": value}
    ).first()


@lru_cache(maxsize=64)
def _one(columns: sa.Select[*tuple[Any, ...]], table: sa.Table, name: str) -> sa.Select[*tuple[Any, ...]]:
    mine = table.c.organization_id == sa.bindparam("organization")
    return columns.where(mine, table.c[name] == sa.bindparam("reference"))


def missing(noun: str, reference: int | str) -> NotFound:
    """Return the error for a resource that this organization does not have."""
    return NotFound(f"There is no {noun} {str(reference)[:64]!r}.")


def new_uuid() -> str:
    """Return a random UUID with dashes."""
    return str(uuid.uuid4())


def _named(reference: int | str, noun: str) -> tuple[str, int | str]:
    """Return the column that a reference is of, and its value there."""
    text = str(reference)
    if text.isascii() and text.isdigit():
        if len(text) > 19 or int(text) > _LARGEST:
            raise missing(noun, reference)
        return "id", int(text)
    try:
        return "uuid", str(uuid.UUID(text))
    except ValueError as error:
        raise missing(noun, reference) from error
