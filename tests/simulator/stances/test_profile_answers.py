"""Questions about the profile are answered as the profile says."""

from __future__ import annotations

import re

import pytest

from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUGS


def ask(agents, text, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), {}, seed=7))


def health(field):
    return lambda agent: getattr(agent.health_profile, field)


def has(*slugs):
    return lambda agent: any(slug in agent.health_profile.conditions for slug in slugs)


def takes(*slugs):
    return lambda agent: any(slug in agent.health_profile.drug_classes for slug in slugs)


PLAIN_YES_NO = {
    "Are you over 40?": lambda a: a.age > 40,
    "Are you 65 or older?": lambda a: a.age >= 65,
    "Are you under 30?": lambda a: a.age < 30,
    "Are you between 25 and 64?": lambda a: 25 <= a.age <= 64,
    "Are you in your 40s?": lambda a: 40 <= a.age <= 49,
    "Are you a parent?": lambda a: a.is_parent,
    "Do you have any kids under 18 living at home?": lambda a: a.is_parent,
    "Are you a parent over 40?": lambda a: a.is_parent and a.age > 40,
    "Are you a mother?": lambda a: a.is_parent and a.gender == "female",
    "Do you not have children, or are you over 60?": lambda a: not a.is_parent or a.age > 60,
    "Are you a woman living in Texas?": lambda a: a.gender == "female" and a.state == "TX",
    "Do you live in New York?": lambda a: a.state == "NY",
    "Are you Hispanic?": lambda a: a.ethnicity == "Hispanic or Latino",
    "Do you have a college degree?": lambda a: a.education == "College graduate or above",
    "Do you live in a rural area?": lambda a: a.urban_rural == "rural",
    "Is your household income over $100,000?": lambda a: (
        a.household_income in ("$100,000-$149,999", "$150,000-$199,999", "$200,000 and over")
    ),
    "Are you currently employed?": lambda a: a.labour_status == "employed",
    "Are you retired?": lambda a: a.labour_status == "retired",
    "Are you employed or a student?": lambda a: a.labour_status in ("employed", "student"),
    "Do you work in construction?": lambda a: a.industry == "Construction",
    "Are you a nurse?": lambda a: "Nurse" in (a.occupation or "") and "Aides" not in a.occupation,
}
_ALONE = ("never_married", "divorced", "widowed", "separated")
HOUSEHOLD_YES_NO = {
    "Are you married?": lambda a: a.marital_status == "married",
    "Are you currently married?": lambda a: a.marital_status == "married",
    "Are you divorced?": lambda a: a.marital_status == "divorced",
    "Are you single?": lambda a: a.marital_status in _ALONE,
    "Are you a single parent?": lambda a: a.marital_status in _ALONE and a.is_parent,
    "Do you live alone?": lambda a: a.household_size == 1,
    "Do you have more than 2 children?": lambda a: a.children_count > 2,
    "Do you have two or more kids?": lambda a: a.children_count >= 2,
    "Do you have children under 5?": lambda a: a.children_count > 0 and a.youngest_child_age < 5,
    "Do you own your home?": lambda a: a.housing_tenure == "owner",
    "Do you or anyone in your household own your home?": lambda a: a.housing_tenure == "owner",
    "Do you rent your home?": lambda a: a.housing_tenure == "renter",
    "Do you have health insurance?": lambda a: a.insurance != "uninsured",
    "Are you uninsured?": lambda a: a.insurance == "uninsured",
    "Are you on Medicare?": lambda a: (
        a.insurance in ("medicare", "medicare_and_private", "medicare_and_medicaid")
    ),
    "Do you have Medicaid?": lambda a: a.insurance in ("medicaid", "medicare_and_medicaid"),
    "Are you a veteran?": lambda a: a.veteran,
    "Have you ever served in the military?": lambda a: a.veteran,
    "Were you born in the United States?": lambda a: a.born_in_country,
    "Are you an immigrant?": lambda a: not a.born_in_country,
    "Are you Catholic?": lambda a: a.religion == "catholic",
    "Are you a Christian?": lambda a: (
        a.religion in ("protestant", "catholic", "orthodox_christian", "other_christian")
    ),
    "Do you think of yourself as a Republican?": lambda a: a.party_id in ("republican", "strong_republican"),
    "Are you a Democrat?": lambda a: a.party_id in ("democrat", "strong_democrat"),
    "Are you liberal?": lambda a: a.ideology in ("extremely_liberal", "liberal", "slightly_liberal"),
}
HOUSEHOLD_VALUES = {
    "What is your marital status?": lambda a: a.marital_status,
    "How many children do you have?": lambda a: a.children_count,
    "How many people live in your household, including yourself?": lambda a: a.household_size,
    "How old is your youngest child?": lambda a: a.youngest_child_age,
    "What kind of health insurance do you have?": lambda a: a.insurance,
    "What is your religion?": lambda a: a.religion,
    "Which political party do you identify with?": lambda a: a.party_id,
    "How would you describe your political views?": lambda a: a.ideology,
}
HEALTH_YES_NO = {
    "Do you take a GLP-1 medicine?": takes("glp1_agonist"),
    "Are you on Ozempic?": takes("glp1_agonist"),
    "Do you take Ozempic, Wegovy or another GLP-1 medicine?": takes("glp1_agonist"),
    "Are you currently taking a statin and a beta blocker?": lambda a: (
        takes("statin")(a) and takes("beta_blocker")(a)
    ),
    "Have you ever been told by a doctor that you have asthma?": has("asthma"),
    "Do you have diabetes or hypertension?": has("diabetes_t1", "diabetes_t2", "hypertension"),
    "Do you smoke?": lambda a: a.health_profile.smoking_status == "current",
    "Have you ever smoked?": lambda a: a.health_profile.smoking_status != "never",
    "Do you drink alcohol?": lambda a: a.health_profile.alcohol_use != "none",
    "Do you sleep well?": lambda a: a.health_profile.sleep_quality == "good",
    "Is your BMI over 30?": lambda a: a.health_profile.bmi > 30,
    "Do you take more than 2 prescription medications?": lambda a: a.health_profile.rx_medication_count > 2,
    "Are you a smoker with depression?": lambda a: (
        has("depression")(a) and a.health_profile.smoking_status == "current"
    ),
}
VALUES = {
    "How old are you?": lambda a: a.age,
    "What state do you live in?": lambda a: a.state,
    "What is your gender?": lambda a: a.gender,
    "What is your race or ethnicity?": lambda a: a.ethnicity,
    "What is the highest level of education you have completed?": lambda a: a.education,
    "What is your household income?": lambda a: a.household_income,
    "What do you do for a living?": lambda a: a.occupation,
    "What is your job title?": lambda a: a.title_variant,
    "What industry do you work in?": lambda a: a.industry,
    "What is your employment status?": lambda a: a.labour_status,
}
HEALTH_VALUES = {
    "What is your smoking status?": health("smoking_status"),
    "How would you describe your alcohol use?": health("alcohol_use"),
    "How physically active are you?": health("physical_activity_level"),
    "How well do you sleep?": health("sleep_quality"),
    "How healthy is your diet?": health("diet_quality"),
    "What is your BMI?": health("bmi"),
    "What is your BMI class?": health("bmi_class"),
    "What is your PHQ-9 score?": health("phq9_score"),
    "How severe is your depression?": health("phq9_severity"),
    "How many prescription medications do you take?": health("rx_medication_count"),
    "Which medical conditions do you have?": lambda a: list(a.health_profile.conditions),
    "What medications are you taking?": lambda a: list(a.health_profile.drug_classes),
}


