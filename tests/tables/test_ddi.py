"""DDI Codebook 2.5: elements in the order of the schema, and frequencies that the coded data give."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from content_models import DDI, violations

Element = ElementTree.Element


@pytest.fixture(scope="module")
def book(everything: Path) -> Element:
    root = ElementTree.parse(everything / "ddi/codebook.xml").getroot()
    assert root.tag == "{ddi:codebook:2_5}codeBook"
    assert list(violations(root, DDI)) == []
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


@pytest.fixture(scope="module")
def data(everything: Path) -> pd.DataFrame:
    return pd.read_csv(everything / "ddi/respondents.csv")


def variables(book: Element) -> dict[str, Element]:
    return {one.get("name", ""): one for one in book.iter("var")}


def test_the_study_is_described_and_called_simulated(book: Element) -> None:
    title = 'Dips & <b>"Oat"</b> ]]> -- ’ñ日🙂\ufffd'
    assert book.findtext("stdyDscr/citation/titlStmt/titl") == title
    assert book.findtext("stdyDscr/citation/titlStmt/IDNo") == "study-1"
    told = [one.text or "" for one in book.iter("abstract")]
    assert told[0] == "Who?"
    assert "not evidence about people" in told[1]
    assert "embedded-1" in book.findtext("stdyDscr/method/dataColl/collMode", "")
    assert "1-7-1000" in book.findtext("stdyDscr/stdyInfo/sumDscr/universe", "")


def test_variables_are_the_columns_of_the_data(book: Element, data: pd.DataFrame) -> None:
    assert list(variables(book)) == list(data.columns)
    assert book.findtext("fileDscr/fileTxt/dimensns/caseQnty") == str(len(data))
    assert book.findtext("fileDscr/fileTxt/dimensns/varQnty") == str(len(data.columns))
    ids = [one.get("ID") for one in book.iter() if one.get("ID")]
    assert len(set(ids)) == len(ids)


def test_frequencies_are_those_of_the_data(book: Element, data: pd.DataFrame) -> None:
    counted = 0
    for name, variable in variables(book).items():
        for category in variable.iter("catgry"):
            code = float(category.findtext("catValu", ""))
            assert int(category.findtext("catStat", "")) == int((data[name] == code).sum()), (name, code)
            counted += 1
        codes = [float(one.findtext("catValu", "")) for one in variable.iter("catgry") if one.get("missing")]
        valid = data[name].notna() & ~data[name].isin(codes)
        told = {one.get("type"): one.text for one in variable.iter("sumStat")}
        assert (told["vald"], told["invd"]) == (str(valid.sum()), str((~valid).sum())), name
    assert counted > 100


def test_questions_have_their_wording_and_labels(book: Element) -> None:
    brand = variables(book)["brand"]
    nasty = 'Dips & <b>"Oat"</b> ]]> -- ’ñ日🙂\ufffd'
    assert brand.findtext("qstn/qstnLit") == nasty
    labels = [one.findtext("labl") for one in brand.iter("catgry")]
    assert labels[:3] == ["Oat & <Rye>", 'Say "Corn"', nasty]
    marked = {one.findtext("labl") for one in brand.iter("catgry") if one.get("missing") == "Y"}
    assert "not asked" in marked
    assert variables(book)["age"].find("qstn") is None


def test_missing_codes_and_ranges_are_declared(book: Element) -> None:
    price = variables(book)["price"]
    assert {one.get("VALUE") for one in price.iter("item")} >= {"-92", "-93"}
    ends = price.find("valrng/range")
    assert ends is not None
    assert (ends.get("min"), ends.get("max"), ends.get("UNITS")) == ("1.25", "8.25", "REAL")


def test_options_of_a_question_belong_together(book: Element) -> None:
    sets = {one.get("name"): one for one in book.iter("varGrp")}
    ids = {one.get("ID"): name for name, one in variables(book).items()}
    assert [ids[own] for own in sets["brands"].get("var", "").split()] == ["brands_1", "brands_2", "brands_3"]
    assert (sets["brands"].get("type"), sets["rank"].get("type")) == ("multipleResp", "other")


def test_the_weight_is_told(book: Element) -> None:
    weight = variables(book)["design_weight"]
    assert weight.get("wgt") == "wgt"
    assert variables(book)["brand"].get("wgt-var") == weight.get("ID")
    assert "inverse" in book.findtext("stdyDscr/method/dataColl/weight", "")
