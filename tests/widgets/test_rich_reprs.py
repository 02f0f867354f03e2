"""Text and HTML reprs of each object agree, suit any theme, and contain no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import voxpop as vp
from voxpop.client import Client

NAMES = ("client", "group", "study", "job", "table", "store", "export", "report", "sharing", "recruitment")


@pytest.fixture(scope="module")
def things(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Return one object of each kind."""
    group = vp.recruit(client, vp.where(country="USA", household_income="$75,000-$99,999"), 40, seed=1)
    study = vp.Study.create(client, group, title="Costs <b>$5</b> or $6")
    asked = client.questions.ask(study, "Do you own a dog?", key="dog")
    job = client.jobs.wait(asked.job_ids, first_wait=asked.poll_after_s)[0]
    folder = tmp_path_factory.mktemp("reprs") / "export"
    with vp.Store() as store:
        study.pull(into=store)
        store.export(study, folder)
        with vp.open_export(folder) as export:
            yield {
                "client": client,
                "group": group,
                "study": study,
                "job": job,
                "table": vp.crosstab(store.respondents(study), "dog", by="gender"),
                "store": store,
                "export": export,
                "report": vp.verify(folder),
                "sharing": client.studies.share(study),
                "recruitment": client.requests.wait(client.requests.create("US adults", 5)),
            }


@pytest.mark.parametrize("name", NAMES)
def test_it_says_something_in_words_and_in_html(things: dict[str, Any], name: str) -> None:
    text, html = repr(things[name]), things[name]._repr_html_()
    assert len(text) > 10
    assert re.search(r"<(table|div|p)\b", html)
    assert re.sub(r"<[^>]+>", "", html).strip()


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_is_in_it(things: dict[str, Any], name: str, client: Client) -> None:
    shown = repr(things[name]) + str(things[name]) + things[name]._repr_html_()
    assert client._transport._key not in shown
    assert str(things["sharing"].link).rpartition("/")[2] not in shown


@pytest.mark.parametrize("name", NAMES)
def test_tables_have_captions_heads_and_no_colour_of_their_own(things: dict[str, Any], name: str) -> None:
    html = things[name]._repr_html_()
    assert html.count("<table") == html.count("<caption")
    assert re.findall(r"<th(?!ead)(?![^>]*scope=)[^>]*>", html) == []
    assert not re.search(r"(?<![-\w])(color|background)\s*:\s*(#|rgb|white|black)", html)
    assert "http://" not in html.replace(things["client"].base_url, "") or name == "client"


def test_tags_and_dollar_signs_in_titles_stay_text(things: dict[str, Any]) -> None:
    assert "<b>$5" not in things["study"]._repr_html_()
    assert "&lt;b&gt;<span>$</span>5" in things["study"]._repr_html_()


def test_a_report_that_differs_says_what(things: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "export"
    things["store"].export(things["study"], folder)
    (folder / "codebook.json").write_text("{}")
    html = vp.verify(folder)._repr_html_()
    assert "<b>Differs.</b>" in html
    assert "codebook.json" in html
