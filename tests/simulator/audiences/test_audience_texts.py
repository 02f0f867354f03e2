"""Descriptions as clients write them: read right or asked back, and none read wrong in silence.

They were written, with what has to be asked about, by people who did not know the planner: the first hundred
before it was built (reference/audience_texts.jsonl), fifty more afterwards (audience_texts_final.jsonl), and
eighty in short and casual wording (audience_texts_second.jsonl).
``judged`` is the plan where a person judged it right; null where the text is to be asked back or refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_audience_corpus import plan

from voxpop.engines.audience import AudiencePlan
from voxpop.engines.question import Question
from voxpop_simulator.audiences.harm import harmful
from voxpop_simulator.audiences.languages import other_language
from voxpop_simulator.stances.grounds import grounds_of
from voxpop_simulator.stances.stance import plan_of

REFERENCE = Path(__file__).parents[2] / "reference"
MOST_ASKED_NEEDLESSLY = 0.25


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (REFERENCE / name).read_text("utf-8").splitlines()]


TEXTS = rows("audience_texts.jsonl")
FINAL = rows("audience_texts_final.jsonl")
SECOND = rows("audience_texts_second.jsonl")
AIMS = rows("audience_aims.jsonl")


def is_known(question: str) -> bool:
    """Return whether the answers to a screening question rest on a profile or a figure."""
    grounds = grounds_of(plan_of(Question(question, "yes_no")))
    return grounds.profile is not None or grounds.home.kind != "none"


def is_asked_back(found: AudiencePlan) -> bool:
    """Return whether a plan asks about more than the country, is refused, or cannot be screened."""
    asked = found.clarification
    more = asked is not None and not asked.question.startswith("Which country")
    return bool(found.refusal) or more or not all(is_known(one.question) for one in found.screening)


@pytest.fixture(scope="module")
def plans() -> list[AudiencePlan]:
    return [plan(row["text"]) for row in TEXTS]


def test_no_description_is_read_wrong_in_silence(plans: list[AudiencePlan]) -> None:
    every = (*plans, *(plan(row["text"]) for row in (*FINAL, *SECOND)))
    for row, found in zip((*TEXTS, *FINAL, *SECOND), every, strict=True):
        judged = row["judged"]
        if judged is None:
            assert is_asked_back(found), row["text"]
        elif not is_asked_back(found):
            told = {
                "filters": found.filters.to_json()["filters"],
                "screening": [[one.question, one.keep] for one in found.screening],
                "quotas": [[one.to_json()["filters"], number] for one, number in found.quotas],
            }
            assert told == judged, row["text"]


def test_few_descriptions_are_asked_about_needlessly() -> None:
    for texts in (TEXTS, FINAL, SECOND):
        plain = [row["text"] for row in texts if not row["must_ask"]]
        needless = [text for text in plain if is_asked_back(plan(text))]
        assert len(needless) <= MOST_ASKED_NEEDLESSLY * len(plain), needless


def test_the_spans_of_every_description_hold_all_of_its_words(plans: list[AudiencePlan]) -> None:
    for row, found in zip(TEXTS, plans, strict=True):
        if found.refusal is not None:
            continue
        text = list(row["text"])
        for span in found.understood:
            assert row["text"].startswith(span.span, span.start), (row["text"], span)
            text[span.start : span.start + len(span.span)] = " " * len(span.span)
        assert not any(letter.isalnum() for letter in text), (row["text"], "".join(text))


@pytest.mark.parametrize(
    "text",
    [
        "US adults with either obesity and type 2 diabetes, or obesity and sleep apnea",
        "US women with asthma and gout or asthma and copd",
    ],
)
def test_a_phrase_that_is_in_no_part_of_the_plan_is_asked_about(text: str) -> None:
    found = plan(text)
    assert found.clarification is not None
    values = str(found.filters.to_json())
    for span in found.understood:
        if span.role == "filter":
            assert all(str(value) in values for value in span.value.values())


def test_aims_against_people_are_refused_and_groups_are_recruited() -> None:
    wrong = [row["text"] for row in AIMS if (harmful(row["text"]) is not None) != row["refuse"]]
    assert wrong == []


def test_no_description_is_refused_as_an_aim_against_people() -> None:
    assert [row["text"] for row in (*TEXTS, *FINAL, *SECOND) if harmful(row["text"])] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Lehrer in Bayern zwischen 30 und 50", "German"),
        ("Mujeres hispanas de 30 a 45 años con hijos pequeños en Texas", "Spanish"),
        ("femmes de 25 à 49 ans en Île-de-France", "French"),
        ("vrouwen van 30 tot 45 jaar in Amsterdam", "Dutch"),
        ("東京に住む30代の女性", "Japanese"),
        ("上海的护士", "Chinese"),
    ],
)
def test_another_language_is_named(text: str, language: str) -> None:
    asked = plan(text).clarification
    assert asked is not None
    assert asked.missing == ("language",)
    assert language in asked.question
    assert plan(text, ["US teachers over 30"]).filters.to_json()["filters"]["country"] == "USA"


def test_english_is_never_taken_for_another_language() -> None:
    foreign = ("Lehrer", "Mujeres", "femmes")
    english = [row["text"] for row in (*TEXTS, *AIMS) if not row["text"].startswith(foreign)]
    assert [text for text in english if other_language(text)] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("US physicians who prescribe GLP-1s", "prescribe GLP-1s"),
        ("US people living with diabetics", "living with diabetics"),
        ("asthma nurses in California", "asthma nurses"),
        ("US parents of kids with ADHD", "with ADHD"),
        ("US moms whose kids have asthma", "whose kids have asthma"),
        ("US adults with gestational diabetes", "with gestational diabetes"),
        ("US potential GLP-1 users", "potential GLP-1"),
    ],
)
def test_what_changes_the_meaning_of_a_known_phrase_takes_it_along(text: str, words: str) -> None:
    found = plan(text)
    fields = [one.value for one in found.understood if one.role == "filter"]
    assert not any("health" in str(value) for value in fields), fields
    assert any(one.span.startswith(words.split()[0]) for one in found.understood if one.role != "glue")
    assert is_asked_back(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("people in Kansas City", "in Kansas City"),
        ("US type 2 diabetics on insulin only", "insulin only"),
        ("US adults who used to own a dog", "used to own a dog"),
        ("US libertarians", "libertarians"),
        ("US black coffee drinkers", "black coffee drinkers"),
    ],
)
def test_what_only_looks_known_is_asked_back(text: str, words: str) -> None:
    found = plan(text)
    assert is_asked_back(found)
    assert any(words.endswith(one.span) or one.span == words for one in found.understood)


def test_an_answer_replaces_what_was_not_understood() -> None:
    text = "US physicians who prescribe GLP-1s"
    left_out = plan(text, ["leave it out"])
    assert left_out.clarification is None
    assert set(left_out.filters.to_json()["filters"]) == {"country", "occupation"}
    replaced = plan(text, ["on a GLP-1"])
    assert replaced.filters.to_json()["filters"]["health_drug_classes"] == "glp1_agonist"


def test_quotas_are_cells_of_the_audience() -> None:
    found = plan("50 men and 50 women in Texas")
    assert [(one.sentence(), number) for one, number in found.quotas] == [("men", 50), ("women", 50)]
    (span,) = [one for one in found.understood if one.role == "quota"]
    assert [cell["size"] for cell in span.value] == [50, 50]


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("US nurses for a study about burnout, aged 30-50", "for a study about burnout"),
        ("Survey US nurses about burnout in Texas", "about burnout"),
        ("US nurses to test our app, 30-50, Texas", "to test our app"),
        ("US nurses who work for a research company in Texas", None),
    ],
)
def test_a_purpose_takes_no_people_along(text: str, purpose: str | None) -> None:
    found = plan(text)
    assert [one.span for one in found.understood if one.role == "purpose"] == ([purpose] if purpose else [])
    filters = found.filters.to_json()["filters"]
    assert {"country", "occupation"} <= set(filters)
    assert ("state" in filters) == ("Texas" in text)
    assert ("age" in filters) == ("30-50" in text)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("US adults, half women and half men", [("female", 50), ("male", 50)]),
        ("US adults, 60% female, 40% male, aged 18-65", [("female", 60), ("male", 40)]),
        ("30 women and 20 men in Ohio", [("female", 30), ("male", 20)]),
        ("20 cashiers and 10 registered nurses in Ohio", [("Cashiers", 20), ("Registered Nurses", 10)]),
    ],
)
def test_quotas_are_read_in_the_usual_forms(text: str, cells: list[tuple[str, int]]) -> None:
    found = plan(text)
    assert found.clarification is None
    assert [([*one.to_json()["filters"].values()], number) for one, number in found.quotas] == [
        ([value], number) for value, number in cells
    ]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("US lawyers and paralegals, 30 each", [("Lawyers", 30), ("Paralegals and Legal Assistants", 30)]),
        ("US lawyers and paralegals (2:1), n=45", [("Lawyers", 2), ("Paralegals and Legal Assistants", 1)]),
        ("nurses in Texas and Ohio, 20 per state", [("TX", 20), ("OH", 20)]),
        ("women in Japan and S. Korea, half & half", [("Japan", 1), ("South Korea", 1)]),
        (
            "Hispanic or Black US women, 40/40.",
            [("Hispanic or Latino", 40), ("Black or African American", 40)],
        ),
        ("US nurses, evenly split by gender", [("male", 1), ("female", 1)]),
        ("marketing managers, 20 UK 20 US 20 Germany", [("UK", 20), ("USA", 20), ("Germany", 20)]),
        ("US diabetics, type 1 or type 2, 30 T2 and 10 T1", [("diabetes_t2", 30), ("diabetes_t1", 10)]),
        ("300 US adults: 100 18-34, 200 35+", [({"min": 18, "max": 34}, 100), ({"min": 35}, 200)]),
    ],
)
def test_sizes_alone_are_those_of_the_parts_that_the_text_names(
    text: str, cells: list[tuple[Any, int]]
) -> None:
    found = plan(text)
    assert found.clarification is None
    assert [([*one.to_json()["filters"].values()], number) for one, number in found.quotas] == [
        ([value], number) for value, number in cells
    ]


@pytest.mark.parametrize(
    "text",
    [
        "US men and women with asthma or copd, 30 each",
        "US adults, 30 each",
        "US nurses and teachers in Texas and Ohio, men and women, 20 each",
        "US nurses, at least 10 per state",
        "US adults aged 18-40 or 35-60, 20 each",
    ],
)
def test_sizes_of_uncertain_parts_are_asked_about(text: str) -> None:
    found = plan(text)
    assert found.quotas == ()
    assert is_asked_back(found)


def test_a_quota_beside_a_screening_question_is_asked_about_with_the_reason() -> None:
    asked = plan("US gun owners, 50% women").clarification
    assert asked is not None
    assert "cannot be combined with a screening question" in asked.question


def test_some_of_a_list_of_conditions_is_any_such_combination() -> None:
    found = plan("US adults with two or more of: gout, asthma and COPD")
    assert found.clarification is None
    (group,) = [one.value for one in found.understood if one.role == "filter" and "gout" in one.span]
    pairs = [one["filters"]["health_conditions"]["all"] for one in group["any"]]
    assert pairs == [["gout", "asthma"], ["gout", "copd"], ["asthma", "copd"]]
    any_of = plan("US adults with any of the following: gout, asthma")
    assert any_of.filters.to_json()["filters"]["health_conditions"] == {"any": ["gout", "asthma"]}


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("US adults, anyone but smokers", {"smoking_status": {"any": ["never", "former"]}}),
        ("older US adults, 55+", {"age": {"min": 55}}),
        ("F 25-34, US, 2+ kids", {"age": {"min": 25, "max": 34}, "gender": "female"}),
        ("US renters below 200% FPL with kids", {"housing_tenure": "renter", "poverty_ratio": {"max": 2.0}}),
        ("nurses in TX, OK, LA, AR", {"state": {"any": ["AR", "LA", "OK", "TX"]}}),
        ("US adults on metformin + insulin", {"health_drug_classes": {"all": ["metformin", "insulin"]}}),
        (
            "HR managers in manufacturing or retail, US",
            {"industry": {"any": ["Manufacturing", "Retail Trade"]}},
        ),
        (
            "US adults with moderate or worse depressive symptoms despite being on an SSRI",
            {"health_drug_classes": "ssri"},
        ),
        ("homeowners, california/oregon/washington", {"state": {"any": ["CA", "OR", "WA"]}}),
    ],
)
def test_short_and_casual_wording_is_read(text: str, filters: dict[str, Any]) -> None:
    found = plan(text)
    assert not is_asked_back(found)
    told = found.filters.to_json()["filters"]
    assert {name: told.get(name) for name in filters} == filters


@pytest.mark.parametrize(
    "text",
    [
        "US adults with rheumatoid arthritis",
        "Mexico City residents",
        "US adults not treated for asthma",
        "People waiting for therapy sessions in Texas",
        "US adults who own a dog every day",
    ],
)
def test_what_is_narrower_than_the_figures_is_asked_about(text: str) -> None:
    assert is_asked_back(plan(text))


def test_coffee_every_day_rests_on_its_published_share() -> None:
    found = plan("US adults who drink coffee daily")
    assert found.clarification is None
    assert [one.question for one in found.screening] == ["Do you drink coffee every day?"]


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("US nurses, 30-50, ad concept test", "ad concept test"),
        ("US nurses. Message test for a new injector", "Message test for a new injector"),
        ("We are a small charity. Could you get US nurses?", "We are a small charity."),
        ("We're running a study with US nurses. Ages 30-50.", "We're running a study with"),
        ("I'm building an app for US nurses. Looking for 40 of them", "I'm building an app for"),
    ],
)
def test_a_study_named_without_for_takes_no_people_along(text: str, purpose: str) -> None:
    found = plan(text)
    assert [one.span for one in found.understood if one.role == "purpose"] == [purpose]
    assert "occupation" in found.filters.to_json()["filters"]
    assert not is_asked_back(found)


@pytest.mark.parametrize(
    "text",
    [
        "Hello - we sell software to dentists. I'd like to hear from US nurses",
        "US adults with Medicare Advantage",
        "US households w/ kids under 6",
        "US teachers K-12",
        "US families with a newborn, first child",
    ],
)
def test_ordinary_words_are_no_reason_to_refuse(text: str) -> None:
    assert plan(text).refusal is None


@pytest.mark.parametrize(
    "text",
    [
        "US adults, 50% women, 50% with diabetes",
        "US parents with 3 kids and 2 cars in Texas",
        "US adults over 60 years and 20 pounds overweight",
    ],
)
def test_numbers_that_are_no_parts_of_a_group_are_no_quotas(text: str) -> None:
    found = plan(text)
    assert found.quotas == ()
    assert is_asked_back(found)
