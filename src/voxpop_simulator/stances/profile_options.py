"""Options that are true of a profile, by field."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxpop.engines.option_order import ESCAPE, NONE
from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.questions.ordinals import Ordered, read_order
from voxpop_simulator.questions.place_codes import CODES, REGIONS, STATES
from voxpop_simulator.stances import household_words
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUGS, slugs_in
from voxpop_simulator.stances.profile_reading import combined
from voxpop_simulator.stances.profile_tests import (
    ProfileTest,
    any_condition,
    any_drug,
    bounds,
    compare,
    income_between,
    is_in,
)

_NOT_EMPLOYED = FIELDS["labour_status"].levels[1:]
LEVELS: dict[str, tuple[str, ...]] = {
    "education": (
        "Less than 9th grade",
        "9-11th grade",
        "High school graduate/GED",
        "Some college or AA degree",
        "College graduate or above",
    ),
    "alcohol_use": ("none", "light", "moderate", "heavy"),
    "smoking_status": ("never", "former", "current"),
    "physical_activity_level": ("low", "moderate", "high"),
    "sleep_quality": ("poor", "fair", "good"),
    "diet_quality": ("poor", "mixed", "healthy"),
    "phq9_severity": ("minimal", "mild", "moderate", "moderately_severe", "severe"),
    "bmi_class": ("underweight", "normal", "overweight", "obese_1", "obese_2", "obese_3"),
    **household_words.LEVELS,
}
# field -> (pattern of an option, levels that it covers); the first match counts
_WORDS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "education": (
        (r"less than (?:a )?high school|no (?:high school )?diploma|did not (?:finish|complete) high"
            r"|below high", LEVELS["education"][:2]),
        (r"less than 9|elementary|grade school|primary|no (?:formal )?school", LEVELS["education"][:1]),
        (r"9(?:th)?\s*(?:-|to)|some high school", LEVELS["education"][1:2]),
        (r"college degree or|bachelor|master|doctor|ph\.?d|post-?grad|professional degree"
            r"|college graduate|graduate (?:degree|school)|university|four[- ]year|4[- ]year"
                r"|advanced", LEVELS["education"][4:]),
        (r"some college|associate|aa degree|two[- ]year|2[- ]year|vocational|technical"
            r"|trade school", LEVELS["education"][3:4]),
        (r"high school|\bged\b|secondary", LEVELS["education"][2:3]),
        (r"college", LEVELS["education"][4:]),
    ),
    "labour_status": (
        (r"unemployed|out of work|looking for (?:work|a job)|job ?seek|laid off", ("unemployed",)),
        (r"retire", ("retired",)),
        (r"student|school|college|studying", ("student",)),
        (r"home ?maker|stay[- ]at[- ]home|house(?:wife|husband)|caring|caregiver"
            r"|looking after", ("homemaker",)),
        (r"disab|unable to work|can(?:no|')t work", ("disabled",)),
        (r"not (?:currently )?(?:working|employed)", _NOT_EMPLOYED),
        (r"not (?:in the|looking)|other|out of the labou?r", ("other_not_in_labour_force",)),
        (r"employ|working|full[- ]time|part[- ]time|business owner|freelanc", ("employed",)),
    ),
    "gender": (
        (r"non-?binary|gender ?queer|third gender|other|self-describe|another", ("non_binary",)),
        (r"^(?:a )?(?:female|wom[ae]n|f$|girl|she)", ("female",)),
        (r"^(?:a )?(?:male|m[ae]n|m$|boy|he)", ("male",)),
    ),
    "urban_rural": ((r"rural|country|village|farm"
        r"|small town", ("rural",)), (r"urban|city|town|metro", ("urban",))),
    "ethnicity": (
        (r"^other\b(?!.*island)", ()),
        (r"hispanic|latin", ("Hispanic or Latino",)),
        (r"two or more|multi|mixed|biracial", ("Two or more races",)),
        (r"hawaiian|pacific", ("Native Hawaiian or Other Pacific Islander",)),
        (r"american indian|alaska|native american|indigenous", ("American Indian or Alaska Native",)),
        (r"black|african", ("Black or African American",)),
        (r"asian", ("Asian",)),
        (r"white|caucasian", ("White, non-Hispanic",)),
    ),
    "smoking_status": (
        (r"former|ex-?smoker|used to|quit|past|stopped", ("former",)),
        (r"current|every ?day|daily|some ?days|^yes|occasional|regular|i smoke|weekly|^smoker", ("current",)),
        (r"not at all|^no\b", ("never", "former")),
        (r"never|non-?smoker", ("never",)),
    ),
    "alcohol_use": (
        (r"none|never|not at all|don'?t drink|non-?drinker|no alcohol|^no\b", ("none",)),
        (r"light|rare|occasion|little|seldom|monthly", ("light",)),
        (r"moderate|sometimes|weekly|regular", ("moderate",)),
        (r"heavy|heavily|often|daily|every day|a lot", ("heavy",)),
    ),
    "physical_activity_level": (
        (r"low|inactive|sedentary|not (?:very |at all )?active|little|never|none", ("low",)),
        (r"moderate|somewhat|fairly|medium|some\b", ("moderate",)),
        (r"high|very|vigorous|active", ("high",)),
    ),
    "sleep_quality": ((r"poor|bad|terrible", ("poor",)), (r"fair|average|ok"
        r"|so-so|mixed", ("fair",)), (r"good|well|great", ("good",))),
    "diet_quality": ((r"poor|unhealthy|bad", ("poor",)), (r"mixed|fair|average|ok"
        r"|somewhat", ("mixed",)), (r"health|good", ("healthy",))),
    "phq9_severity": (
        (r"minimal|none|no ", ("minimal",)),
        (r"mild", ("mild",)),
        (r"moderate(?:ly)?[ _-]severe", ("moderately_severe",)),
        (r"moderate", ("moderate",)),
        (r"severe", ("severe",)),
    ),
    "bmi_class": (
        (r"under", ("underweight",)),
        (r"normal|healthy|about right", ("normal",)),
        (r"over", ("overweight",)),
        (r"(?:obes|class).*(?:1|i\b)(?!i)", ("obese_1",)),
        (r"(?:obes|class).*(?:2|ii\b)(?!i)", ("obese_2",)),
        (r"(?:obes|class|morbid).*(?:3|iii\b)|morbid|severe", ("obese_3",)),
        (r"obes", ("obese_1", "obese_2", "obese_3")),
    ),
    **household_words.WORDS,
}  # fmt: skip


def option_test(field: str, option: str) -> ProfileTest | None:
    """Return the test of a field's value for an option, or None.

    Examples
    --------
    >>> option_test("gender", "Woman").field, option_test("age", "Blue") is None
    ('gender', True)
    """
    text = option.lower().strip()
    if ESCAPE.match(text):
        return None
    if field in ("age", "rx_medication_count", "phq9_score", "bmi", "children_count", "household_size"):
        words = re.sub(r"\bnone\b|\bno (?=medic|drug|kid|child)", "0 ", household_words.in_digits(text))
        found = bounds(words, step=0.001 if field == "bmi" else 1)
        return compare(field, *found) if found else None
    if field == "youngest_child_age":
        if re.search(r"\bno (?:kid|child)|don'?t have|\bnone\b", text):
            return is_in("children_count", 0)
        found = bounds(household_words.in_digits(text))
        return household_words.youngest(*found) if found else None
    if field == "household_income":
        found = bounds(text)
        return income_between(*found) if found else None
    if field == "state":
        return _state(text)
    if field == "is_parent":
        negative = re.match(r"^(?:no|not|none|0|zero|childless|without)\b", text)
        positive = re.match(r"^(?:yes|parent|a parent|[1-9]|one|two|three|i have|i am a|with)", text)
        return is_in(field, False) if negative else is_in(field, True) if positive else combined(option)
    if field in ("health_conditions", "health_drug_classes"):
        return _health(field, text)
    for pattern, levels in _WORDS.get(field, ()):
        if re.search(pattern, text):
            return is_in(field, *levels)
    if field in ("occupation", "title_variant", "industry", "occupation_major_group"):
        return _named(field, text)
    return is_in(field, option) if field in ("country", "name") else None


def _state(text: str) -> ProfileTest | None:
    if text in CODES or text.upper() in STATES:
        return is_in("state", CODES.get(text, text.upper()))
    region = next((states for name, states in REGIONS.items() if re.match(rf"(?:the )?{name}", text)), None)
    return is_in("state", *region) if region else None


def _health(field: str, text: str) -> ProfileTest | None:
    words, make = (CONDITIONS, any_condition) if field == "health_conditions" else (DRUGS, any_drug)
    slugs = slugs_in(text, words)
    return make(slugs) if slugs else None


def _named(field: str, text: str) -> ProfileTest:
    def holds(agent: object) -> bool:
        value = getattr(agent, field)
        if value is None:
            return bool(re.match(r"(?:not|no|none|don'?t|un)", text))
        words = set(re.findall(r"[a-z]{4,}", value.lower()))
        return value.lower() == text or bool(words & set(re.findall(r"[a-z]{4,}", text)))

    from_field = is_in(field, text)
    return ProfileTest(field, holds, from_field.speak)


def tests_for(field: str, options: Sequence[str]) -> list[ProfileTest | None] | None:
    """Return one test per option, or None if the options are not about this field."""
    order = read_order(tuple(options))
    tests = [option_test(field, option) for option in options]
    if field in household_words.WORDS:
        tests = household_words.narrowed(tests)
    known = sum(test is not None for test in tests)
    if (
        known >= 2
        and field in LEVELS
        and order is not None
        and not order.numeric
        and not _separates(field, tests)
    ):
        known = 0
    if known < 2 and field in LEVELS and order is not None:
        return _by_rank(field, order)
    return tests if known >= 1 else None


_OWN, _RENT = re.compile(r"(?:i |we )?own\b", re.I), re.compile(r"(?:i |we )?rent(?!.free)", re.I)


def field_of(options: Sequence[str]) -> str | None:
    """Return the field that options name by themselves: owning and renting are about the home.

    Examples
    --------
    >>> field_of(["Own", "Rent", "Other"]), field_of(["Tea", "Coffee"])
    ('housing_tenure', None)
    """
    own, rent = (any(pattern.match(option) for option in options) for pattern in (_OWN, _RENT))
    return "housing_tenure" if own and rent and len(options) <= 4 else None


def _separates(field: str, tests: Sequence[ProfileTest | None]) -> bool:
    """Return whether the options together cover all levels of the field."""
    covered: set[str] = set()
    for level in LEVELS[field]:
        if any(test is not None and level in test.levels for test in tests):
            covered.add(level)
    return covered >= set(LEVELS[field])


def _by_rank(field: str, order: Ordered) -> list[ProfileTest | None]:
    """Spread the levels of a field evenly over ordered options."""
    levels = LEVELS[field]
    tests: list[ProfileTest | None] = []
    for rank in order.ranks:
        mine = [
            level
            for at, level in enumerate(levels)
            if rank is not None and place_of(at, len(levels), order.levels) == rank
        ]
        tests.append(is_in(field, *mine) if mine else None)
    return tests


def place_of(at: int, levels: int, places: int) -> int:
    """Return the position among ``places`` for level ``at`` of ``levels``.

    Examples
    --------
    >>> [place_of(at, 3, 5) for at in range(3)]
    [0, 2, 4]
    """
    return (2 * at * (places - 1) + (levels - 1)) // (2 * (levels - 1))


def escape_option(options: Sequence[str], *, none: bool = False) -> str | None:
    """Return the option for "prefer not to say" (or "none of these")."""
    pattern = NONE if none else ESCAPE
    return next((option for option in options if pattern.match(option)), None)