BROAD_INCOME = {
    "Under $50,000": ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999", "$35,000-$49,999"),
    "$50,000 to $99,999": ("$50,000-$74,999", "$75,000-$99,999"),
    "$100,000 or more": ("$100,000-$149,999", "$150,000-$199,999", "$200,000 and over"),
}


def broad_income(agent) -> str:
    return next(name for name, bands in BROAD_INCOME.items() if agent.household_income in bands)


@pytest.mark.parametrize(
    ("text", "truth"),
    [*PLAIN_YES_NO.items(), *VALUES.items(), *HOUSEHOLD_YES_NO.items(), *HOUSEHOLD_VALUES.items()],
)
def test_attributes_are_answered_by_the_profile(agents, text, truth) -> None:
    assert [reply.value for reply in ask(agents, text)] == [truth(agent) for agent in agents]


@pytest.mark.parametrize(("text", "truth"), [*HEALTH_YES_NO.items(), *HEALTH_VALUES.items()])
def test_health_is_answered_by_the_profile_and_unknown_without_one(agents, text, truth) -> None:
    expected = [None if agent.health_profile is None else truth(agent) for agent in agents]
    assert [reply.value for reply in ask(agents, text)] == expected


@pytest.mark.parametrize("slug", CONDITIONS)
def test_every_condition_can_be_asked_about(agents, slug) -> None:
    name = CONDITIONS[slug][0]
    text = f"Have you {name}?" if name.startswith("had ") else f"Do you have {name}?"
    known = [agent for agent in agents if agent.health_profile]
    assert [reply.value for reply in ask(known, text)] == [has(slug)(agent) for agent in known]


