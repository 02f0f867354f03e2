"""Exports: the same bytes every time, and every difference found and named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from voxpop.analysis import crosstab
from voxpop.errors import StoreError, UsageError
from voxpop.tables import Store, open_export, verify
from voxpop.tables.manifest import file_hash

ANSWERS = "data/answers.parquet"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def export(filled: Store, tmp_path: Path) -> Path:
    return filled.export("Snacks", tmp_path / "snacks")


def rewrite(path: Path, table: pa.Table, **options: Any) -> None:
    pq.write_table(table, path, **options)


def changed(table: pa.Table, column: str, row: int, value: Any) -> pa.Table:
    values = table[column].to_pylist()
    values[row] = value
    return table.set_column(table.column_names.index(column), column, pa.array(values, table[column].type))


def test_an_export_holds_data_words_and_provenance(export: Path) -> None:
    assert sorted(contents(export)) == [
        "README.md",
        "checks/data-agents.parquet",
        "checks/data-answers.parquet",
        "checks/data-questions.parquet",
        "checks/data-unanswered.parquet",
        "checks/provenance-answers.parquet",
        "codebook.html",
        "codebook.json",
        "data/agents.parquet",
        "data/answers.parquet",
        "data/questions.parquet",
        "data/unanswered.parquet",
        "datapackage.json",
        "manifest.json",
        "provenance.json",
        "provenance/answers.parquet",
        "spec/tables.json",
    ]
    provenance = json.loads((export / "provenance.json").read_text())
    assert provenance["engines"] == ["embedded-1"]
    assert provenance["study"]["population"] == "1-7-1000"
    assert provenance["health_data"][0]["reference_version"] == "3"
    assert "not evidence about people" in (export / "README.md").read_text()


def test_the_same_store_gives_the_same_bytes(filled: Store, export: Path, tmp_path: Path) -> None:
    assert contents(filled.export(1, tmp_path / "again")) == contents(export)


def test_another_run_of_a_study_gives_the_same_data(capture: Any, export: Path, tmp_path: Path) -> None:
    """Service numbers, jobs and times differ between runs; what was answered does not."""
    capture["study"] |= {"uuid": "another", "id": 9, "created_at": "2027-01-01T00:00:00Z"}
    for question in capture["questions"]:
        question |= {"uuid": question["uuid"] + "-b", "id": question["id"] + 50}
    for answer in reversed(capture["answers"]):
        answer |= {"id": 5000 - answer["id"], "job_id": "other", "answered_at": "2027-01-01T00:00:00Z"}
        answer["question_id"] += 50
    capture["answers"].reverse()
    with Store() as other:
        capture.save(other)
        again = other.export("another", tmp_path / "again")
    one, two = (
        {name: held for name, held in contents(folder).items() if name.startswith("data/")}
        for folder in (export, again)
    )
    assert one == two
    assert (export / "codebook.json").read_bytes() == (again / "codebook.json").read_bytes()
    manifests = [json.loads((folder / "manifest.json").read_text()) for folder in (export, again)]
    assert manifests[0]["content_sha256"] == manifests[1]["content_sha256"]
    assert manifests[0]["sha256"] != manifests[1]["sha256"]


def test_source_date_epoch_is_honoured(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    manifest = json.loads((filled.export(1, tmp_path / "e") / "manifest.json").read_text())
    assert manifest["created"] == "1970-01-01T00:00:00Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        filled.export(1, tmp_path / "f")
    assert not (tmp_path / "f").exists()


def test_without_it_the_newest_time_of_the_study_stands(export: Path) -> None:
    assert json.loads((export / "manifest.json").read_text())["created"] == "2026-11-20T10:00:00.250000Z"


def test_an_export_replaces_an_export_but_nothing_else(filled: Store, export: Path, tmp_path: Path) -> None:
    (export / ANSWERS).unlink()
    filled.export(1, export)
    assert verify(export).ok
    empty = tmp_path / "empty"
    empty.mkdir()
    assert verify(filled.export(1, empty)).ok
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    with pytest.raises(StoreError, match="not empty and not an export; nothing was written"):
        filled.export(1, mine)
    assert contents(mine) == {"thesis.txt": b"years of work"}
    with pytest.raises(StoreError, match="is a file"):
        filled.export(1, mine / "thesis.txt")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_failure_leaves_the_earlier_export(
    filled: Store, export: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = contents(export)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("voxpop.tables.export.pq.ParquetWriter.write_table", full)
    with pytest.raises(StoreError, match="No space left on device"):
        filled.export(1, export)
    assert contents(export) == before
    assert [path.name for path in tmp_path.iterdir()] == ["snacks"]


def test_an_export_opens_as_the_same_store(filled: Store, export: Path, tmp_path: Path) -> None:
    with open_export(export) as again:
        for name in filled.tables():
            query = f"SELECT * FROM {name} ORDER BY ALL"
            assert again.sql(query).fetchall() == filled.sql(query).fetchall()
        assert contents(again.export("Snacks", tmp_path / "again")) == contents(export)
        one, two = (repr(crosstab(held.respondents(1), "brand", by="gender")) for held in (filled, again))
        assert one == two


def test_the_codebook_tells_levels_in_order_with_counts(export: Path) -> None:
    book = json.loads((export / "codebook.json").read_text())
    brand = next(item for item in book["questions"] if item["key"] == "brand")
    assert [level["value"] for level in brand["levels"]] == ["Oat", "Rye", "Corn", "Barley"]
    assert sum(level["count"] for level in brand["levels"]) == brand["base"] == 8
    liking = next(item for item in book["questions"] if item["key"] == "liking")
    assert len(liking["levels"]) == 11
    assert liking["levels"][10]["label"] == "good"
    bmi = next(item for item in book["profile"] if item["name"] == "bmi_class")
    assert (bmi["base"], bmi["missing"], bmi["missing_means"]) == (4, 4, "not assigned")


def test_the_descriptor_names_every_data_file_with_its_hash(export: Path) -> None:
    package = json.loads((export / "datapackage.json").read_text())
    for resource in package["resources"]:
        _, digest = file_hash(export / resource["path"])
        assert resource["hash"] == f"sha256:{digest}"
        columns = pq.read_schema(export / resource["path"]).names
        assert [field["name"] for field in resource["schema"]["fields"]] == columns


def test_an_untouched_export_verifies(export: Path) -> None:
    report = verify(export)
    assert report.ok
    assert "consistent: all 16 files as they were made" in str(report)


def test_a_changed_cell_is_named_by_row_and_column(export: Path) -> None:
    path = export / ANSWERS
    rewrite(path, changed(pq.read_table(path), "value_number", 28, 99.0))
    (difference,) = verify(export).differences
    assert difference.startswith(f"{ANSWERS}: row (key liking, agent_id 5, agent_uuid 0000")
    assert difference.endswith("column value_number: 99.0, was 5.0")


def test_a_dropped_row_and_an_added_row_are_named(export: Path) -> None:
    path = export / ANSWERS
    table = pq.read_table(path)
    rewrite(path, changed(table.slice(1), "agent_id", 0, 1234))
    missing, second, extra = verify(export).differences
    assert "row (key age, agent_id 1, " in missing
    assert "missing" in second
    assert "row (key age, agent_id 1234, " in extra
    assert "not expected" in extra


def test_repeated_and_reordered_rows_are_told(export: Path) -> None:
    path = export / ANSWERS
    table = pq.read_table(path)
    rewrite(path, pa.concat_tables([table, table.slice(0, 1)]))
    assert verify(export).differences == (f"{ANSWERS}: 1 rows repeat the key of another",)
    rewrite(path, table.take(list(reversed(range(table.num_rows)))))
    assert verify(export).differences == (f"{ANSWERS}: the same rows in another order",)


def test_a_renamed_level_is_found(export: Path) -> None:
    path = export / "data/questions.parquet"
    rewrite(path, changed(pq.read_table(path), "options", 1, ["Oat", "Rye", "Maize"]))
    (difference,) = verify(export).differences
    assert difference.endswith("column options: ['Oat', 'Rye', 'Maize'], was ['Oat', 'Rye', 'Corn']")
    assert "row (position 2, key brand)" in difference


def test_a_truncated_file_is_told(export: Path) -> None:
    path = export / ANSWERS
    path.write_bytes(path.read_bytes()[:-100])
    assert verify(export).differences == (f"{ANSWERS}: truncated or damaged; it cannot be read as Parquet",)


def test_swapped_files_are_told_by_their_columns(export: Path) -> None:
    one, two = export / ANSWERS, export / "data/agents.parquet"
    held = one.read_bytes()
    shutil.copy(two, one)
    two.write_bytes(held)
    report = verify(export)
    assert "data/answers.parquet: columns missing: key, response_text" in str(report)
    assert "data/answers.parquet: columns not expected: name, city" in str(report)
    assert "row (" not in str(report)


def test_a_table_written_again_with_the_same_content_is_a_note(export: Path) -> None:
    path = export / ANSWERS
    table = pq.read_table(path)
    encoded = table.set_column(0, "key", table["key"].dictionary_encode())
    for again in (table, encoded):
        rewrite(path, again, compression="gzip", row_group_size=5)
        report = verify(export)
        assert report.ok
        assert report.notes == (f"{ANSWERS}: written again, other bytes but the same content",)


def test_missing_and_additional_files_are_told(export: Path) -> None:
    (export / "codebook.json").unlink()
    (export / "data" / "more.csv").write_text("a\n")
    assert set(verify(export).differences) == {"codebook.json: missing", "data/more.csv: not in the manifest"}


def test_edited_text_files_are_told(export: Path) -> None:
    book, readme = export / "codebook.json", export / "README.md"
    book.write_text(book.read_text().replace("Rye", "Raw"))
    readme.write_text(readme.read_text() + "!")
    report = verify(export)
    assert "codebook.json: other bytes" in str(report)
    assert "README.md: " in str(report)


def test_an_edited_manifest_is_told(export: Path) -> None:
    path = export / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"][0]["bytes"] += 1
    path.write_text(json.dumps(manifest))
    assert "manifest.json: the hash over all files does not match its lines" in verify(export).differences


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "data/../../x.txt", "C:\\secret", "", 7])
def test_a_path_that_leaves_the_folder_is_never_read(export: Path, path: object) -> None:
    (export.parent / "secret.txt").write_text("secret")
    place = export / "manifest.json"
    manifest = json.loads(place.read_text())
    manifest["files"].append({"path": path, "bytes": 6, "sha256": "0" * 64})
    place.write_text(json.dumps(manifest))
    report = verify(export)
    assert not report.ok
    assert any("leaves the folder; it was not read" in line for line in report.differences)


def test_a_link_out_of_the_folder_is_never_read(export: Path) -> None:
    (export.parent / "secret.txt").write_text("secret")
    (export / "codebook.json").unlink()
    (export / "codebook.json").symlink_to(export.parent / "secret.txt")
    assert "codebook.json: leaves the folder; it was not read" in verify(export).differences


def test_other_folders_are_refused(tmp_path: Path, export: Path) -> None:
    for look in (verify, open_export):
        with pytest.raises(StoreError, match=r"not a voxpop export: it has no manifest.json"):
            look(tmp_path)
    place = export / "manifest.json"
    for text, message in (("{", "cannot be read"), ("{}", "of another kind"), ("[]", "of another kind")):
        place.write_text(text)
        with pytest.raises(StoreError, match=message):
            verify(export)
    place.write_text(json.dumps({"format": "voxpop-export", "format_version": 99}))
    with pytest.raises(StoreError, match="newer voxpop"):
        verify(export)
    place.write_text(json.dumps({"format": "voxpop-export", "format_version": 1, "files": [{"path": "a"}]}))
    with pytest.raises(StoreError, match="malformed"):
        verify(export)


def test_a_damaged_export_does_not_open(export: Path) -> None:
    (export / ANSWERS).write_bytes(b"nothing")
    with pytest.raises(StoreError, match="cannot be read"):
        open_export(export)
