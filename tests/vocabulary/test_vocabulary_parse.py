"""JSON forms of filters: meanings and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.errors import FilterError
from voxpop.vocabulary import FIELDS, Filter, all_of, any_of, between, parse, where


def problems(data: Any) -> dict[str, list[str]]:
    with pytest.raises(FilterError) as caught:
        parse(data)
    return caught.value.problems


def test_nested_and_flat_say_the_same() -> None:
    nested = {"match": "all", "filters": {"country": "USA", "age": {"min": 25, "max": 64}}}
    flat = {"match": "all", "country": "USA", "age": {"min": 25, "max": 64}}
    assert parse(nested) == parse(flat) == where(country="USA", age=between(25, 64))


@pytest.mark.parametrize("empty", [{}, {"match": "any"}, {"filters": {}}, {"match": "all", "filters": {}}])
def test_a_filter_without_conditions_is_legal(empty: dict[str, Any]) -> None:
    assert parse(empty).conditions == ()


def test_a_filter_is_its_own_reading() -> None:
    given = where(gender="female")
    assert parse(given) is given


@pytest.mark.parametrize(("word", "match"), [("all", "all"), ("and", "all"), ("any", "any"), ("or", "any")])
def test_match_has_aliases(word: str, match: str) -> None:
    assert parse({"match": word}).match == match
    assert parse({"match": word.upper(), "filters": {}}).match == match
    assert where(match=word).match == match


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("CA", any_of("CA")),
        (["CA", "TX"], any_of("CA", "TX")),
        ({"any": ["CA", "TX"]}, any_of("CA", "TX")),
        ({"or": ["CA", "TX"]}, any_of("CA", "TX")),
        ({"all": ["CA", "TX"]}, all_of("CA", "TX")),
        ({"and": ["CA", "TX"]}, all_of("CA", "TX")),
        (["ca", "CA", " Ca "], any_of("CA")),
    ],
)
def test_values_of_a_field(written: Any, meant: Any) -> None:
    assert parse({"state": written}).get("state") == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"min": 25, "max": 64}, between(25, 64)),
        ({"min": 25}, between(25)),
        ({"max": 64}, between(max=64)),
        ({"min": None, "max": 64}, between(max=64)),
        ({"min": 30, "max": 30}, between(30, 30)),
        (30, between(30, 30)),
        (30.0, between(30, 30)),
        (30.5, between(30.5, 30.5)),
    ],
)
def test_ranges(written: Any, meant: Any) -> None:
    found = parse({"bmi": written}).get("bmi")
    assert found == meant
    assert repr(found) == repr(meant)


def test_age_bounds_may_stand_beside_age() -> None:
    assert parse({"age_min": 25, "age_max": 64}) == where(age=between(25, 64))
    assert parse({"filters": {"age_min": 25}}) == where(age=between(25))
    assert parse({"age": {"min": 25}, "age_max": 64}) == where(age=between(25, 64))
    assert where(age_max=30) == where(age=between(max=30))


@pytest.mark.parametrize(
    ("name", "typed", "canonical"),
    [
        ("country", "us", "USA"),
        ("country", "United States", "USA"),
        ("country", "gbr", "UK"),
        ("country", "GB", "UK"),
        ("country", "deu", "Germany"),
        ("country", "brasil", "Brazil"),
        ("country", "CA", "Canada"),
        ("state", "ca", "CA"),
        ("state", "on", "ON"),
        ("gender", "Women", "female"),
        ("gender", "m", "male"),
        ("gender", "non-binary", "non_binary"),
        ("ethnicity", "white, non-hispanic", "White, non-Hispanic"),
        ("education", "COLLEGE GRADUATE OR ABOVE", "College graduate or above"),
        ("household_income", "$15,000–$24,999", "$15,000-$24,999"),
        ("industry", "retail trade", "Retail Trade"),
        ("occupation_major_group", "legal occupations", "Legal"),
        ("labour_status", "Other not in labor force", "other_not_in_labour_force"),
        ("health_conditions", "diabetes", "diabetes_t2"),
        ("health_conditions", "High blood pressure", "hypertension"),
        ("health_drug_classes", "GLP-1", "glp1_agonist"),
        ("health_drug_classes", "glp1", "glp1_agonist"),
        ("health_drug_classes", "WEGOVY", "glp1_agonist"),
        ("health_drug_classes", "tirzepatide", "glp1_agonist"),
        ("smoking_status", "Former", "former"),
        ("bmi_class", "Obese", "obese"),
        ("phq9_severity", "moderately severe", "moderately_severe"),
        ("occupation", "  Beekeeper ", "Beekeeper"),
        ("country", "Atlantis", "Atlantis"),
        ("gender", "Femail", "Femail"),
    ],
)
def test_values_become_canonical_and_unknown_ones_stay_as_given(
    name: str, typed: str, canonical: str
) -> None:
    assert parse({name: typed}).get(name) == any_of(canonical)


@pytest.mark.parametrize("level", [(name, level) for name, each in FIELDS.items() for level in each.levels])
def test_every_level_is_itself_in_any_case(level: tuple[str, str]) -> None:
    name, value = level
    assert parse({name: value.upper()}).get(name) == any_of(value)


def test_obese_stands_for_four_levels() -> None:
    assert where(bmi_class=["obese", "normal"]).expand("bmi_class") == (
        frozenset({"obese", "obese_1", "obese_2", "obese_3"}),
        frozenset({"normal"}),
    )
    assert where(age=30).expand("age") == ()
    assert where(age=30).expand("bmi_class") == ()


REFUSED = [
    # unknown fields
    ({"gendr": "male"}, {"gendr": ["unknown field; did you mean gender?"]}),
    ({"filters": {"citty": "Austin"}}, {"citty": ["unknown field; the fields are"]}),
    ({"bmi_max": 30}, {"bmi_max": ['unknown field; bmi takes {"min": ..., "max": ...}']}),
    ({"filters": {}, "sort": "age"}, {"sort": ["unknown field"]}),
    ({"filters": {}, "country": "USA"}, {"country": ["must be inside filters"]}),
    ({"filters": {"match": "any"}}, {"match": ["match cannot be inside filters"]}),
    # wrong types
    ({"gender": 3}, {"gender": ["must be a text, not 3"]}),
    ({"gender": None}, {"gender": ["must be a text, not null"]}),
    ({"gender": [["male"]]}, {"gender": ["must be a text, not a list"]}),
    ({"gender": ["male", {}]}, {"gender": ["must be a text, not an object"]}),
    ({"gender": "  "}, {"gender": ["the value is empty"]}),
    ({"occupation": "a\x00b"}, {"occupation": ["holds a character that is not text"]}),
    ({"occupation": "\ud800"}, {"occupation": ["holds a character that is not text"]}),
    ({"is_parent": "true"}, {"is_parent": ["must be true or false, not 'true'"]}),
    ({"is_parent": 1}, {"is_parent": ["must be true or false, not 1"]}),
    ({"age": "30"}, {"age": ["must be a number, not '30'"]}),
    ({"age": True}, {"age": ["must be a number, not true"]}),
    ({"age": {"min": "18"}}, {"age": ["must be a number, not '18'"]}),
    ({"age_min": "18"}, {"age_min": ["must be a number, not '18'"]}),
    ({"bmi": float("nan")}, {"bmi": ["must be a number of ordinary size"]}),
    ({"bmi": {"max": float("inf")}}, {"bmi": ["must be a number of ordinary size"]}),
    ({"bmi": 10**5000}, {"bmi": ["must be a number of ordinary size"]}),
    ({"match": "both"}, {"match": ['must be "all" or "any"']}),
    ({"match": None}, {"match": ['must be "all" or "any"']}),
    ({"filters": []}, {"filters": ["must be an object, not a list"]}),
    ([], {"filters": ["a filter must be an object, not a list"]}),
    (None, {"filters": ["a filter must be an object, not null"]}),
    ("country=USA", {"filters": ["a filter must be an object"]}),
    # wrong shapes
    ({"age": [25, 64]}, {"age": ['takes a number or {"min": ..., "max": ...}']}),
    ({"age": {"any": [25]}}, {"age": ['takes a number or {"min": ..., "max": ...}, not any']}),
    ({"age": {"min": 25, "step": 2}}, {"age": ["takes a number or", "not step"]}),
    ({"age": {}}, {"age": ["needs a min, a max or both"]}),
    ({"age": {"min": None}}, {"age": ["needs a min, a max or both"]}),
    ({"state": {"min": 3}}, {"state": ['takes {"any": [...]} or {"all": [...]}, not min']}),
    ({"state": {"any": ["CA"], "none": ["TX"]}}, {"state": ["not none"]}),
    ({"state": {}}, {"state": ['takes {"any": [...]} or {"all": [...]}']}),
    ({"state": {"any": "CA"}}, {"state": ["any takes a list of values, not 'CA'"]}),
    # empty lists, both operators, min above max
    ({"state": []}, {"state": ["the list of values is empty"]}),
    ({"state": {"any": []}}, {"state": ["the list of values is empty"]}),
    ({"state": {"any": ["CA"], "all": ["TX"]}}, {"state": ["takes any or all, not both"]}),
    ({"state": {"or": ["CA"], "and": ["TX"]}}, {"state": ["takes any or all, not both"]}),
    ({"state": {"or": ["CA"], "any": ["TX"]}}, {"state": ["any is given more than once, as or and as any"]}),
    ({"age": {"min": 64, "max": 25}}, {"age": ["min 64 is greater than max 25"]}),
    ({"age_min": 64, "age_max": 25}, {"age": ["min 64 is greater than max 25"]}),
    ({"state": ["CA"] * 1_001}, {"state": ["at most 1,000 values can be listed, not 1,001"]}),
    # the same thing twice
    (
        {"condition": "gout", "health_conditions": "asthma"},
        {"health_conditions": ["as condition and as health_conditions"]},
    ),
    ({"age": {"min": 20}, "age_min": 25}, {"age": ["the min is given more than once, in age_min too"]}),
    ({"age": 30, "age_max": 64}, {"age": ["the max is given more than once, in age_max too"]}),
]


@pytest.mark.parametrize(("data", "expected"), REFUSED)
def test_what_is_always_refused_says_why(data: Any, expected: dict[str, list[str]]) -> None:
    found = problems(data)
    assert list(found) == list(expected)
    for name, parts in expected.items():
        assert all(part in " ".join(found[name]) for part in parts)


def test_all_problems_are_collected() -> None:
    found = problems(
        {
            "match": "some",
            "filters": {
                "gendr": "m",
                "age": {"min": 9, "max": 1},
                "state": ["", None, 3],
                "gender": [],
            },
        }
    )
    assert list(found) == ["match", "gendr", "age", "state", "gender"]
    assert len(found["state"]) == 3


def test_where_collects_them_too() -> None:
    with pytest.raises(FilterError, match=r"^gender: the list of values is empty; age: needs a min"):
        where(gender=[], age=between())


def test_names_that_are_no_fields_are_kept_for_tables_and_refused_by_the_vocabulary() -> None:
    mine = where(sex="male", age="old")
    assert (mine.conditions, len(mine.own)) == ((), 2)
    with pytest.raises(
        FilterError, match=r"^sex: unknown field; did you mean gender \(.*\); age: must be a number"
    ):
        mine.check()
    with pytest.raises(FilterError, match="sex: unknown field"):
        parse(mine)


def test_messages_and_field_names_are_short_and_printable() -> None:
    found = problems({"\ud800" + "x" * 10_000: 1, "gender": "\ud800" * 10_000})
    for name, texts in found.items():
        assert len(name) <= 60
        assert all(text.isprintable() and len(text) < 800 for text in [name, *texts])


def test_many_unknown_fields_are_not_all_looked_up() -> None:
    assert len(problems({f"field_{n}": 1 for n in range(10_000)})) == 50


def test_a_filter_made_by_hand_is_put_in_order_and_checked() -> None:
    one = Filter("all", (("age", between(18)), ("condition", any_of("gout")), ("country", any_of("USA"))))
    assert [name for name, _ in one.conditions] == ["country", "age", "health_conditions"]
    with pytest.raises(FilterError, match="unknown field"):
        Filter("all", (("gendr", any_of("male")),))
    with pytest.raises(FilterError, match="once"):
        Filter("all", (("conditions", any_of("gout")), ("health_conditions", any_of("copd"))))


def test_a_condition_can_be_replaced_or_taken_out() -> None:
    one = where(country="USA", age=between(18))
    assert one.replace("age", between(30)) == where(country="USA", age=between(30))
    assert one.replace("age", None) == where(country="USA")
    assert one.replace("gender", any_of("male")).get("gender") == any_of("male")