@pytest.mark.parametrize("slug", DRUGS)
def test_every_drug_class_can_be_asked_about(agents, slug) -> None:
    known = [agent for agent in agents if agent.health_profile]
    assert [reply.value for reply in ask(known, f"Do you take {DRUGS[slug][0]}?")] == [
        takes(slug)(agent) for agent in known
    ]


def test_the_words_cover_the_vocabulary() -> None:
    assert set(FIELDS["health_conditions"].levels) == set(CONDITIONS)
    assert set(FIELDS["health_drug_classes"].levels) == set(DRUGS)


@pytest.mark.parametrize(
    "text",
    [
        "Are you worried about diabetes?",
        "Would you take a GLP-1 medicine?",
        "Do you know anyone with asthma?",
        "Do you have a family history of cancer?",
        "Are you happy with your job?",
        "Do you drink coffee?",
        "What do you like about your job?",
        "Do you work from home?",
        "Do you want to get married?",
        "Do you own a second home?",
        "Do you have pet insurance?",
        "Would you rather own or rent?",
    ],
)
def test_questions_near_an_attribute_are_not_taken_for_it(agents, text) -> None:
    known = [agent for agent in agents if agent.health_profile]
    told = re.compile(
        r"type 2|\bI take (?:it|medic\w+|insulin|pills?|tablets?|an? \w+ (?:medicine|pill|drug))\b"
    )
    assert not any(told.search(reply.text) for reply in ask(known, text))


@pytest.mark.parametrize(
    ("text", "options", "truth"),
    [
        (
            "How old are you?",
            ["18-34", "35-64", "65+"],
            lambda a: "18-34" if a.age < 35 else ("35-64" if a.age < 65 else "65+"),
        ),
        (
            "What is your gender?",
            ["Man", "Woman", "Other"],
            lambda a: {"male": "Man", "female": "Woman"}.get(a.gender, "Other"),
        ),
        ("Do you have children?", ["Yes", "No"], lambda a: "Yes" if a.is_parent else "No"),
        (
            "Do you live in a city or in the country?",
            ["City", "Country"],
            lambda a: "City" if a.urban_rural == "urban" else "Country",
        ),
        ("What is your household income?", list(BROAD_INCOME), broad_income),
        ("In which region do you live?", ["Texas", "Somewhere else"], None),
        (
            "What is your marital status?",
            ["Married", "Living with a partner", "Single", "Divorced", "Widowed", "Separated"],
            lambda a: {
                "living_with_partner": "Living with a partner",
                "never_married": "Single",
            }.get(a.marital_status, a.marital_status.capitalize()),
        ),
        (
            "Do you own or rent your home?",
            ["Own", "Rent", "Something else"],
            lambda a: {"owner": "Own", "renter": "Rent"}.get(a.housing_tenure, "Something else"),
        ),
        (
            "What is your current housing situation?",
            ["Own", "Rent", "Live rent-free"],
            lambda a: {"owner": "Own", "renter": "Rent"}.get(a.housing_tenure, "Live rent-free"),
        ),
        (
            "How many children under 18 live in your household?",
            ["None", "1", "2", "3 or more"],
            lambda a: ("None", "1", "2", "3 or more")[min(a.children_count, 3)],
        ),
        (
            "Generally speaking, do you think of yourself as a Republican, a Democrat or an independent?",
            ["Republican", "Democrat", "Independent", "Other"],
            lambda a: next(
                (name for name in ("Independent", "Republican", "Democrat") if name.lower() in a.party_id),
                "Other",
            ),
        ),
        (
            "What is your religion?",
            ["Christian", "Jewish", "Muslim", "Buddhist", "Hindu", "Nothing in particular", "Other"],
            lambda a: {
                **dict.fromkeys(("protestant", "catholic"), "Christian"),
                **dict.fromkeys(("orthodox_christian", "other_christian"), "Christian"),
                "none": "Nothing in particular",
            }.get(a.religion, a.religion.capitalize()),
        ),
    ],
)
def test_profile_values_are_mapped_onto_the_options_given(agents, text, options, truth) -> None:
    replies = ask(agents, text, options=options)
    if truth is None:
        assert {reply.value for reply in replies} <= {*options, None}
    else:
        assert [reply.value for reply in replies] == [truth(agent) for agent in agents]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["Excellent", "Very good", "Good", "Fair", "Poor"], {"very_good": "Very good"}),
        (["Poor", "Fair", "Good"], {"very_good": "Good", "excellent": "Good"}),
        (
            ["Very good", "Good", "Fair", "Bad"],
            {"very_good": "Very good", "excellent": "Very good", "poor": "Bad"},
        ),
    ],
)
def test_health_is_rated_as_in_the_profile_and_by_everybody(agents, options, words) -> None:
    asked = ask(agents, "How would you rate your health in general?", options=options)
    replies = {reply.agent_id: reply.value for reply in asked}
    for agent in agents:
        if agent.health_profile is not None:
            level = agent.health_profile.self_rated_health
            assert replies[agent.id] == words.get(level, level.capitalize())
    others = [replies[agent.id] for agent in agents if agent.health_profile is None]
    assert len(set(others)) > 1, "who has no rating in the profile still has an opinion"


