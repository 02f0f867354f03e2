"""Exports that a forger has changed, with every hash and every file made to fit again."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import voxpop as vp
from voxpop.cli import main
from voxpop.errors import FieldworkWarning
from voxpop.tables import attested, manifest, trust
from voxpop.wire.attestations import fingerprint, written
from voxpop.wire.content import content_of_file

pytestmark = pytest.mark.filterwarnings("ignore::voxpop.fieldwork.notices.FieldworkWarning")


@dataclass
class Case:
    """Exports of one study before and after a further question, and one of another study."""

    export: Path
    earlier: Path
    other: Path
    key: str


def ask(client: vp.Client, group: Any, title: str) -> vp.Study:
    study = vp.Study.create(client, group, title=title, objective="Who would switch?")
    study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
    study.ask("How many snacks do you eat a day?", key="many", type="number")
    study.ask(
        "Which do you like, apples, pears or plums?",
        key="liked",
        type="multi_choice",
        options=["apples", "pears", "plums"],
    )
    study.ask("What would make you switch?", key="why")
    return study


def exported(study: vp.Study, folder: Path) -> Path:
    with vp.Store() as store:
        study.pull(into=store)
        people = store.respondents(study)
        tables = [vp.crosstab(people, "switch", by="gender"), vp.means(people, "many", by="gender")]
        return store.export(study, folder, tables=tables, formats="csv")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("exports")
    with vp.local(agents=3_000, seed=7) as client:
        group = client.groups.recruit("all", filters=vp.where(country="USA"), size=40, seed=1)
        study = ask(client, group, "Snacks")
        earlier = exported(study, folder / "earlier")
        study.ask("Would you pay more for it?", key="more", type="yes_no")
        client.studies.remove_agents(study.id, [client.studies.agents(study.id)[0].id])
        export = exported(study, folder / "export")
        other = exported(ask(client, group, "Drinks"), folder / "other")
    key = json.loads(json.loads((export / attested.NAME).read_text())["statement"])["key"]
    return Case(export, earlier, other, key)


@pytest.fixture
def export(case: Case, tmp_path: Path) -> Path:
    return Path(shutil.copytree(case.export, tmp_path / "export"))


def fit(folder: Path) -> None:
    """Make the manifest anew, so that every hash in it is right."""
    stated = manifest.read(folder)
    known = {entry.path: entry for entry in manifest.entries(stated)}
    entries = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file() and one.name != manifest.NAME):
        name = path.relative_to(folder).as_posix()
        size, digest = manifest.file_hash(path)
        old = known.get(name)
        said = content_of_file(path) if old is not None and old.content_sha256 else None
        entries.append(
            manifest.Entry(
                name,
                size,
                digest,
                said and said.sha256,
                said and said.rows,
                old and old.key,
                old and old.copy,
            )
        )
    made = manifest.make(entries, stated["created"]) | {"format_version": stated["format_version"]}
    (folder / manifest.NAME).write_text(manifest.to_json(made))


def written_again(folder: Path, *changes: str) -> None:
    """Change the data with the tools of voxpop itself: every file of the export is made to fit."""
    with vp.open_export(folder) as store:
        for change in changes:
            store._cursor().execute(change)
        store.export(None, folder)


def replaced(folder: Path, name: str, old: str, new: str) -> None:
    path = next(iter(sorted(folder.glob(name))))
    text = path.read_text()
    assert old in text, (name, old)
    path.write_text(text.replace(old, new, 1))
    fit(folder)


def test_what_the_service_has_signed_is_told_with_its_name(case: Case) -> None:
    for folder in (case.export, case.earlier, case.other):
        report = vp.verify(folder)
        assert (report.ok, report.signed_by, report.unchecked) == (True, "voxpop", ())
        assert f"signed by voxpop, key {case.key[:16]} (known here since" in str(report)
    assert not [
        one
        for one in case.export.rglob("*")
        if one.suffix in (".py", ".sh") or (one.stat().st_mode & 0o111 and one.is_file())
    ]
    with vp.open_export(case.export) as store:
        assert vp.verify(store.export(None, case.export.parent / "again")).signed_by == "voxpop"


DATA = {
    "an answer": "UPDATE answers SET value_text = CASE value_text WHEN 'yes' THEN 'no' ELSE 'yes' END "
    "WHERE question_uuid = (SELECT question_uuid FROM questions WHERE key = 'switch') AND agent_id = "
    "(SELECT min(agent_id) FROM answers)",
    "the words of an answer": "UPDATE answers SET response_text = response_text || '.' WHERE answer_id = "
    "(SELECT max(answer_id) FROM answers)",
    "a list": "UPDATE answers SET value_list = ['plums'] WHERE value_list IS NOT NULL",
    "a time": "UPDATE answers SET answered_at = answered_at - INTERVAL 1 DAY",
    "an engine": "UPDATE answers SET engine = 'people'",
    "a dropped answer": "DELETE FROM answers WHERE answer_id = (SELECT min(answer_id) FROM answers)",
    "an agent": "UPDATE agents SET age = age + 1 WHERE agent_id = (SELECT min(agent_id) FROM agents)",
    "a removal": "UPDATE study_agents SET removed = false",
    "health": "UPDATE health_profiles SET bmi = bmi + 1",
    "the words of a question": "UPDATE questions SET text = 'Do you like oat milk?' WHERE key = 'switch'",
    "a key": "UPDATE questions SET key = 'switched' WHERE key = 'why'",
    "the title": "UPDATE studies SET title = 'Milk'",
}


@pytest.mark.parametrize("changed", DATA)
def test_changed_data_are_found_though_every_file_fits(export: Path, changed: str) -> None:
    written_again(export, DATA[changed])
    report = vp.verify(export)
    assert (report.ok, report.signed_by, report.signature) == (False, None, "signature does not hold")
    assert all(
        line.startswith("attestation.json: the signature does not hold: ") for line in report.differences
    )


FILES: dict[str, tuple[str, str, str, str]] = {
    "a table's page": (
        "tables/01*.html",
        "</table>",
        "<tr><td>99</td></tr></table>",
        "not what the table looks",
    ),
    "a table's CSV": ("tables/02*.csv", "\n", "\n9", "not the figures of"),
    "a CSV of the data": ("csv/answers.csv", "oat", "rye", "not what the data give"),
    "the CSV of agents": ("csv/respondents.csv", "yes", "no", "not what the data give"),
    "the codebook": ("codebook.json", '"answered": ', '"answered": 1', "not what the data give"),
    "the codebook's page": ("codebook.html", "</h1>", "</h1><p>Real people.</p>", "not what the data give"),
    "the page": ("README.md", "simulated", "real", "not what the data give"),
    "the descriptor": ("datapackage.json", "Who would switch?", "Who did?", "not what the data give"),
    "the provenance": ("provenance.json", '"embedded', '"people', "the engines are"),
    "the note": ("provenance.json", "not evidence", "evidence", "note on simulated answers"),
}


@pytest.mark.parametrize("changed", FILES)
def test_a_changed_file_is_named_though_the_manifest_fits(export: Path, changed: str) -> None:
    name, old, new, why = FILES[changed]
    replaced(export, name, old, new)
    report = vp.verify(export)
    assert not report.ok
    assert why in str(report)
    assert next(iter(export.glob(name))).name.partition("-")[0] in str(report)


def test_files_that_do_not_belong_there_are_named(export: Path) -> None:
    (export / "rebuild.py").write_text("import os\n")
    (export / "tables" / "09-more.html").write_text("<p>99 %</p>")
    fit(export)
    report = vp.verify(export)
    assert "rebuild.py: does not belong to an export" in report.differences
    assert "tables/09-more.html: does not belong to an export" in report.differences


def put(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / attested.NAME
    held = json.loads(path.read_text())
    change(held)
    path.write_text(manifest.to_json(held))
    fit(folder)


def test_signatures_of_other_exports_do_not_hold(case: Case, export: Path) -> None:
    for source in (case.other, case.earlier):
        shutil.copyfile(source / attested.NAME, export / attested.NAME)
        fit(export)
        report = vp.verify(export)
        assert (report.ok, report.signature) == (False, "signature does not hold")


def test_an_edited_statement_does_not_hold(export: Path) -> None:
    put(export, lambda held: held.update(statement=held["statement"].replace('"voxpop"', '"census"')))
    assert "the statement is not the one that was signed" in str(vp.verify(export))
    put(export, lambda held: held.update(signature="", statement="{}"))
    assert not vp.verify(export).ok
    put(export, lambda held: held.clear())
    assert not vp.verify(export).ok


def test_a_forger_with_a_key_of_his_own_is_not_known(case: Case, export: Path, capsys: Any) -> None:
    written_again(export, DATA["an answer"])
    mine = Ed25519PrivateKey.generate()
    public = mine.public_key().public_bytes_raw()

    def sign(held: dict[str, Any]) -> None:
        statement = json.loads(held["statement"])
        hashers = attested._answers(export, [one["key"] for one in statement["questions"]])
        for one in statement["questions"]:
            one |= hashers[one["key"]].told
        text = written(statement | {"key": fingerprint(public)})
        signature = base64.b64encode(mine.sign(text.encode())).decode()
        held |= {"statement": text, "signature": signature, "public_key": base64.b64encode(public).decode()}

    put(export, sign)
    report = vp.verify(export)
    assert (report.ok, report.signed_by) == (True, None)
    assert f"signed with a key that is not known here: {fingerprint(public)}" in report.signature
    (known,) = [
        line for line in str(report).splitlines() if "the key known here for 'voxpop' is another" in line
    ]
    assert case.key[:16] in known
    assert main(["verify", str(export), "--key", case.key]) == 1
    assert f"it was made with key {fingerprint(public)}, not with {case.key}" in capsys.readouterr().out
    assert main(["verify", str(case.export), "--key", case.key]) == 0
    assert "signed by voxpop" in capsys.readouterr().out
    assert main(["verify", str(export), "--key", "ab12"]) == 2


def test_a_removed_signature_and_an_older_form_are_told(case: Case, export: Path) -> None:
    (export / attested.NAME).unlink()
    fit(export)
    report = vp.verify(export)
    assert (report.ok, report.signature, report.signed_by) == (True, "not signed", None)
    assert not vp.verify(export, key=case.key).ok
    stated = json.loads((export / manifest.NAME).read_text()) | {"format_version": 1}
    (export / manifest.NAME).write_text(json.dumps(stated))
    replaced(export, "codebook.html", "</h1>", "</h1><p>Real people.</p>")
    report = vp.verify(export)
    assert report.unchecked
    assert "consistent, as far as it could be checked" in str(report)


def test_a_store_that_was_changed_after_the_pull_is_signed_no_more(case: Case, tmp_path: Path) -> None:
    with vp.open_export(case.export) as store:
        study = {"uuid": store.study_uuid(None), "title": "Snacks", "objective": "Who would switch?"}
        store.save_study(study, [])
        assert vp.verify(store.export(None, tmp_path / "saved")).signature == "not signed"


def test_agents_that_were_not_signed_leave_a_pulled_study_unsigned(tmp_path: Path) -> None:
    with vp.local(agents=1_000, seed=7) as client, vp.Store() as store:
        group = client.groups.recruit("all", filters={}, size=20, seed=1)
        study = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
        study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
        study.pull(into=store)
        assert vp.verify(store.export(study, tmp_path / "signed")).signed_by == "voxpop"
        store._cursor().execute("UPDATE agents SET age = age + 1")
        with pytest.warns(FieldworkWarning, match="agents in the store differ from those"):
            store.export(study, tmp_path / "changed")
        assert vp.verify(tmp_path / "changed").signature == "not signed"
        study.pull(into=store)
        assert vp.verify(store.export(study, tmp_path / "again")).signed_by == "voxpop"


def test_another_key_at_the_same_address_is_named_loudly(case: Case) -> None:
    signed = json.loads((case.export / attested.NAME).read_text())
    from voxpop.wire.attestations import Attestation

    def of(key: Ed25519PrivateKey) -> Attestation:
        public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
        return Attestation(**(signed | {"public_key": public}))

    one, two = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    assert trust.note(of(one), "https://research.example/v1") == []
    assert trust.note(of(one), "https://research.example/v1?key=1") == []
    (warning,) = trust.note(of(two), "https://research.example/v1")
    assert "ANOTHER KEY THAN BEFORE" in warning
    assert (
        trust.note(of(one), "http://127.0.0.1:8000/v1")
        == trust.note(of(two), "http://127.0.0.1:8000/v1")
        == []
    )
