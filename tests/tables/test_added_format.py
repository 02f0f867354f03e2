"""An export format is one row: JSON lines, added in this file alone, work from the export to its check."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

from voxpop.cli import main
from voxpop.errors import UsageError
from voxpop.tables import Store, manifest, verify
from voxpop.tables.formats import FORMATS, Format, add, remove
from voxpop.tables.people import respondents_table

FILE = "jsonl/respondents.jsonl"


def write_lines(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    rows = respondents_table(cursor, study["study_uuid"]).to_pylist()
    lines = [json.dumps(row, ensure_ascii=False, default=str) for row in rows]
    (folder / FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


JSON_LINES = Format("jsonl", ("respondents.jsonl",), "one row per agent, as JSON lines", write_lines)


@pytest.fixture(params=["compared", "hashed"])
def row(request: pytest.FixtureRequest) -> Iterator[Format]:
    """The format, once made again when it is checked and once checked by its hash alone."""
    added = JSON_LINES if request.param == "compared" else replace(JSON_LINES, same=None)
    add(added)
    yield added
    remove(added.name)


@pytest.fixture
def saved(store: Store, capture: Any) -> Store:
    capture.save(store)
    return store


def forge(folder: Path, path: str) -> None:
    """Change a file, and the manifest so that it fits again."""
    (folder / path).write_text((folder / path).read_text().replace("Agent 1", "Agent X"))
    size, digest = manifest.file_hash(folder / path)
    stated = manifest.read(folder)
    entries = [
        replace(one, bytes=size, sha256=digest) if one.path == path else one
        for one in manifest.entries(stated)
    ]
    (folder / manifest.NAME).write_text(manifest.to_json(manifest.make(entries, stated["created"])))


def test_it_is_written_listed_described_and_checked(saved: Store, row: Format, tmp_path: Path) -> None:
    folder = saved.export(1, tmp_path / "snacks", formats=["jsonl", "csv"])
    lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["agent_id"] for line in lines] == list(range(1, 9))
    assert FILE in {entry.path for entry in manifest.entries(manifest.read(folder))}
    assert "| `jsonl/` | one row per agent, as JSON lines |" in (folder / "README.md").read_text()
    report = verify(folder)
    assert report.ok, report
    assert bool(report.unchecked) == (row.same is None)


def test_a_tampered_file_is_named(saved: Store, row: Format, tmp_path: Path) -> None:
    folder = saved.export(1, tmp_path / "snacks", formats="jsonl")
    (folder / FILE).write_text((folder / FILE).read_text().replace("Agent 1", "Agent X"))
    [difference] = verify(folder).differences
    assert difference.startswith(f"{FILE}: other bytes")


def test_a_forged_file_is_named_where_it_can_be_made_again(saved: Store, row: Format, tmp_path: Path) -> None:
    folder = saved.export(1, tmp_path / "snacks", formats="jsonl")
    forge(folder, FILE)
    report = verify(folder)
    if row.same is None:
        assert report.ok
        assert any(line.startswith("jsonl/: ") for line in report.unchecked)
    else:
        assert report.differences == (f"{FILE}: not what the data give when it is made again",)


def test_the_command_line_takes_it(saved: Store, row: Format, tmp_path: Path, capture: Any) -> None:
    with Store(tmp_path / "s.duckdb") as file:
        capture.save(file)
    asked = ["export", "1", "--to", str(tmp_path / "out"), "--store", str(tmp_path / "s.duckdb")]
    assert main([*asked, "--format", "jsonl"]) == 0
    assert (tmp_path / "out" / FILE).is_file()


def test_formats_have_names_of_their_own() -> None:
    for name in ("csv", "data"):
        with pytest.raises(UsageError, match="choose another name for the format"):
            add(replace(JSON_LINES, name=name))
    assert list(FORMATS) == ["csv", "spss", "excel", "parquet", "triple-s", "ddi"]
