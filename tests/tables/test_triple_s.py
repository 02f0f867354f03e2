"""Triple-S files, read by the rules of the standard (XML version 2.0.002) and by nothing of voxpop."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from content_models import TRIPLE_S, violations

from voxpop.tables.triple_s import latin

Element = ElementTree.Element


@dataclass
class Read:
    """A survey as an importing package sees it."""

    variables: Mapping[str, Element]
    rows: list[dict[str, Any]]

    def column(self, name: str) -> list[Any]:
        return [row[name] for row in self.rows]


@pytest.fixture(scope="module")
def survey(everything: Path) -> Read:
    root = ElementTree.parse(everything / "triple-s/respondents.sss").getroot()
    assert list(violations(root, TRIPLE_S)) == []
    record = root.find("survey/record")
    assert record is not None
    text = (everything / "triple-s/respondents.csv").read_bytes().decode("latin-1")
    assert min(text.replace("\n", " ")) >= " "
    lines = text.split("\n")[int(record.get("skip", 0)) : -1]
    variables = {one.findtext("name", ""): one for one in record}
    fields = list(csv.reader(io.StringIO("\n".join(lines))))
    assert {len(row) for row in fields} == {len(variables)}
    places = {name: int(one.find("position").get("start")) - 1 for name, one in variables.items()}
    return Read(
        variables,
        [{name: decoded(one, row[places[name]]) for name, one in variables.items()} for row in fields],
    )


def decoded(variable: Element, field: str) -> Any:
    """Return a value as the standard says: a label, a set of labels, a number, a flag or a text."""
    kind = variable.get("type")
    if not field.strip():
        return None
    if kind == "character":
        assert len(field) <= int(variable.findtext("size", ""))
        return field
    if kind == "logical":
        return {"0": False, "1": True}[field]
    labels = {one.get("code"): one.text for one in variable.iter("value")}
    if kind == "single":
        return labels[str(int(field))]
    if kind == "multiple":
        assert len(field) == max(map(int, labels))
        return {labels[str(place)] for place, mark in enumerate(field, 1) if mark == "1"}
    assert kind == "quantity"
    if field in labels:
        return labels[field]
    ends = variable.find("values/range")
    decimals = len(ends.get("to").partition(".")[2])
    assert len(field.partition(".")[2]) == decimals
    assert float(ends.get("from")) <= float(field) <= float(ends.get("to"))
    return float(field)


def test_names_and_codes_keep_the_rules(survey: Read) -> None:
    idents = [one.get("ident") for one in survey.variables.values()]
    assert len(set(idents)) == len(idents) == len(survey.variables)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name) for name in survey.variables)
    for one in survey.variables.values():
        codes = [value.get("code", "") for value in one.iter("value")]
        assert len(set(codes)) == len(codes)
        if one.get("type") in ("single", "multiple"):
            assert all(0 <= int(code) < 2**31 for code in codes)


def test_levels_come_with_labels_whatever_is_in_them(survey: Read) -> None:
    labels = [one.text for one in survey.variables["brand"].iter("value")]
    assert labels[:3] == ["Oat & <Rye>", 'Say "Corn"', 'Dips & <b>"Oat"</b> ]]> -- ’ñ日🙂\ufffd']
    assert survey.variables["brand"].findtext("label") == labels[2]
    assert survey.column("brand")[0] == "Oat & <Rye>"
    assert survey.column("gender")[:3] == ["female", "non_binary", "male"]


def test_several_choices_are_one_variable(survey: Read) -> None:
    assert survey.variables["brands"].get("type") == "multiple"
    assert survey.column("brands")[:2] == [{"Corn"}, {"Corn", "Oat"}]
    assert survey.column("brands")[5] == set()
    assert survey.column("brands")[2:4] == [None, None]


def test_each_kind_of_missing_answer_is_told(survey: Read) -> None:
    assert survey.column("price")[1:5] == [2.25, "not asked", "failed to answer", 5.25]
    assert survey.column("brands_missing")[1:5] == [None, "not asked", "failed to answer", None]
    assert survey.column("brand")[1] == "answered, but nothing that could be coded"
    assert survey.column("bmi_class")[7] == "no health data assigned"


def test_scales_have_scores_and_rankings_places(survey: Read) -> None:
    scores = {one.get("code"): one.get("score") for one in survey.variables["liking"].iter("value")}
    assert (scores["0"], scores["10"], scores["92"]) == ("0", "10", None)
    assert survey.column("liking")[0] == "1"
    assert survey.column("rank_1")[0] == 2
    assert survey.column("rank_3")[0] == 1


def test_the_weight_and_the_serial_number_are_marked(survey: Read) -> None:
    uses = {name: one.get("use") for name, one in survey.variables.items() if one.get("use")}
    assert uses == {"agent_id": "serial", "design_weight": "weight"}
    assert survey.column("agent_id") == list(range(1, 9))
    assert survey.column("design_weight")[0] == pytest.approx(1 / 3, abs=1e-9)


def test_types_are_those_of_the_columns(survey: Read) -> None:
    types = {name: survey.variables[name].get("type") for name in ("removed", "age", "summary", "switch")}
    assert types == {"removed": "logical", "age": "quantity", "summary": "character", "switch": "single"}
    assert survey.column("removed") == [False] * 8


def test_texts_that_the_data_cannot_hold_are_counted(everything: Path, survey: Read) -> None:
    assert survey.column("age_answer")[0] == 'Dips & <b>"Oat"</b> ]]> -- \'ñ?? 1'
    told = (everything / "triple-s/respondents.sss").read_text(encoding="utf-8")
    assert "age_answer: 8 texts have characters outside of Latin-1" in told


@pytest.mark.parametrize(
    ("text", "written"),
    [("café – “ja”…", 'café - "ja"...'), ("Łódź", "?ódz"), ("5 €\n\tnow", "5 EUR now"), ("", "")],
)
def test_texts_in_latin_1(text: str, written: str) -> None:
    assert latin(text) == (written, "?" in written)
