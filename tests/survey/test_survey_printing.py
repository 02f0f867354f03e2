"""What a survey prints: its rows, design and provenance, and its variables with a search over labels."""

from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest

import voxpop as vp

HOSTILE = '<img src=x onerror="alert(1)"> & $5 </script>'


class Tags(HTMLParser):
    """The elements of a page, its texts, and the attributes that run scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.scripts += [str(value) for name, value in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture
def people() -> vp.Survey:
    frame = pd.DataFrame({"q": [1, 2] * 20, "wt": [1.0, 2.0] * 20, "name": ["x"] * 40})
    labels = {"q": ("Would you switch?", {1: "Yes", 2: "No"})}
    return vp.data(frame, weight="wt", labels=labels, provenance="human", name="snacks")


def test_the_text_names_rows_design_provenance_and_variables(people: vp.Survey) -> None:
    assert repr(people) == (
        "Survey snacks: 40 rows · 3 variables · answers of people · weighted by wt\n\n"
        "  q     category  Would you switch? [Yes, No]\n"
        "  wt    number\n"
        "  name  text"
    )
    assert (
        repr(people.where(q="Yes")).splitlines()[-1] == "  1. Kept respondents whose q is Yes: 20 of 40 rows."
    )


def test_a_small_selection_shows_its_rows(people: vp.Survey) -> None:
    assert repr(people.limit(2)).splitlines()[2:] == ["q    wt  name", "Yes  1   x", "No   2   x"]


def test_a_variable_prints_codes_levels_and_missing_values(people: vp.Survey) -> None:
    assert repr(people.variables["q"]) == "q: Would you switch?\n  category\n    1 = Yes\n    2 = No"


def test_labels_cannot_become_markup(people: vp.Survey) -> None:
    frame = people.relation.df()
    hostile = vp.data(
        frame, labels={"name": HOSTILE}, name=HOSTILE, sets={HOSTILE: {"columns": ["q"], "counted": "Yes"}}
    )
    for shown in (hostile, hostile.limit(1), hostile.filter(f"name <> '{HOSTILE}'")):
        page = Tags(shown._repr_html_())
        assert not {"img", "script"} & set(page.names)
        assert page.scripts == Tags(people._repr_html_()).scripts
        assert HOSTILE.split(" & ")[0] in "".join(page.texts)


def test_the_search_is_beside_a_table_that_needs_no_script(people: vp.Survey) -> None:
    page = Tags(people._repr_html_())
    assert "input" in page.names
    assert {"Would you switch?", "1 Yes", "2 No"} <= set(page.texts)
    assert people._repr_html_() == people._repr_html_()


def test_many_variables_are_listed_up_to_a_limit() -> None:
    wide = vp.data(pd.DataFrame({f"q{number}": [1] * 30 for number in range(1_010)}))
    assert "and 985 more; people.search('word') finds them" in repr(wide)
    assert "and 10 more variables" in wide._repr_html_()
