"""Analysis tables in a real browser: colours and width of the page, no console messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import Table, bands, banner, crosstab, means
from voxpop.verbatims import keywords

PAGE = (
    "<html><head><title>tables</title><style>:root {{ color-scheme: light dark }} "
    "body {{ font-family: sans-serif; background: Canvas; color: CanvasText }} "
    # what notebooks do to every table
    "tbody tr:nth-child(odd) {{ background: #8883 }} td, th {{ text-align: right; border: 1px solid red }}"
    "</style></head><body>{}</body></html>"
)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(6)
    size = 600
    gender = draw.choice(["male", "female", "non_binary"], size, p=[0.49, 0.49, 0.02])
    chance = np.where(gender == "male", 0.3, 0.6)
    return pd.DataFrame(
        {
            "switch": np.where(draw.random(size) < chance, "<b>yes</b>", "no, $5 or $6 is too much"),
            "price": draw.gamma(4, 2, size),
            "why": draw.choice(["too sweet for me", "cheap and tasty", "my doctor says so"], size),
            "gender": gender,
            "age": draw.integers(18, 90, size),
            "household_income": draw.choice([f"band {n}" for n in range(9)], size),
        }
    )


@pytest.fixture(scope="module")
def table(people: pd.DataFrame) -> Table:
    return crosstab(people, "switch", by=["gender", bands("age"), "household_income"], sig=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_takes_the_colours_of_its_page(look: Callable[..., Any], table: Table, scheme: str) -> None:
    seen = look(html=PAGE.format(table.to_html()), scheme=scheme)
    ink = seen.page.evaluate("getComputedStyle(document.body).color")
    for place in ("caption", "thead th", "tbody th", "tbody td", "tfoot td"):
        told = "(e) => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
        assert seen.page.locator(f".voxpop {place}").first.evaluate(told) == [ink, "rgba(0, 0, 0, 0)"]
    assert not seen.complaints
    assert len(seen.requests) == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_a_wide_table_scrolls_in_its_own_frame(look: Callable[..., Any], table: Table, width: int) -> None:
    seen = look(html=PAGE.format(table.to_html()), width=width)
    page, frame = (
        seen.page.evaluate(f"document.querySelector('{place}').scrollWidth") for place in ("html", ".voxpop")
    )
    assert page <= width
    assert frame > 360
    for words in ("caption span.terms", "tfoot span >> nth=-1"):
        assert seen.page.locator(words).bounding_box()["width"] <= width


def test_rows_heads_and_figures_stand_where_a_reader_looks(look: Callable[..., Any], table: Table) -> None:
    page = look(html=PAGE.format(table.to_html())).page
    align = "(all) => [...new Set(all.map((e) => getComputedStyle(e).textAlign))]"
    assert page.locator(".voxpop tbody th[scope=row]").evaluate_all(align) == ["left"]
    assert page.locator(".voxpop tbody td").evaluate_all(align) == ["right"]
    assert page.locator(".voxpop thead th[scope=colgroup]").all_inner_texts() == [
        "",
        "Gender",
        "Age",
        "Household income",
    ]
    assert page.locator("tbody.code th").all_inner_texts() == ["<b>yes</b>", "no, $5 or $6 is too much"]
    left = "(all) => [...new Set(all.map((e) => e.getBoundingClientRect().left))]"
    letters = page.locator("tbody.code tr td:nth-child(4) .letters")
    assert len(letters.evaluate_all(left)) == 1  # letters below each other, so figures too
    assert "A" in letters.all_inner_texts()[0]


def test_summaries_lists_and_reports_are_quiet_too(look: Callable[..., Any], people: pd.DataFrame) -> None:
    parts = (
        means(people, "price", by=["gender", "household_income"], sig=True),
        keywords(people, "why", "gender"),
        banner(people, ["switch", "gender"], by="household_income"),
    )
    seen = look(html=PAGE.format("".join(part._repr_html_() for part in parts)))
    assert seen.page.locator(".voxpop").count() == 4
    assert not seen.complaints
    assert seen.page.title() == "tables"
