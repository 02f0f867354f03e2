"""Derived files of an export: regenerated from the data and compared; unexpected files are reported."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from voxpop.errors import UsageError, VoxpopError
from voxpop.tables import attested, manifest
from voxpop.tables.codebook import NOTE, codebook
from voxpop.tables.codebook_page import page_of
from voxpop.tables.columns import ADDED, Column
from voxpop.tables.describing import datapackage, labels, readme
from voxpop.tables.formats import FORMATS, write_formats
from voxpop.tables.layout import ANSWERS, FILES_VERSION, PARQUET, QUESTIONS, RUNS
from voxpop.tables.opening import open_export
from voxpop.tables.origin import Origin
from voxpop.tables.results import DERIVED, FOLDER, SPEC, read_spec
from voxpop.tables.schema import literal

_TEXTS = ("codebook.json", "codebook.html", "datapackage.json", "README.md")
_ALWAYS = (*_TEXTS, "provenance.json", attested.NAME, SPEC, DERIVED, *(table.path for table in PARQUET))
_ATTACHMENT = re.compile(r"attachments/([0-9a-f]{16})(\.[a-z]+)?")


@dataclass(slots=True)
class Found:
    """Result of a comparison.

    Attributes
    ----------
    differences : list of str
        Differences, each naming a file.
    unchecked : list of str
        Files that could not be compared, with the reason.
    """

    differences: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def check(folder: Path, entries: Sequence[manifest.Entry]) -> Found:
    """Regenerate and compare every file derived from the data, except the figures of the tables.

    Parameters
    ----------
    folder : Path
        The export; its Parquet files are readable.
    entries : sequence of Entry
        The entries of its manifest.
    """
    found = Found()
    try:
        told = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        spec = read_spec(folder)
        found.differences += _strangers(folder, entries, told, spec)
        found.differences += _provenance(folder, told)
        for name in _other_labels(folder, entries, told, spec):
            _differs(found, f"{name}, its metadata", told)
        made = _texts(folder, entries, told, spec)
        for name, text in made.items():
            if (folder / name).read_bytes() != text.encode():
                _differs(found, name, told)
        _twins(folder, entries, found, lambda name: _differs(found, name, told))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException, duckdb.Error, VoxpopError) as error:
        found.differences.append(f"files made of the data cannot be made again: {error}")
    return found


def _differs(found: Found, name: str, told: Mapping[str, Any]) -> None:
    """Report a file that differs from its regenerated version, as a difference if this version wrote it."""
    by, ours = told["versions"]["voxpop"], version("voxpop")
    if by == ours and told["versions"].get("files", 1) == FILES_VERSION:
        found.differences.append(f"{name}: not what the data give when it is made again")
    else:
        ours = f"this build of {ours}" if by == ours else ours
        found.unchecked.append(f"{name}: voxpop {by} wrote it, and {ours} makes it otherwise; not compared")


def _strangers(
    folder: Path, entries: Sequence[manifest.Entry], told: Mapping[str, Any], spec: Mapping[str, Any]
) -> Iterator[str]:
    """Return the files that never belong to an export."""
    tables = {f"{FOLDER}/{one['id']}.{end}" for one in spec["tables"] for end in ("json", "csv", "html")}
    copies = {entry.copy for entry in entries if entry.copy}
    twins = {path for row in FORMATS.values() for path in row.paths}
    digests = {str(one.get("sha256"))[:16]: str(one.get("sha256")) for one in told.get("attachments", ())}
    for entry in entries:
        attachment = _ATTACHMENT.fullmatch(str(entry.path))
        if attachment is not None and entry.sha256 == digests.get(attachment[1]):
            continue
        if entry.path not in {*_ALWAYS, *tables, *copies, *twins}:
            yield f"{entry.path}: does not belong to an export"
    for name in sorted(tables - {entry.path for entry in entries}):
        yield f"{name}: missing, though {SPEC} names its table"
    if spec["data_sha256"] != manifest.content_hash(entries):
        yield f"{SPEC}: the tables were made of other data"


def _derived(spec: Mapping[str, Any]) -> list[Column]:
    return [
        Column(
            one["name"], one["kind"], one.get("meaning", ADDED) if place else "The agent's number.", levels
        )
        for place, one in enumerate(spec["derived"])
        for levels in [tuple(one["levels"])]
    ]


def _other_labels(
    folder: Path, entries: Sequence[manifest.Entry], told: Mapping[str, Any], spec: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the Parquet files with labels or a source other than those of the data.

    A program that rewrites a file may drop its metadata, and files of earlier versions have none.
    """
    questions = pq.read_table(folder / QUESTIONS.path).to_pylist()
    made = labels(Origin.of_provenance(told), questions, _derived(spec))
    for path in sorted({entry.path for entry in entries}.intersection(made)):
        held = pq.read_schema(folder / path).metadata or {}
        ours = {name.encode(): text.encode() for name, text in made[path].items()}
        if any(held.get(name, text) != text for name, text in ours.items()):
            yield path


