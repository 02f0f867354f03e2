"""Each file of an export alone says that answers are simulated, by what, and how levels are labelled."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pyreadstat
import pytest

import voxpop as vp
from voxpop.analysis import crosstab, multi
from voxpop.tables import Store, manifest, verify
from voxpop.tables.layout import PARQUET

ENGINE, POPULATION, LABEL = "embedded-1", "1-7-1000", 'Say "Corn"'
"""The engine and population of the study, and a label of a level."""


def of_parquet(path: Path) -> str:
    held = pq.read_schema(path).metadata
    return " ".join(f"{key.decode()}={text.decode()}" for key, text in held.items())


def of_sav(path: Path) -> str:
    _, meta = pyreadstat.read_sav(str(path), metadataonly=True)
    return " ".join([meta.file_label, *meta.notes, *meta.variable_value_labels["brand"].values()])


def of_sheets(path: Path) -> str:
    book = openpyxl.load_workbook(path, read_only=True)
    return " ".join(str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)


def of_csv_and_sidecar(path: Path) -> str:
    told = json.loads(path.with_name(f"{path.name}-metadata.json").read_text(encoding="utf-8"))
    assert told["url"] == path.name
    return json.dumps(told, ensure_ascii=False).replace('\\"', '"')


def plain(path: Path) -> str:
    return path.read_text(encoding="utf-8").replace("&quot;", '"').replace("&#x27;", "'").replace('\\"', '"')


def plain_latin(path: Path) -> str:
    return path.read_text(encoding="latin-1")


FILES: tuple[tuple[str, Callable[[Path], str], str], ...] = (
    ("data/answers.parquet", of_parquet, '\\"Corn\\"'),
    ("data/unanswered.parquet", of_parquet, '\\"Corn\\"'),
    ("provenance/answers.parquet", of_parquet, '\\"Corn\\"'),
    ("data/agents.parquet", of_parquet, "obese_1"),
    ("data/questions.parquet", of_parquet, "single_choice"),
    ("parquet/respondents.parquet", of_parquet, '\\"Corn\\"'),
    ("csv/respondents.csv", of_csv_and_sidecar, LABEL),
    ("csv/answers.csv", of_csv_and_sidecar, LABEL),
    ("csv/unanswered.csv", of_csv_and_sidecar, LABEL),
    ("csv/agents.csv", of_csv_and_sidecar, "obese_1"),
    ("csv/questions.csv", of_csv_and_sidecar, "single_choice"),
    ("spss/respondents.sav", of_sav, LABEL),
    ("excel/study.xlsx", of_sheets, LABEL),
    ("triple-s/respondents.sss", plain, LABEL),
    ("triple-s/respondents.csv", plain_latin, "brand"),
    ("ddi/codebook.xml", plain, LABEL),
    ("codebook.html", plain, LABEL),
    ("datapackage.json", plain, "obese_1"),
    ("tables/01-crosstab-switch-by-gender.html", plain, "yes"),
    ("tables/01-crosstab-switch-by-gender.json", plain, "yes"),
    ("tables/01-crosstab-switch-by-gender.csv", plain, "yes"),
)


@pytest.mark.parametrize(("name", "read", "label"), FILES, ids=[name for name, _, _ in FILES])
def test_a_file_alone_tells_its_source_and_its_labels(
    everything: Path, name: str, read: Callable[[Path], str], label: str
) -> None:
    told = read(everything / name)
    assert "simulated" in told.lower()
    assert ENGINE in told
    assert POPULATION in told
    assert label in told


def test_no_table_of_data_is_left_out(everything: Path) -> None:
    tested = {name for name, _, _ in FILES}
    assert {table.path for table in PARQUET} <= tested
    data = {path.relative_to(everything).as_posix() for path in everything.rglob("*.csv")}
    assert data - tested == {"ddi/respondents.csv"}  # a column says simulated; codebook.xml has the rest


def test_rows_say_that_they_are_simulated(everything: Path) -> None:
    for name in ("csv/respondents.csv", "ddi/respondents.csv"):
        with (everything / name).open(newline="", encoding="utf-8") as file:
            assert {row["voxpop_provenance"] for row in csv.DictReader(file)} == {"simulated"}


def test_a_table_of_the_parquet_file_alone_is_that_of_the_store(everything: Path) -> None:
    people = pq.read_table(everything / "parquet/respondents.parquet")
    with vp.open_export(everything) as store:
        held = store.respondents(removed=True)
        assert repr(crosstab(people, "brand", by="gender")) == repr(crosstab(held, "brand", by="gender"))
    assert "Source: engine embedded-1; population 1-7-1000" in repr(multi(people, "brands"))


def test_the_parquet_file_labels_each_column_and_keeps_levels_in_order(everything: Path) -> None:
    people = pq.read_table(everything / "parquet/respondents.parquet")
    assert all(b"label" in field.metadata for field in people.schema)
    assert people.schema.field("liking").metadata[b"label"] == b"About liking?"
    frame = people.to_pandas()
    assert list(frame["brand"].cat.categories[:2]) == ["Oat & <Rye>", LABEL]
    assert list(frame["gender"].cat.categories) == ["male", "female", "non_binary"]


def test_csv_sidecars_describe_the_columns_of_their_files(everything: Path) -> None:
    """By the rules of CSV on the Web: names in order, and keys that exist."""
    for path in (everything / "csv").glob("*.csv"):
        told = json.loads(path.with_name(f"{path.name}-metadata.json").read_text(encoding="utf-8"))
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        columns = told["tableSchema"]["columns"]
        assert told["@context"][0] == "http://www.w3.org/ns/csvw"
        assert [one["titles"] for one in columns] == header
        assert set(told["tableSchema"]["primaryKey"]) <= set(header)
        for place, one in enumerate(columns):
            cells = [row[place] for row in rows]
            assert not one.get("required") or all(cells)
            for cell in filter(None, cells):
                readers[str(one["datatype"])](cell)


readers: dict[str, Callable[[str], Any]] = {
    "string": str,
    "json": json.loads,
    "integer": int,
    "number": float,
    "boolean": {"true": True, "false": False}.__getitem__,
}


def test_other_labels_in_a_parquet_file_are_found(everything: Path, tmp_path: Path) -> None:
    """The rows are the same, and the manifest fits: only the metadata tell of another engine."""
    folder = shutil.copytree(everything, tmp_path / "forged")
    path = folder / "data/agents.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata(table.schema.metadata | {b"engine": b"people"}), path)
    size, digest = manifest.file_hash(path)
    stated = manifest.read(folder)
    entries = [
        replace(one, bytes=size, sha256=digest) if one.path == "data/agents.parquet" else one
        for one in manifest.entries(stated)
    ]
    (folder / manifest.NAME).write_text(manifest.to_json(manifest.make(entries, stated["created"])))
    assert "data/agents.parquet, its metadata: not what the data give when it is made again" in str(
        verify(folder)
    )


def test_an_export_of_an_earlier_build_opens_and_verifies(filled: Store, tmp_path: Path) -> None:
    """Its texts differ from those of today, which is told and is no difference."""
    folder = filled.export(1, tmp_path / "snacks")
    told = json.loads((folder / "provenance.json").read_text())
    del told["versions"]["files"]
    (folder / "provenance.json").write_text(manifest.to_json(told))
    package = json.loads((folder / "datapackage.json").read_text())
    (folder / "datapackage.json").write_text(manifest.to_json({**package, "description": "As it was."}))
    stated, entries = manifest.read(folder), []
    for one in manifest.entries(stated):
        size, digest = manifest.file_hash(folder / one.path)
        entries.append(replace(one, bytes=size, sha256=digest))
    (folder / manifest.NAME).write_text(manifest.to_json(manifest.make(entries, stated["created"])))
    report = verify(folder)
    assert report.ok
    assert report.unchecked == (
        "datapackage.json: voxpop 0.1.0 wrote it, and this build of 0.1.0 makes it otherwise; not compared",
    )
    with vp.open_export(folder) as again:
        assert again.tables()["answers"] == 48
