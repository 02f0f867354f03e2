"""Everyday words for conditions, medicines and habits in the health fields of agents.

"Depressive symptoms" without a degree are a PHQ-9 score of 10 or more, the usual cut-off (Kroenke, Spitzer and
Williams, 2001). "Active" is moderate or high activity. "Drinkers" are all who drink at all. ``diabetes`` is
type 2, as in filters.
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator

from voxpop.vocabulary import AnyOf, Between
from voxpop.vocabulary.synonyms import CONDITIONS as CONDITION_NAMES
from voxpop.vocabulary.synonyms import DRUG_CLASSES as DRUG_NAMES
from voxpop_simulator.audiences.mentions import Mention, Sense, lexicon, sense
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUG_GROUPS, DRUGS

CLINICAL = ("moderate", "moderately_severe", "severe")
DRINKING = ("light", "moderate", "heavy")

_HABITS = lexicon(
    ("smokers|current smokers|cigarette smokers|smoker", sense(person=True, smoking_status="current")),
    ("smoke|smokes|smoke cigarettes|currently smoke|smoking|smoke daily", sense(smoking_status="current")),
    (
        "current or former smokers|former or current smokers|ever smokers|current and former smokers",
        sense(person=True, smoking_status=("former", "current")),
    ),
    (
        "ex smokers|former smokers|past smokers|ex smoker|quitters",
        sense(person=True, smoking_status="former"),
    ),
    (
        "used to smoke|quit smoking|stopped smoking|have quit smoking|formerly smoked|gave up smoking|"
        "have stopped smoking",
        sense(smoking_status="former"),
    ),
    ("nonsmokers|non smokers|nonsmoker|non smoker", sense(person=True, smoking_status=("never", "former"))),
    ("never smokers|lifelong non smokers|never smoker", sense(person=True, smoking_status="never")),
    ("never smoked|have never smoked|never smoke|has never smoked", sense(smoking_status="never")),
    ("heavy drinkers|binge drinkers|alcoholics", sense(person=True, alcohol_use="heavy")),
    ("drink heavily|drinks heavily|drink a lot|binge drink|drink too much", sense(alcohol_use="heavy")),
    ("moderate drinkers", sense(person=True, alcohol_use="moderate")),
    ("drink moderately|drink in moderation", sense(alcohol_use="moderate")),
    ("light drinkers|social drinkers|occasional drinkers", sense(person=True, alcohol_use="light")),
    ("drink lightly|drink occasionally|drink socially", sense(alcohol_use="light")),
    ("drinkers|alcohol drinkers", sense(person=True, alcohol_use=DRINKING)),
    ("drink alcohol|drinks alcohol|drinking alcohol", sense(alcohol_use=DRINKING)),
    ("teetotalers|teetotallers|abstainers|non alcohol drinkers", sense(person=True, alcohol_use="none")),
    (
        "drink but not heavily|drink but don't drink heavily|drink alcohol but not heavily|"
        "light or moderate drinkers|light to moderate drinkers|drink lightly or moderately",
        sense(alcohol_use=("light", "moderate")),
    ),
    ("sober|teetotal|no alcohol|alcohol free", sense(alcohol_use="none")),
    (
        "very active|highly active|exercise daily|exercise every day|work out daily",
        sense(physical_activity_level="high"),
    ),
    (
        "active|physically active|exercise|exercise regularly|work out|work out regularly|exercises "
        "regularly|"
        "exercising regularly|moderately or highly active",
        sense(physical_activity_level=("moderate", "high")),
    ),
    ("moderately active", sense(physical_activity_level="moderate")),
    (
        "sedentary|inactive|physically inactive|never exercise|rarely exercise|sedentary lifestyle|"
        "a sedentary lifestyle|get little exercise|low activity",
        sense(physical_activity_level="low"),
    ),
    ("couch potatoes", sense(person=True, physical_activity_level="low")),
    (
        "poor sleep|sleep poorly|sleep badly|trouble sleeping|bad sleep|sleeping problems|sleep problems|"
        "difficulty sleeping|problems sleeping|poor sleep quality|have trouble sleeping|can't sleep|sleeping poorly",  # noqa: E501
        sense(sleep_quality="poor"),
    ),
    ("poor sleepers|bad sleepers", sense(person=True, sleep_quality="poor")),
    ("fair sleep", sense(sleep_quality="fair")),
    ("sleep well|good sleep|good sleep quality|sleeping well", sense(sleep_quality="good")),
    ("good sleepers", sense(person=True, sleep_quality="good")),
    (
        "healthy diet|a healthy diet|eat healthy|eat healthily|eat well|eating healthy|healthy diets|healthy eating",  # noqa: E501
        sense(diet_quality="healthy"),
    ),
    ("healthy eaters", sense(person=True, diet_quality="healthy")),
    (
        "unhealthy diet|an unhealthy diet|poor diet|a poor diet|eat badly|eat poorly|eat unhealthily|"
        "bad diet|"
        "a bad diet|unhealthy diets|eating poorly",
        sense(diet_quality="poor"),
    ),
    ("unhealthy eaters", sense(person=True, diet_quality="poor")),
    ("mixed diet|a mixed diet", sense(diet_quality="mixed")),
)

_WEIGHT = lexicon(
    ("obese", sense(bmi_class="obese")),
    ("overweight", sense(bmi_class="overweight")),
    ("underweight", sense(bmi_class="underweight")),
    ("normal weight|healthy weight|a normal weight|a healthy weight", sense(bmi_class="normal")),
    ("morbidly obese|severely obese|class 3 obesity|class iii obesity", sense(bmi_class="obese_3")),
    ("class 2 obesity|class ii obesity", sense(bmi_class="obese_2")),
    ("class 1 obesity|class i obesity", sense(bmi_class="obese_1")),
)


_DEGREES: dict[str, tuple[str, ...]] = {
    "mild or worse|at least mild|mild to severe|mild or greater|mild or higher": ("mild", *CLINICAL),
    "moderate or worse|at least moderate|moderate to severe|moderate or severe|moderate or greater|"
    "moderate or higher|moderate and severe|moderate or above": CLINICAL,
    "mild to moderate|mild or moderate|mild and moderate": ("mild", "moderate"),
    "moderately severe or worse|moderately severe to severe": CLINICAL[1:],
}
"""Degrees of depressive symptoms in several words."""


def _mood() -> dict[str, Sense]:
    found = lexicon(
        (
            "depressive symptoms|symptoms of depression|depression symptoms|clinically relevant depression",
            sense(phq9_severity=CLINICAL),
        ),
        (
            "no depressive symptoms|no depression symptoms|without depressive symptoms|no symptoms of "
            "depression|"
            "without symptoms of depression|minimal depression|minimal depressive symptoms|without depression symptoms",  # noqa: E501
            sense(phq9_severity="minimal"),
        ),
    )
    for words, levels in _DEGREES.items():
        for noun in ("depression", "depressive symptoms", "depression symptoms", "symptoms of depression"):
            for phrase in words.split("|"):
                found[f"{phrase} {noun}"] = sense(phq9_severity=levels)
    for word in ("mild", "moderate", "moderately severe", "severe"):
        level = word.replace(" ", "_")
        for noun in (
            "depression",
            "depressive symptoms",
            "depression symptoms",
            "symptoms of depression",
            "symptoms of severe depression" if level == "severe" else "depressive disorder",
        ):
            found[f"{word} {noun}"] = sense(phq9_severity=level)
        adverb = "mildly" if word == "mild" else word if " " in word else f"{word}ly"
        found[f"{adverb} depressed"] = sense(phq9_severity=level)
    return found


_SICK_PEOPLE = lexicon(
    ("diabetics|people with diabetes", sense(person=True, health_conditions="diabetes_t2")),
    ("diabetes|diabetic|t2d|type 2|type ii", sense(health_conditions="diabetes_t2")),
    ("type 2 diabetics", sense(person=True, health_conditions="diabetes_t2")),
    ("t1|t1s", sense(health_conditions="diabetes_t1")),
    ("t2|t2s", sense(health_conditions="diabetes_t2")),
    ("type 1 diabetics", sense(person=True, health_conditions="diabetes_t1")),
    ("prediabetics|pre diabetics", sense(person=True, health_conditions="prediabetes")),
    ("asthmatics", sense(person=True, health_conditions="asthma")),
    ("hypertensives|hypertensive patients", sense(person=True, health_conditions="hypertension")),
    ("insomniacs", sense(person=True, health_conditions="insomnia")),
    ("epileptics", sense(person=True, health_conditions="epilepsy")),
    ("cancer survivors|cancer patients", sense(person=True, health_conditions="cancer_history")),
    ("stroke survivors", sense(person=True, health_conditions="stroke")),
    (
        "had a stroke|have had a stroke|have had strokes|history of stroke|a history of stroke",
        sense(health_conditions="stroke"),
    ),
    (
        "had cancer|have had cancer|survived cancer|history of cancer|a history of cancer",
        sense(health_conditions="cancer_history"),
    ),
    ("migraine sufferers", sense(person=True, health_conditions="migraine")),
    ("ace|ace inhibitor|an ace", sense(health_drug_classes="ace_inhibitor")),
    ("high bp|hbp", sense(health_conditions="hypertension")),
    ("prior stroke|previous stroke|past stroke|prior strokes", sense(health_conditions="stroke")),
    ("prior cancer|previous cancer|past cancer", sense(health_conditions="cancer_history")),
    (
        "mental illness|mental health conditions",
        sense(health_conditions=("depression", "anxiety", "bipolar")),
    ),
    (
        "heart problems|heart conditions",
        sense(health_conditions=("chd", "heart_failure", "atrial_fibrillation")),
    ),
)

_COUNTS = lexicon(
    (
        "no prescription medications|no medications|no medication|no prescriptions|any medication|any "
        "medications|"
        "no prescription drugs|not taking any medication|don't take any medication|no prescription "
        "medication|"
        "not on any medication|not taking medication|without medication|medication free",
        sense(rx_medication_count=Between(0, 0)),
    ),
    (
        "multiple medications|several medications|multiple prescriptions|several prescriptions|"
        "multiple prescription medications|many medications",
        sense(rx_medication_count=Between(2, None)),
    ),
    ("polypharmacy", sense(rx_medication_count=Between(5, None))),
    (
        "prescription medication|prescription medications|prescription medicine|prescription drugs|"
        "on medication|a prescription medication|take medication|taking medication",
        sense(rx_medication_count=Between(1, None)),
    ),
)
del _COUNTS["any medication"], _COUNTS["any medications"]


def _ill(words: str, name: str) -> tuple[str, Sense]:
    return words, sense(ask=f"Do you have {name}?")


OTHER_ILLNESSES: dict[str, Sense] = lexicon(
    _ill("lupus", "lupus"),
    _ill("rheumatoid arthritis", "rheumatoid arthritis"),
    _ill("psoriatic arthritis", "psoriatic arthritis"),
    _ill("multiple sclerosis", "multiple sclerosis"),
    _ill("hiv|aids", "HIV"),
    _ill("parkinson's|parkinson's disease|parkinsons", "Parkinson's disease"),
    _ill("dementia", "dementia"),
    _ill("alzheimer's|alzheimer's disease|alzheimers", "Alzheimer's disease"),
    _ill("autism|autistic", "autism"),
    _ill("ptsd", "PTSD"),
    _ill("schizophrenia", "schizophrenia"),
    _ill("sickle cell|sickle cell disease", "sickle cell disease"),
    _ill("crohn's|crohn's disease", "Crohn's disease"),
    _ill("celiac disease|celiac", "celiac disease"),
    _ill("eczema", "eczema"),
    _ill("endometriosis", "endometriosis"),
    _ill("fibromyalgia", "fibromyalgia"),
    _ill("long covid", "long COVID"),
)
"""Illnesses that no filter covers; they still count as health conditions."""


def _vocabulary_names() -> dict[str, Sense]:
    """Return the names in the vocabulary, some of which the patterns do not cover."""
    fold = re.compile(r"[\s_-]+")
    found = {}
    for slug, (_, others) in CONDITION_NAMES.items():
        for name in (slug, *others):
            found[fold.sub(" ", name).casefold()] = sense(health_conditions=slug)
    for slug, (_, others) in DRUG_NAMES.items():
        for name in (slug, *others):
            found[fold.sub(" ", name).casefold()] = sense(health_drug_classes=slug)
    return {name: meaning for name, meaning in found.items() if name not in ("obese", "stimulant")}


HEALTH: dict[str, Sense] = {
    **_vocabulary_names(),
    **_HABITS,
    **_WEIGHT,
    **_mood(),
    **_SICK_PEOPLE,
    **_COUNTS,
    **OTHER_ILLNESSES,
}
"""Phrase, in lower case and without hyphens -> its conditions."""


def _one_pattern(words: dict[str, tuple[str, str]]) -> re.Pattern[str]:
    return re.compile(
        "(?<![\\w-])(?:" + "|".join(f"(?P<{s}>{p})" for s, (_, p) in words.items()) + ")(?![\\w-])"
    )


_TYPE = r"(?:type[- ]?)?(?:1|i|one|t1d?)"
_OTHER_TYPE = r"(?:type[- ]?)?(?:2|ii|two|t2d?)"
_BOTH_TYPES = (
    rf"(?:{_TYPE}(?: or |/| and | & |, )(?:a )?{_OTHER_TYPE}|{_OTHER_TYPE}(?: or |/| and | & |, "
    rf")(?:a )?{_TYPE})"
)
_EITHER_TYPE = re.compile(
    rf"\b(?:diabet(?:es|ics?)[\s,(–—-]+(?:either |both )?(?=type|t[12]){_BOTH_TYPES}\b|(?=type|"
    rf"t[12]){_BOTH_TYPES} diabet(?:es|ics?)\b)"
)
"""Diabetes of either type: "diabetes" alone is type 2, but not beside the two types."""
_DEGREE_AFTER = re.compile(
    r"\b(?:depression|depressive symptoms|symptoms of depression)\s*[(,–-]\s*((?:at least )?(?:mild|"
    r"moderate|moderately severe|severe)"
    r"(?:(?: or| to| and) (?:worse|greater|higher|above|moderate|severe))?)\b\)?"
)
"""Depression with its degree behind it ("depression (moderate or worse)")."""
_SPECIFIC = re.compile(r"rheumatoid|psoriatic|juvenile")
"""Forms of an illness that are not the illness that is recorded."""
_CONDITION_PATTERN = _one_pattern(CONDITIONS)
_DRUG_PATTERN = _one_pattern(DRUGS)
_GROUP_PATTERNS = tuple((re.compile(rf"\b(?:{pattern})\b"), slugs) for pattern, slugs in DRUG_GROUPS)


def medical_mentions(text: str) -> Iterator[Mention]:
    """Yield the conditions and medicines that a text names by any of their names."""
    lower = text.lower()
    for found in _DEGREE_AFTER.finditer(lower):
        meaning = HEALTH.get(f"{fold_spaces(found[1])} depression")
        if meaning is not None:
            yield _mention(text, found.span(), meaning)
    for found in _EITHER_TYPE.finditer(lower):
        yield _mention(text, found.span(), sense(health_conditions=("diabetes_t2", "diabetes_t1")))
    for field, pattern in (("health_conditions", _CONDITION_PATTERN), ("health_drug_classes", _DRUG_PATTERN)):
        for found in pattern.finditer(lower):
            if (
                found.lastgroup is None
                or _SPECIFIC.search(lower, *found.span())
                or (found[0] == "add" and text[found.start() : found.end()] != "ADD")
            ):
                continue
            yield _mention(text, found.span(), Sense(((field, AnyOf((found.lastgroup,))),)))
    for pattern, slugs in _GROUP_PATTERNS:
        for found in pattern.finditer(lower):
            yield _mention(text, found.span(), sense(health_drug_classes=slugs))


def fold_spaces(text: str) -> str:
    """Return a text with single spaces.

    Examples
    --------
    >>> fold_spaces("moderate  or worse")
    'moderate or worse'
    """
    return " ".join(text.split())


def _mention(text: str, span: tuple[int, int], meaning: Sense) -> Mention:
    start, end = span
    return Mention(start, end, text[start:end], meaning)
