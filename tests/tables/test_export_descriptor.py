"""The Data Package of an export, read by the frictionless library: valid with its data, as described."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import voxpop as vp
from voxpop.tables.layout import DATA

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from frictionless import Package, Resource, Schema, validate


@pytest.fixture
def export(filled: vp.Store, tmp_path: Path) -> Path:
    people = filled.respondents(1).df()
    people["w"] = 1.0
    return filled.export(1, tmp_path / "snacks", formats="csv", data=people)


def test_the_descriptor_is_valid(export: Path) -> None:
    descriptor = json.loads((export / "datapackage.json").read_text())
    assert list(Package.metadata_validate(descriptor)) == []
    assert [one["name"] for one in descriptor["resources"]] == [*(one.name for one in DATA), "derived"]
    assert descriptor["$schema"] == "https://datapackage.org/profiles/2.0/datapackage.json"


def test_every_field_is_described_and_every_key_is_unique(export: Path) -> None:
    descriptor = json.loads((export / "datapackage.json").read_text())
    for one in descriptor["resources"]:
        table = pq.read_table(export / one["path"])
        schema = one["schema"]
        assert [field["name"] for field in schema["fields"]] == table.column_names
        assert all(field["description"] for field in schema["fields"])
        keys = list(zip(*(table[name].to_pylist() for name in schema["primaryKey"]), strict=True))
        assert len(set(keys)) == len(keys)
    bmi = next(
        field for field in descriptor["resources"][0]["schema"]["fields"] if field["name"] == "bmi_class"
    )
    assert bmi["categories"][:3] == ["underweight", "normal", "overweight"]


def test_the_stock_library_calls_package_and_data_valid(export: Path) -> None:
    """As `frictionless validate datapackage.json` does: descriptor, hashes, keys and every cell."""
    report = validate(str(export / "datapackage.json"))
    assert report.valid, report.flatten(["rowNumber", "fieldName", "type", "message"])
    assert {task.name for task in report.tasks} == {"agents", "answers", "questions", "unanswered", "derived"}


def test_the_stock_library_finds_a_wrong_cell(export: Path) -> None:
    path = export / "data/questions.parquet"
    table = pq.read_table(path)
    keys = pa.array(["switch"] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index("position"), "position", keys), path)
    assert not validate(str(export / "datapackage.json")).valid


@pytest.mark.parametrize("name", ["agents", "answers", "questions", "unanswered"])
def test_the_rows_fit_their_schema(export: Path, name: str) -> None:
    """The CSV twin, as the library reads Parquet with another engine only."""
    descriptor = json.loads((export / "datapackage.json").read_text())
    schema = next(one["schema"] for one in descriptor["resources"] if one["name"] == name)
    plain = {key: schema[key] for key in ("fields", "primaryKey")}
    read = Resource(path=f"csv/{name}.csv", basepath=str(export), schema=Schema.from_descriptor(plain))
    report = validate(read)
    assert report.valid, report.flatten(["rowNumber", "fieldName", "message"])
