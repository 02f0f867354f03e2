"""Three readings of one filter choose the same agents: SQL, predicate on a record, mask on a frame."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from voxpop.analysis import crosstab
from voxpop.analysis.cohort import chosen, columns_of, names_of, resolved
from voxpop.analysis.frames import Frame
from voxpop.population.corpus import corpus
from voxpop.population.queries import Population
from voxpop.tables import Store
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter, all_of, between, where
from voxpop.vocabulary.matching import matches
from voxpop.vocabulary.occupations import resolve_occupations
from voxpop.vocabulary.parse import parse

EXAMPLES, PARTS = 270, 5
BOUNDS = {"age": (15, 105), "rx_medication_count": (-1, 12), "bmi": (12, 62), "phq9_score": (-1, 28)}
BOUNDS |= {"household_size": (0, 12), "children_count": (-1, 8), "youngest_child_age": (-1, 18)}
BOUNDS |= {"poverty_ratio": (-1, 6)}
TYPED = {
    "country": ("us", "deu", "Great Britain", "Atlantis"),
    "state": ("tx", "BC", "bavaria", "ZZ"),
    "gender": ("Women", "m", "non-binary"),
    "ethnicity": ("asian", "Martian"),
    "occupation": ("RN", "nurse", "software developer", "doctor", "no such job at all"),
    "industry": ("retail trade", "Piracy"),
    "title_variant": ("store manager", "Pirate"),
    "health_conditions": ("diabetes", "High blood pressure", "plague"),
    "health_drug_classes": ("GLP-1", "Ozempic", "statins", "unicorn dust"),
    "bmi_class": ("obese", "OBESE", "obesity", "weightless"),
    "smoking_status": ("ex-smoker", "sometimes"),
    "phq9_severity": ("none", "Moderately Severe"),
}
"""What people type beside the live values: other spellings, other names, and values that nobody has."""


def conditions(population: Population) -> st.SearchStrategy[tuple[str, Any]]:
    """Return a strategy for one field with what the interface's JSON may ask of it."""

    def asked(name: str) -> st.SearchStrategy[Any]:
        if FIELDS[name].kind == "range":
            low, high = BOUNDS[name]
            number = st.integers(low, high) | st.integers(low * 10, high * 10).map(lambda n: n / 10)
            both = st.tuples(number, number).map(lambda pair: {"min": min(pair), "max": max(pair)})
            one_side = st.sampled_from(("min", "max")).flatmap(
                lambda side: st.fixed_dictionaries({side: number})
            )
            return both | one_side | number
        if FIELDS[name].kind == "boolean":
            values: st.SearchStrategy[Any] = st.booleans()
        else:
            live = population.labels(name)
            values = st.sampled_from((*live, *TYPED.get(name, ("no such value",))))
            values |= st.sampled_from(live).map(str.upper)
        several = st.lists(values, min_size=1, max_size=4)
        words = st.sampled_from(("any", "or", "all", "and"))
        return values | several | st.tuples(words, several).map(lambda pair: {pair[0]: pair[1]})

    return st.sampled_from(sorted(FIELDS)).flatmap(lambda name: st.tuples(st.just(name), asked(name)))


def filters_of(asked: dict[str, Any]) -> list[Filter]:
    """Return both matches of the whole, of each half, and of one condition alone."""
    names = list(asked)
    chosen_names = (names, names[::2], names[1::2], names[:1])
    return [
        parse({"match": match, "filters": {name: asked[name] for name in part}})
        for part in chosen_names
        for match in ("all", "any")
    ]


@pytest.fixture(scope="module")
def store(records: list[dict[str, Any]]) -> Iterator[Store]:
    """A store with a study of every agent of ``small``."""
    with Store() as filled:
        filled.save_study(
            study={"id": 1, "uuid": "everybody", "title": "Everybody"},
            questions=[],
            answers=[],
            agents=records,
            source={"base_url": "http://127.0.0.1/v1"},
        )
        yield filled


@pytest.fixture(scope="module")
def people(store: Store) -> pa.Table:
    """The agents as a table, one row each."""
    return store.respondents().to_arrow_table()


def frame_for(people: pa.Table | pd.DataFrame, *filters: Filter) -> Frame:
    """The agents as `crosstab` reads them for these filters, each one a row of its own."""
    names = names_of(people)
    columns = [column for filter in filters for column in columns_of(resolved(filter, names))]
    return Frame(people, ["agent_id", *columns])


def by_mask(frame: Frame, filter: Filter, names: list[str]) -> list[int]:
    return sorted(frame.numbers("agent_id")[chosen(frame, resolved(filter, names))].astype(int).tolist())


