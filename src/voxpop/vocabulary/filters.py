"""Filters: immutable selections of agents that can be compared, printed and sent."""

from __future__ import annotations

import json
import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

from voxpop.errors import FilterError
from voxpop.vocabulary.columns import Named, divide, problems_of, read_columns
from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition, all_of, any_of, between, code_of
from voxpop.vocabulary.fields import FIELDS, field, find_field
from voxpop.vocabulary.filter_reading import AGE_BOUNDS, Match, Pairs, Problems, read_match
from voxpop.vocabulary.sentence import sentence_of
from voxpop.vocabulary.values import levels_of

__all__ = ["AllOf", "AnyOf", "Between", "Condition", "Filter", "all_of", "any_of", "between", "where"]


@dataclass(frozen=True, repr=False)
class Filter:
    """A selection of agents. Create one with :func:`where` or ``parse``, which validate their arguments.

    Attributes
    ----------
    match : {"all", "any"}
        Whether an agent must meet every condition or at least one.
    conditions : tuple of (str, AnyOf or AllOf or Between)
        One condition per field, by canonical name, in the order of ``FIELDS``. No conditions match every
        agent.
    own : tuple of (str, AnyOf or AllOf or Between)
        Conditions on columns of the user's own data that are not fields. A filter with such conditions works
        for tables and is rejected before it is sent to the service; see :meth:`check`.
    given : tuple of (str, AnyOf or AllOf or Between)
        All conditions with the names and values as given, which a table matches with its columns first.
    """

    match: Match = "all"
    conditions: Named = ()
    own: Named = ()
    given: Named = attribute(default=(), compare=False)

    def __post_init__(self) -> None:
        named = {field(name).name: condition for name, condition in self.conditions}
        if len(named) < len(self.conditions):
            raise FilterError({"filters": ["a field can be named once only"]})
        ordered = tuple((name, named[name]) for name in FIELDS if name in named)
        object.__setattr__(self, "conditions", ordered)
        if not self.given:
            object.__setattr__(self, "given", (*ordered, *self.own))

    def __repr__(self) -> str:
        parts = [] if self.match == "all" else [f'match="{self.match}"']
        parts += [f"{name}={_condition_code(condition)}" for name, condition in self.conditions]
        named = {
            name: repr(asked) if isinstance(asked, Between) else _condition_code(asked)
            for name, asked in self.own
        }
        parts += [f"{name}={code}" for name, code in named.items() if _is_keyword(name)]
        others = [f"{code_of(name)}: {code}" for name, code in named.items() if not _is_keyword(name)]
        parts += [f"**{{{', '.join(others)}}}"] if others else []
        return f"vp.where({', '.join(parts)})"

    def check(self) -> Filter:
        """Return the filter itself if every condition is on an agent field.

        Raises
        ------
        FilterError
            The filter has unknown fields or values of a wrong type; all problems are listed.

        Examples
        --------
        >>> where(gendr="male").check()
        Traceback (most recent call last):
        voxpop.errors.FilterError: gendr: unknown field; did you mean gender (agents are chosen by their ...
        """
        if self.own:
            problems_of(self.given).check()
        return self

    def get(self, name: str) -> Condition | None:
        """Return the condition on a field, by name or alias, or None."""
        return dict(self.conditions).get(field(name).name)

    def replace(self, name: str, condition: Condition | None) -> Filter:
        """Return a filter with another condition on one field; None removes the field."""
        canonical = field(name).name
        kept = tuple((other, asked) for other, asked in self.conditions if other != canonical)
        given = tuple((other, asked) for other, asked in self.given if _canonical(other) != canonical)
        added = () if condition is None else ((canonical, condition),)
        return Filter(self.match, (*kept, *added), self.own, (*given, *added))

    def to_json(self) -> dict[str, Any]:
        """Return the nested form, ``{"match": ..., "filters": {...}}``.

        Examples
        --------
        >>> where(country="USA", age=between(25, 64)).to_json()
        {'match': 'all', 'filters': {'country': 'USA', 'age': {'min': 25, 'max': 64}}}
        """
        every = (*self.conditions, *self.own)
        return {"match": self.match, "filters": {name: asked.to_json() for name, asked in every}}

    def to_given(self) -> dict[str, Any]:
        """Return the nested form with the names and values as given, before normalization.

        Examples
        --------
        >>> where(country="us", q=[1, 2]).to_given()
        {'match': 'all', 'filters': {'country': 'us', 'q': {'any': [1, 2]}}}
        """
        return {"match": self.match, "filters": {name: asked.to_json() for name, asked in self.given}}

    def to_flat(self) -> dict[str, Any]:
        """Return the flat form, with the fields next to ``match``.

        Examples
        --------
        >>> where(match="any", state=["CA", "TX"]).to_flat()
        {'match': 'any', 'state': {'any': ['CA', 'TX']}}
        """
        conditions = self.check().conditions
        return {"match": self.match, **{name: asked.to_json() for name, asked in conditions}}

    def to_query(self) -> list[tuple[str, str]]:
        """Return the URL form: repeated names, or JSON in ``filters`` where repetition is not enough.

        Examples
        --------
        >>> where(state=["CA", "TX"], age=between(25)).to_query()
        [('match', 'all'), ('state', 'CA'), ('state', 'TX'), ('age_min', '25')]
        >>> where(bmi=between(30)).to_query()
        [('filters', '{"match": "all", "filters": {"bmi": {"min": 30}}}')]
        """
        pairs: list[tuple[str, str]] = [("match", self.match)]
        for name, condition in self.check().conditions:
            written = _query_pairs(name, condition)
            if written is None:
                return [("filters", json.dumps(self.to_json(), ensure_ascii=False))]
            pairs += written
        return pairs

    def sentence(self) -> str:
        """Return a description of the filter in plain language.

        Examples
        --------
        >>> where(country="USA", age=between(25, 64), drug_class="Ozempic").sentence()
        'US adults aged 25 to 64 taking a GLP-1 medicine'
        """
        return sentence_of(self.match, self.conditions, self.own)

    def expand(self, name: str) -> tuple[frozenset[str], ...]:
        """Return, for each value listed for a field, the set of levels that it covers.

        Returns
        -------
        tuple of frozenset of str
            Empty if the filter lists no values for the field.

        Examples
        --------
        >>> [sorted(levels) for levels in where(bmi_class=["normal", "obese"]).expand("bmi_class")]
        [['normal'], ['obese', 'obese_1', 'obese_2', 'obese_3']]
        """
        condition = self.get(name)
        if not isinstance(condition, (AnyOf, AllOf)):
            return ()
        return tuple(levels_of(field(name), value) for value in condition.values if isinstance(value, str))


