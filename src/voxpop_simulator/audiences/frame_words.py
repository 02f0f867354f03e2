"""Words that carry no criterion of their own: glue, people, negations, and words that need a partner.

A frame word ("on", "living", "diagnosed") is understood only next to a phrase of a kind that it can introduce
or end: "on insulin" is a medicine taken, "on night shifts" is not understood. Other words must be part of a
phrase of the lexicon, or the phrase that it belongs to counts as not understood.
"""

from __future__ import annotations

from voxpop_simulator.audiences.mentions import Mention
from voxpop_simulator.questions.wordlists import word_set

GLUE = word_set(
    "a an the any all both each every either am is are be being they're who's who're i we you and or but "
    "also "
    "some anywhere everywhere worldwide globally currently now presently only just strictly exclusively "
    "please pls plz then the that's there're them"
)
PERSONS = word_set(
    "people person persons adults adult individuals individual folks participants participant respondents "
    "respondent those anyone everyone everybody somebody someone anybody ones patients patient pts consumers "
    "consumer "
    "citizens citizen residents resident population public general humans sample panel audience group groups "
    "cohort panelists interviewees members' subjects ppl folk gen pop "
    "families households"
)
NEGATIONS = word_set(
    "not no non without except excluding exclude excludes minus neither nor don't doesn't aren't isn't "
    "nobody "
    "dont doesnt arent isnt"
)
RELATIVES = word_set(
    "who who've that which whom whose where when while whereas because bc since although though if"
)
JOINTS = word_set("and or but nor & / plus y despite vs versus")
ARTICLES = word_set("a an the any their his her our some")
BE = word_set("are is am be being they're who're currently")

_KINDS: dict[str, str] = {
    "state": "place",
    "country": "place",
    "urban_rural": "settling",
    "age": "age",
    "occupation": "work",
    "occupation_major_group": "work",
    "industry": "work",
    "title_variant": "work",
    "labour_status": "labour",
    "health_conditions": "illness",
    "phq9_severity": "illness",
    "phq9_score": "illness",
    "health_drug_classes": "medicine",
    "rx_medication_count": "pills",
    "bmi": "body",
    "bmi_class": "body",
    "is_parent": "child",
    "children_count": "child",
    "youngest_child_age": "child",
    "education": "schooling",
    "household_income": "income",
    "income_quintile": "income",
    "poverty_ratio": "income",
    "insurance": "cover",
    "ethnicity": "origin",
    "gender": "gender",
    "religion": "faith",
    "party_id": "politics",
    "ideology": "politics",
    "smoking_status": "habit",
    "alcohol_use": "habit",
    "physical_activity_level": "habit",
    "sleep_quality": "habit",
    "diet_quality": "habit",
    "self_rated_health": "habit",
    "household_size": "home",
    "housing_tenure": "home",
    "marital_status": "marriage",
    "born_in_country": "birth",
    "veteran": "service",
}

_HAD = "illness body child schooling income cover asked habit pills"
_BEFORE: dict[str, str] = {
    "in": "place settling work labour age income",
    "from": "place",
    "across within throughout": "place",
    "living live lives reside resides residing based located": "place settling illness asked",
    "with have has having w": _HAD,
    "diagnosed": "illness asked",
    "been": "illness asked",
    "suffer suffers suffering": "illness asked habit",
    "take takes taking use uses using": "medicine pills",
    "on": "medicine cover pills place",
    "prescribed": "medicine",
    "work works working employed": "work",
    "as": "work gender origin politics",
    "at": "work",
    "identify identifies identifying": "gender origin politics faith",
    "call calls consider considers describe describes themselves": "gender origin politics faith",
    "treated": "illness asked medicine",
    "for": "",
    "earn earns earning make makes making": "income",
    "aged age ages": "age",
    "of": "place origin",
    "history symptoms": "illness asked",
    "about approximately roughly around": "age income",
    "household households": "income",
    "state province": "place",
    "do does": "illness medicine work habit place settling child cover asked home faith politics schooling",
    "bmi": "body",
}
_AFTER: dict[str, str] = {
    "old": "age",
    "years yrs": "age",
    "medication medications medicine medicines meds drug drugs users user takers": "medicine",
    "condition conditions disorder disease sufferers survivors symptoms diagnosis diagnoses": "illness asked",
    "origin descent background heritage ancestry ethnicity race": "origin",
    "income incomes household households": "income",
    "area areas": "settling",
    "state states": "place",
    "diet": "habit",
    "daily": "pills medicine",
    "insurance coverage": "cover",
}


def _spread(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {word: word_set(kinds) for words, kinds in table.items() for word in words.split()}


BEFORE = _spread(_BEFORE)
"""Word -> kinds of phrases that it may introduce."""
AFTER = _spread(_AFTER)
"""Word -> kinds of phrases that it may end."""


def kinds_of(mention: Mention) -> frozenset[str]:
    """Return the kinds of a phrase: what its fields are about, or ``asked`` without fields.

    Examples
    --------
    >>> from voxpop_simulator.audiences.mentions import sense
    >>> sorted(kinds_of(Mention(0, 4, "moms", sense(gender="female", is_parent=True))))
    ['child', 'gender']
    """
    return frozenset(_KINDS.get(name, name) for name in mention.fields) or frozenset(("asked",))
