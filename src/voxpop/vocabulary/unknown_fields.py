"""Fields whose values are unknown in a country, which is not the same as no agent having the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from voxpop.vocabulary.conditions import AnyOf, Between, Condition, HowMany
from voxpop.vocabulary.fields import FIELDS, Field
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.values import levels_of

UnknownField = dict[str, str]
"""``field``, ``country`` and ``reason``."""

Lacks = Callable[[str, str], str | None]
"""Function from a field and a country to the reason why a population has no values of it there, or None."""

_NAMES = {"USA": "the USA", "UK": "the UK"}


def unknown_fields(
    asked: Filter, shown: Iterable[str] = (), *, lacks: Lacks | None = None
) -> list[UnknownField]:
    """Return the fields of a filter, and of its counts, that are unknown in some of its countries.

    Parameters
    ----------
    asked : Filter
        The filter. If it is not limited to countries, all of them are looked at.
    shown : iterable of str
        Fields whose values are counted. They are looked at only if the filter is limited to countries.
    lacks : callable, optional
        Tells which values a population lacks beyond those without figures.

    Returns
    -------
    list of dict
        ``field``, ``country`` and ``reason``, a sentence, in the order of the filter and then of ``shown``.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import where
    >>> unknown_fields(where(country="Japan", veteran=True))
    [{'field': 'veteran', 'country': 'Japan', 'reason': 'There are no figures for Japan.'}]
    >>> unknown_fields(where(country="Japan", health_conditions="obesity"))
    []
    """
    named = named_countries(asked)
    wanted = [
        (name, _levels(FIELDS[name], condition), countries)
        for name, condition, countries in _scoped(asked.check(), ())
    ]
    present = {name for name, _, _ in wanted}
    wanted += [(name, None, named) for name in shown if named and name not in present]
    found: dict[tuple[str, str], UnknownField] = {}
    for name, levels, countries in wanted:
        for country in countries or FIELDS["country"].levels:
            reason = _reason(FIELDS[name], country, levels) or (lacks(name, country) if lacks else None)
            if reason is not None:
                found.setdefault((name, country), {"field": name, "country": country, "reason": reason})
    return list(found.values())


def _scoped(asked: Filter, around: tuple[str, ...]) -> Iterator[tuple[str, Condition, tuple[str, ...]]]:
    """Yield each condition, nested ones included, with the countries that its agents are limited to."""
    countries = named_countries(asked) or around
    for name, condition in asked.conditions:
        yield name, condition, countries
    for inner in asked.nested():
        yield from _scoped(inner, countries)


def named_countries(asked: Filter) -> tuple[str, ...]:
    """Return the countries that a filter names outside its groups, in its order; empty if it names none."""
    condition = asked.get("country")
    if not isinstance(condition, AnyOf) or (asked.match == "any" and asked.terms > 1):
        return ()
    return tuple(str(value) for value in condition.values if value in FIELDS["country"].levels)


def missed(unknown: Sequence[Mapping[str, str]], asked: Filter) -> dict[str, list[Mapping[str, str]]]:
    """Return, by field of a filter, where it asks for something unknown.

    These are the countries that the filter names, or all of them. A field that is unknown only in some of
    the countries of a filter without countries is left out: its agents are those of the other countries.
    """
    every = frozenset(FIELDS["country"].levels)
    scopes: dict[str, set[str]] = {}
    for name, _, countries in _scoped(asked, ()):
        scopes.setdefault(name, set()).update(countries)
    found: dict[str, list[Mapping[str, str]]] = {}
    for one in unknown:
        if one["field"] in scopes:
            found.setdefault(one["field"], []).append(one)
    return {
        name: entries
        for name, entries in found.items()
        if scopes[name] or {one["country"] for one in entries} >= every
    }


def unknown_in_words(
    unknown: Sequence[Mapping[str, str]], asked: Filter, *, labels: bool = False
) -> list[str]:
    """Return a sentence for each field of a filter that is unknown where it is asked for.

    Parameters
    ----------
    unknown : sequence of mapping
        As returned by :func:`unknown_fields`, or read from a service.
    asked : Filter
        The filter.
    labels : bool
        Whether fields are called by their labels, not by their names.

    Examples
    --------
    >>> from voxpop.vocabulary.filters import where
    >>> asked = where(country="Japan", veteran=True)
    >>> unknown_in_words(unknown_fields(asked), asked)
    ['veteran is unknown for agents in Japan, which does not mean that none matches: there are no figures for
    Japan.']
    """
    return [
        _in_words(f'"{FIELDS[name].label}"' if labels else name, entries)
        for name, entries in missed(unknown, asked).items()
    ]


def _in_words(subject: str, entries: Sequence[Mapping[str, str]]) -> str:
    countries = list(dict.fromkeys(one["country"] for one in entries))
    everywhere = len(countries) == len(FIELDS["country"].levels)
    where = "all agents" if everywhere else f"agents in {_joined([_place(one) for one in countries])}"
    text = f"{subject} is unknown for {where}, which does not mean that none matches"
    reasons = {one["reason"] for one in entries}
    if len(reasons) > 1:
        return f"{text}."
    reason = reasons.pop()
    return f"{text}: {reason[:1].lower()}{reason[1:]}"


def _reason(field: Field, country: str, levels: frozenset[str] | None) -> str | None:
    if levels is None or not levels:
        known = field.has_figures(country)
    else:
        known = all(field.has_figures(country, level) for level in levels)
    if known:
        return None
    if field.partly:
        return f"For {_place(country)} there are figures on {_joined(field.partly)} only."
    return f"There are no figures for {_place(country)}."


def _levels(field: Field, condition: Condition) -> frozenset[str] | None:
    """Return the levels that a condition needs, or None if it needs the field itself."""
    if isinstance(condition, Between | HowMany) or field.kind == "boolean":
        return None
    return frozenset(
        level for value in condition.values if isinstance(value, str) for level in levels_of(field, value)
    )


def _place(country: str) -> str:
    return _NAMES.get(country, country)


def _joined(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
