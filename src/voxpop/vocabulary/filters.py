"""Filters: immutable selections of agents that can be compared, printed and sent."""

from __future__ import annotations

import json
import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, Literal

from voxpop.errors import FilterError
from voxpop.vocabulary.columns import Named, divide, problems_of, read_columns
from voxpop.vocabulary.combining import MOST_DEPTH, MOST_PARTS, group_code
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
    code_of,
)
from voxpop.vocabulary.fields import FIELDS, field, find_field
from voxpop.vocabulary.filter_reading import AGE_BOUNDS, Match, Pairs, Problems, read_match
from voxpop.vocabulary.sentence import sentence_of
from voxpop.vocabulary.values import levels_of

__all__ = [
    "AllOf",
    "AnyOf",
    "Between",
    "Condition",
    "Filter",
    "Group",
    "HowMany",
    "all_of",
    "any_of",
    "at_least",
    "at_most",
    "between",
    "where",
]

GroupKind = Literal["all", "any", "not"]
KINDS: tuple[GroupKind, ...] = ("all", "any", "not")


@dataclass(frozen=True)
class Group:
    """Filters that act as one condition of another filter.

    Attributes
    ----------
    kind : {"all", "any", "not"}
        Whether an agent must match every filter, at least one, or none of them.
    filters : tuple of Filter
        One filter or more.
    """

    kind: GroupKind
    filters: tuple[Filter, ...]

    def __post_init__(self) -> None:
        if self.kind not in KINDS or not self.filters:
            raise FilterError(
                {"filters": [f"a group {self.kind!r} of {len(self.filters)} filters is no group"]}
            )

    def to_json(self, *, given: bool = False) -> Any:
        """Return the list of filters; a single filter after ``not`` without the list."""
        inner = [one.to_given() if given else one.to_json() for one in self.filters]
        return inner[0] if self.kind == "not" and len(inner) == 1 else inner


