"""Each widget in a browser, from empty to result: readable in both themes at any width."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser_views import Seen, findings, overflow
from stage import page_of

import voxpop as vp
from voxpop.widgets import AskPanel, Explorer, JobProgress, RecruitBuilder
from voxpop.widgets.panel import Panel

Look = Callable[..., Seen]
US = vp.where(country="USA")


@pytest.fixture(scope="module")
def client() -> Iterator[vp.Client]:
    with vp.local(agents=3_000) as made:
        yield made


@pytest.fixture(scope="module")
def study(client: vp.Client) -> vp.Study:
    group = client.groups.recruit("g", filters=US, size=200, seed=5)
    made = vp.Study.create(client, group, title="Snack switching", objective="Who would switch, and why?")
    made.ask("Would you switch to a lower-sugar snack?", key="switch", type="yes_no")
    made.ask("How likely are you to buy it?", key="likely", type="scale", scale=(0, 10))
    made.ask("How much would you pay for a box of 12, in dollars?", key="price", type="number")
    made.ask("What would make you switch?", key="why", type="open")
    return made


@pytest.fixture(scope="module")
def store(study: vp.Study) -> Iterator[vp.Store]:
    with vp.Store() as made:
        study.pull(into=made)
        yield made


def do(widget: Panel, *actions: tuple[str, object, object]) -> Panel:
    """Perform an action of the browser on a widget and wait for the result."""
    widget._worker.idle(30)
    for place, (name, value, at) in enumerate(actions, 1):
        widget._received(None, {"do": name, "value": value, "at": at, "seq": place}, [])
        widget._worker.hurry()
        assert widget._worker.idle(30)
    return widget


def recruit_wrong(client: vp.Client, *_: object) -> Panel:
    typed = [("field", True, "age"), ("low", "sixty", "age"), ("size", "0", None), ("more", True, None)]
    return do(RecruitBuilder(client, filters=US), *typed)


def recruit_done(client: vp.Client, *_: object) -> Panel:
    opened = [("group", True, "health"), ("field", True, "bmi_class"), ("preview", None, None)]
    return do(
        RecruitBuilder(client, filters=US, size=20), *opened, ("recruit", None, None), ("code", True, None)
    )


def recruit_refused(client: vp.Client, *_: object) -> Panel:
    return do(RecruitBuilder(client, words="Children aged 8 to 12 in the USA"), ("recruit", None, None))


def ask_wrong(client: vp.Client, *_: object) -> Panel:
    group = client.groups.recruit("g", filters=US, size=10, seed=6)
    panel = AskPanel(vp.Study.create(client, group, title="Wrong"), keep=False)
    written = [("write", "How satisfied are you with the price and quality?", [1, "text"])]
    written += [("write", "The Price", [1, "key"]), ("write", "single_choice", [1, "type"])]
    return do(panel, ("add", None, None), *written, ("options", "Only one", 1))


def ask_screening(client: vp.Client, study: vp.Study, *_: object) -> Panel:
    panel = AskPanel(study, keep=False)
    return do(
        panel, ("screen", None, study.questions()[0].id), ("share", True, True), ("complete", None, None)
    )


def compared(client: vp.Client, study: vp.Study, store: vp.Store) -> Panel:
    explorer = Explorer(store)
    explorer.filters = vp.where(gender="female")
    chosen = [("by", "urban_rural", None), ("quote", "price", None), ("report", None, None)]
    return do(explorer, ("field", True, "education"), *chosen, ("code", True, None))


def side_by_side(client: vp.Client, study: vp.Study, store: vp.Store) -> Panel:
    return do(Explorer(store), ("question", "likely", None), ("by", "gender", None))


def averages(client: vp.Client, study: vp.Study, store: vp.Store) -> Panel:
    return do(Explorer(store), ("question", "price", None), ("by", "smoking_status", None))


def nobody(client: vp.Client, study: vp.Study, store: vp.Store) -> Panel:
    explorer = Explorer(store)
    explorer.filters = vp.where(country="Japan")
    return do(explorer)


STATES: dict[str, Callable[..., Panel]] = {
    "recruit empty": lambda client, *_: do(RecruitBuilder(client)),
    "recruit wrong": recruit_wrong,
    "recruit done": recruit_done,
    "recruit refused": recruit_refused,
    "ask wrong": ask_wrong,
    "ask screening": ask_screening,
    "explore empty": lambda client, study, store: do(Explorer(store)),
    "explore compared": compared,
    "explore side by side": side_by_side,
    "explore averages": averages,
    "explore nobody": nobody,
    "jobs unknown": lambda client, *_: do(JobProgress(client, ["job_unknown"], title="Unknown")),
}


@pytest.mark.parametrize("state", STATES)
def test_it_is_readable_in_both_themes_and_fits_any_width(
    look: Look, state: str, client: vp.Client, study: vp.Study, store: vp.Store, shots: Path
) -> None:
    widget = STATES[state](client, study, store)
    for theme in ("light", "dark"):
        seen = look(html=page_of(widget, theme), width=1180)
        seen.page.get_by_role("heading").first.wait_for()
        seen.page.screenshot(path=shots / f"{state.replace(' ', '-')}-{theme}.png", full_page=True)
        assert findings(seen.page, *(["color-contrast"] if theme == "dark" else [])) == [], theme
        seen.page.set_viewport_size({"width": 400, "height": 900})
        assert overflow(seen.page) == 0, theme
        assert seen.complaints == []
    widget.close()


def test_bars_are_as_long_as_the_figures_beside_them(look: Look, client: vp.Client, store: vp.Store) -> None:
    explorer = compared(client, None, store)
    drawing = look(html=page_of(explorer)).page.get_by_role("img", name="A bar chart of the table")
    top = float(drawing.locator(".vxp-chart-ticks > span").last.inner_text().split()[0])
    tracks = drawing.locator(".vxp-chart-track").all()
    figures = drawing.locator(".vxp-chart-value").all_inner_texts()
    assert len(tracks) == len(figures) == 6
    for track, figure in zip(tracks, figures, strict=True):
        share = track.locator(".vxp-chart-bar").bounding_box()["width"] / track.bounding_box()["width"]
        assert share == pytest.approx(float(figure.split()[0]) / top, abs=0.01)
    explorer.close()
