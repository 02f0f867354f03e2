"""Lists of names that the population and the engines share: job titles and given names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from voxpop.text_files import rows_of

LISTS = ("us_given_names_assumed", "us_title_variants", "us_titles_assumed")
"""Names of the lists, which are files in the folder ``reference`` next to this module."""


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of a list, as strings by column.

    Parameters
    ----------
    name : str
        One of :data:`LISTS`.

    Examples
    --------
    >>> rows("us_given_names_assumed")[0]["name"]
    'Robert'
    """
    return rows_of(Path(__file__).parent / "reference" / f"{name}.csv")


@cache
def given_names() -> frozenset[str]:
    """Return the case-folded given names of people in the USA.

    Examples
    --------
    >>> "robert" in given_names()
    True
    """
    return frozenset(row["name"].casefold() for row in rows("us_given_names_assumed"))