def _texts(
    folder: Path, entries: Sequence[manifest.Entry], told: Mapping[str, Any], spec: Mapping[str, Any]
) -> dict[str, str]:
    """Regenerate the texts that accompany the data."""
    columns, study, origin = _derived(spec), told["study"], Origin.of_provenance(told)
    order = [table.path for table in PARQUET] + [DERIVED]
    data = [entry for entry in entries if str(entry.path).startswith(manifest.DATA_FOLDER)]
    data.sort(key=lambda entry: order.index(entry.path) if entry.path in order else len(order))
    book = codebook(study["title"], folder, columns, spec.get("steps", ()))
    formats = [name for name in FORMATS if any(str(e.path).startswith(f"{name}/") for e in entries)]
    return {
        "codebook.json": manifest.to_json(book),
        "codebook.html": page_of(book, origin),
        "datapackage.json": manifest.to_json(datapackage(origin, data, columns)),
        "README.md": readme(study, data, formats, manifest.content_hash(data)),
    }


def _provenance(folder: Path, told: Mapping[str, Any]) -> Iterator[str]:
    """Compare the engines, questions and times in the provenance with the data."""
    answers, runs, questions = (
        f"read_parquet({literal(str(folder / table.path))})" for table in (ANSWERS, RUNS, QUESTIONS)
    )
    if told["note"] != NOTE:
        yield "provenance.json: its note on simulated answers was changed"
    with duckdb.connect() as database:
        engines = [
            engine
            for (engine,) in database.sql(
                f"SELECT DISTINCT engine FROM {answers} WHERE engine IS NOT NULL ORDER BY 1"
            ).fetchall()
        ]
        numbered = database.sql(
            f"SELECT (SELECT count(answer_id) FROM {runs}) = (SELECT count(*) FROM {answers})"
        ).fetchall()[0][0]
        own = (
            f"SELECT * FROM {runs} WHERE answer_id IS NOT NULL"
            if numbered  # otherwise the service gives no ids, and a join finds the runs with answers
            else f"SELECT t.* FROM {runs} t SEMI JOIN {answers} a USING (key, agent_uuid)"
        )
        times = database.sql(
            f"SELECT q.key, q.text, min(r.answered_at), max(r.answered_at) FROM {questions} q LEFT JOIN "
            f"({own}) r USING (key) "
            "GROUP BY q.key, q.text, q.position ORDER BY q.position, q.key"
        ).fetchall()
    if told["engines"] != engines:
        yield f"provenance.json: the engines are {engines}, not {told['engines']}"
    names = ("key", "text", "first_answered_at", "last_answered_at")
    made = [
        dict(zip(names, (key, text, _time(first), _time(last)), strict=True))
        for key, text, first, last in times
    ]
    if [{name: one[name] for name in names} for one in told["questions"]] != made:
        yield "provenance.json: its questions and times are not those of the data"


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment.isoformat()}Z"


def _twins(
    folder: Path,
    entries: Sequence[manifest.Entry],
    found: Found,
    differs: Callable[[str], None],
) -> None:
    """Write the other formats of the data again in a temporary folder, and compare."""
    listed = {entry.path for entry in entries}
    created = manifest.read(folder)["created"]
    moment = None if created is None else datetime.fromisoformat(created).replace(tzinfo=None)
    for row in FORMATS.values():
        if not listed.intersection(row.paths):
            continue
        for name in row.paths:
            if name not in listed:
                found.differences.append(f"{name}: missing beside the others of its form")
        if row.same is None:
            found.unchecked.append(f"{row.name}/: cannot be compared with the data; its hashes are right")
            continue
        with tempfile.TemporaryDirectory() as beside, open_export(folder) as store:
            study = store.studies().to_arrow_table().to_pylist()[0]
            for name in ("data", "provenance"):
                Path(beside, name).symlink_to((folder / name).resolve())
            try:
                for name in write_formats(store._cursor(), study, Path(beside), (row.name,), moment):
                    if name in listed and not row.same(
                        (folder / name).read_bytes(), Path(beside, name).read_bytes()
                    ):
                        differs(name)
            except UsageError as error:
                found.unchecked.append(f"{row.name}/: {error}")