def test_several_conditions_at_once(agents) -> None:
    known = [agent for agent in agents if agent.health_profile]
    options = ["Asthma", "Type 2 diabetes", "None of these"]
    for agent, reply in zip(
        known,
        ask(known, "Which of these conditions do you have? Select all that apply.", options=options),
        strict=True,
    ):
        own = [
            name
            for name, slug in (("Asthma", "asthma"), ("Type 2 diabetes", "diabetes_t2"))
            if has(slug)(agent)
        ]
        assert reply.value == (own or ["None of these"])


def test_health_without_a_profile_takes_the_option_that_says_so(agents) -> None:
    unknown = [agent for agent in agents if agent.health_profile is None]
    replies = ask(unknown, "Do you smoke?", options=["Yes", "No", "Prefer not to say"])
    assert {reply.value for reply in replies} == {"Prefer not to say"}


@pytest.mark.parametrize(
    "text",
    [
        "Do you take any medicines?",
        "Do you currently take medication?",
        "Are you on any medication?",
        "Do you take any prescription medicines?",
    ],
)
def test_medicines_are_answered_from_the_profile(crowd, text) -> None:
    replies = EmbeddedRespondent().answer(crowd, read_question(text), {}, seed=7)
    for agent, reply in zip(crowd, replies, strict=True):
        health = agent.health_profile
        assert reply.value is (None if health is None else health.rx_medication_count > 0)


def test_who_ever_smoked_has_smoked_a_hundred_cigarettes(crowd) -> None:
    replies = ask(crowd, "Have you smoked at least 100 cigarettes in your entire life?")
    for agent, reply in zip(crowd, replies, strict=True):
        if agent.health_profile is not None:
            assert reply.value is (agent.health_profile.smoking_status in ("current", "former"))


def test_the_items_of_the_phq_9_come_to_its_score(crowd) -> None:
    levels = ("Not at all", "several days", "more than half the days", "nearly every day")
    begun = "Over the last two weeks, how often have you been bothered by"
    gaps = []
    said = [
        [reply.value for reply in ask(crowd, f"{begun} {what}? {', '.join(levels)}")]
        for what in ("little interest", "feeling down", "trouble sleeping", "feeling tired", "poor appetite")
    ]
    for at, agent in enumerate(crowd):
        if agent.health_profile is None:
            assert {each[at] for each in said} == {None}
            continue
        gaps.append(sum(levels.index(each[at]) for each in said) / 5 - agent.health_profile.phq9_score / 9)
    assert abs(sum(gaps) / len(gaps)) < 0.06
    assert max(map(abs, gaps)) <= 1


@pytest.mark.parametrize(
    "text", ["Male or female?", "Do you identify as male, female, non-binary, or prefer not to say?"]
)
def test_the_gender_is_that_of_the_profile(crowd, text) -> None:
    for agent, reply in zip(crowd, ask(crowd, text), strict=True):
        if agent.gender in ("male", "female"):
            assert reply.value.lower() == agent.gender


def test_the_region_is_that_of_the_state(crowd) -> None:
    replies = ask(crowd, "Which region do you live in: Northeast, Midwest, South or West?")
    told = {agent.state: reply.value for agent, reply in zip(crowd, replies, strict=True)}
    known = {"NY": "Northeast", "OH": "Midwest", "TX": "South", "CA": "West"}
    assert {state: told[state] for state in known if state in told} == {
        state: region for state, region in known.items() if state in told
    }
    assert set(known) & set(told)
