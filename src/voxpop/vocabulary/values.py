"""From what somebody typed to the canonical value of a field, and what is near when there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from voxpop.vocabulary.fields import Field
from voxpop.vocabulary.nearest import nearest
from voxpop.vocabulary.places import OTHER_STATE_NAMES, STATES
from voxpop.vocabulary.synonyms import ALIASES, EXPANSIONS, KNOWN_LABELS

_DASHES = str.maketrans(
    {"_": " ", "-": " ", "\u2010": " ", "\u2011": " ", "\u2012": " ", "\u2013": " ", "\u2014": " "}
)


def fold(text: str) -> str:
    """Return a text without the differences that do not matter: case, spaces, hyphens, underscores.

    Examples
    --------
    >>> fold(" Non-Binary ") == fold("non_binary")
    True
    """
    return " ".join(text.translate(_DASHES).casefold().split())


@cache
def _spellings(field: Field) -> Mapping[str, str]:
    known = {**ALIASES.get(field.name, {})}
    known.update({value: value for value in (*KNOWN_LABELS.get(field.name, ()), *field.levels)})
    if field.name == "occupation_major_group":
        known.update({f"{level} occupations": level for level in field.levels})
    return {fold(spelling): value for spelling, value in known.items()}


@cache
def _state_codes() -> Mapping[str, str]:
    names = {**{name: code for code, name in STATES.items()}, **OTHER_STATE_NAMES}
    return {fold(name): code for name, code in names.items()}


def canonical(field: Field, text: str) -> str:
    """Return the canonical value for a text; an unknown one is returned as it was given.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> canonical(field("drug_class"), "Ozempic"), canonical(field("country"), "gb")
    ('glp1_agonist', 'UK')
    >>> canonical(field("occupation"), "Registered Nurses")
    'Registered Nurses'
    """
    return _spellings(field).get(fold(text), text.strip())


def state_code(text: str) -> str | None:
    """Return the 2-letter code when the text is the full name of a US or Canadian state.

    Examples
    --------
    >>> state_code("new york"), state_code("NY")
    ('NY', None)
    """
    return _state_codes().get(fold(text))


def is_known(field: Field, value: str, labels: Iterable[str] = ()) -> bool:
    """Return whether a canonical value belongs to the vocabulary or to the live labels."""
    key = fold(value)
    return key in _spellings(field) or any(key == fold(label) for label in labels)


def suggestions(field: Field, value: str, labels: Iterable[str] = ()) -> list[str]:
    """Return at most three canonical values near a text, looking at other names too.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> suggestions(field("state"), "Calif")
    ['CA']
    """
    options = {**_spellings(field), **{fold(label): label for label in labels}}
    if field.name == "state":
        options = {**_state_codes(), **options}
    near = nearest(fold(value), options, n=len(options))
    return list(dict.fromkeys(options[word] for word in near))[:3]


def levels_of(field: Field, value: str) -> frozenset[str]:
    """Return the levels that a canonical value stands for: mostly itself alone.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> sorted(levels_of(field("bmi_class"), "obese"))
    ['obese', 'obese_1', 'obese_2', 'obese_3']
    """
    return frozenset(EXPANSIONS.get(field.name, {}).get(value, (value,)))
