"""Labels containing scripts, rendered by every output and opened in a real browser: no script runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from browser_views import Seen

import voxpop as vp
from voxpop.analysis import Picture
from voxpop.client import Client
from voxpop.client.look import QuestionLook
from voxpop.tables import Store
from voxpop.verbatims import Words, agreement, keywords, quotes, themes
from voxpop.widgets import Explorer

RUN = "window.ran=1"
LABELS = (
    f"</script><script>{RUN}</script>",
    f"<!--<script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f"\"'><svg onload={RUN}>",
    f"]]><script>{RUN}</script>",
    f"${{{RUN}}} {{{{constructor.constructor('{RUN}')()}}}}",
    f"\u2028{RUN}//",
    '=HYPERLINK("http://evil.test","y")',
)
QUESTION, BY, OTHER = f"Why {LABELS[0]}?", f"arm {LABELS[2]}", f"side {LABELS[3]}"


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(3)
    n = 400
    data = pd.DataFrame(
        {
            "q": pd.Categorical(draw.choice(LABELS, n), LABELS, ordered=True),
            BY: draw.choice(LABELS[:3], n),
            OTHER: draw.choice(LABELS[3:5], n),
            "price": draw.integers(2, 9, n).astype(float),
            "score": draw.integers(0, 11, n),
            "yes": draw.choice(["yes", "no"], n),
            "why": [
                f"{word} {LABELS[0]} {LABELS[2]}" for word in draw.choice(["taste", "price", "habit"], n)
            ],
            "agent_id": range(n),
        }
    )
    for place, name in enumerate(("tc", "ch", "ex", "te")):
        data[name] = data.price * (place + 1)
    told = {name: {"text": f"{name} {QUESTION}"} for name in ("q", "score", "price", "yes", "tc", "ex")}
    told["why"] = {"text": QUESTION, "type": "open"}
    data.attrs["voxpop"] = {"columns": told, "source": f"engine {LABELS[0]}", "provenance": "simulated"}
    return data


@pytest.fixture(scope="module")
def made(people: pd.DataFrame) -> dict[str, Any]:
    """Return every output made from the data, by name."""
    asked = {"too_cheap": "tc", "cheap": "ch", "expensive": "ex", "too_expensive": "te"}
    chosen = vp.where(**{OTHER: LABELS[3]})
    nets = {f"net {LABELS[4]}": list(LABELS[:2])}
    return {
        "crosstab": vp.crosstab(people, "q", by=[BY, OTHER], sig=True, nets=nets),
        "filtered": vp.crosstab(people, "q", by=BY, where=chosen),
        "cohorts": vp.cohorts(people, "q", {LABELS[0]: chosen, LABELS[2]: vp.where(**{BY: LABELS[0]})}),
        "means": vp.means(people, "score", by=BY, sig=True),
        "nps": vp.nps(people, "score", by=BY),
        "proportions": vp.proportions(people, "q", LABELS[0], by=BY),
        "box": vp.box(people, "q", 2, by=BY),
        "range": vp.price_range(people, asked, by=BY, resamples=20),
        "ladder": vp.price_ladder(people, "price", by=BY),
        "validation": vp.validate(people, "q", {label: 12.5 for label in LABELS}, by=None),
        "quotes": quotes(people, "why", n=2, by=BY, attributes=[OTHER], ids="agent_id"),
        "keywords": keywords(people, "why", by=BY, words=Words(min_answers=1)),
        "themes": themes(people, "why", k=2, by=BY, words=Words(min_answers=1)),
        "agreement": agreement(pd.DataFrame({LABELS[0]: people.yes, LABELS[2]: people.yes})),
    }


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Export a study with hostile text in every field, and a table; return the folder."""
    question = {
        "id": 1,
        "uuid": "q-1",
        "key": "q",
        "question": QUESTION,
        "type": "single_choice",
        "options": list(LABELS),
        "unit": LABELS[2],
        "notice": LABELS[0],
    }
    agents = [
        {
            "id": n,
            "uuid": f"a-{n}",
            "name": LABELS[n % 8],
            "age": 30,
            "gender": "male",
            "occupation": LABELS[0],
        }
        for n in range(16)
    ]
    answers = [
        {"id": n, "question_id": 1, "agent_id": n, "value": LABELS[n % 8], "response": LABELS[n % 8]}
        for n in range(16)
    ]
    with Store() as store:
        title = f"# {LABELS[0]} [x](javascript:{RUN})"
        store.save_study(
            {"uuid": "s-1", "id": 1, "title": title, "objective": f"- {LABELS[2]}\n\n{LABELS[0]}"},
            [question],
            answers,
            agents,
            {"population": LABELS[0]},
        )
        table = vp.crosstab(store.respondents(), "q", by="occupation")
        folder = tmp_path_factory.mktemp("hostile") / "study"
        yield store.export("s-1", folder, formats=["excel"], tables=table)


