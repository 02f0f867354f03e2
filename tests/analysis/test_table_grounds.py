"""Figures say in their captions what they rest on: placeholders, or the source of a published figure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

import voxpop as vp
from four_bases import MODELLED, PUBLISHED, FourBases
from voxpop.analysis.cautions import grounds_told

ALL_GUESSED = "Placeholders: no figure is known for 'guessed' (40 of 40 answers). Nothing here is a finding."
HALF = "of 40 answers to 'half'."
SOURCE = f"Published, 'known': {PUBLISHED.note}"


@pytest.fixture(scope="module")
def store() -> Iterator[vp.Store]:
    with vp.local(agents=3_000, engine=FourBases()) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=40)
        study = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
        study.ask("Have you heard of it?", key="known", type="yes_no")
        study.ask("Would you switch, as a guess?", key="guessed", type="yes_no")
        study.ask("Do you half agree?", key="half", type="scale", scale=(1, 5))
        study.ask("What would you pay, as a guess?", key="paid", type="number")
        study.ask("Why, as a guess?", key="why", type="open")
        study.ask("Is it mixed?", key="mixed", type="yes_no")
        with vp.Store() as made:
            study.pull(into=made)
            yield made


@pytest.fixture(params=["relation", "frame", "arrow"])
def people(request: pytest.FixtureRequest, store: vp.Store) -> object:
    if request.param == "frame":
        return store.frame()
    relation = store.respondents()
    return relation if request.param == "relation" else vp.declare(relation, "simulated")


def words(made: object) -> str:
    """Text with single spaces, as captions are wrapped."""
    return " ".join(str(made).split())


def test_a_table_of_placeholders_says_that_it_is_no_finding(people: object) -> None:
    table = vp.crosstab(people, "guessed", by="gender")
    assert ALL_GUESSED in words(table)
    assert "Nothing here is a finding." in table.to_html()
    assert table.grounds == (ALL_GUESSED,)


def test_a_partly_known_question_gives_the_number(store: vp.Store) -> None:
    lost = store.sql("SELECT count(*) FROM answers JOIN questions USING (question_uuid) "
                     "WHERE key = 'half' AND basis = 'none'").fetchall()[0][0]  # fmt: skip
    assert 0 < lost < 40
    told = f"Placeholders: no figure is known for {lost} {HALF}"
    for made in (vp.crosstab(store.respondents(), "half"), vp.means(store.respondents(), "half")):
        assert told in words(made)
        assert "Nothing here is a finding" not in words(made)


def test_attributes_and_filters_count_too(store: vp.Store) -> None:
    assert ALL_GUESSED in words(vp.crosstab(store.respondents(), "known", by="guessed"))
    assert ALL_GUESSED in words(vp.crosstab(store.respondents(), "known", where={"guessed": "yes"}))


def test_summaries_prices_and_their_charts_say_it(store: vp.Store) -> None:
    told = "Placeholders: no figure is known for 'paid' (40 of 40 answers). Nothing here is a finding."
    mean = vp.means(store.respondents(), "paid")
    assert told in mean.caption().splitlines()[1]
    assert told in words(vp.price_ladder(store.respondents(), "paid"))
    table = vp.crosstab(store.respondents(), "guessed")
    for picture in (mean.plot(), table.plot()):
        subtitle = " ".join(" ".join(picture.chart.to_dict()["title"]["subtitle"]).split())
        assert "Nothing here is a finding." in subtitle


def test_lists_of_answers_say_it(store: vp.Store) -> None:
    told = "Placeholders: no figure is known for 'why' (40 of 40 answers). Nothing here is a finding."
    assert told in words(vp.quotes(store.respondents(), "why", n=3))


def test_an_excel_file_says_it(store: vp.Store, tmp_path: Path) -> None:
    path = tmp_path / "guessed.xlsx"
    vp.crosstab(store.respondents(), "guessed").to_excel(path)
    sheet = openpyxl.load_workbook(path).worksheets[0]
    cells = [str(cell.value) for row in sheet.iter_rows(max_row=4) for cell in row if cell.value]
    assert any(ALL_GUESSED in cell for cell in cells)


def test_an_export_opened_elsewhere_still_knows(store: vp.Store, tmp_path: Path) -> None:
    store.export(None, tmp_path / "export")
    with vp.open_export(tmp_path / "export") as opened:
        assert ALL_GUESSED in words(vp.crosstab(opened.respondents(), "guessed"))


def test_a_table_of_published_answers_names_the_source(people: object, tmp_path: Path) -> None:
    table = vp.crosstab(people, "known", by="gender")
    assert SOURCE in words(table)
    assert "Published, &#x27;known&#x27;: " in table.to_html()
    assert table.grounds == (SOURCE,)
    table.to_excel(tmp_path / "known.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "known.xlsx").worksheets[0]
    cells = [str(cell.value) for row in sheet.iter_rows(max_row=4) for cell in row if cell.value]
    assert any(SOURCE in cell for cell in cells)


def test_answers_that_rest_on_several_things_are_counted_by_kind(store: vp.Store) -> None:
    counts = dict(
        store.sql(
            "SELECT basis::VARCHAR, count(*) FROM answers JOIN questions USING (question_uuid)"
            " WHERE key = 'mixed' GROUP BY 1"
        ).fetchall()
    )
    assert vp.crosstab(store.respondents(), "mixed").grounds == (
        f"Placeholders: no figure is known for {counts['none']} of 40 answers to 'mixed'.",
        f"Published, {counts['published']} of 40 answers to 'mixed': {PUBLISHED.note}",
        f"Modelled, {counts['modelled']} of 40 answers to 'mixed': {MODELLED.note}",
    )


def test_sources_are_bounded_in_number_and_length() -> None:
    long = " ".join(["survey"] * 60)
    bases = [{"kind": "published", "answers": 9, "notes": [f"{long}.", "Another."]}]
    names = [f"q{at}" for at in range(9)]
    told = grounds_told({name: {"bases": bases} for name in names}, names)
    assert len(told) == 4
    assert told[0].startswith("Published, 'q0': survey survey")
    assert told[0].endswith(" … (and 1 other note)")
    assert max(map(len, told)) < 240
    assert told[-1] == "6 more sources in the codebook."


def test_known_answers_and_data_without_bases_have_no_notice(store: vp.Store) -> None:
    assert "Placeholders" not in words(vp.crosstab(store.respondents(), "known", by="gender"))
    plain = pd.DataFrame({"guessed": ["yes", "no", "yes"]})
    assert "Placeholders" not in words(vp.crosstab(plain, "guessed"))
