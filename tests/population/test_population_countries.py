"""Thirteen more countries in a population: their margins, and nothing where there are no figures."""

from __future__ import annotations

import csv
from collections import Counter
from importlib.resources import files

import pytest

from voxpop.engines.agents import PARTIAL_CONDITIONS, Agent, as_record
from voxpop.population.blocks import BLOCK
from voxpop.population.countries import ABROAD, ISO, parts
from voxpop.population.expected_abroad import abroad
from voxpop.population.queries import Population
from voxpop.population.work_abroad import BORROWED_GROUPS, ISCO_GROUPS, isco_of
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, between, where
from voxpop.vocabulary.levels import ETHNICITIES
from voxpop.vocabulary.matching import matches
from voxpop.vocabulary.places import CANADIAN_PROVINCES
from voxpop.vocabulary.regions import REGIONS

COUNTRY = {iso: country for country, iso in ISO.items()}
UNKNOWN = ("household_income",)
UNKNOWN_HEALTH = (
    "drug_classes",
    "rx_medication_count",
    "physical_activity_level",
    "sleep_quality",
    "diet_quality",
    "phq9_score",
    "phq9_severity",
)


def table(name: str, country: str) -> list[dict[str, str]]:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    with path.open(encoding="utf-8") as handle:
        return [row for row in csv.DictReader(handle) if row["country"] == ISO[country]]


