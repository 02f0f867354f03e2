"""Rendering of tables as text, HTML and frames from the same numbers."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import duckdb
import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import Table, crosstab, proportions, rake
from voxpop.analysis.layout import WIDTH
from voxpop.tables import Store
from voxpop.vocabulary import between, where


@pytest.fixture
def table() -> Table:
    data = pd.DataFrame(
        {
            "switch": pd.Categorical(["yes"] * 49 + ["no"] * 351, ["yes", "no"]),
            "gender": ["male", "female"] * 200,
            "age": 30,
        }
    )
    data.attrs["voxpop"] = {
        "columns": {"switch": {"text": "Would you <switch>?"}},
        "source": "engine embedded-1; population 1-7-100",
    }
    return crosstab(data, "switch", by="gender", where=where(age=between(25, 64)))


def test_prints_itself_handsomely(table: Table) -> None:
    assert repr(table) == (
        "Would you <switch>?\n"
        "Base: all who answered switch (n=400) · column % · unweighted · filter: adults\n"
        "aged 25 to 64\n"
        "\n"
        "┌───────────────────┬───────┬──────────────────────────────┐\n"
        "│                   │       │ gender                       │\n"
        "│                   │ Total │  male  female  non_binary ** │\n"
        "├───────────────────┼───────┼──────────────────────────────┤\n"
        "│ Base (unweighted) │   400 │   200     200              0 │\n"
        "├───────────────────┼───────┼──────────────────────────────┤\n"
        "│ yes               │  12.3 │  12.5    12.0                │\n"
        "│ no                │  87.8 │  87.5    88.0                │\n"
        "└───────────────────┴───────┴──────────────────────────────┘\n"
        "\n"
        "** base below 30: too small to read\n"
        "Source: engine embedded-1; population 1-7-100.\n"
        "Agents are simulated and chosen by filters: this is not evidence about people.\n"
        "  Intervals (95 %, Wilson) tell only the noise of drawing agents."
    )


def test_wide_holds_numbers_at_full_precision(table: Table) -> None:
    wide = table.wide()
    assert wide.loc["yes", ("Total", "Total")] == 12.25
    assert wide.loc["Base (unweighted)"].tolist() == [400, 200, 200, 0]


def test_long_names_every_column_of_the_specification(table: Table) -> None:
    assert table.long().columns.tolist() == [
        *("question", "row_kind", "row", "column_group", "column", "letter", "count", "weighted_count"),
        *("base", "weighted_base", "effective_base", "percent", "ci_low", "ci_high", "higher_than", "flag"),
        "footnote",
    ]


class Outline(HTMLParser):
    """Collect the tags with their attributes, and see that they close."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.stack: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "br":
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


def test_html_is_a_real_table_with_caption_and_scopes(table: Table) -> None:
    outline = Outline()
    outline.feed(table._repr_html_())
    assert outline.stack == []
    tags = [tag for tag, _ in outline.seen]
    assert tags[:4] == ["div", "style", "table", "caption"]
    scopes = [attributes.get("scope") for tag, attributes in outline.seen if tag == "th"]
    assert scopes == ["colgroup", "colgroup", *["col"] * 4, *["row"] * 3]
    assert tags.count("td") == 3 * 4 + 2 + 1


def test_html_escapes_what_people_wrote_and_sets_no_colour(table: Table) -> None:
    html = table.to_html()
    assert "Would you &lt;switch&gt;?" in html
    assert not re.search(r"(?<!-)color: (?!inherit)", html)
    assert "12.3" in html
    assert "Agents are simulated" in html


def test_wide_banners_are_stacked_within_the_page() -> None:
    data = pd.DataFrame(
        {"q": ["a", "b"] * 30, "g": [f"a rather long level number {n % 12}" for n in range(60)]}
    )
    lines = repr(crosstab(data, "q", by="g")).splitlines()
    assert max(map(len, lines)) <= WIDTH
    boxes = [line for line in lines if line.startswith("┌")]
    assert len(boxes) > 1


def test_row_percentages_mark_the_small_rows_instead_of_columns() -> None:
    data = pd.DataFrame({"q": ["a"] * 200 + ["b"] * 5, "g": "x"})
    text = repr(crosstab(data, "q", by="g", percent="row"))
    assert "100.0 **" in text
    assert "x **" not in text


def test_a_relation_of_a_store_brings_its_words_and_provenance() -> None:
    study = {"uuid": "s-1", "id": 1, "title": "Snacks"}
    question = {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?", "type": "yes_no"}
    agents = [{"id": n, "uuid": f"a-{n}", "name": "N", "age": 30 + n, "gender": "male"} for n in range(4)]
    answers = [
        {"id": n, "question_id": 1, "agent_id": n, "value": n > 1, "engine": "embedded-1"} for n in range(4)
    ]
    with Store() as store:
        store.save_study(study, [question], answers, agents, {"population": "1-7-100"})
        people = store.respondents("Snacks")
        for relation in (people, people.filter("age > 31")):
            table = crosstab(relation, "switch", by="gender")
            assert table.text == "Would you switch?"
            assert table.levels == ("yes", "no")
            assert table.source == "engine embedded-1; population 1-7-100"
        weighted = rake(people, {"gender": {"male": 1}}).add_to(people)
        kept = crosstab(weighted, "switch", by="gender", weight="weight")
        assert (kept.text, kept.levels, kept.source) == (table.text, table.levels, table.source)
        plain = crosstab(duckdb.from_arrow(people.to_arrow_table()), "switch")
        assert plain.text == "switch"


def test_who_was_not_asked_is_counted_apart_from_who_did_not_answer() -> None:
    study = {"uuid": "0f1e2d3c-0000-4000-8000-000000000001", "id": 1, "title": "Snacks"}
    about = {"type": "yes_no", "asked_count": 6, "answer_count": 6, "failed_count": 0}
    questions = [
        about | {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?"},
        about
        | {"id": 2, "uuid": "q-2", "key": "again", "question": "And again?", "asked_count": 4}
        | {"answer_count": 4},
    ]
    agents = [{"id": n, "uuid": f"a-{n}", "name": "N", "age": 30 + n, "gender": "male"} for n in range(6)]
    answers = [
        {"id": 6 * question + n, "question_id": question, "agent_id": n, "value": None if n == 3 else n > 0}
        for question, asked in ((1, 6), (2, 4))
        for n in range(asked)
    ]
    with Store() as store:
        store.save_study(study, questions, answers, agents)
        people = store.respondents()
        told = crosstab(people, "again", by="gender")
        assert told.wide()["Total", "Total"].tolist() == [3, 100 * 2 / 3, 100 / 3, 1, 2]
        assert told.wide().index[-2:].tolist() == ["no answer", "not asked"]
        long = told.long().query("row_kind == 'missing' and column == 'male'").set_index("row")["count"]
        assert long.to_dict() == {"no answer": 1, "not asked": 2}
        assert "│ not asked" in repr(told)
        assert "2 were not asked." in proportions(people, "again").notes()
        assert "not asked" not in repr(crosstab(people, "switch"))
        some = crosstab(people.filter("age > 33"), "again", where=np.array([False, True]))
        assert some.wide().loc["not asked"].tolist() == [1]
        assert "not asked" not in crosstab(people.df(), "again").wide().index  # a frame cannot tell
