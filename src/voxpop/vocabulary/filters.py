"""A filter: which agents are meant, as one value that can be compared, printed and sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voxpop.errors import FilterError
from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition, all_of, any_of, between, code_of
from voxpop.vocabulary.fields import FIELDS, field
from voxpop.vocabulary.reading import Match, Problems, read_fields, read_match
from voxpop.vocabulary.sentence import sentence_of
from voxpop.vocabulary.values import levels_of

__all__ = ["AllOf", "AnyOf", "Between", "Condition", "Filter", "all_of", "any_of", "between", "where"]

_POSITIONS = {name: position for position, name in enumerate(FIELDS)}


@dataclass(frozen=True, repr=False)
class Filter:
    """Which agents are meant. Make one with :func:`where` or ``parse``, which check what they are given.

    Attributes
    ----------
    match : {"all", "any"}
        Whether an agent must meet every condition or at least one.
    conditions : tuple of (str, AnyOf or AllOf or Between)
        One condition per field, by canonical name, in the order of ``FIELDS``. None at all means every agent.
    """

    match: Match = "all"
    conditions: tuple[tuple[str, Condition], ...] = ()

    def __post_init__(self) -> None:
        named = {field(name).name: condition for name, condition in self.conditions}
        if len(named) < len(self.conditions):
            raise FilterError({"filters": ["a field can be named once only"]})
        ordered = sorted(named.items(), key=lambda pair: _POSITIONS[pair[0]])
        object.__setattr__(self, "conditions", tuple(ordered))

    def __repr__(self) -> str:
        parts = [] if self.match == "all" else [f'match="{self.match}"']
        parts += [f"{name}={_condition_code(condition)}" for name, condition in self.conditions]
        return f"vp.where({', '.join(parts)})"

    def get(self, name: str) -> Condition | None:
        """Return the condition on a field, by name or alias, or None."""
        return dict(self.conditions).get(field(name).name)

    def replace(self, name: str, condition: Condition | None) -> Filter:
        """Return a filter with another condition on one field; None takes the field out."""
        conditions = dict(self.conditions)
        conditions.pop(field(name).name, None)
        if condition is not None:
            conditions[field(name).name] = condition
        return Filter(self.match, tuple(conditions.items()))

    def to_json(self) -> dict[str, Any]:
        """Return the nested form, ``{"match": ..., "filters": {...}}``.

        Examples
        --------
        >>> where(country="USA", age=between(25, 64)).to_json()
        {'match': 'all', 'filters': {'country': 'USA', 'age': {'min': 25, 'max': 64}}}
        """
        return {"match": self.match, "filters": {name: asked.to_json() for name, asked in self.conditions}}

    def to_flat(self) -> dict[str, Any]:
        """Return the flat form, with the fields beside ``match``.

        Examples
        --------
        >>> where(match="any", state=["CA", "TX"]).to_flat()
        {'match': 'any', 'state': {'any': ['CA', 'TX']}}
        """
        return {"match": self.match, **{name: asked.to_json() for name, asked in self.conditions}}

    def to_query(self) -> list[tuple[str, str]]:
        """Return the form for a URL: repeated names, or JSON in ``filters`` where these cannot say it.

        Examples
        --------
        >>> where(state=["CA", "TX"], age=between(25)).to_query()
        [('match', 'all'), ('state', 'CA'), ('state', 'TX'), ('age_min', '25')]
        >>> where(bmi=between(30)).to_query()
        [('filters', '{"match": "all", "filters": {"bmi": {"min": 30}}}')]
        """
        pairs: list[tuple[str, str]] = [("match", self.match)]
        for name, condition in self.conditions:
            written = _query_pairs(name, condition)
            if written is None:
                return [("filters", json.dumps(self.to_json(), ensure_ascii=False))]
            pairs += written
        return pairs

    def sentence(self) -> str:
        """Return the filter in plain words.

        Examples
        --------
        >>> where(country="USA", age=between(25, 64), drug_class="Ozempic").sentence()
        'US adults aged 25 to 64 taking a GLP-1 medicine'
        """
        return sentence_of(self.match, self.conditions)

    def expand(self, name: str) -> tuple[frozenset[str], ...]:
        """Return, for each value listed on a field, the levels that it stands for.

        Returns
        -------
        tuple of frozenset of str
            Empty when the filter does not ask for values of that field.

        Examples
        --------
        >>> [sorted(levels) for levels in where(bmi_class=["normal", "obese"]).expand("bmi_class")]
        [['normal'], ['obese', 'obese_1', 'obese_2', 'obese_3']]
        """
        condition = self.get(name)
        if not isinstance(condition, (AnyOf, AllOf)):
            return ()
        return tuple(levels_of(field(name), value) for value in condition.values if isinstance(value, str))


def where(*, match: str = "all", **fields: Any) -> Filter:
    """Return the filter for agents with these values.

    Parameters
    ----------
    match : {"all", "any"}, default "all"
        Whether an agent must meet every condition or at least one.
    **fields
        By name or alias: one value, a list (any of them), True or False, a number (exactly that),
        ``between(...)``, ``any_of(...)``, ``all_of(...)`` or the interface's own JSON for the field.

    Raises
    ------
    FilterError
        With every problem found: unknown fields with the nearest names, wrong types, empty lists and so on.

    Examples
    --------
    >>> where(country="us", age=between(25, 64), drug_class="semaglutide")
    vp.where(country="USA", age=vp.between(25, 64), health_drug_classes="glp1_agonist")
    """
    problems = Problems()
    read = read_match(match, problems)
    conditions = read_fields(fields.items(), problems)
    problems.check()
    return Filter(read, conditions)


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