def test_sql_predicate_and_mask_agree_on_thousands_of_filters(
    small: Population, records: list[dict[str, Any]], people: pa.Table
) -> None:
    numbers = count()
    seen: set[Filter] = set()
    met: set[Filter] = set()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        asked=st.lists(conditions(small), min_size=2, max_size=5, unique_by=lambda pair: pair[0]).map(dict)
    )
    def agree(asked: dict[str, Any]) -> None:
        filters = filters_of(asked)
        frame = frame_for(people, *filters)
        for filter in filters:
            part = next(numbers) % PARTS  # the slowest of the three reads a fifth of the agents in turn
            found = resolve_occupations(filter, small.labels("occupation"), corpus())
            by_sql = sorted(small.sample(filter, small.size, seed=1))
            assert small.count(filter) == len(by_sql), filter
            assert by_mask(frame, found, names_of(people)) == by_sql, filter
            by_predicate = [record["id"] for record in records[part::PARTS] if matches(found, record)]
            assert by_predicate == [number for number in by_sql if (number - 1) % PARTS == part], filter
            seen.add(filter)
            if by_sql:
                met.add(filter)

    agree()
    assert len(seen) > 1_500  # different ones, of the 2,000 and more that were looked at
    assert next(numbers) >= 2_000
    assert len(met) > len(seen) / 3  # and many are met by somebody


CHOSEN = [
    where(country="us", age=between(25, 64), is_parent=True),
    where(match="any", state=["CA", "BC", "Bavaria"], condition="diabetes"),
    where(bmi_class="obese", drug_class=["GLP-1", "statin"]),
    where(conditions=all_of("hypertension", "high cholesterol"), smoking_status=["never", "ex-smoker"]),
    where(bmi=between(30), phq9_score=between(max=9), gender="women"),
    where(industry="retail trade", labour_status="employed"),
    where(match="any", rx_medication_count=between(3), urban_rural="rural"),
    where(country=["Germany", "Japan", "India"], gender="f"),
]


@pytest.mark.filterwarnings("ignore:Health data of")  # the agents are of ten countries
@pytest.mark.parametrize("form", ["relation", "pandas", "arrow"])
@pytest.mark.parametrize("filter", CHOSEN, ids=repr)
def test_a_table_counts_the_agents_that_the_population_counts(
    small: Population, store: Store, filter: Filter, form: str
) -> None:
    people = store.respondents()
    data = {"relation": lambda: people, "pandas": people.df, "arrow": people.to_arrow_table}[form]()
    table = crosstab(data, "gender", where=filter).long()
    wanted = small.count(filter)
    assert wanted > 0
    assert table[table.row.isin(["male", "female", "non_binary"])]["count"].sum() == wanted


@pytest.mark.parametrize("filter", CHOSEN, ids=repr)
def test_search_gives_the_agents_that_the_predicate_chooses(
    small: Population, records: list[dict[str, Any]], filter: Filter
) -> None:
    total, agents = small.search(filter, limit=small.size)
    wanted = [record["id"] for record in records if matches(filter, record)]
    assert [agent.id for agent in agents] == wanted
    assert total == len(wanted)


def test_agents_without_health_data_are_chosen_by_no_reading_of_a_health_condition(
    small: Population, records: list[dict[str, Any]], people: pa.Table
) -> None:
    without = {record["id"] for record in records if record["health_profile"] is None}
    assert without
    health = [name for name, known in FIELDS.items() if known.group == "health"]
    for name in health:
        asked: Any = between(-1000, 1000) if FIELDS[name].kind == "range" else list(FIELDS[name].levels)
        filter = where(match="any", **{name: asked}, state="ZZ")
        found = by_mask(frame_for(people, filter), filter, names_of(people))
        assert found == sorted(small.sample(filter, small.size, seed=1))
        assert found == [record["id"] for record in records if matches(filter, record)]
        assert found
        assert not without & set(found)
    frame = Frame(people, ["health_conditions"])
    assert frame.counts[frame.variable("health_conditions").answered].sum() == len(records) - len(without)


def test_a_frame_of_pandas_with_missing_values_reads_the_same(
    small: Population, records: list[dict[str, Any]]
) -> None:
    flat = [{"agent_id": record["id"], **record, **(record["health_profile"] or {})} for record in records]
    people = pd.DataFrame(flat).rename(columns={"conditions": "health_conditions"})
    for filter in (
        where(bmi=between(max=25), is_parent=False),
        where(match="any", bmi=between(40), condition=["gout", "diabetes"]),
        where(smoking_status="never", state=["CA", "NY"], condition=all_of("hypertension")),
    ):
        assert by_mask(frame_for(people, filter), filter, names_of(people)) == sorted(
            small.sample(filter, small.size, seed=1)
        )
