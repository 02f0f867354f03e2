"""Tables in an export: specifications and figures, recomputed from the data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from voxpop import bands, banner, box, crosstab, means, multi, nps, where
from voxpop.checking import CALLS, people, rebuild, verify
from voxpop.errors import UsageError
from voxpop.tables import Store, manifest
from voxpop.tables.results import Result
from voxpop.wire.content import content_of_file


@pytest.fixture
def data(filled: Store) -> pd.DataFrame:
    frame = filled.respondents(1).df()
    frame["w"] = [0.5, 1.5] * 4
    frame["wave"] = pd.Categorical(["late", "early"] * 4, categories=["early", "late"], ordered=True)
    frame["keen"] = frame["liking"] > 4
    return frame.iloc[1:]


@pytest.fixture
def export(filled: Store, data: pd.DataFrame, tmp_path: Path) -> Path:
    tables = [
        crosstab(data, "brand", by=["wave", "keen"], weight="w", sig=True, min_base=2),
        banner(data, ["switch", "brands"], by=bands("age", [18, 25]), where=where(gender="female")),
        [
            means(data, "price", by="wave"),
            nps(data, "liking"),
            box(data, "liking", 2, by="wave", scale=(0, 10)),
        ],
        multi(data, "brands", by="wave"),
    ]
    return filled.export(1, tmp_path / "snacks", tables=tables, data=data)


def test_tables_are_written_with_what_was_asked_for(export: Path, data: pd.DataFrame) -> None:
    spec = json.loads((export / "spec/tables.json").read_text())
    assert [one["id"] for one in spec["tables"]] == [
        "01-crosstab-brand-by-wave-keen",
        "02-crosstab-switch-by-age",
        "03-crosstab-brands-by-age",
        "04-means-price-by-wave",
        "05-nps-liking",
        "06-box-liking-by-wave",
        "07-multi-brands-by-wave",
    ]
    assert spec["derived"][2] == {"name": "wave", "kind": "level", "levels": ["early", "late"]}
    told = json.loads((export / "tables/04-means-price-by-wave.json").read_text())
    mean = told["rows"][0][told["columns"].index("mean")]
    assert mean == pytest.approx(data["price"].mean(), abs=1e-12)
    assert "<table" in (export / "tables/05-nps-liking.html").read_text()
    assert (export / "tables/05-nps-liking.csv").read_text().startswith("column_group,group,n,")


def test_every_table_is_computed_again_and_is_the_same(export: Path, data: pd.DataFrame) -> None:
    report = verify(export)
    assert (report.ok, report.notes) == (True, ())
    again = people(export)[0]
    assert again["agent_id"].tolist() == data["agent_id"].tolist()
    assert again["wave"].cat.categories.tolist() == ["early", "late"]


def test_data_that_were_changed_with_a_fitting_manifest_are_found_by_the_tables(export: Path) -> None:
    """A changed cell with a rewritten manifest contradicts the stored tables."""
    stated = manifest.read(export)
    path = "data/answers.parquet"
    table = pq.read_table(export / path)
    prices = [9.0 if one == 5.25 else one for one in table["value_number"].to_pylist()]
    place = table.column_names.index("value_number")
    pq.write_table(table.set_column(place, "value_number", pa.array(prices)), export / path)
    entries = []
    for entry in manifest.entries(stated):
        size, digest = manifest.file_hash(export / entry.path)
        said = content_of_file(export / entry.path).sha256 if entry.content_sha256 else None
        entries.append(manifest.Entry(entry.path, size, digest, said, entry.rows, entry.key, entry.copy))
    (export / manifest.NAME).write_text(manifest.to_json(manifest.make(entries, None)))
    differences = verify(export).differences
    told = "tables/04-means-price-by-wave.json: computed again it differs: row 1, mean: "
    assert any(line.startswith(told) for line in differences)


def test_every_call_is_made_again_from_its_spec(data: pd.DataFrame) -> None:
    from voxpop.analysis import cohorts, proportions

    made = [
        proportions(data, "brand", "Oat", by="wave"),
        cohorts(data, "switch", {"older": where(age={"min": 25}), "women": where(gender="female")}, sig=None),
    ]
    for table in made:
        told = Result.of("x", table)
        assert rebuild(told.spec, data).rows == told.rows
    assert {told.spec["table"] for told in (Result.of("x", table) for table in made)} <= set(CALLS)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tables": 5}, "tables must be results"),
        ({"tables": "crosstab"}, "tables must be results"),
        ({"data": {"a": 1}}, "data must be a DataFrame"),
        ({"data": pd.DataFrame({"w": [1.0]})}, "must have the column agent_id"),
        ({"data": pd.DataFrame({"agent_id": [1, 1]})}, "one row per agent"),
        ({"data": pa.table({"agent_id": [1], "odd": [{"a": 1}]})}, "the column 'odd' is struct"),
    ],
)
def test_what_cannot_be_written_is_refused(
    filled: Store, tmp_path: Path, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        filled.export(1, tmp_path / "x", **wrong)
    assert not (tmp_path / "x").exists()


def test_steps_and_labels_of_a_survey_are_in_the_codebook(filled: Store, tmp_path: Path) -> None:
    people = filled.respondents(1).bands("age", [18, 40]).recode("age_band", {"grown": ["18-39", "40+"]})
    people = people.derive("half", "age / 2", label="Half of the age")
    table = crosstab(people, "brand", by="age_band")
    folder = filled.export(1, tmp_path / "steps", tables=table, data=people)
    book = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    assert book["steps"] == list(people.steps)
    assert [one["meaning"] for one in book["derived"]] == ["Age", "Half of the age"]
    page = (folder / "codebook.html").read_text(encoding="utf-8")
    assert "Steps of preparation" in page
    assert "half: derived as age / 2." in page
    assert verify(folder).ok
