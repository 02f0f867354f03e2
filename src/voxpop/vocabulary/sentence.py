"""A filter in plain words, for people who read group descriptions and pickers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxpop.vocabulary.conditions import AllOf, Between, Condition
from voxpop.vocabulary.levels import NO_ETHNICITY
from voxpop.vocabulary.places import COUNTRY_ADJECTIVES
from voxpop.vocabulary.synonyms import CONDITIONS, DRUG_CLASSES

_NOUNS = {"male": "men", "female": "women", "non_binary": "non-binary adults"}

_WORDS: Mapping[str, Mapping[str, str]] = {
    "country": {"USA": "the USA", "UK": "the UK"},
    "labour_status": {
        "student": "students",
        "homemaker": "homemakers",
        "disabled": "unable to work",
        "other_not_in_labour_force": "otherwise not in the labour force",
    },
    "health_conditions": {slug: words for slug, (words, _) in CONDITIONS.items()},
    "health_drug_classes": {slug: words for slug, (words, _) in DRUG_CLASSES.items()},
    "smoking_status": {"never": "never smoked", "former": "smoked formerly", "current": "smoke now"},
    "alcohol_use": {
        "none": "drink no alcohol",
        "light": "drink lightly",
        "moderate": "drink moderately",
        "heavy": "drink heavily",
    },
    "bmi_class": {
        "normal": "normal weight",
        "obese": "obese (any class)",
        "obese_1": "obese class 1",
        "obese_2": "obese class 2",
        "obese_3": "obese class 3",
    },
    "phq9_severity": {"moderately_severe": "moderately severe"},
}

_PHRASES: Mapping[str, str] = {
    "country": "living in {}",
    "state": "living in {}",
    "ethnicity": "of the ethnic group {}",
    "education": "with the education level {}",
    "household_income": "with a household income of {}",
    "urban_rural": "in {} areas",
    "occupation": "working as {}",
    "occupation_major_group": "in the occupation group {}",
    "industry": "working in the industry {}",
    "labour_status": "who are {}",
    "title_variant": "with the job title {}",
    "health_conditions": "with {}",
    "health_drug_classes": "taking {}",
    "smoking_status": "who {}",
    "alcohol_use": "who {}",
    "physical_activity_level": "with {} physical activity",
    "sleep_quality": "with {} sleep",
    "diet_quality": "with a {} diet",
    "bmi_class": "in the BMI class {}",
    "phq9_severity": "with {} depressive symptoms",
    "rx_medication_count": "taking {} prescription medication classes",
    "bmi": "with a BMI of {}",
    "phq9_score": "with a PHQ-9 score of {}",
}


def sentence_of(
    match: str, conditions: Sequence[tuple[str, Condition]], own: Sequence[tuple[str, Condition]] = ()
) -> str:
    """Return the plain words for the parts of a filter; ``own`` are conditions on columns of other data.

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
    words = [
        ("yes" if value else "no") if isinstance(value, bool) else str(value) for value in condition.values
    ]
    return f"whose {name} is {_joined(words, join)}"


def _subject(conditions: dict[str, Condition]) -> tuple[str, dict[str, Condition]]:
    """Return the noun with what can stand before it, and the conditions that are not in it yet."""
    rest = dict(conditions)
    words = []
    for name, table in (("country", COUNTRY_ADJECTIVES), ("gender", _NOUNS)):
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
    if isinstance(condition, Between):
        return _age(condition) if name == "age" else _PHRASES[name].format(_range(condition, "more", "less"))
    join = "and" if isinstance(condition, AllOf) else "or"
    if name == "is_parent":
        words = ["with" if value else "without" for value in condition.values]
        return f"{_joined(words, join)} a child under 18 at home"
    texts = [str(value) for value in condition.values]
    if name == "gender":
        return _joined([_NOUNS.get(text, text) for text in texts], join)
    words = [_WORDS.get(name, {}).get(text, text) for text in texts]
    if name == "household_income":
        words = [word[0].lower() + word[1:] for word in words]
    phrase = (
        "of the group {}" if name == "ethnicity" and not NO_ETHNICITY.isdisjoint(texts) else _PHRASES[name]
    )
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