def untouched(seen: Seen) -> None:
    """Assert that no script of a label ran, and that none of its elements is there."""
    assert seen.page.evaluate("window.ran") is None
    for tag in ("img", "svg[onload]", "[onerror]"):
        assert seen.page.locator(tag).count() == 0, tag
    assert not [address for address in seen.requests if "evil" in address or address.endswith("/x")]


def test_tables_and_lists(made: dict[str, Any], look: Callable[..., Seen]) -> None:
    for name, one in made.items():
        seen = look(html=f"<!doctype html><title>t</title>{one._repr_html_()}")
        untouched(seen)
        assert seen.page.locator("script").count() == 0, name
        if name not in ("themes", "validation", "range", "ladder", "agreement"):
            assert RUN in seen.page.locator("body").inner_text(), name  # it is there, as text


PICTURES = (
    *("crosstab", "means", "nps", "proportions", "range", "ladder"),
    *("validation", "keywords", "themes", "agreement"),
)


@pytest.mark.parametrize("name", PICTURES)
def test_saved_charts(made: dict[str, Any], look: Callable[..., Seen], tmp_path: Path, name: str) -> None:
    picture: Picture = made[name].plot()
    page = picture.save(tmp_path / "chart.html")
    seen = look(page.as_uri())
    seen.page.wait_for_selector("#vega-chart svg")
    untouched(seen)
    assert not [told for told in seen.complaints if not told.startswith("WARN")]
    drawn = seen.page.locator("#vega-chart svg").first
    if name != "agreement":
        assert "simulated" in (drawn.text_content() or "")
    assert "</script" not in page.read_text(encoding="utf-8").split("const spec = ")[1].split("\n")[0]
    for mark in seen.page.locator("#vega-chart svg path[aria-label]").all()[:2]:  # what a pointer brings up
        mark.hover(force=True)
    untouched(seen)


def test_drawn_pictures(made: dict[str, Any], look: Callable[..., Seen]) -> None:
    for name in ("crosstab", "keywords"):
        seen = look(html=f"<!doctype html><title>t</title>{made[name].plot().to_svg()}")
        untouched(seen)
        assert seen.page.locator("script").count() == 0


def test_pages_of_an_export(export: Path, look: Callable[..., Seen]) -> None:
    pages = sorted(export.rglob("*.html"))
    assert len(pages) >= 2
    for page in pages:
        seen = look(page.as_uri())
        untouched(seen)
        assert seen.page.locator("script").count() == 0
        assert RUN in seen.page.locator("body").inner_text()


def test_markdown_of_an_export(export: Path) -> None:
    told = (export / "README.md").read_text(encoding="utf-8")
    head, objective = (line for line in told.splitlines()[:3] if line)
    assert head == (
        "# # &lt;/script&gt;&lt;script&gt;window.ran=1&lt;/script&gt; \\[x\\](javascript:window.ran=1)"
    ).replace("# #", "# \\#")
    assert objective.startswith("\\- &lt;img src=x onerror=window.ran=1&gt; &lt;/script&gt;")


def test_excel_keeps_texts_texts(made: dict[str, Any], export: Path, tmp_path: Path) -> None:
    formula = LABELS[-1]
    books = [made[name].to_excel(tmp_path / f"{name}.xlsx") for name in ("crosstab", "proportions", "means")]
    found = 0
    for path in (*books, export / "excel/study.xlsx"):
        for sheet in openpyxl.load_workbook(path).worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    assert cell.data_type != "f", (path.name, cell.coordinate)
                    if cell.value == formula:  # as it is, and still a text when somebody edits the cell
                        assert cell.quotePrefix
                        found += 1
    assert found > 3


def test_what_a_notebook_shows(export: Path, look: Callable[..., Seen]) -> None:
    shown: list[Any] = [vp.verify(export), Client("http://127.0.0.1:9/v1", api_key="k")]
    asked = {"id": 1, "question": QUESTION, "options": list(LABELS), "key": BY}
    shown.append(QuestionLook.model_construct(**asked, uuid=LABELS[2], type=LABELS[3]))
    with vp.open_export(export) as store:
        shown.append(store)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            explorer = Explorer(store)
            explorer.question = "q"
            bundle = explorer._repr_mimebundle_()
        parts = [one._repr_html_() for one in shown if hasattr(one, "_repr_html_")]
        still = bundle[0] if isinstance(bundle, tuple) else bundle
        parts.append(still["text/html"])
        for part in parts:
            seen = look(html=f"<!doctype html><title>t</title>{part}")
            untouched(seen)
            assert seen.page.locator("script").count() == 0
        explorer.close()