@dataclass(frozen=True, repr=False)
class Filter:
    """A selection of agents. Create one with :func:`where` or ``parse``, which validate their arguments.

    Filters combine with ``&`` (both), ``|`` (at least one) and ``~`` (all other agents).

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
    groups : tuple of Group
        Nested filters, at most one group of each kind. Each group counts as one condition.

    Notes
    -----
    ``~`` is the complement: it matches exactly the agents that the filter does not match, including those
    whose value is not recorded.
    """

    match: Match = "all"
    conditions: Named = ()
    own: Named = ()
    given: Named = attribute(default=(), compare=False)
    groups: tuple[Group, ...] = ()

    def __post_init__(self) -> None:
        named = {field(name).name: condition for name, condition in self.conditions}
        if len(named) < len(self.conditions):
            raise FilterError({"filters": ["a field can be named once only"]})
        ordered = tuple((name, named[name]) for name in FIELDS if name in named)
        object.__setattr__(self, "conditions", ordered)
        if not self.given:
            object.__setattr__(self, "given", (*ordered, *self.own))
        if self.groups:
            self._check_groups()

    def _check_groups(self) -> None:
        kinds = [group.kind for group in self.groups]
        taken = set(kinds) & {name for name, _ in self.own}
        if len(set(kinds)) < len(kinds) or taken:
            raise FilterError({"filters": [f"{', '.join(sorted(taken or kinds))} can be given once only"]})
        object.__setattr__(self, "groups", tuple(sorted(self.groups, key=lambda one: KINDS.index(one.kind))))
        if self.depth > MOST_DEPTH:
            raise FilterError({"filters": [f"filters can be nested {MOST_DEPTH} deep, not deeper"]})
        if self.size > MOST_PARTS:
            problem = f"a filter has at most {MOST_PARTS} conditions and groups, not {self.size:,}"
            raise FilterError({"filters": [problem]})

    @property
    def depth(self) -> int:
        """Number of levels of nested groups; 0 without groups."""
        return max((1 + inner.depth for inner in self.nested()), default=0)

    @property
    def size(self) -> int:
        """Number of conditions and groups, nested ones included."""
        return self.terms + sum(inner.size for inner in self.nested())

    @property
    def terms(self) -> int:
        """Number of conditions and groups at the top level, to which ``match`` applies."""
        return len(self.conditions) + len(self.own) + len(self.groups)

    @property
    def matches_everyone(self) -> bool:
        """Whether the filter has no condition at all."""
        return not self.terms

    def nested(self) -> Iterator[Filter]:
        """Yield the filters of all groups."""
        for group in self.groups:
            yield from group.filters

    def __and__(self, other: object) -> Filter:
        if not isinstance(other, Filter):
            return NotImplemented
        if self.matches_everyone or other.matches_everyone:
            return other if self.matches_everyone else self
        one, two = _as_all(self), _as_all(other)
        for name in [name for name, asked in one.conditions if (name, asked) in two.conditions]:
            two = two.replace(name, None)
        named = {name for name, _ in (*one.conditions, *one.own)}
        every: list[Filter] = []
        if any(name in named for name, _ in (*two.conditions, *two.own)):
            every, two = [two], Filter()
        held: dict[GroupKind, list[Filter]] = {}
        for group in (*one.groups, *two.groups):
            if group.kind == "any" and "any" in held:
                every.append(Filter(groups=(group,)))
            else:
                held.setdefault(group.kind, []).extend(group.filters)
        if every:
            held.setdefault("all", []).extend(every)
        return Filter(
            "all",
            (*one.conditions, *two.conditions),
            (*one.own, *two.own),
            (*one.given, *two.given),
            tuple(Group(kind, _unique(inner)) for kind, inner in held.items()),
        )

    def __or__(self, other: object) -> Filter:
        if not isinstance(other, Filter):
            return NotImplemented
        if self.matches_everyone or other.matches_everyone:
            return Filter()
        found = _merged(_unique((*_alternatives(self), *_alternatives(other))))
        return found[0] if len(found) == 1 else Filter(groups=(Group("any", tuple(found)),))

    def __invert__(self) -> Filter:
        inner: tuple[Filter, ...] = (self,)
        if self.terms == 1 and self.groups:
            (group,) = self.groups
            if group.kind == "not" and len(group.filters) == 1:
                return group.filters[0]
            if group.kind == "not":
                return Filter(groups=(Group("any", group.filters),))
            if group.kind == "any":
                inner = group.filters
        return Filter(groups=(Group("not", inner),))

    def __repr__(self) -> str:
        if not self.groups:
            return self._fields_code()
        head = [self._fields_code()] if self.conditions or self.own else []
        every = self.match == "all" or self.terms == 1
        groups = [(group.kind, [_operand(one) for one in group.filters]) for group in self.groups]
        return group_code(head, groups, every=every)

    def _fields_code(self) -> str:
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
        for inner in self.nested():
            inner.check()
        return self

    def every_condition(self) -> Iterator[tuple[str, Condition]]:
        """Yield the conditions on fields, nested ones included."""
        yield from self.conditions
        for inner in self.nested():
            yield from inner.every_condition()

    def get(self, name: str) -> Condition | None:
        """Return the condition on a field outside all groups, by name or alias, or None."""
        return dict(self.conditions).get(field(name).name)

    def replace(self, name: str, condition: Condition | None) -> Filter:
        """Return a filter with another condition on one field; None removes it. Groups are kept."""
        canonical = field(name).name
        kept = tuple((other, asked) for other, asked in self.conditions if other != canonical)
        given = tuple((other, asked) for other, asked in self.given if _canonical(other) != canonical)
        added = () if condition is None else ((canonical, condition),)
        return Filter(self.match, (*kept, *added), self.own, (*given, *added), self.groups)

    def to_json(self) -> dict[str, Any]:
        """Return the nested form, ``{"match": ..., "filters": {...}}``.

        Examples
        --------
        >>> where(country="USA", age=between(25, 64)).to_json()
        {'match': 'all', 'filters': {'country': 'USA', 'age': {'min': 25, 'max': 64}}}
        """
        every = (*self.conditions, *self.own)
        fields = {name: asked.to_json() for name, asked in every}
        return {"match": self.match, "filters": fields | self._groups_json()}

    def to_given(self) -> dict[str, Any]:
        """Return the nested form with the names and values as given, before normalization.

        Examples
        --------
        >>> where(country="us", q=[1, 2]).to_given()
        {'match': 'all', 'filters': {'country': 'us', 'q': {'any': [1, 2]}}}
        """
        fields = {name: asked.to_json() for name, asked in self.given}
        return {"match": self.match, "filters": fields | self._groups_json(given=True)}

    def _groups_json(self, *, given: bool = False) -> dict[str, Any]:
        return {group.kind: group.to_json(given=given) for group in self.groups}

    def to_flat(self) -> dict[str, Any]:
        """Return the flat form, with the fields next to ``match``.

        Examples
        --------
        >>> where(match="any", state=["CA", "TX"]).to_flat()
        {'match': 'any', 'state': {'any': ['CA', 'TX']}}
        """
        conditions = self.check().conditions
        fields = {name: asked.to_json() for name, asked in conditions}
        return {"match": self.match, **fields, **self._groups_json()}

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
        if self.groups:
            return [("filters", json.dumps(self.check().to_json(), ensure_ascii=False))]
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
        groups = [
            (group.kind, [(one.sentence(), one.terms > 1) for one in group.filters]) for group in self.groups
        ]
        return sentence_of(self.match, self.conditions, self.own, groups)

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
        ``between(...)``, ``any_of(...)``, ``all_of(...)``, ``at_least(...)`` and ``at_most(...)`` for the
        number of values in a list, or the JSON form of the field's condition.

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
    >>> where(country="USA") & ~where(condition="gout") & (where(state="TX") | where(state="CA"))
    vp.where(country="USA", state=["TX", "CA"]) & ~vp.where(health_conditions="gout")
    """
    problems = Problems()
    read = read_match(match, problems)
    made = read_any(read, fields.items(), problems)
    problems.check()
    return made


def read_any(match: Match, pairs: Pairs, problems: Problems, groups: Iterable[Group] = ()) -> Filter:
    """Return the filter for names that may be agent fields or columns of data."""
    given = read_columns(pairs, problems)
    conditions, own = divide(given)
    return Filter(match, conditions, own, given, tuple(groups))


def _as_all(one: Filter) -> Filter:
    """Return an equal filter with ``match="all"``."""
    if one.match == "all":
        return one
    if one.terms == 1:
        return Filter("all", one.conditions, one.own, one.given, one.groups)
    return Filter(groups=(Group("any", _alternatives(one)),))


def _alternatives(one: Filter) -> tuple[Filter, ...]:
    """Return filters of which a matching agent matches at least one."""
    if one.terms == 1 and one.groups and one.groups[0].kind == "any":
        return one.groups[0].filters
    if one.match == "all" or one.terms == 1:
        return (_as_all(one),)
    given = {
        name: tuple(pair for pair in one.given if _canonical(pair[0]) == name) for name, _ in one.conditions
    }
    fields = [Filter("all", (pair,), given=given[pair[0]]) for pair in one.conditions]
    others = [Filter("all", own=(pair,)) for pair in one.own]
    return (*fields, *others, *(Filter(groups=(group,)) for group in one.groups))


def _merged(filters: Iterable[Filter]) -> list[Filter]:
    """Merge filters that only list values of the same field, so that TX or CA is one condition."""
    found: list[Filter] = []
    places: dict[str, int] = {}
    for one in filters:
        name, asked = one.conditions[0] if one.terms == 1 and one.conditions else ("", None)
        if not isinstance(asked, AnyOf):
            found.append(one)
        elif name not in places:
            places[name] = len(found)
            found.append(one)
        else:
            before = found[places[name]].get(name)
            assert isinstance(before, AnyOf)
            values = tuple(dict.fromkeys((*before.values, *asked.values)))
            found[places[name]] = one.replace(name, AnyOf(values))
    return found


def _unique(filters: Iterable[Filter]) -> tuple[Filter, ...]:
    return tuple(dict.fromkeys(filters))


def _operand(one: Filter) -> str:
    """Return the code of a filter, in parentheses where an operator needs them."""
    return f"({one!r})" if one.groups else repr(one)


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
    if isinstance(condition, AllOf | HowMany):
        return None
    if condition.min is not None and condition.min == condition.max:
        return [(name, repr(condition.min))]
    if name != "age":
        return None
    bounds: Mapping[str, float | None] = {"age_min": condition.min, "age_max": condition.max}
    return [(bound, repr(number)) for bound, number in bounds.items() if number is not None]
