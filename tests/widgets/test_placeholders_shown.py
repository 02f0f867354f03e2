"""The widgets show which answers are placeholders."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hands import Hands

import voxpop as vp
from four_bases import NONE, PUBLISHED, FourBases
from voxpop.widgets import AskPanel, Explorer
from voxpop.widgets.panel import Panel

Take = Callable[[Panel], Hands]


@pytest.fixture(scope="module")
def study() -> Iterator[vp.Study]:
    with vp.local(agents=3_000, engine=FourBases()) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=40)
        made = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
        made.ask("Would you switch, as a guess?", key="guessed", type="yes_no")
        made.ask("Do you half agree?", key="half", type="yes_no")
        made.ask("Why, as a guess?", key="why", type="open")
        yield made


def test_the_panel_names_what_the_answers_rest_on(study: vp.Study, hands: Take) -> None:
    ui = hands(AskPanel(study))
    assert "Placeholders: no figure is known for the answers. They are not findings." in ui.text
    assert "Placeholders: no figure is known for some of the answers." in ui.text
    assert f"none: {NONE.note}" in ui.text
    assert f"published: {PUBLISHED.note}" in ui.text


def test_the_explorer_shows_the_notice_above_its_table_and_its_quotes(study: vp.Study, hands: Take) -> None:
    with vp.Store() as store:
        study.pull(into=store)
        explorer = Explorer(store)
        ui = hands(explorer)
        told = "Placeholders: no figure is known for 'guessed' (40 of 40 answers)."
        assert explorer.table is not None
        assert told in " ".join(explorer.table.caption().split())
        assert "no figure is known for 'why' (40 of 40 answers)" in ui.text
