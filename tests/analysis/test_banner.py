"""A banner is the crosstabs of its questions, put together."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import banner, crosstab
from voxpop.errors import UsageError


@pytest.fixture
def people() -> pd.DataFrame:
    draw = np.random.default_rng(9)
    size = 500
    return pd.DataFrame(
        {
            "switch": draw.choice(["yes", "no", None], size),
            "liking": pd.Categorical(draw.choice(list("12345"), size), list("12345"), ordered=True),
            "arm": draw.choice(["a", "b"], size),
            "side": draw.choice(["left", "right", None], size),
            "w": draw.lognormal(0, 0.4, size),
        }
    )


def test_every_figure_is_that_of_the_crosstab(people: pd.DataFrame) -> None:
    report = banner(people, ["switch", "liking"], by=["arm", "side"], weight="w")
    for name in ("switch", "liking"):
        alone = crosstab(people, name, by=["arm", "side"], weight="w", sig=True)
        pd.testing.assert_frame_equal(report[name].long(), alone.long(), check_exact=True)
        pairs = report.pairs().query("question == @name").drop(columns="question").reset_index(drop=True)
        pd.testing.assert_frame_equal(pairs, alone.pairs(), check_exact=True)
        assert (
            report.association().query("question == @name").chi2.tolist() == alone.association().chi2.tolist()
        )
    assert len(report) == 2
    assert [table.name for table in report] == ["switch", "liking"]
    assert len(report.long()) == sum(len(table.long()) for table in report)


def test_nets_and_boxes_go_by_question(people: pd.DataFrame) -> None:
    nets, boxes = {"switch": {"answered": ["yes", "no"]}}, {"liking": 2}
    report = banner(people, ["switch", "liking"], by="arm", nets=nets, boxes=boxes)
    assert report["switch"].rows[-1] == ("net", "answered")
    assert [label for _, label in report["liking"].rows[-2:]] == ["Top 2 box", "Bottom 2 box"]
    with pytest.raises(UsageError, match="no question 'swich' for nets; did you mean switch"):
        banner(people, ["switch"], by="arm", nets={"swich": {}})
    with pytest.raises(UsageError, match="boxes of a banner must map questions"):
        banner(people, ["switch"], by="arm", boxes=2)  # type: ignore[arg-type]


def test_a_report_is_one_page_with_a_list_of_questions(people: pd.DataFrame) -> None:
    class Page(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.ids: set[str | None] = set()
            self.links: set[str | None] = set()
            self.captions = 0

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            told = dict(attrs)
            self.ids |= {told["id"]} if "id" in told else set()
            self.links |= {(told["href"] or "").removeprefix("#")} if "href" in told else set()
            self.captions += tag == "caption"

    page = Page()
    page.feed(banner(people, ["switch", "liking"], by="arm").to_html())
    assert page.links == page.ids
    assert page.captions == 2


def test_a_spec_makes_the_report_again(people: pd.DataFrame) -> None:
    first = banner(people, ["switch", "liking"], by=["arm"], boxes={"liking": (2, 1)}, min_base=10)
    names = ("rows", "by", "weight", "where", "percent", "sig", "nets", "boxes", "min_base", "small_base")
    for told, table in zip(first.spec()["tables"], first, strict=True):
        again = crosstab(people, **{name: told[name] for name in names})
        assert repr(again) == repr(table)


def test_refuses_what_cannot_be_meant(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="at least one question"):
        banner(people, [], by="arm")
    with pytest.raises(UsageError, match="twice"):
        banner(people, ["switch", "switch"], by="arm")
    with pytest.raises(UsageError, match="no question 'likin'; did you mean liking"):
        banner(people, ["switch", "liking"], by="arm")["likin"]
    with pytest.raises(UsageError, match="did you mean switch"):
        banner(people, ["swich"], by="arm")
