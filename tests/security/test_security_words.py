"""Hostile words stay words: in the database, on every page, in every download, export and repr."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from everything import FILE_NAME, INJECTIONS, WORDS, Belongings

import voxpop as vp
from media_files import upload_body
from read_page import HOSTILE, Page
from running_service import Service
from voxpop.client import Client
from voxpop.records.schema import metadata


@pytest.fixture(scope="module")
def client(guarded: Service, belongings: Belongings) -> Any:
    key = belongings.http.headers["Authorization"].removeprefix("Bearer ")
    with Client(guarded.base_url, key) as made:
        yield made


def test_what_was_sent_comes_back_as_it_was_and_every_table_is_there(
    guarded: Service, belongings: Belongings
) -> None:
    http = belongings.http
    group = http.get(f"/research-groups/{belongings.group['id']}").json()["group"]
    assert (group["name"], group["description"]) == (WORDS[:190], WORDS)
    study = http.get(f"/research-studies/{belongings.study['id']}").json()["study"]
    assert (study["title"], study["objective"]) == (WORDS[:190], WORDS)
    (question,) = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    assert question["question"] == f"Which? {WORDS}"
    assert question["options"] == list(INJECTIONS)
    survey = http.get(f"/zeitgeist/surveys/{belongings.survey['uuid']}").json()["survey"]
    assert survey["title"] == WORDS[:190]
    with guarded.state.database.read() as c:
        assert set(metadata.tables) <= set(sa.inspect(c).get_table_names())


@pytest.mark.parametrize("text", INJECTIONS)
@pytest.mark.parametrize(
    "name", ["country", "state", "occupation", "ethnicity", "title_variant", "health_conditions", "gender"]
)
def test_a_hostile_filter_value_finds_nobody(belongings: Belongings, name: str, text: str) -> None:
    asked = belongings.http.post("/filters/count", json={"filters": {name: text}, "fields": []})
    assert asked.status_code == 200, asked.text
    assert asked.json()["count"] == 0


@pytest.mark.parametrize("text", INJECTIONS)
def test_a_hostile_field_or_query_is_told_of_as_json(belongings: Belongings, text: str) -> None:
    for answer in (
        belongings.http.post("/filters/count", json={"filters": {text: "x"}}),
        belongings.http.get("/agents/search", params={text: "x"}),
        belongings.http.get("/agents/search", params={"filters": text}),
        belongings.http.get(f"/research-studies/{text}"),
    ):
        assert answer.status_code in (400, 404), answer.text
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_page_shows_the_words_and_runs_none(guarded: Service, belongings: Belongings) -> None:
    headers = {"Accept": "text/html", "Authorization": belongings.http.headers["Authorization"]}
    for url in belongings.pages:
        answer = httpx.get(url, headers=headers)
        assert answer.status_code == 200, url
        page = Page(answer.text)
        assert page.tags["script"] == page.tags["img"] == 0
        assert [name for _, name, _ in page.attributes if name.startswith("on")] == []
        assert "DROP TABLE" in page.text
        assert "{{7*7}}" in page.text
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy


def test_a_hostile_file_name_is_a_name_in_the_download_and_no_path(belongings: Belongings) -> None:
    shown = belongings.asset["filename"]
    answer = belongings.http.get(f"/media-assets/{belongings.asset['id']}/content")
    told = answer.headers["content-disposition"]
    plain = re.fullmatch(r"attachment; filename=\"([^\"\\/\r\n]*)\"; filename\*=UTF-8''[\w.%-]+", told)
    assert plain is not None, told
    assert shown == FILE_NAME
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["../x.png", "..\\x.png", "/etc/x.png", "a\0.png", "..", "x\r\ny: z.png"])
def test_a_file_name_that_leads_elsewhere_is_refused(belongings: Belongings, name: str) -> None:
    answer = belongings.http.post("/media-assets", json=upload_body() | {"filename": name})
    assert answer.status_code == 400, answer.text
    assert set(answer.json()["error"]["details"]["fields"]) == {"filename"}


def html_of(thing: Any) -> str:
    shown = getattr(thing, "_repr_html_", None)
    return str(shown()) if shown is not None else ""


def test_every_repr_of_the_toolkit_keeps_them_words(
    client: Client, belongings: Belongings, tmp_path: Path
) -> None:
    study = vp.Study.open(client, belongings.study["id"])
    with vp.Store(tmp_path / "store.duckdb") as store:
        study.pull(into=store)
        (question,) = study.questions()
        people = store.respondents(study)
        things = [
            *(study, question, store, vp.crosstab(people, question.key, by="gender")),
            *(client.groups.get(belongings.group["id"]), client.studies.get(belongings.study["id"])),
            *(client.surveys.get(belongings.survey["uuid"]), client.media.get(belongings.asset["id"])),
            *(client.jobs.get(belongings.question["job_ids"][0]), client.studies.share(study)),
            *client.direct_questions.list(),
            *client.questions.list(study),
            *study.answers()[:2],
        ]
        assert sum("DROP TABLE" in html_of(each) for each in things) >= 5
        for each in things:
            page = Page(html_of(each))
            assert page.tags["script"] == page.tags["img"] == 0, type(each)
            assert [name for _, name, _ in page.attributes if name.startswith("on")] == []


def test_an_export_writes_inside_its_folder_and_its_pages_run_nothing(
    client: Client, belongings: Belongings, tmp_path: Path
) -> None:
    study = vp.Study.open(client, belongings.study["id"])
    folder = tmp_path / "deep" / "er" / "export"
    folder.parent.mkdir(parents=True)
    with vp.Store(tmp_path / "store.duckdb") as store:
        study.pull(into=store)
        store.export(study, folder, formats=["csv", "excel"])
    outside = {path for path in tmp_path.rglob("*") if path.is_file() and folder not in path.parents}
    assert outside == {tmp_path / "store.duckdb"}
    assert [path for path in folder.rglob("*") if path.is_symlink() or ".." in path.name] == []
    for path in folder.rglob("*.html"):
        page = Page(path.read_text(encoding="utf-8"))
        assert page.tags["script"] == page.tags["img"] == 0
    for path in folder.rglob("*.xlsx"):
        with zipfile.ZipFile(path) as book:
            assert not any(b"<f>" in book.read(name) for name in book.namelist())
    key = belongings.http.headers["Authorization"].removeprefix("Bearer ")
    token = belongings.pages[0].rsplit("/", 1)[1].encode()
    for path in (*folder.rglob("*"), tmp_path / "store.duckdb"):
        if path.is_file():
            assert key.encode() not in path.read_bytes(), path
            assert token not in path.read_bytes(), path


def test_an_export_that_names_files_elsewhere_reads_none_of_them(
    client: Client, belongings: Belongings, tmp_path: Path
) -> None:
    study, folder = vp.Study.open(client, belongings.study["id"]), tmp_path / "export"
    (tmp_path / "secret.txt").write_text("not yours")
    with vp.Store() as store:
        study.pull(into=store)
        store.export(study, folder)
    provenance = folder / "provenance.json"
    real = store_hash(provenance)
    provenance.write_text(provenance.read_text().replace(real, "../../secret"))
    with vp.open_export(folder) as opened:
        contents = [row[0] for row in opened.sql("SELECT content FROM attachments").fetchall()]
    assert contents == [None]


def store_hash(provenance: Path) -> str:
    (one,) = json.loads(provenance.read_text())["attachments"]
    return str(one["sha256"])


def test_hostile_words_are_really_hostile() -> None:
    assert Page(f"<p>{HOSTILE}</p>").tags["img"] == 1
