"""Filter values that no agent can have, with suggestions for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voxpop.vocabulary.conditions import AllOf, AnyOf, Between, Condition, HowMany
from voxpop.vocabulary.fields import FIELDS, Field
from voxpop.vocabulary.filter_reading import shown
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.nearest import did_you_mean
from voxpop.vocabulary.occupations import resolve
from voxpop.vocabulary.values import countries_of, is_elsewhere, is_known, suggestions

_MOST_SUGGESTED = 20
"""Maximum number of unknown values with suggestions; a filter may list 1,000 values."""

_MOST_IN_WORDS = 5

Labels = Mapping[str, Sequence[str]]


def unknown_values(
    filter: Filter,
    labels: Labels | None = None,
    *,
    titles: Mapping[str, str] | None = None,
    by_country: bool = False,
) -> list[dict[str, Any]]:
    """Return the values of a filter that no agent can have, each with suggestions.

    Parameters
    ----------
    filter : Filter
        The filter to check, before its occupations are resolved.
    labels : mapping of str to sequence of str, optional
        Live values of the population by field, accepted in addition to the vocabulary.
    titles : mapping of str to str, optional
        Job title or synonym, in lower case -> occupation. If given, ``occupation`` and ``title_variant``,
        which have no list in the vocabulary, are checked against the labels too.
    by_country : bool
        Whether a state or ethnic group outside the filter's countries counts as unknown.

    Returns
    -------
    list of dict
        ``field``, ``value``, ``message`` and ``suggestions`` for each, in the order of the filter. Only the
        first 20 have suggestions.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import where
    >>> unknown_values(where(gender="femail"))[0]["suggestions"]
    ['female', 'male']
    >>> unknown_values(where(country="USA", ethnicity="Black"), by_country=True)[0]["message"]
    "'Black' is a value of ethnicity in Canada, not in the USA; did you mean Black or African American?"
    """
    live = labels or {}
    found: list[dict[str, Any]] = []
    for name, condition, countries in _conditions(filter.check(), frozenset()):
        field, options = FIELDS[name], tuple(live.get(name, ()))
        if isinstance(condition, Between | HowMany) or not (field.finite or (options and titles is not None)):
            continue
        for value in condition.values:
            if not isinstance(value, str):
                continue
            problem = f"is not a known value of {name}"
            if _is_right(field, value, options, titles, exact=isinstance(condition, AllOf)):
                if not (by_country and countries and is_elsewhere(field, value, countries)):
                    continue
                there = _named(countries_of(field, value))
                problem = f"is a value of {name} in {there}, not in {_named(countries)}"
            words = titles if name == "occupation" else None
            looked = len(found) < _MOST_SUGGESTED
            near = suggestions(field, value, options, words, countries) if looked else []
            message = f"{shown(value)} {problem}{_ending(near)}"
            found.append({"field": name, "value": value, "message": message, "suggestions": near})
    return found


def _conditions(filter: Filter, around: frozenset[str]) -> Iterator[tuple[str, Condition, frozenset[str]]]:
    """Yield each condition, nested ones included, with the countries that its agents are limited to."""
    countries = _countries(filter) or around
    for name, condition in filter.conditions:
        yield name, condition, countries
    inherited = around if filter.match == "any" else countries
    for inner in filter.nested():
        yield from _conditions(inner, inherited)


def _is_right(
    field: Field, value: str, options: tuple[str, ...], titles: Mapping[str, str] | None, *, exact: bool
) -> bool:
    if field.finite:
        return is_known(field, value, options)
    if field.name == "occupation" and not exact:
        return bool(resolve(value, options, titles or {}))
    return value.casefold() in {option.casefold() for option in options}


def _countries(filter: Filter) -> frozenset[str]:
    """Return the known countries that matching agents are limited to; empty if there is no limit."""
    condition = filter.get("country")
    if filter.match == "any" or not isinstance(condition, AnyOf):
        return frozenset()
    return frozenset(str(value) for value in condition.values) & frozenset(FIELDS["country"].levels)


def _named(countries: frozenset[str]) -> str:
    words = {"USA": "the USA", "UK": "the UK", "Netherlands": "the Netherlands"}
    return " or ".join(words.get(one, one) for one in sorted(countries))


def _ending(near: Sequence[str]) -> str:
    quoted = any("," in one for one in near)  # quotes mark where a name ends if it contains a comma
    named = [f"'{one}'" if quoted else one for one in near[:_MOST_IN_WORDS]]
    more = f" ({len(near) - len(named)} more are near)" if len(near) > len(named) else ""
    return f"{did_you_mean(named)}{more}"
