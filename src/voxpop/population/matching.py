"""Filters as SQL over the table of agents: one expression per condition, with values as parameters.

NULL meets no condition, so agents without a job or without health data never match. A group ``not`` is the
complement of its filters, so these agents match it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_

from voxpop.population.columns import bits_of
from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition, HowMany
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, Group

Labels = Mapping[str, Mapping[str, str]]
"""Labels by field: in lower case -> as stored."""

Sql = tuple[str, list[object]]
"""A condition with ``?`` placeholders, and their values."""

NOBODY: Sql = ("FALSE", [])


def condition_sql(filter: Filter, labels: Labels) -> Sql:
    """Return the SQL condition of a filter with resolved occupations.

    Parameters
    ----------
    filter : Filter
        Filter with occupations resolved to live labels.
    labels : mapping
        Labels of all category and list fields.

    Returns
    -------
    (str, list)
        Text of the condition, and its parameters in order.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import between, where
    >>> labels = {"gender": {"male": "male", "female": "female"}}
    >>> condition_sql(where(gender=["female", "nobody"], age=between(25, 64)), labels)
    ('(age >= ? AND age <= ?) AND (gender = ?)', [25.0, 64.0, 'female'])
    """
    pieces: list[str] = []
    values: list[object] = []
    for name, condition in filter.check().conditions:
        text, parameters = _one(filter, name, condition, labels)
        pieces.append(text)
        values += parameters
    for group in filter.groups:
        text, parameters = _group(group, labels)
        pieces.append(text)
        values += parameters
    if not pieces:
        return "TRUE", []
    word = " OR " if filter.match == "any" else " AND "
    return word.join(f"({piece})" for piece in pieces), values


def _group(group: Group, labels: Labels) -> Sql:
    parts = [condition_sql(one, labels) for one in group.filters]
    word = " AND " if group.kind == "all" else " OR "
    text = word.join(f"({part})" for part, _ in parts)
    values = [value for _, more in parts for value in more]
    return (f"({text}) IS NOT TRUE" if group.kind == "not" else text), values


def pinned(filter: Filter, labels: Labels) -> dict[str, str]:
    """Return the fields in which all matching agents share one value, with this value.

    Parameters
    ----------
    filter : Filter
        Filter with occupations resolved to live labels.
    labels : mapping
        Labels of all category and list fields.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import where
    >>> pinned(where(gender="Female", state=["TX", "VT"]), {"gender": {"female": "female"}})
    {'gender': 'female'}
    """
    found: dict[str, str] = {}
    if filter.match == "any" and filter.terms > 1:
        return found
    for name, condition in filter.check().conditions:
        if isinstance(condition, AnyOf) and FIELDS[name].kind == "category":
            known = labels.get(name, {})
            meant = {key.casefold() for group in filter.expand(name) for key in group} & known.keys()
            if len(meant) == 1:
                found[name] = known[meant.pop()]
    return found


def _one(filter: Filter, name: str, condition: Condition, labels: Labels) -> Sql:
    if isinstance(condition, HowMany):
        return _between(f"len({name})", Between(condition.min, condition.max))
    if isinstance(condition, Between):
        return _between(name, condition)
    every = isinstance(condition, AllOf)
    kind = FIELDS[name].kind
    if kind == "boolean":
        return _equal(name, list(condition.values), every=every)
    known = labels.get(name, {})
    groups = [
        [known[key] for key in map(str.casefold, group) if key in known] for group in filter.expand(name)
    ]
    if kind == "list":
        return _bits(name, [_mask(group, known) for group in groups], every=every)
    if every:
        return _joined([_equal(name, sorted(group), every=False) for group in groups], " AND ")
    wanted = sorted({label for group in groups for label in group})
    if wanted and len(wanted) == len(known):
        return f"{name} IS NOT NULL", []  # all labels are included, so no comparison is needed
    return _equal(name, wanted, every=False)


def _between(name: str, condition: Between) -> Sql:
    pieces, values = [], []
    for sign, bound in ((">=", condition.min), ("<=", condition.max)):
        if bound is not None:
            pieces.append(f"{name} {sign} ?")
            values.append(_as_double(bound))
    return " AND ".join(pieces) or f"{name} IS NOT NULL", list(values)


def _as_double(bound: float) -> float:
    try:
        return float(bound)
    except OverflowError:  # an integer beyond the range of doubles
        return float("inf") if bound > 0 else float("-inf")


def _equal(name: str, values: list[object] | list[str] | list[str | bool], *, every: bool) -> Sql:
    if not values:
        return NOBODY
    if len(values) == 1:
        return f"{name} = ?", list(values)
    if every:
        return _joined([(f"{name} = ?", [value]) for value in values], " AND ")
    return f"{name} IN ({', '.join('?' * len(values))})", list(values)


def _mask(group: Iterable[str], known: Mapping[str, str]) -> int:
    order = {label: number for number, label in enumerate(known.values())}
    return sum(1 << order[label] for label in set(group))


def _bits(name: str, masks: list[int], *, every: bool) -> Sql:
    """Return the condition on a list field, by its bit mask: all of the masks, or any of them."""
    column = bits_of(name)
    if not every:
        masks = [reduce(or_, masks, 0)]
    if not all(masks):
        return NOBODY
    return _joined([(f"({column} & CAST(? AS UBIGINT)) <> 0", [mask]) for mask in masks], " AND ")


def _joined(pieces: list[Sql], word: str) -> Sql:
    text = word.join(f"({piece})" if len(pieces) > 1 else piece for piece, _ in pieces)
    return text, [value for _, values in pieces for value in values]
