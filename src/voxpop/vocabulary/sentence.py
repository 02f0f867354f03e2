"""Descriptions of filters in plain language, for group descriptions and pickers."""

from __future__ import annotations

from collections.abc import Sequence

from voxpop.vocabulary.conditions import AllOf, Between, Condition, HowMany
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.levels import NO_ETHNICITY
from voxpop.vocabulary.places import COUNTRY_ADJECTIVES


def sentence_of(
    match: str,
    conditions: Sequence[tuple[str, Condition]],
    own: Sequence[tuple[str, Condition]] = (),
    groups: Sequence[tuple[str, Sequence[tuple[str, bool]]]] = (),
) -> str:
    """Return the description of a filter's parts.

    Parameters
    ----------
    match : {"all", "any"}
    conditions, own : sequence of (str, condition)
        Conditions on fields, and on columns of other data.
    groups : sequence of (kind, sentences)
        Nested filters, each as its sentence and whether that has several parts.

    Examples
    --------
    >>> from voxpop.vocabulary.conditions import AnyOf
    >>> sentence_of("all", [], [("switch", AnyOf(("yes",))), ("score", Between(4, None))])
    'respondents whose switch is yes and whose score is 4 or more'
    >>> sentence_of("all", [], [], [("not", [("men", False)])])
    'all agents, but not men'
    """
    if match == "any" and len(conditions) + len(own) + len(groups) > 1:
        phrases = [_phrase(name, condition) for name, condition in conditions]
        phrases += [_own_phrase(name, condition) for name, condition in own]
        phrases += [_group_phrase(*group).replace("limited to", "being") for group in groups]
        subject = "adults" if conditions else "respondents"
        return f"{subject} who meet at least one of these: " + "; ".join(phrases)
    phrases = [_group_phrase(*group) for group in groups]
    if not conditions and not own and groups and groups[0][0] != "not":
        return ", ".join([phrases[0].removeprefix("limited to "), *phrases[1:]])
    return ", ".join([_plain_sentence(conditions, own), *phrases])


def _plain_sentence(conditions: Sequence[tuple[str, Condition]], own: Sequence[tuple[str, Condition]]) -> str:
    if not conditions and not own:
        return "all agents"
    subject, rest = _subject(dict(conditions)) if conditions else ("respondents", {})
    phrases = [_phrase(name, condition) for name, condition in rest.items()]
    phrases += [_own_phrase(name, condition) for name, condition in own]
    if len(phrases) < 3:
        joint = " and " if own else " "
        return " ".join(part for part in (subject, joint.join(phrases)) if part)
    return f"{subject} {', '.join(phrases[:-1])} and {phrases[-1]}"


def _group_phrase(kind: str, sentences: Sequence[tuple[str, bool]]) -> str:
    several = len(sentences) > 1
    words = [f"({text})" if compound and several else text for text, compound in sentences]
    if kind == "not":
        return f"but not {_joined(words, 'or')}"
    return f"limited to {_joined(words, 'or' if kind == 'any' else 'and also')}"


def _own_phrase(name: str, condition: Condition) -> str:
    if isinstance(condition, HowMany):
        return _number_phrase(name, condition)
    if isinstance(condition, Between):
        return f"whose {name} is {_range(condition, 'more', 'less')}"
    join = "and" if isinstance(condition, AllOf) else "or"
    return f"whose {name} is {_joined([_text(value) for value in condition.values], join)}"


def _number_phrase(what: str, condition: HowMany) -> str:
    number = _range(Between(condition.min, condition.max), "more", "fewer")
    return f"whose number of different {what} is {number}"


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
            or isinstance(condition, Between | HowMany)
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
    if isinstance(condition, HowMany):
        return _number_phrase(field.label.lower(), condition)
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
