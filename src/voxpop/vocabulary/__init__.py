"""The vocabulary of agents: fields, values and their synonyms, and the grammar of filters.

It uses the standard library only and is shared by the toolkit and the service.
"""

from __future__ import annotations

from voxpop.vocabulary.conditions import (
    AllOf,
    AnyOf,
    Between,
    Condition,
    HowMany,
    all_of,
    any_of,
    at_least,
    at_most,
    between,
)
from voxpop.vocabulary.fields import FIELDS, Field, field
from voxpop.vocabulary.filters import Filter, Group, where
from voxpop.vocabulary.matching import matches, value_of
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.occupations import resolve, resolve_occupations
from voxpop.vocabulary.parse import parse, parse_query
from voxpop.vocabulary.unknown import unknown_values

__all__ = [
    "FIELDS",
    "AllOf",
    "AnyOf",
    "Between",
    "Condition",
    "Field",
    "Filter",
    "Group",
    "HowMany",
    "all_of",
    "any_of",
    "at_least",
    "at_most",
    "between",
    "did_you_mean",
    "field",
    "matches",
    "nearest",
    "parse",
    "parse_query",
    "resolve",
    "resolve_occupations",
    "unknown_values",
    "value_of",
    "where",
]
