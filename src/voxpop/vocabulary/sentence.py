"""Descriptions of filters in plain language, for group descriptions and pickers."""

from __future__ import annotations

from collections.abc import Sequence

from voxpop.vocabulary.conditions import AllOf, Between, Condition
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.levels import NO_ETHNICITY
from voxpop.vocabulary.places import COUNTRY_ADJECTIVES


def sentence_of(
    match: str, conditions: Sequence[tuple[str, Condition]], own: Sequence[tuple[str, Condition]] = ()
) -> str:
    """Return the description of a filter's parts; ``own`` are conditions on columns of other data.

    Examples
    --------
    >>> from voxpop.vocabulary.conditions import AnyOf
    >>> sentence_of("all", [], [("switch", AnyOf(("yes",))), ("score", Between(4, None))])
    'respondents whose switch is yes and whose score is 4 or more'
    """
    if not conditions and not own:
        return "all agents"
    if match == "any" and len(conditions) + len(own) > 1:
        phrases = [_phrase(name, condition) for name, condition in conditions]
        phrases += [_own_phrase(name, condition) for name, condition in own]
        subject = "adults" if conditions else "respondents"
        return f"{subject} who meet at least one of these: " + "; ".join(phrases)
    subject, rest = _subject(dict(conditions)) if conditions else ("respondents", {})
    phrases = [_phrase(name, condition) for name, condition in rest.items()]
    phrases += [_own_phrase(name, condition) for name, condition in own]
    if len(phrases) < 3:
        joint = " and " if own else " "
        return " ".join(part for part in (subject, joint.join(phrases)) if part)
    return f"{subject} {', '.join(phrases[:-1])} and {phrases[-1]}"


def _own_phrase(name: str, condition: Condition) -> str:
    if isinstance(condition, Between):
        return f"whose {name} is {_range(condition, 'more', 'less')}"
    join = "and" if isinstance(condition, AllOf) else "or"
    return f"whose {name} is {_joined([_text(value) for value in condition.values], join)}"


def _text(value: str | bool | float) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _subject(conditions: dict[str, Condition]) -> tuple[str, dict[str, Condition]]:
    """Return the noun with its adjectives, and the conditions that it does not cover."""
    rest = dict(conditions)
    words = []
    for name, table in (("country", COUNTRY_ADJECTIVES), ("gender", FIELDS["gender"].words)):
        condition = rest.get(name)
        if (
            condition is None
            or isinstance(condition, Between)
            or not all(v in table for v in condition.values)
        ):
            continue
        if isinstance(condition, AllOf) and len(condition.values) > 1:
            continue
        words.append(_joined([table[str(value)] for value in condition.values], "and"))
        del rest[name]
    if "gender" not in conditions or "gender" in rest:
        words.append("adults")
    return " ".join(words), rest


def _phrase(name: str, condition: Condition) -> str:
    field = FIELDS[name]
    if isinstance(condition, Between):
        return _age(condition) if name == "age" else field.phrase.format(_range(condition, "more", "less"))
    join = "and" if isinstance(condition, AllOf) else "or"
    texts = [_text(value) for value in condition.values]
    words = [field.words.get(text, text) for text in texts]
    if field.lower:
        words = [word[0].lower() + word[1:] for word in words]
    phrase = "of the group {}" if name == "ethnicity" and not NO_ETHNICITY.isdisjoint(texts) else field.phrase
    return phrase.format(_joined(words, join))


def _age(condition: Between) -> str:
    return f"aged {_range(condition, 'older', 'younger')}"


def _range(condition: Between, above: str, below: str) -> str:
    if condition.min is None:
        return f"{condition.max} or {below}"
    if condition.max is None:
        return f"{condition.min} or {above}"
    if condition.min == condition.max:
        return f"{condition.min}"
    return f"{condition.min} to {condition.max}"


def _joined(words: Sequence[str], join: str) -> str:
    *first, last = words
    return f"{', '.join(first)} {join} {last}" if first else last
