"""The basis of an answer, from the engine through the service and the store to every export."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

import voxpop as vp
from four_bases import ALL, NONE, FourBases, basis_of
from voxpop.client import Client
from voxpop.engines import Agent, Basis, Question

QUESTIONS = {
    "known": "Have you heard of it?",
    "guessed": "Would you switch, as a guess?",
    "mixed": "Is this mixed?",
    "why": "Why, in your own words?",
}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with vp.local(agents=3_000, engine=FourBases()) as made:
        yield made


@pytest.fixture(scope="module")
def group(client: Client) -> object:
    return vp.recruit(client, vp.where(country="USA"), size=40)


@pytest.fixture(scope="module")
def study(client: Client, group: object) -> vp.Study:
    made = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
    for key, text in QUESTIONS.items():
        made.ask(text, key=key, type="open" if key == "why" else "yes_no")
    return made


@pytest.fixture(scope="module")
def store(study: vp.Study) -> Iterator[vp.Store]:
    with vp.Store() as made:
        study.pull(into=made)
        yield made


@pytest.fixture(scope="module")
def export(store: vp.Store, study: vp.Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "snacks"
    store.export(study, folder, formats=("csv", "spss", "excel"))
    return folder


def test_every_answer_of_a_study_says_what_it_rests_on(study: vp.Study) -> None:
    given = study.answers()
    keys = {one.id: one.key for one in study.questions()}
    assert len(given) == 160
    for answer in given:
        basis = basis_of(QUESTIONS[keys[answer.question_id]], answer.agent_id)
        assert (answer.basis, answer.basis_note) == (basis.kind, basis.note)


def test_a_question_lists_what_its_answers_rest_on(study: vp.Study) -> None:
    listed = {one.key: [(b.basis, b.basis_note) for b in one.bases] for one in study.questions()}
    assert listed["guessed"] == [(NONE.kind, NONE.note)]
    assert listed["mixed"] == [(basis.kind, basis.note) for basis in ALL]


def test_answers_outside_a_study_say_it_too(client: Client, group: object) -> None:
    asked = client.direct_questions.ask_group(group, "Would you switch, as a guess?", type="yes_no")
    record = client.direct_questions.wait(asked)
    assert {target.answer.basis for target in record.targets} == {"none"}
    (summary,) = record.artifacts
    assert summary.text.startswith("Every answer is a placeholder")
    survey = client.surveys.create("Mix", "Is this mixed?", ["Yes", "No"], group=group)
    client.jobs.wait([survey.survey.job_id], first_wait=0.0)
    results = client.surveys.results(survey.survey.id)
    lost = sum(one.agent_id % 4 == 3 for one in results.responses)
    assert results.placeholders == f"Placeholders: no figure is known for {lost} of 40 answers to 'Mix'."
    assert {one.basis for one in results.responses} == {"profile", "published", "modelled", "none"}


def test_the_store_keeps_both_columns(store: vp.Store) -> None:
    rows = store.answers(key="mixed").project("agent_id, basis::VARCHAR, basis_note").fetchall()
    assert {(number, kind, note) for number, kind, note in rows} == {
        (number, ALL[number % 4].kind, ALL[number % 4].note) for number, _, _ in rows
    }
    described = {
        (row["table"], row["column"]): row for row in store.dictionary().to_arrow_table().to_pylist()
    }
    for table in ("answers", "direct_answers", "survey_answers"):
        told = described[table, "basis"]["meaning"]
        assert all(kind in told for kind in ("profile", "published", "modelled", "none", "Missing"))
        assert "basis_note" in {column for name, column in described if name == table}


def test_direct_answers_and_surveys_in_a_store_have_them(client: Client, group: object) -> None:
    asked = client.direct_questions.ask_group(group, "Is this mixed?", type="yes_no")
    record = client.direct_questions.wait(asked)
    with vp.Store() as held:
        held.save_direct_question(record)
        rows = held.sql("SELECT agent_id, basis::VARCHAR, basis_note FROM direct_answers").fetchall()
    assert len(rows) == 40
    assert all((kind, note) == (ALL[n % 4].kind, ALL[n % 4].note) for n, kind, note in rows)


def test_every_format_of_an_export_has_them(export: Path) -> None:
    table = pq.read_table(export / "data" / "answers.parquet")
    mixed = {(row["agent_id"], row["basis"]) for row in table.to_pylist() if row["key"] == "mixed"}
    wanted = {(number, ALL[number % 4].kind) for number, _ in mixed}
    assert mixed == wanted
    with (export / "csv" / "answers.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["key"] == "mixed"]
    assert {(int(row["agent_id"]), row["basis"]) for row in rows} == wanted
    assert {row["basis_note"] for row in rows} == {basis.note for basis in ALL}
    sheet = openpyxl.load_workbook(export / "excel" / "study.xlsx")["answers"]
    heads, *cells = sheet.iter_rows(values_only=True)
    place = {name: heads.index(name) for name in ("key", "agent_id", "basis")}
    assert {
        (row[place["agent_id"]], row[place["basis"]]) for row in cells if row[place["key"]] == "mixed"
    } == wanted
    people, meta = pyreadstat.read_sav(str(export / "spss" / "respondents.sav"))
    labels = meta.variable_value_labels["mixed_basis"]
    assert {
        (int(n), labels[code]) for n, code in zip(people.agent_id, people.mixed_basis, strict=True)
    } == wanted
    assert f"guessed, none: {NONE.note}" in " ".join(meta.notes)


def test_the_codebook_counts_what_the_answers_rest_on(export: Path) -> None:
    book = json.loads((export / "codebook.json").read_text(encoding="utf-8"))
    told = {one["key"]: one["bases"] for one in book["questions"]}
    assert told["guessed"] == [{"kind": "none", "answers": 40, "notes": [NONE.note]}]
    assert sum(one["answers"] for one in told["mixed"]) == 40
    page = (export / "codebook.html").read_text(encoding="utf-8")
    assert "What the answers rest on" in page
    assert NONE.note in page


def test_an_export_is_signed_with_them_and_opens_with_them(export: Path, store: vp.Store) -> None:
    assert vp.verify(export).ok
    with vp.open_export(export) as opened:
        query = "SELECT agent_id, basis::VARCHAR, basis_note FROM answers ORDER BY ALL"
        assert opened.sql(query).fetchall() == store.sql(query).fetchall()


def test_a_changed_basis_is_a_difference_from_what_the_service_signed(export: Path) -> None:
    path = export / "data" / "answers.parquet"
    whole = path.read_bytes()
    table = pq.read_table(path)
    column = pa.array(["published"] * table.num_rows)
    try:
        pq.write_table(table.set_column(table.column_names.index("basis"), "basis", column), path)
        assert not vp.verify(export).ok
    finally:
        path.write_bytes(whole)


def test_a_store_of_before_gets_the_columns_and_keeps_its_answers(
    store: vp.Store, study: vp.Study, tmp_path: Path
) -> None:
    path = tmp_path / "old.duckdb"
    with vp.Store(path) as older:
        study.pull(into=older)
        for table in ("answers", "direct_answers", "survey_answers"):
            for column in ("basis", "basis_note"):
                older._cursor().execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        older._cursor().execute("UPDATE voxpop_store SET schema_version = 4")
    with vp.Store(path) as opened:
        assert opened.sql("SELECT count(*), count(basis), count(basis_note) FROM answers").fetchall() == [
            (160, 0, 0)
        ]
        assert "Placeholders" not in repr(vp.crosstab(opened.respondents(study), "guessed"))
        study.pull(into=opened, again=True)
        query = "SELECT agent_id, basis::VARCHAR FROM answers ORDER BY ALL"
        assert opened.sql(query).fetchall() == store.sql(query).fetchall()


def test_a_kind_of_a_later_service_is_kept(tmp_path: Path) -> None:
    answer = {"id": 1, "agent_id": 1, "response_text": "Yes.", "value": True}
    given = [
        answer | {"basis": "hearsay", "basis_note": "Somebody said so."},
        answer | {"id": 2, "agent_id": 2, "basis": "none", "basis_note": NONE.note},
    ]
    question = {"id": 1, "key": "heard", "question": "Heard?", "type": "yes_no", "answers": given}
    with vp.Store() as store:
        study = {"id": 1, "uuid": "s", "title": "Later"}
        store.save_study(study, [question], agents=[{"id": 1, "uuid": "a"}, {"id": 2, "uuid": "b"}])
        assert {row[0] for row in store.answers().project("basis").fetchall()} == {"hearsay", "none"}
        store.export(None, tmp_path / "export", formats="spss")
        assert "1 of 2 answers" in " ".join(repr(vp.crosstab(store.respondents(), "heard")).split())
    assert vp.verify(tmp_path / "export").ok


class Guessing(FourBases):
    """An engine whose answers are all placeholders."""

    def basis(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        return iter([NONE] * len(agents))


def test_panels_of_placeholders_give_a_thesis_no_support() -> None:
    text = "Starbucks will lose customers this year because prices are up and people trade down."
    with vp.local(agents=3_000, engine=Guessing()) as client:
        made = client.thesis.wait(client.thesis.compose(text, panel_size=8))
        found = client.thesis.get(made.id)
    assert (found.status, found.verdict.support) == ("completed", "inconclusive")
    lost = sum(question.answer_count for panel in found.panels for question in panel.questions)
    assert found.verdict.note.startswith(f"{lost:,} of {lost:,} answers are placeholders")
    assert {panel.headline for panel in found.panels} == {
        "Every answer is a placeholder: no figure is known for any question asked. Nothing here is a finding."
    }


def test_the_findings_of_a_study_of_placeholders_say_just_that(client: Client, group: object) -> None:
    made = vp.Study.create(client, group, title="Guesses", objective="Who would switch?")
    made.ask("Would you switch, as a guess?", key="guessed", type="yes_no")
    made.ask("Why, as a guess?", key="why", type="open")
    found = made.complete()
    assert found.steps["overall_summary"]["text"].startswith("Every answer is a placeholder")
    assert all(step["claims"] == [] for step in found.steps.values())
    assert "Every answer is a placeholder" in repr(found)


def test_a_share_page_marks_placeholders(study: vp.Study) -> None:
    page = httpx.get(str(study.share())).text
    study.unshare()
    assert "Placeholders: no figure is known for &#39;guessed&#39; (40 of 40 answers)." in page
    assert NONE.note in page
    assert "The answers rest on: none (40 answers" in page
