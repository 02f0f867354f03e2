"""The filter vocabulary over HTTP, line by line: interface 2.12."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import httpx
import pytest

from running_service import Service, recruit
from voxpop.population.corpus import corpus
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import where

ALIASES = {
    "occupation_major_group": ("occupation_major_groups", "major_group"),
    "labour_status": ("employment", "employment_status", "labor_status"),
    "title_variant": ("title_variants",),
    "health_conditions": ("condition", "conditions", "health_condition"),
    "health_drug_classes": ("drug_class", "drug_classes", "medication_class", "medication_classes"),
    "bmi_class": ("health_bmi_class",),
    "marital_status": ("marital",),
    "children_count": ("number_of_children",),
    "income_quintile": ("income_fifth",),
    "housing_tenure": ("home_ownership",),
    "insurance": ("health_insurance", "insurance_type"),
    "veteran": ("is_veteran",),
    "born_in_country": ("native_born", "born_in_us"),
    "religion": ("religious_affiliation",),
    "party_id": ("party", "party_identification"),
    "ideology": ("political_ideology", "political_views"),
    "self_rated_health": ("general_health",),
}
WITHOUT_ALIAS = (
    *("household_size", "youngest_child_age", "poverty_ratio"),
    *("country", "state", "age", "is_parent", "gender", "ethnicity", "occupation", "industry"),
    *("smoking_status", "alcohol_use", "physical_activity_level", "sleep_quality", "diet_quality"),
    *("phq9_severity", "rx_medication_count", "bmi", "phq9_score"),
)
EXAMPLES = {
    "health_conditions": ("diabetes_t2", "hypertension"),
    "health_drug_classes": ("glp1_agonist", "statin"),
    "smoking_status": ("former", "current", "never"),
    "alcohol_use": ("moderate",),
    "physical_activity_level": ("low", "moderate", "high"),
    "sleep_quality": ("poor", "fair", "good"),
    "diet_quality": ("mixed", "healthy"),
    "bmi_class": ("normal", "overweight", "obese_1", "obese_2", "obese_3"),
    "phq9_severity": ("minimal", "mild", "moderate"),
}
GLP1 = (
    *("GLP-1", "GLP1", "glp-1", "semaglutide", "tirzepatide", "SEMAGLUTIDE", "Ozempic", "Wegovy"),
    *("Rybelsus", "Mounjaro", "Zepbound", "Victoza", "Saxenda", "Trulicity", "Byetta", "Bydureon"),
)


@pytest.fixture(scope="module")
def count(http: httpx.Client) -> Any:
    """Count the agents of a filter through each form that can say it, all of which must agree."""

    def of(**fields: Any) -> int:
        match = fields.pop("match", "all")
        nested = {"match": match, "filters": fields}
        found = [
            http.post("/filters/count", json={"filters": filters, "fields": []})
            for filters in (nested, {"match": match, **fields})
        ]
        pages = {"filters": json.dumps(nested), "per_page": 1}
        searched = http.get("/agents/search", params=pages)
        first = http.post("/agents/find", json=nested)
        totals = {*(answer.json().get("count") for answer in found), searched.json().get("total")}
        assert len(totals) == 1, [answer.text for answer in (*found, searched)]
        (total,) = totals
        assert isinstance(total, int), found[0].text
        assert first.status_code == (200 if total else 404), first.text
        if total:
            assert first.json()["agent"]["id"] == searched.json()["agents"][0]["id"]
        return total

    return of


def of_url(http: httpx.Client, *pairs: tuple[str, Any]) -> int:
    answer = http.get("/agents/search", params=[*pairs, ("per_page", "1")])
    assert answer.status_code == 200, answer.text
    return int(answer.json()["total"])


def usual(service: Service, name: str) -> Any:
    """Return the most frequent value of a field, or a bound that some agents meet."""
    if FIELDS[name].kind == "range":
        return {"min": {"age": 40, "bmi": 27.5}.get(name, 1)}
    with_counts = service.state.population.facets(where(), [name])[name]
    return max(with_counts, key=lambda pair: pair[1])[0]


def test_every_field_of_the_interface_is_served() -> None:
    assert {*ALIASES, *WITHOUT_ALIAS} == set(FIELDS) - {"education", "household_income", "urban_rural"}
    assert {name: set(field.aliases) for name, field in FIELDS.items() if field.aliases} == {
        name: set(aliases) for name, aliases in ALIASES.items()
    }


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_takes_its_shape_under_every_name(
    http: httpx.Client, service: Service, count: Any, name: str
) -> None:
    value = usual(service, name)
    wanted = count(**{name: value})
    assert wanted > 0
    for alias in (*ALIASES.get(name, ()), name.upper()):
        assert count(**{alias: value}) == wanted
        if not isinstance(value, dict):
            assert count(**{alias: {"any": [value]}}) == wanted
            text = str(value).lower() if isinstance(value, bool) else value
            assert of_url(http, (alias, text)) == wanted
        shown = http.get("/filters", params={"country": "USA", "fields": alias}).json()
        assert [*shown["filters"], *shown["ranges"]] == [name]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, some in EXAMPLES.items() for value in some]
)
def test_an_example_value_of_the_interface_chooses_agents_that_have_it(
    http: httpx.Client, count: Any, name: str, value: str
) -> None:
    assert count(**{name: value}) > 0
    profile = http.post("/agents/find", json={name: value}).json()["agent"]["health_profile"]
    held = profile[name.removeprefix("health_") if FIELDS[name].kind == "list" else name]
    assert value == held or value in held


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if field.kind == "range"])
def test_a_range_takes_min_max_or_both_and_both_are_included(count: Any, name: str) -> None:
    middle = {
        "age": 40,
        "bmi": 27.5,
        "phq9_score": 4,
        "household_size": 2,
        "poverty_ratio": 2.5,
        "youngest_child_age": 2,
    }.get(name, 1)
    everybody = count(**{name: {"min": 0}})
    low, high = count(**{name: {"max": middle}}), count(**{name: {"min": middle}})
    exact = count(**{name: {"min": middle, "max": middle}})
    assert 0 < exact == count(**{name: middle})
    assert low + high == everybody + exact


def test_the_shorthand_of_the_url_says_what_the_body_says(http: httpx.Client, count: Any) -> None:
    shorthand = [("country", "USA"), ("age_min", 30), ("age_max", 59), ("gender", "female"), ("state", "CA")]
    body = {"country": "USA", "age": {"min": 30, "max": 59}, "gender": "female", "state": {"any": ["CA"]}}
    for match in ("all", "any"):
        assert of_url(http, *shorthand, ("match", match)) == count(match=match, **body) > 0
        found = http.get("/agents/find", params=[*shorthand, ("match", match)]).json()["agent"]
        assert found == http.post("/agents/find", json={"match": match, **body}).json()["agent"]


@pytest.mark.parametrize("typed", GLP1)
def test_glp1_names_mean_the_class(http: httpx.Client, count: Any, typed: str) -> None:
    wanted = count(health_drug_classes="glp1_agonist")
    assert count(drug_class=typed) == count(medication_classes={"all": [typed]}) == wanted > 0
    assert of_url(http, ("drug_class", typed)) == wanted


def test_diabetes_means_type_2(count: Any) -> None:
    assert count(condition="diabetes") == count(health_conditions="diabetes_t2") > 0
    assert count(condition={"all": ["Diabetes", "diabetes_t2"]}) == count(condition="diabetes")


def test_obese_means_every_class_of_obesity(http: httpx.Client, count: Any) -> None:
    classes = [f"obese_{number}" for number in (1, 2, 3)]
    assert count(bmi_class="obese") == sum(count(bmi_class=each) for each in classes) > 0
    assert count(bmi_class={"any": ["OBESE", "obese_1"]}) == count(bmi_class=classes)
    assert of_url(http, ("health_bmi_class", "obese")) == count(bmi_class=classes)


# Rule 1: the top-level match, and its other words.


def test_match_joins_the_fields(count: Any) -> None:
    women, californians = count(gender="female"), count(state="CA")
    both = count(match="all", gender="female", state="CA")
    either = count(match="any", gender="female", state="CA")
    assert 0 < both < californians < women < either == women + californians - both
    assert count(match="and", gender="female", state="CA") == both == count(gender="female", state="CA")
    assert count(match="or", gender="female", state="CA") == either


# Rule 2: any and all within a field, and their other words.


def test_any_and_all_within_a_list_field(count: Any) -> None:
    one, other = count(condition="hypertension"), count(condition="diabetes_t2")
    pair = ["hypertension", "diabetes_t2"]
    every = count(condition={"all": pair})
    some = count(condition={"any": pair})
    assert 0 < every < other
    assert some == one + other - every
    assert (count(condition={"and": pair}), count(condition={"or": pair})) == (every, some)
    assert count(condition=pair) == some


def test_no_agent_has_two_values_of_a_single_valued_field(count: Any) -> None:
    assert count(state={"any": ["CA", "TX"]}) == count(state="CA") + count(state="TX") > 0
    assert count(state={"all": ["CA", "TX"]}) == 0
    assert count(state={"all": ["CA"]}) == count(state="CA")


# Rule 3: case does not matter, and a part of a value is no value.


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("country", "usa"),
        ("state", "ca"),
        ("gender", "FEMALE"),
        ("ethnicity", "WHITE, NON-HISPANIC"),
        ("industry", "retail TRADE"),
        ("labour_status", "Employed"),
        ("smoking_status", "Never"),
        ("health_conditions", "HyperTension"),
        ("health_drug_classes", "STATIN"),
        ("bmi_class", "Normal"),
        ("phq9_severity", "MILD"),
    ],
)
def test_case_does_not_matter_but_the_whole_value_does(count: Any, name: str, value: str) -> None:
    exact = {"country": "USA", "state": "CA", "ethnicity": "White, non-Hispanic", "industry": "Retail Trade"}
    assert count(**{name: value}) == count(**{name: exact.get(name, value.lower())}) > 0
    if name not in ("country", "state"):  # their codes are names of their own
        assert count(**{name: value[:-2]}) == 0


# Rules 4 and 5: occupations, in the documented order, and without any expansion in `all`.


def held_occupations(service: Service) -> list[str]:
    """Return the occupations that agents of the service hold; a small population lacks the rare ones."""
    return [label for label, _ in service.state.population.facets(where(), ["occupation"])["occupation"]]


def test_an_exact_live_occupation_comes_first(service: Service, count: Any) -> None:
    labels = held_occupations(service)
    for label in islice(labels, 0, None, max(1, len(labels) // 12)):
        wanted = count(occupation={"all": [label]})
        assert wanted > 0
        assert count(occupation=label.upper()) == count(occupation={"any": [label]}) == wanted


def test_a_job_title_stands_for_its_occupation(service: Service, count: Any) -> None:
    labels = {label.casefold() for label in held_occupations(service)}
    titles = {
        title: occupation
        for title, occupation in corpus().items()
        if title not in labels and occupation.casefold() in labels
    }
    assert len(titles) > 200
    for title, occupation in islice(titles.items(), 0, None, len(titles) // 15):
        assert count(occupation=title) == count(occupation={"all": [occupation]}) > 0
        assert count(occupation={"any": [title.title()]}) == count(occupation=occupation)
        assert count(occupation={"all": [title]}) == 0


def test_an_occupation_that_nobody_has_matches_nobody_or_what_is_near(service: Service, count: Any) -> None:
    assert count(occupation="Registered Nursess") == count(occupation={"all": ["Registered Nurses"]}) > 0
    assert count(occupation={"all": ["Registered Nursess"]}) == 0
    assert count(occupation="Dragon tamer of the seven seas") == 0


def test_occupations_are_joined_like_other_values(http: httpx.Client, count: Any) -> None:
    both = count(occupation=["Cashiers", "RN"])
    assert both == count(occupation="Cashiers") + count(occupation="Registered Nurses")
    assert of_url(http, ("occupation", "cashier"), ("occupation", "RN")) == both


# Rule 6: several industries in a URL.


def test_industries_are_repeated_in_a_url(http: httpx.Client, count: Any) -> None:
    repeated = of_url(http, ("industry", "Retail Trade"), ("industry", "Construction"))
    assert repeated == count(industry={"any": ["Retail Trade", "Construction"]})
    assert repeated == count(industry="Retail Trade") + count(industry="Construction") > 0
    assert of_url(http, ("industry", "Retail Trade,Construction")) == 0


# Rule 7: a description draws near and never excludes.


def test_a_description_is_no_predicate(http: httpx.Client, count: Any) -> None:
    filters = {"country": "USA", "gender": "male", "age": {"min": 60}}
    matching = count(**filters)
    words = "young mothers in Japan who work as nurses"
    answer = recruit(http, matching, filters=filters, description=words)
    assert answer["group"]["agent_count"] == matching > 0
    assert {agent["gender"] for agent in answer["recruited_agents"]} == {"male"}
    assert answer["group"]["filters"] == {"match": "all", "filters": filters}


def test_a_description_draws_agents_that_are_near(http: httpx.Client) -> None:
    def nurses(description: str | None) -> int:
        agents = recruit(http, 30, filters={"labour_status": "employed"}, description=description, seed=5)
        return sum("nurse" in agent["occupation"].lower() for agent in agents["recruited_agents"])

    assert nurses("registered nurses") > nurses(None)


# What is counted beside the number of agents.


def test_an_empty_list_of_fields_counts_the_agents_alone(http: httpx.Client) -> None:
    body = {"filters": {"gender": "female"}}
    alone = http.post("/filters/count", json={**body, "fields": []}).json()
    every = http.post("/filters/count", json=body).json()
    assert alone == {"count": every["count"], "filters": {}, "ranges": {}}
    assert set(every["filters"]) | set(every["ranges"]) == set(FIELDS)
