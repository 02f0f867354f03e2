"""How a thing is named from outside: by its number or by its UUID."""

from __future__ import annotations

import uuid

import sqlalchemy as sa

from voxpop.errors import NotFound

_LARGEST = 2**63 - 1


def find(table: sa.Table, organization_id: int, reference: int | str, *, noun: str) -> sa.ColumnElement[bool]:
    """Return the condition that picks one row of an organization.

    Parameters
    ----------
    table
        A table with ``id``, ``uuid`` and ``organization_id``.
    organization_id
        Whose thing it has to be.
    reference
        A number, its digits, or a UUID with or without dashes.
    noun
        What the thing is called, for the message.

    Raises
    ------
    NotFound
        The reference can name nothing.
    """
    return sa.and_(table.c.organization_id == organization_id, _names(table, reference, noun))


def missing(noun: str, reference: int | str) -> NotFound:
    """Return the error for a thing that is not there for this organization."""
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
