"""People of one's own in a notebook: a table is mapped with a report, brought, asked and sliced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import InvalidRequest, UsageError

CUSTOMERS = pd.DataFrame(
    {
        "customer_id": range(8),
        "Full name": ["Ann Example"] * 8,
        "E-Mail": ["ann@mail.example"] * 8,
        "Gender": ["Female", "male", "Femal", "?", "f", "m", "female", "male"],
        "Age": ["41", "29", "63", "35", "17", "52.0", "", "38"],
        "state": ["Texas", "OH", "Ohio", "CA", "TX", "Bavaria", "TX", "NY"],
        "household income": [52_000, 18_000, None, 90_000, 40_000, 250_000, 1_000, 75_000],
        "Employment": [
            "employed",
            "retired",
            "n/a",
            "student",
            "employed",
            "employed",
            "retired",
            "employed",
        ],
    }
)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with vp.local(agents=3_000) as made:
        yield made


def test_columns_are_mapped_and_the_rest_is_told() -> None:
    people = vp.people(CUSTOMERS, country="USA")
    assert list(people.profiles) == [
        *("country", "state", "age", "gender", "household_income", "labour_status"),
    ]
    assert people.rows == [0, 1, 2, 5, 7]
    assert people.left_out == {"no gender that fits": 1, "no age that fits": 2}
    assert people.profiles["gender"] == ["female", "male", "female", "male", "male"]
    assert people.profiles["state"] == ["TX", "OH", "OH", None, "NY"]
    assert people.profiles["household_income"][:2] == ["$50,000-$74,999", "$15,000-$24,999"]
    report = people.report().set_index("column")
    assert report.how["E-Mail"] == report.how["Full name"] == "not used: it may identify people"
    assert report.how["customer_id"].startswith("not used: no field")
    assert (report.did_not_fit["Gender"], report["values"]["Gender"]) == (1, "?")
    assert report.reason["state"] == "not in the person's country"
    assert "read 'Femal' as 'female'" in repr(people)
    assert "ann@mail.example" not in repr(people)
    assert "Gender → gender" in people._repr_html_()


def test_files_and_tables_read_the_same(tmp_path: Path) -> None:
    wanted = vp.people(CUSTOMERS, country="USA").profiles
    CUSTOMERS.to_csv(tmp_path / "c.csv", index=False)
    CUSTOMERS.to_parquet(tmp_path / "c.parquet")
    tables = (pa.Table.from_pandas(CUSTOMERS), vp.data(CUSTOMERS))
    for source in (tmp_path / "c.csv", str(tmp_path / "c.parquet"), *tables):
        assert vp.people(source, country="USA").profiles == wanted


def test_an_spss_file_is_read_by_its_labels(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    table = pd.DataFrame({"sex": [1.0, 2.0], "age": [30.0, 40.0]})
    pyreadstat.write_sav(
        table, str(tmp_path / "c.sav"), variable_value_labels={"sex": {1: "Male", 2: "Female"}}
    )
    people = vp.people(tmp_path / "c.sav", columns={"sex": "gender"}, country="Germany")
    assert people.profiles == {
        "country": ["Germany"] * 2,
        "age": [30, 40],
        "gender": ["male", "female"],
    }


def test_codes_and_columns_can_be_given() -> None:
    table = pd.DataFrame({"q1": [1, 2], "alter": [33, 44], "land": ["de", "GB"], "age": [1, 1]})
    people = vp.people(
        table,
        columns={"q1": "gender", "alter": "age", "land": "country", "age": None},
        values={"gender": {1: "male", 2: "female"}},
    )
    assert people.profiles == {"country": ["Germany", "UK"], "age": [33, 44], "gender": ["male", "female"]}


def test_unknown_conditions_are_not_no_conditions() -> None:
    table = pd.DataFrame({"age": [30], "gender": ["m"], "smoking_status": ["never"]})
    people = vp.people(table, country="USA")
    assert "smoking_status" not in people.profiles
    assert "need a column of health_conditions" in repr(people)
    known = vp.people(table.assign(conditions="asthma; high blood pressure"), country="USA")
    assert known.profiles["health_conditions"] == [["hypertension", "asthma"]]
    assert known.profiles["smoking_status"] == ["never"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "No column tells the country"),
        ({"country": "Atlantis"}, "country: 'Atlantis' is no value of country"),
        ({"country": "USA", "columns": {"Agee": "age"}}, "no column 'Agee'; did you mean Age"),
        ({"country": "USA", "columns": {"Age": "agge"}}, "'agge' is no field of agents; did you mean age"),
        ({"country": "USA", "columns": {"Age": None}}, "No row can be used"),
        ({"country": "USA", "fill": "mean"}, "fill must be 'population'"),
    ],
)
def test_what_cannot_be_read_is_refused(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        vp.people(CUSTOMERS, **arguments)


def test_brought_people_are_asked_pulled_and_sliced(client: Client, tmp_path: Path) -> None:
    people = vp.people(CUSTOMERS, country="USA", fill="population")
    assert len(people) == 8
    made = client.groups.bring(people, "Customers", seed=2)
    assert made.filled["age"] == 2
    study = vp.Study.create(client, made.group, title="Ours")
    study.ask("How old are you?", key="years", type="number")
    study.ask("Would you rather have an apple pie or a cherry pie?", key="pie")
    study.complete()
    store = vp.Store()
    study.pull(into=store)
    frame = store.frame(study)
    assert frame.years.tolist() == frame.age.tolist()
    assert frame.age.tolist()[:3] == [41, 29, 63]
    assert vp.crosstab(store.respondents(study), "pie", by="gender").wide().shape[1] >= 2
    assert vp.open_export(store.export(study, tmp_path / "out")).frame(study).equals(frame)


def test_profiles_do_not_leave_the_machine_unasked() -> None:
    people = vp.people(CUSTOMERS, country="USA")
    hosted = Client("https://voxpop.example.org", "vp_live_" + "x" * 43)
    with hosted, pytest.raises(UsageError, match="would leave this one"):
        hosted.groups.bring(people, "Customers")


def test_a_large_table_is_brought_in_parts_or_not_at_all(client: Client) -> None:
    many = 12_000 // 3
    profiles = {"age": [40] * many, "gender": ["male"] * many, "country": ["USA"] * many}
    profiles |= {"health_conditions": [["asthma", "gout", "stroke", "copd", "adhd", "ckd"]] * many}
    made = client.groups.bring(profiles, "Many")
    assert (made.group.agent_count, len(made.recruited_agents)) == (many, many)
    assert made.recruited_agents[-1].name == f"Person {many}"
    before = len(list(client.groups.list()))
    profiles["age"] = [*profiles["age"][:-1], 17]
    with pytest.raises(InvalidRequest, match="person 4000: '17'"):
        client.groups.bring(profiles, "Wrong at the end")
    assert len(list(client.groups.list())) == before