def lists(name: str) -> dict[str, set[str]]:
    path = files("voxpop.population").joinpath("reference", f"{name}.csv")
    found: dict[str, set[str]] = {}
    with path.open(encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            found.setdefault(row["pool"] + row.get("gender", ""), set()).add(row["name"])
    return found


def shares(population: Population, country: str, field: str, **who: object) -> dict[str, float]:
    filter = where(country=country, **who)
    size = population.count(filter)
    return {value: count / size for value, count in population.facets(filter, [field])[field]}


def slack(share: float, size: int) -> float:
    """Three standard errors of a free draw, and one agent of rounding."""
    return float(3 * (share * (1 - share) / size) ** 0.5 + 1.5 / size)


@pytest.fixture(scope="module")
def agents(large: Population) -> list[Agent]:
    """200 agents of each of the countries."""
    return [agent for country in ABROAD for agent in large.search(where(country=country), limit=200)[1]]


def test_a_population_holds_all_countries_in_their_shares(large: Population) -> None:
    counts = dict(large.facets(where(), ["country"])["country"])
    assert list(counts) == list(FIELDS["country"].levels)
    assert sum(counts.values()) == large.size
    assert counts["USA"] / large.size == pytest.approx(0.6, abs=1e-3)
    assert all(count / large.size > 0.02 for count in counts.values())
    for name, part in parts().items():
        # every block has the share, rounded up or down
        assert abs(counts[name] - part * large.size) < large.size / BLOCK


def test_countries_are_mixed(large: Population) -> None:
    """Runs of one country are as many as in a random order of the agents."""
    codes = large.agent_columns(range(1, large.size + 1))["country"].to_numpy()
    shares = [count / large.size for _, count in large.facets(where(), ["country"])["country"]]
    changes = 1 - sum(share**2 for share in shares)
    found = (codes[1:] != codes[:-1]).mean()
    assert found == pytest.approx(changes, abs=4 * (changes * (1 - changes) / large.size) ** 0.5)


@pytest.mark.parametrize("country", ABROAD)
def test_regions(large: Population, country: str) -> None:
    rows, size = table("intl_region_population", country), large.count(where(country=country))
    people = sum(float(row["population"]) for row in rows)
    found = shares(large, country, "state")
    for row in rows:
        code = row["region_code"]
        name = code if country == "Canada" else REGIONS[country][code][0]
        share = float(row["population"]) / people
        assert found.pop(name, 0.0) == pytest.approx(share, abs=slack(share, size))
    assert not found


@pytest.mark.parametrize("country", ABROAD)
def test_age_and_sex(large: Population, country: str) -> None:
    size = large.count(where(country=country))
    for row in table("intl_age_sex", country):
        first, _, last = row["age_band"].replace("+", "-120").partition("-")
        who = where(country=country, gender=row["gender"], age=between(int(first), int(last)))
        # evenly drawn: a few agents off, whatever the size
        assert large.count(who) == pytest.approx(float(row["share_18plus"]) * size, abs=6)


def test_single_years_are_smooth(large: Population) -> None:
    for age in (29, 39, 49, 59):
        here, after = (large.count(where(country="India", age=year)) for year in (age, age + 1))
        assert 0.8 < here / after < 1.4


@pytest.mark.parametrize("country", [name for name in ETHNICITIES if name != "USA"])
def test_ethnicity_is_what_the_country_publishes(large: Population, country: str) -> None:
    rows, size = table("intl_ethnicity", country), large.count(where(country=country))
    total = sum(float(row["share_pct"]) for row in rows)
    found = shares(large, country, "ethnicity")
    assert set(found) == {row["category"] for row in rows}
    for row in rows:
        share = float(row["share_pct"]) / total
        assert found[row["category"]] == pytest.approx(share, abs=slack(share, size))


@pytest.mark.parametrize("country", [name for name in ABROAD if name not in BORROWED_GROUPS])
def test_workers_by_isco_group(large: Population, country: str) -> None:
    from voxpop.population.employment import OCCUPATIONS

    group = dict(zip(OCCUPATIONS, isco_of().tolist(), strict=True))
    working = where(country=country, labour_status="employed")
    size, counts = large.count(working), Counter[str]()
    for occupation, count in large.facets(working, ["occupation"])["occupation"]:
        counts[ISCO_GROUPS[group[occupation]]] += count
    published = {
        row["isco08_major_group"]: float(row["share"]) for row in table("intl_occupation_group", country)
    }
    if country == "Japan":  # counts its technicians among the professionals
        assert published.pop("Technicians and associate professionals") == 0
        counts["Professionals"] += counts.pop("Technicians and associate professionals")
    total = sum(published.values())
    for name, share in published.items():
        # the sectors of India leave more workers on farms than its groups have
        more = 0.02 if country == "India" else 0.006
        assert counts[name] / size == pytest.approx(share / total, abs=slack(share, size) + more)


def test_nothing_is_invented(large: Population, agents: list[Agent]) -> None:
    for agent in agents:
        record = as_record(agent)
        assert [record[name] for name in UNKNOWN] == [None] * len(UNKNOWN)
        health = record["health_profile"]
        if health is not None:
            assert [health[name] for name in UNKNOWN_HEALTH] == [None] * len(UNKNOWN_HEALTH)
            assert set(health["conditions"]) <= set(PARTIAL_CONDITIONS)
    for name in ("household_income", "diet_quality", "health_drug_classes"):
        assert shares(large, "India", name) == {}


def test_what_is_not_known_meets_no_condition(large: Population, agents: list[Agent]) -> None:
    filters = (
        where(household_income=FIELDS["household_income"].levels),
        where(phq9_score=between(0, 27)),
        where(drug_class=list(FIELDS["health_drug_classes"].levels[:60])),
        where(match="any", household_income=FIELDS["household_income"].levels[0], sleep_quality="good"),
    )
    for filter in filters:
        assert not any(matches(filter, as_record(agent)) for agent in agents)
        both = where(country="Brazil").conditions + filter.conditions
        assert filter.match == "any" or large.count(type(filter)("all", both)) == 0


def test_a_profile_says_what_is_known(agents: list[Agent]) -> None:
    for agent in agents:
        health = agent.health_profile
        if health is not None:
            assert health.partial
            assert health.has("obesity") is ("obesity" in health.conditions)
            assert health.has("asthma") is None
            assert health.smokes is (health.smoking_status == "current")


def test_health_data_name_their_sources_and_what_is_borrowed(agents: list[Agent]) -> None:
    sources = {agent.country: agent.health_profile.source for agent in agents if agent.health_profile}
    assert set(sources) == set(ABROAD)
    assert all("WHO" in source and "borrowed from the USA" in source for source in sources.values())
    assert "not verified" in sources["India"]
    assert "not verified" not in sources["Italy"]


@pytest.mark.parametrize(
    "filter",
    [
        where(country="Brazil", is_parent=True),
        where(country="Canada", education="College graduate or above"),
        where(country="Germany", smoking_status=["never", "former"]),
        where(country="Brazil", alcohol_use=["light", "moderate", "heavy"]),
        where(country="KR", urban_rural="rural"),
        where(country="Holland", bmi=between(30)),
        where(country="Spain", state="Cataluña", health_conditions="hypertension"),
    ],
)
def test_people_who_could_not_be_found_before_are_found(large: Population, filter: Filter) -> None:
    assert large.count(filter) > 40


def test_nobody_is_impossible(large: Population) -> None:
    for country in ABROAD:
        assert large.count(where(country=country, age=between(18, 49), labour_status="retired")) == 0
        assert large.count(where(country=country, age=between(70), labour_status="student")) == 0
    physicians = where(country=list(ABROAD), occupation=["Family Medicine Physicians", "Dentists, General"])
    assert large.ranges(physicians, ["age"])["age"]["min"] >= 28
    working = large.search(where(country=list(ABROAD), labour_status="employed"), limit=300)[1]
    for agent in working:
        assert all((agent.occupation, agent.occupation_major_group, agent.industry, agent.title_variant))


def test_names_fit_country_sex_and_group(large: Population) -> None:
    given, surnames = lists("intl_given_names_assumed"), lists("intl_surnames_assumed")
    for country in ("Japan", "Brazil", "Mexico"):
        usual = large.search(where(country=country, gender="female"), limit=300)[1]
        usual = [a for a in usual if a.ethnicity not in ("Foreign nationals", "Amarela")]
        names = [agent.name.split(" ", 1) for agent in usual]
        assert {first for first, _ in names} <= given[f"{country.lower()}female"]
        assert {last for _, last in names} <= surnames[country.lower()]
    sikhs = large.search(where(country="India", ethnicity="Sikh"), limit=50)[1]
    assert {agent.name.split()[-1] for agent in sikhs} <= surnames["india_sikh"]
    germans = where(country="Germany", ethnicity="No migration background")
    old = {a.name.split()[0] for a in large.search(germans.replace("age", between(65)), limit=500)[1]}
    young = {a.name.split()[0] for a in large.search(germans.replace("age", between(max=45)), limit=500)[1]}
    assert "Günter" in old - young
    assert "Julia" in young - old


def test_summaries_read_as_the_fields_say(agents: list[Agent]) -> None:
    for agent in agents:
        assert agent.country in agent.summary
        assert agent.name in agent.summary
        place = CANADIAN_PROVINCES.get(agent.state or "", agent.state or "")
        assert place in agent.summary
        assert ("works as" in agent.summary) == (agent.labour_status == "employed")
        assert agent.summary.endswith(".")
        assert "None" not in agent.summary
        assert "  " not in agent.summary


def test_a_region_is_found_by_its_other_names(large: Population) -> None:
    for typed, name in (("Bayern", "Bavaria"), ("DE-BY", "Bavaria"), ("sao paulo", "São Paulo")):
        assert large.count(where(state=typed)) == large.count(where(state=name)) > 100
    assert large.unknown_values(where(state=["Bayern", "NSW", "ON"], ethnicity=["Parda", "Hindu"])) == []
    [problem] = large.unknown_values(where(state="Bavarria"))
    assert problem["suggestions"][0] == "Bavaria"


def test_a_job_is_found_in_every_country(large: Population) -> None:
    for country in FIELDS["country"].levels:
        if country != "India":  # few professionals
            assert large.count(where(country=country, occupation="nurse")) > 3
    assert large.count(where(country="India", occupation="farmworker")) > 1_000


def test_the_error_report_reads_every_figure_of_every_country(large: Population) -> None:
    found = list(abroad(large))
    read = Counter(cell.table for cell in found)
    assert read == {
        "intl_region_population": 277,
        "intl_age_sex": 390,
        "intl_ethnicity": 54,
        "intl_urban": 13,
        "intl_education": 910,
        "intl_labour": 286,
        "intl_occupation_group": 117,
        "intl_health_levels": 416,
    }
    for cell in found:
        if cell.base:
            spread = (cell.expected * (1 - cell.expected) / cell.base) ** 0.5
            assert abs(cell.achieved - cell.expected) < 3 * spread + 2 / cell.base, cell


def test_a_stratified_sample_keeps_the_shares_of_regions(large: Population) -> None:
    filter = where(country=["Germany", "India"])
    everybody = large.agents(large.sample(filter, large.size, seed=1))
    chosen = large.agents(large.sample(filter, 2_000, seed=4, method="stratified"))
    wanted, found = (Counter(agent.state for agent in agents) for agents in (everybody, chosen))
    for region, number in wanted.items():
        assert found[region] / 2_000 == pytest.approx(number / len(everybody), abs=0.006)
