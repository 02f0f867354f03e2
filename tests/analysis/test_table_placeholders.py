"""Figures made from placeholders say so in their captions, wherever they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

import voxpop as vp
from four_bases import FourBases

ALL_GUESSED = "Placeholders: no figure is known for 'guessed' (40 of 40 answers). Nothing here is a finding."
HALF = "of 40 answers to 'half'."


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
    assert table.placeholders == (ALL_GUESSED,)


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


def test_known_answers_and_data_without_bases_have_no_notice(store: vp.Store) -> None:
    assert "Placeholders" not in words(vp.crosstab(store.respondents(), "known", by="gender"))
    plain = pd.DataFrame({"guessed": ["yes", "no", "yes"]})
    assert "Placeholders" not in words(vp.crosstab(plain, "guessed"))
