"""Agents outside the USA drawn in blocks: every margin against the shipped tables, by hand where possible."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from voxpop.population import children_abroad, countries_known
from voxpop.population.abroad import draw_columns_abroad
from voxpop.population.children_abroad import shares_of, smoothed
from voxpop.population.columns import Category, Column, Members, Numbers
from voxpop.population.countries import ABROAD, ISO, groups, regions
from voxpop.population.draw import Streams
from voxpop.population.income_abroad import QUINTILES
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.levels import EDUCATION, ETHNICITIES
from voxpop.vocabulary.regions import REGIONS

BLOCKS, OF_EACH = 30, 300
"""Blocks drawn, and agents of each country in a block."""

UNKNOWN = {
    *("household_income", "health_drug_classes", "rx_medication_count", "physical_activity_level"),
    *("sleep_quality", "diet_quality", "phq9_score", "phq9_severity"),
}
NEW = ("Italy", "Spain", "Netherlands", "South Korea")


def country_codes(block: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    codes = np.repeat(np.arange(len(ABROAD), dtype=np.int16), OF_EACH)
    return np.random.default_rng(block).permutation(codes)


def block_of(number: int, seed: int = 11) -> dict[str, Column]:
    return draw_columns_abroad(Streams(seed, number), country_codes(number))


@pytest.fixture(scope="module")
def agents() -> dict[str, Any]:
    """Columns of all blocks: codes of categories, values and masks of numbers, flags of lists."""
    blocks = [block_of(number) for number in range(BLOCKS)]
    found: dict[str, Any] = {}
    for name, column in blocks[0].items():
        held = [block[name] for block in blocks]
        if isinstance(column, Category):
            found[name] = np.concatenate([one.codes for one in held])
        elif isinstance(column, Members):
            found[name] = np.concatenate([one.flags for one in held])
            found["profile"] = np.concatenate([one.known for one in held])
        else:
            found[name] = np.concatenate([one.values for one in held])
    found["has_bmi"] = np.concatenate([block["bmi"].known for block in blocks])
    return found


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8") as handle:
        return tuple(csv.DictReader(handle))


def of(name: str, country: str, **wanted: str) -> Iterator[dict[str, str]]:
    for row in table(name):
        if row["country"] == ISO[country] and all(row[key] == value for key, value in wanted.items()):
            yield row


def ages(text: str) -> tuple[int, int]:
    first, _, last = text.replace("+", "-120").partition("-")
    return int(first), int(last)


def chosen(agents: dict[str, Any], country: str, sex: str = "", band: str = "18+") -> Any:
    first, last = ages(band)
    found = (agents["country"] == ABROAD.index(country)) & (agents["age"] >= first) & (agents["age"] <= last)
    return found & (agents["gender"] == ("male", "female").index(sex)) if sex else found


def near(found: float, wanted: float, size: int, extra: float = 0.0) -> None:
    """Compare a share with four standard errors of a simple random sample."""
    assert found == pytest.approx(wanted, abs=4 * math.sqrt(wanted * (1 - wanted) / size) + 2 / size + extra)


def test_a_block_depends_on_its_streams_alone() -> None:
    one, again, other = block_of(3), block_of(3), block_of(4)
    for name, column in one.items():
        for a, b in zip(arrays(column), arrays(again[name]), strict=True):
            assert np.array_equal(a, b), name
        if isinstance(column, Category):
            assert column.labels == other[name].labels, name
    assert not np.array_equal(one["age"].values, other["age"].values)


def arrays(column: Column) -> tuple[Any, ...]:
    if isinstance(column, Category):
        return (column.codes,)
    if isinstance(column, Members):
        return column.flags, column.known
    return column.values, column.known if column.known is not None else np.ones(0)


def test_an_agent_keeps_its_country_whatever_the_order() -> None:
    codes = country_codes(1)
    assert np.array_equal(draw_columns_abroad(Streams(1, 1), codes)["country"].codes, codes)
    few = draw_columns_abroad(Streams(1, 1), np.array([12], dtype=np.int16))
    assert few["country"].codes.tolist() == [12]
    assert len(draw_columns_abroad(Streams(1, 1), np.zeros(0, dtype=np.int16))["age"].values) == 0


def test_columns_have_the_levels_and_types_of_their_fields(agents: dict[str, Any]) -> None:
    drawn = block_of(0)
    assert not UNKNOWN & set(drawn)
    for name, column in drawn.items():
        if name not in FIELDS:
            continue
        if isinstance(column, Numbers):
            assert column.sql_type == FIELDS[name].stored
        elif FIELDS[name].levels:
            assert set(column.labels) <= set(FIELDS[name].levels), name
    assert drawn["income_quintile"].labels == QUINTILES
    assert drawn["education"].labels == EDUCATION


@pytest.mark.parametrize("country", ABROAD)
def test_regions_ages_and_areas(agents: dict[str, Any], country: str) -> None:
    inside = chosen(agents, country)
    size, people = int(inside.sum()), list(of("intl_region_population", country))
    total = sum(float(row["population"]) for row in people)
    states = np.array(regions())[agents["state"][inside]]
    names = {
        row["region_code"] if country == "Canada" else REGIONS[country][row["region_code"]][0]: row
        for row in people
    }
    assert set(states) <= set(names)
    for name, row in names.items():
        near(float((states == name).mean()), float(row["population"]) / total, size)
    for row in of("intl_age_sex", country):
        share = chosen(agents, country, row["gender"], row["age_band"]).sum() / size
        assert share == pytest.approx(float(row["share_18plus"]), abs=0.002)
    [urban] = of("intl_urban", country)
    assert (agents["urban_rural"][inside] == 0).mean() == pytest.approx(float(urban["share"]), abs=0.004)


@pytest.mark.parametrize("country", ABROAD)
def test_ethnicity_is_what_the_country_publishes_and_else_unknown(
    agents: dict[str, Any], country: str
) -> None:
    found = agents["ethnicity"][chosen(agents, country)]
    if country in NEW:
        assert (found == -1).all()
        assert country not in ETHNICITIES
        assert not FIELDS["ethnicity"].has_figures(country)
    else:
        assert {groups()[code] for code in set(found.tolist())} <= set(ETHNICITIES[country])
        for row in of("intl_ethnicity", country):
            share = float(row["share_pct"]) / sum(
                float(r["share_pct"]) for r in of("intl_ethnicity", country)
            )
            near(float((found == groups().index(row["category"])).mean()), share, found.size)


@pytest.mark.parametrize("country", ABROAD)
def test_education_by_age_and_sex(agents: dict[str, Any], country: str) -> None:
    for row in of("intl_education", country):
        inside = chosen(agents, country, row["gender"], row["age_band"])
        share = np.bincount(agents["education"][inside], minlength=5) / inside.sum()
        size = int(inside.sum())
        for level, name in enumerate(("none_or_primary", "lower_secondary", "upper_secondary")):
            near(float(share[level]), float(row[name]), size)
        near(float(share[3] + share[4]), float(row["post_secondary"]), size)
        if row["bachelor"]:
            degree = float(row["bachelor"]) + float(row["master_or_higher"])
            near(float(share[4]), degree, size, 0.001)


def test_a_course_is_divided_as_elsewhere_where_the_table_does_not(agents: dict[str, Any]) -> None:
    part = np.mean(
        [
            float(row["short_post_secondary"]) / float(row["post_secondary"])
            for row in table("intl_education")
            if row["bachelor"] and (row["age_band"], row["gender"]) == ("35-44", "female")
        ]
    )
    for country in ("Japan", "India"):
        [row] = of("intl_education", country, age_band="35-44", gender="female")
        assert row["bachelor"] == ""
        inside = chosen(agents, country, "female", "35-44")
        short = (agents["education"][inside] == 3).mean()
        near(float(short), float(part * float(row["post_secondary"])), int(inside.sum()))


def test_the_young_are_not_graduates_yet(agents: dict[str, Any]) -> None:
    young = agents["age"] <= 20
    assert (agents["education"][young] != 4).all()
    assert (agents["education"][agents["age"] <= 19] <= 2).all()
    for country in ("Canada", "South Korea", "Italy"):
        of_21, of_24 = (chosen(agents, country, band=f"{age}-{age}") for age in (21, 24))
        assert (agents["education"][of_21] == 4).mean() < (agents["education"][of_24] == 4).mean()


def test_children_fit_each_other_and_the_age_of_the_parent(agents: dict[str, Any]) -> None:
    count, youngest, parent = agents["children_count"], agents["youngest_child_age"], agents["is_parent"]
    assert np.array_equal(parent, count > 0)
    assert count.max() <= children_abroad.MOST
    assert youngest[parent].max() == 17
    mothers = parent & (agents["gender"] == 1)
    assert (agents["age"][mothers] - youngest[mothers]).min() >= 15
    assert (agents["age"][mothers] - youngest[mothers]).max() <= 49
    for children in (2, 3):  # one birth a year
        several = mothers & (count >= children)
        assert youngest[several].max() <= 17 - (children - 1)


@pytest.mark.parametrize("country", ABROAD)
def test_mothers_have_the_births_of_their_country(agents: dict[str, Any], country: str) -> None:
    """The children under 1 of women of an age, against the rate of that age and 97 % at home."""
    rates = {row["age_band"]: float(row["share"]) for row in of("intl_fertility", country)}
    wanted = found = size = 0.0
    for band, rate in rates.items():
        if band != "15-19":
            inside = chosen(agents, country, "female", band)
            wanted += rate * 0.97 * inside.sum()
            found += (agents["is_parent"][inside] & (agents["youngest_child_age"][inside] == 0)).sum()
            size += inside.sum()
    assert found == pytest.approx(wanted, abs=4 * math.sqrt(wanted) + 0.05 * wanted)


def test_more_births_make_more_parents(agents: dict[str, Any]) -> None:
    share = {country: agents["is_parent"][chosen(agents, country, band="25-49")].mean() for country in ABROAD}
    assert share["India"] > share["Mexico"] > share["France"] > share["Italy"] > share["South Korea"] > 0.2


US_BIRTHS = {
    "15-19": 13.2,
    "20-24": 55.4,
    "25-29": 91.0,
    "30-34": 94.3,
    "35-39": 54.3,
    "40-44": 12.6,
    "45-49": 1.1,
}
"""Births per 1,000 women of the USA in 2023 (NCHS, provisional; the rates from 25 on are recalled)."""


def us_parents() -> list[tuple[str, str, float, float]]:
    """Sex, age band, published share and modelled share of parents in the USA."""
    rates = np.zeros((1, 35))
    for text, births in US_BIRTHS.items():
        rates[0, ages(text)[0] - 15 : ages(text)[1] - 14] = births / 1000
    assert rates.sum() == pytest.approx(1.6165, abs=0.01)  # the published total fertility
    people = np.zeros((2, 82))
    born = 0.0
    for row in table("us_age_sex"):
        sex, (first, last) = ("male", "female").index(row["gender"]), ages(row["age_band"])
        last = min(last, 99)
        people[sex, first - 18 : last - 17] = float(row["population"]) / (last - first + 1)
        born += float(row["population"]) / 2 if row["age_band"] == "18-19" else 0.0
    rates = smoothed(rates, [(0, text) for text in US_BIRTHS])
    shares = shares_of(rates, people[None, 1], np.array([born]))[0]
    found = []
    for row in table("us_parent_status"):
        if row["measure"] == "parent_of_minor_child_in_household":
            sex, (first, last) = ("male", "female").index(row["gender"]), ages(row["age_band"])
            inside = slice(first - 18, min(last, 99) - 17)
            weights = people[sex, inside] / people[sex, inside].sum()
            modelled = float((1 - shares[sex, inside, 0]) @ weights)
            found.append((row["gender"], row["age_band"], float(row["share"]), modelled))
    return found


def test_the_model_of_children_is_as_near_to_the_parents_of_the_usa_as_the_page_says() -> None:
    errors = np.array([modelled - published for _, _, published, modelled in us_parents()])
    assert len(errors) == 20
    assert np.abs(errors).mean() == pytest.approx(0.051, abs=0.002)
    assert errors.mean() == pytest.approx(0.045, abs=0.002)
    assert np.abs(errors).max() == pytest.approx(0.127, abs=0.003)
    assert "5.1 points" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("country", ABROAD)
def test_labour_status_by_sex_follows_from_that_of_15_and_over(agents: dict[str, Any], country: str) -> None:
    """Employed and unemployed of 15 and over, less those of 15 to 17, worked out by hand."""
    labels = FIELDS["labour_status"].levels
    for sex in ("male", "female"):
        people = {row["age_band"]: float(row["persons"]) for row in of("intl_age_sex", country, gender=sex)}
        minors, adults = people["18-19"] * 1.5, sum(people.values())
        [young] = of("intl_labour", country, gender=sex, measure="employment_rate", age_band="15-24")
        rate, young_adults = float(young["share"]), people["18-19"] + people["20-24"]
        working_minors = rate * (young_adults + minors) * rate * minors / (young_adults + rate * minors)
        [row] = of("intl_labour", country, gender=sex, measure="labour_status", level="employed")
        wanted = (float(row["share"]) * (adults + minors) - working_minors) / adults
        inside = chosen(agents, country, sex)
        found = np.bincount(agents["labour_status"][inside], minlength=len(labels)) / inside.sum()
        # participation and employment are of two models, which differ by up to 0.01
        near(float(found[labels.index("employed")]), wanted, int(inside.sum()), 0.01)
        assert (found > 0).all()


@pytest.mark.parametrize("country", ABROAD)
def test_sectors_of_men_and_women(agents: dict[str, Any], country: str) -> None:
    sector = {row["naics"]: at for at, row in enumerate(table("us_industry"))}
    agriculture = agents["industry"] == sector["11"]
    industry = np.isin(agents["industry"], [sector[code] for code in ("21", "22", "23", "31-33")])
    for sex in ("male", "female"):
        inside = chosen(agents, country, sex) & (agents["industry"] >= 0)
        size = int(inside.sum())
        for name, part in (("agriculture", agriculture), ("industry", industry)):
            [row] = of("intl_labour", country, gender=sex, measure="employment_sector", level=name)
            near(float(part[inside].mean()), float(row["share"]), size, 0.005)


def test_jobs_fit_their_holders(agents: dict[str, Any]) -> None:
    from voxpop.population.employment import OCCUPATIONS, entry

    least_education, least_age, _ = entry()
    working = agents["occupation"] >= 0
    assert np.array_equal(working, agents["labour_status"] == 0)
    assert np.array_equal(working, agents["title_variant"] >= 0)
    jobs = agents["occupation"][working]
    assert (agents["education"][working] >= least_education[jobs]).all()
    assert (agents["age"][working] >= least_age[jobs]).all()
    farm = working & (
        agents["occupation_major_group"]
        == FIELDS["occupation_major_group"].levels.index("Farming, Fishing, and Forestry")
    )
    assert (agents["urban_rural"][farm] == 1).mean() > (agents["urban_rural"][working] == 1).mean() + 0.2
    assert len(OCCUPATIONS) == 400
    retired = agents["labour_status"] == FIELDS["labour_status"].levels.index("retired")
    assert agents["age"][retired].min() >= 50


@pytest.mark.parametrize("country", ABROAD)
def test_a_fifth_of_the_adults_is_in_each_fifth_of_incomes(agents: dict[str, Any], country: str) -> None:
    inside = chosen(agents, country)
    shares = np.bincount(agents["income_quintile"][inside], minlength=5) / inside.sum()
    assert shares == pytest.approx(np.full(5, 0.2), abs=0.012)
    degree = inside & (agents["education"] == 4)
    assert agents["income_quintile"][degree].mean() > agents["income_quintile"][inside].mean() + 0.2


WHO = {
    "20-24": 8.22,
    "25-29": 7.93,
    "30-34": 7.61,
    "35-39": 7.15,
    "40-44": 6.59,
    "45-49": 6.04,
    "50-54": 5.37,
    "55-59": 4.55,
    "60-64": 3.72,
    "65-69": 2.96,
    "70-74": 2.21,
    "75-79": 1.52,
    "80-84": 0.91,
    "85+": 0.63,
}


def standardised(agents: dict[str, Any], country: str, sex: str, part: Any, bands: list[str]) -> float:
    """Direct standardisation by five-year ages, as the sources do it."""
    wanted = weight = 0.0
    for band in bands:
        inside = chosen(agents, country, sex, band) & agents["profile"]
        if inside.any():
            wanted += WHO[band] * part[inside].mean()
            weight += WHO[band]
    return wanted / weight


@pytest.mark.parametrize("country", ABROAD)
def test_body_mass_index_at_the_ages_of_the_standard(agents: dict[str, Any], country: str) -> None:
    bmi = agents["bmi"]
    limits = {
        "under 18.5": (0, 18.5),
        "18.5 to under 20": (18.5, 20),
        "20 to under 25": (20, 25),
        "25 to under 30": (25, 30),
        "30 to under 35": (30, 35),
        "35 to under 40": (35, 40),
        "40 or more": (40, 100),
    }
    for row in of("intl_health_levels", country, measure="bmi_class"):
        low, high = limits[row["level"]]
        found = standardised(agents, country, row["gender"], (bmi >= low) & (bmi < high), list(WHO))
        near(found, float(row["share"]), 2_500)


@pytest.mark.parametrize("country", ABROAD)
def test_conditions_at_the_ages_of_the_standard(agents: dict[str, Any], country: str) -> None:
    flags, names = agents["health_conditions"], FIELDS["health_conditions"].levels
    diabetes, pressure = (flags[:, names.index(name)] for name in ("diabetes_t2", "hypertension"))
    for row in of("intl_health_levels", country, measure="diabetes"):
        found = standardised(agents, country, row["gender"], diabetes, list(WHO))
        near(found, float(row["share"]), 2_500, 0.007)  # 18 and 19 are left out here
    [row] = of("intl_health_levels", country, measure="hypertension")
    bands = [band for band in WHO if 30 <= int(band[:2]) < 80]
    found = [standardised(agents, country, sex, pressure, bands) for sex in ("male", "female")]
    near(sum(found) / 2, float(row["share"]), 4_000)
    known = {names.index(name) for name in ("obesity", "diabetes_t2", "hypertension")}
    assert not flags[:, [at for at in range(len(names)) if at not in known]].any()


def test_obesity_follows_from_the_index_and_the_class(agents: dict[str, Any]) -> None:
    names, known = FIELDS["health_conditions"].levels, agents["profile"]
    assert np.array_equal(known, agents["has_bmi"])
    obese = agents["health_conditions"][:, names.index("obesity")]
    assert np.array_equal(obese[known], agents["bmi"][known] >= 30)
    cut = np.searchsorted([18.5, 25, 30, 35, 40], agents["bmi"][known], side="right")
    assert np.array_equal(cut, agents["bmi_class"][known])
    assert np.array_equal(np.round(agents["bmi"][known], 1), agents["bmi"][known])
    assert (agents["bmi_class"][~known] == -1).all()
    assert known.mean() == pytest.approx(0.85, abs=0.001)


@pytest.mark.parametrize("country", ABROAD)
def test_smokers_and_abstainers(agents: dict[str, Any], country: str) -> None:
    never, former, current = range(3)
    for sex in ("male", "female"):
        inside = chosen(agents, country, sex) & agents["profile"]
        size, smoking = int(inside.sum()), agents["smoking_status"]
        assert (smoking[inside] >= 0).all()
        assert ((smoking >= 0) == agents["profile"]).all()
        [none] = of("intl_health_levels", country, measure="alcohol", gender=sex)
        near(float((agents["alcohol_use"][inside] == 0).mean()), float(none["share"]), size)
        if country == "India":
            [row] = of("intl_health_levels", country, measure="current_smoking", gender=sex)
            near(float((smoking[inside] == current).mean()), float(row["share"]), size)
            assert row["verified"] == "False"
        else:
            [row] = of("intl_health_levels", country, measure="current_tobacco_use", gender=sex)
            found = standardised(agents, country, sex, smoking == current, list(WHO))
            near(found, float(row["share"]), size, 0.015)  # 15 to 19 are left out here
        for status in (never, former):
            assert (smoking[inside] == status).any()
    assert not list(of("intl_health_levels", "India", measure="current_tobacco_use"))


def test_few_people_gave_up_where_few_ever_smoked(agents: dict[str, Any]) -> None:
    share = {}
    for country in ("India", "Japan"):
        inside = chosen(agents, country, "female") & agents["profile"]
        share[country] = (agents["smoking_status"][inside] == 1).mean()
    assert share["India"] < 0.05 < share["Japan"] < 0.25


def test_health_goes_with_education_as_in_the_usa(agents: dict[str, Any]) -> None:
    names, middle = FIELDS["health_conditions"].levels, (agents["age"] >= 40) & (agents["age"] < 65)
    degree = middle & agents["profile"] & (agents["education"] == 4)
    school = middle & agents["profile"] & (agents["education"] == 2)
    for name in ("obesity", "diabetes_t2", "hypertension"):
        flags = agents["health_conditions"][:, names.index(name)]
        assert flags[degree].mean() < flags[school].mean() - 0.02
    smokes = agents["smoking_status"] == 2
    assert smokes[degree].mean() < 0.6 * smokes[school].mean()
    obese = agents["health_conditions"][:, names.index("obesity")]
    diabetes = agents["health_conditions"][:, names.index("diabetes_t2")]
    assert diabetes[obese & middle].mean() > 1.5 * diabetes[~obese & middle & agents["profile"]].mean()


def test_own_ages_raise_health_levels_as_the_crude_rates_of_who_do() -> None:
    """Ratios of crude to standardised shares against those of WHO, which no table of agents uses."""
    from voxpop.population import intl_health as health
    from voxpop.population.education_abroad import by_band

    schooling, obese, diabetes = by_band(health.BMI_BANDS), health.obese_shares(), health.diabetes_shares()
    cells = schooling[..., None] * np.stack([1 - obese, obese], axis=-1)
    cells = cells[..., None] * np.stack([1 - diabetes, diabetes], axis=-1)
    by_age = {
        "obesity_2016": (schooling * obese).sum(axis=-1),
        "raised_blood_pressure_2015": (cells * health.hypertension_shares()).sum(axis=(3, 4, 5)),
    }
    for measure, shares in by_age.items():
        crude = (health.own_weights(health.BMI_BANDS) * shares).sum(axis=-1)
        ratio = crude / (shares * health.standard_weights(health.BMI_BANDS, 18, 99)).sum(axis=-1)
        gaps = []
        for at, country in enumerate(ABROAD):
            for sex, gender in enumerate(("male", "female")):
                published = {
                    row["rate"]: float(row["share"])
                    for row in of("intl_health_levels", country, measure=measure, gender=gender)
                }
                gaps.append(ratio[at, sex] - published["crude"] / published["standard"])
        assert np.abs(gaps).mean() < 0.07
        assert np.abs(gaps).max() < 0.2


def test_what_is_said_to_be_known_is_drawn_and_nothing_else() -> None:
    drawn = set(block_of(0)) - {"given_name", "surname"}
    for country in ABROAD:
        told = {one.field for one in countries_known.known() if one.country == country}
        assert set(FIELDS) <= told
        for field in told:
            unknown = countries_known.status_of(field, country) == "unknown"
            assert unknown == (field not in drawn or (field == "ethnicity" and country in NEW)), field
            if field in FIELDS and field != "health_conditions":
                assert unknown != FIELDS[field].has_figures(country), (field, country)
    assert countries_known.status_of("smoking_status", "Germany") == "known"
    assert countries_known.facts()["known Brazil"].startswith('{"country":"known"')


PAGE = Path(__file__).parents[2] / "docs" / "populations-abroad.md"


def test_the_page_has_the_tables_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert countries_known.tables_as_text() in text, "run python data/write_countries_page.py"
    for country in ABROAD:
        assert country in text