def where(*, match: Match = "all", **fields: Any) -> Filter:
    """Return the filter for agents, or for rows of data, with the given values.

    To recruit or count agents, names are agent fields or their aliases. ``where=`` of a table also accepts
    the columns of its data: a name refers to the column with exactly this name if there is one, and to the
    field otherwise. Values of a column named like a field may be given by any of their synonyms, such as
    "women".

    Parameters
    ----------
    match : {"all", "any"}, default "all"
        Whether an agent must meet every condition or at least one.
    **fields
        Per field, alias or column: one value, a list (any of them), True or False, a number (exactly that),
        ``between(...)``, ``any_of(...)``, ``all_of(...)`` or the JSON form of the field's condition.

    Raises
    ------
    A condition is invalid for any column, for example an empty list or reversed bounds. Names and values are
    checked on use: by the client before sending, by a table against its data.

    Examples
    --------
    >>> where(country="us", age=between(25, 64), drug_class="semaglutide")
    vp.where(country="USA", age=vp.between(25, 64), health_drug_classes="glp1_agonist")
    >>> where(switch="yes", score=between(4))
    vp.where(switch="yes", score=vp.between(4))
    """
    problems = Problems()
    read = read_match(match, problems)
    made = read_any(read, fields.items(), problems)
    problems.check()
    return made


def read_any(match: Match, pairs: Pairs, problems: Problems) -> Filter:
    """Return the filter for names that may be agent fields or columns of data."""
    given = read_columns(pairs, problems)
    conditions, own = divide(given)
    return Filter(match, conditions, own, given)


def _canonical(name: str) -> str:
    known = find_field(name)
    return known.name if known is not None else "age" if name.strip().casefold() in AGE_BOUNDS else name


def _is_keyword(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and name != "match"


def _condition_code(condition: Condition) -> str:
    if isinstance(condition, AnyOf):
        values = [code_of(value) for value in condition.values]
        return values[0] if len(values) == 1 else f"[{', '.join(values)}]"
    if isinstance(condition, Between) and condition.min is not None and condition.min == condition.max:
        return repr(condition.min)
    return repr(condition)


def _query_pairs(name: str, condition: Condition) -> list[tuple[str, str]] | None:
    if isinstance(condition, AnyOf):
        return [
            (name, str(value) if isinstance(value, str) else str(value).lower()) for value in condition.values
        ]
    if isinstance(condition, AllOf):
        return None
    if condition.min is not None and condition.min == condition.max:
        return [(name, repr(condition.min))]
    if name != "age":
        return None
    bounds: Mapping[str, float | None] = {"age_min": condition.min, "age_max": condition.max}
    return [(bound, repr(number)) for bound, number in bounds.items() if number is not None]
