"""References from outside: an integer id or a UUID."""

from __future__ import annotations

import uuid

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
    return sa.and_(table.c.organization_id == organization_id, _names(table, reference, noun))


def missing(noun: str, reference: int | str) -> NotFound:
    """Return the error for a resource that this organization does not have."""
    return NotFound(f"There is no {noun} {str(reference)[:64]!r}.")


def new_uuid() -> str:
    """Return a random UUID with dashes."""
    return str(uuid.uuid4())


def _names(table: sa.Table, reference: int | str, noun: str) -> sa.ColumnElement[bool]:
    text = str(reference)
    if text.isascii() and text.isdigit():
        if len(text) > 19 or int(text) > _LARGEST:
            raise missing(noun, reference)
        return table.c.id == int(text)
    try:
        return table.c.uuid == str(uuid.UUID(text))
    except ValueError as error:
        raise missing(noun, reference) from error
