"""Agents of countries with few figures answer from known attributes only."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.embedded import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

_NONE: dict[str, Any] = dict.fromkeys(
    (
        "drug_classes",
        "rx_medication_count",
        "smoking_status",
        "alcohol_use",
        "physical_activity_level",
        "sleep_quality",
        "diet_quality",
        "bmi",
        "bmi_class",
        "phq9_score",
        "phq9_severity",
    )
)
_PROVENANCE = {"source": "t", "method_version": "t", "calibration_version": "t", "reference_version": "t"}


@pytest.fixture(scope="module")
def german(agents: list[Agent]) -> Agent:
    """A woman in Bavaria with hypertension who does not smoke."""
    employed = next(agent for agent in agents if agent.occupation)
    unknown: dict[str, Any] = dict.fromkeys(
        (
            *("is_parent", "education", "household_income", "urban_rural", "marital_status", "insurance"),
            *("household_size", "children_count", "youngest_child_age", "housing_tenure", "veteran"),
            *("born_in_country", "religion", "party_id", "ideology"),
        ),
        None,
    )
    return replace(
        employed,
        country="Germany",
        state="Bavaria",
        gender="female",
        ethnicity="Migration background",
        health_profile=HealthProfile(conditions=("hypertension",), **_NONE, **_PROVENANCE),
        **unknown,
    )


def answer(agent: Agent, text: str, **fields: Any) -> tuple[Any, str]:
    [reply] = EmbeddedRespondent().answer([agent], read_question(text, **fields), {}, seed=1)
    return reply.value, reply.text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Do you live in Germany?", True),
        ("Do you live in Japan?", False),
        ("Do you live in Bayern?", True),
        ("Do you live in Texas?", False),
        ("Do you smoke?", False),
        ("Do you have high blood pressure?", True),
        ("Do you have diabetes?", False),
        ("Do you have asthma?", None),
        ("Do you take a GLP-1 medicine?", None),
        ("Are you a parent?", None),
        ("Do you live in a rural area?", None),
        ("Are you married?", None),
        ("Do you own your home?", None),
        ("Do you have health insurance?", None),
        ("Are you a veteran?", None),
        ("Were you born in the United States?", None),
        ("Are you Catholic?", None),
    ],
)
def test_yes_no_questions(german: Agent, text: str, value: bool | None) -> None:
    assert answer(german, text)[0] is value


def test_the_religion_published_for_a_country_is_known_there(german: Agent) -> None:
    indian = replace(german, country="India", state="Kerala", ethnicity="Hindu")
    assert answer(indian, "Are you Hindu?") == (True, "Yes, I'm Hindu.")
    assert answer(indian, "Are you Christian?")[0] is False


def test_smokers_abroad_say_so(german: Agent) -> None:
    assert german.health_profile is not None
    smoker = replace(german, health_profile=replace(german.health_profile, smoking_status="current"))
    assert answer(smoker, "Do you smoke?")[0] is True
    assert answer(german, "Do you smoke?")[1] == "No, I don't smoke."


def test_what_is_not_known_is_not_answered(german: Agent) -> None:
    for text in ("What is your household income?", "What is your BMI?", "How many medicines do you take?"):
        assert answer(german, text, type="number")[0] is None
    options = ["Never", "Former", "Current", "Prefer not to say"]
    assert answer(german, "What is your smoking status?", options=options)[0] == "Prefer not to say"
    assert answer(german, "What is your highest level of education?", type="open")[1] == "I'd rather not say."


def test_open_answers_bring_in_nothing_that_is_not_known(german: Agent) -> None:
    for number in range(60):
        agent = replace(german, id=number + 1, uuid=f"00000000-0000-8000-8000-{number:012}")
        value, text = answer(agent, "What would make you eat healthier?", type="open")
        assert value is None
        assert text
        assert "None" not in text
    assert answer(german, "Where do you live?", type="open")[1] == "I live in Bavaria."


_HOME = re.compile(
    r"dollar|Thanksgiving|Labor Day|Medicare|Medicaid|Social Security|\bcounty\b|Congress|senator|\$|401"
    r"|Texas|Hawaii|presidents|gallon|\bmiles?\b|copay|deductible|high school games|Walmart",
    re.I,
)


def test_agents_abroad_do_not_talk_like_americans(german: Agent) -> None:
    agents = [
        replace(german, id=number + 1, uuid=f"00000000-0000-8000-8000-{number:012}", age=20 + number % 60)
        for number in range(300)
    ]
    for text in (
        "What annoys you about grocery shopping?",
        "What do you think about the news?",
        "How do you feel about retirement?",
        "What would you improve about your health insurance?",
        "What do you think about prices these days?",
        "Describe your ideal vacation.",
    ):
        question = read_question(text, type="open")
        for reply in EmbeddedRespondent().answer(agents, question, {}, seed=3):
            assert not _HOME.search(reply.text), reply.text


@pytest.mark.parametrize("country", [name for name in FIELDS["country"].levels if name != "USA"])
@pytest.mark.parametrize(
    "text",
    [
        "Where do you usually buy shoes?",
        "Describe your last vacation.",
        "What do you think of prices these days?",
    ],
)
def test_open_answers_are_given_everywhere_without_words_of_the_usa(agents, country, text) -> None:
    people = [replace(agent, country=country, state=None, title_variant=None) for agent in agents[:150]]
    replies = list(EmbeddedRespondent().answer(people, read_question(text), {}, seed=1))
    said = [reply.text for reply in replies]  # type: ignore[union-attr]
    words = r"\b(?:condo|dorm|drive-through|gas station|Labor Day|Thanksgiving|Medicare|the IRS|Walmart)\b"
    assert not [each for each in said if re.search(words, each)]
    if country in ("UK", "Germany", "Japan"):
        assert not [each for each in said if re.search(r"\$|\bdollars\b", each)]
