"""Resolution of user input to canonical field values, with suggestions for unknown values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from voxpop.vocabulary.fields import Field
from voxpop.vocabulary.nearest import nearest, within_one_typo
from voxpop.vocabulary.related import BRANDS, INDUSTRY_WORDS

_DASHES = str.maketrans(
    {"_": " ", "-": " ", "\u2010": " ", "\u2011": " ", "\u2012": " ", "\u2013": " ", "\u2014": " "}
)
_LONGEST = 80
"""Maximum length of a text that is compared for misspellings."""
_USUAL, _MOST_CONTAINED, _MOST = 3, 5, 20
_PREFIX = 4
_LAST_WORDS = (" industry", " sector", " business")


def fold(text: str) -> str:
    """Return a text without differences in case, spaces, hyphens and underscores.

    Examples
    --------
    >>> fold(" Non-Binary ") == fold("non_binary")
    True
    """
    return " ".join(text.translate(_DASHES).casefold().split())


@cache
def _spellings(field: Field) -> Mapping[str, str]:
    known = {**field.names, **{value: value for value in (*field.known, *field.levels)}}
    return {fold(spelling): value for spelling, value in known.items()}


@lru_cache(maxsize=64)
def _folded(labels: tuple[str, ...]) -> Mapping[str, str]:
    return {fold(label): label for label in labels}


@cache
def _countries_of(field: Field) -> Mapping[str, frozenset[str]]:
    """Return the countries of each value of a field that differs by country."""
    found: dict[str, set[str]] = {}
    for country, values in field.by_country.items():
        for value in values:
            found.setdefault(value, set()).add(country)
    return {value: frozenset(countries) for value, countries in found.items()}


def canonical(field: Field, text: str) -> str:
    """Return the canonical value for a text; an unknown text is returned unchanged.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> canonical(field("drug_class"), "Ozempic"), canonical(field("country"), "gb")
    ('glp1_agonist', 'UK')
    >>> canonical(field("state"), "new york"), canonical(field("occupation"), "Registered Nurses")
    ('NY', 'Registered Nurses')
    """
    return _spellings(field).get(fold(text), text.strip())


def is_known(field: Field, value: str, labels: Iterable[str] = ()) -> bool:
    """Return whether a canonical value is in the vocabulary or among the live labels."""
    key = fold(value)
    return key in _spellings(field) or key in _folded(tuple(labels))


def countries_of(field: Field, value: str) -> frozenset[str]:
    """Return the countries of a state or ethnic group; empty if unknown.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> countries_of(field("state"), "Bavaria")
    frozenset({'Germany'})
    """
    return _countries_of(field).get(canonical(field, value), frozenset())


def is_elsewhere(field: Field, value: str, countries: frozenset[str]) -> bool:
    """Return whether a canonical value occurs only outside these countries."""
    known = countries_of(field, value) if countries else frozenset()
    return bool(known) and not known & countries


def suggestions(
    field: Field,
    value: str,
    labels: Iterable[str] = (),
    titles: Mapping[str, str] | None = None,
    countries: frozenset[str] = frozenset(),
) -> list[str]:
    """Return canonical values near a text, most likely first.

    The first rule with a result decides: values with a name at most one typo away; values that contain the
    words of the text, or that include it, such as the class of a brand of medicine or the industry of a
    trade; at most 3 values with a similar spelling.

    Parameters
    ----------
    field : Field
    value : str
    labels : iterable of str
        Live values of the population, in addition to those of the vocabulary.
    titles : mapping, optional
        Other names of live values, in lower case.
    countries : frozenset of str
        Countries to include; states and ethnic groups that occur only elsewhere are omitted.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> suggestions(field("state"), "Calif"), suggestions(field("drug_class"), "Lipitor")
    (['CA', 'Baja California', 'Baja California Sur'], ['statin'])
    >>> suggestions(field("industry"), "tech")
    ['Professional, Scientific, and Technical Services', 'Information']
    """
    wanted = fold(value)
    if len(wanted) > _LONGEST:
        return []
    options = {**_spellings(field), **_folded(tuple(labels))}
    if titles:
        live = set(options.values())
        options = {fold(title): meant for title, meant in titles.items() if meant in live} | options
    allowed = {word: one for word, one in options.items() if not is_elsewhere(field, one, countries)}
    sure = dict.fromkeys(allowed[word] for word in allowed if within_one_typo(wanted, word))
    if sure:
        return list(sure)[:_MOST]
    contained = dict.fromkeys(allowed[word] for word in allowed if _holds(word, wanted))
    found = [*contained][:_MOST_CONTAINED] + [one for one in _related(field, wanted) if one not in contained]
    near = (allowed[word] for word in nearest(wanted, allowed, n=len(allowed)))
    return found or list(dict.fromkeys(near))[:_USUAL]


def levels_of(field: Field, value: str) -> frozenset[str]:
    """Return the levels that a canonical value covers, usually only itself.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> sorted(levels_of(field("bmi_class"), "obese"))
    ['obese', 'obese_1', 'obese_2', 'obese_3']
    """
    return frozenset(field.sums.get(value, (value,)))


def _holds(option: str, wanted: str) -> bool:
    """Return whether each word of a text is a word of an option, or the start of one."""
    parts = re.findall(r"\w+", wanted)
    if not parts or max(map(len, parts)) < _PREFIX:
        return False
    words = re.findall(r"\w+", option)
    return all(
        any(word == part or (len(part) >= _PREFIX and word.startswith(part)) for word in words)
        for part in parts
    )


def _related(field: Field, wanted: str) -> list[str]:
    """Return the values that a text belongs to without being one of their names, allowing one typo."""
    table: dict[str, tuple[str, ...]]
    if field.name == "health_drug_classes":
        table = {fold(brand): (canonical(field, ingredient),) for brand, ingredient in BRANDS.items()}
    elif field.name == "industry":
        table = {fold(word): meant for word, meant in INDUSTRY_WORDS.items()}
        short = wanted.removeprefix("the ")
        for last in _LAST_WORDS:
            short = short.removesuffix(last)
        wanted = wanted if wanted in table else short
    else:
        return []
    exact = table.get(wanted, ())
    return [*exact] or [
        meant
        for word, all_ in table.items()
        if len(word) > _PREFIX and within_one_typo(word, wanted)
        for meant in all_
    ]
