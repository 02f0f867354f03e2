"""Regressions: equal to R's survey package, with named reference levels, counted gaps and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp
from voxpop.errors import UsageError

HERE = Path(__file__).parents[1] / "reference" / "models"
EXPECTED: dict[str, Any] = json.loads((HERE / "models_r.json").read_text())
ON = ["gender", "region", "age", "income"]


@pytest.fixture
def people() -> pd.DataFrame:
    made = pd.read_csv(HERE / "people.csv")
    made["liking"] = pd.Categorical(made.liking, ["low", "middle", "high", "top"], ordered=True)
    return made


@pytest.mark.parametrize("weight", ["weight", None])
@pytest.mark.parametrize(
    ("question", "kind"), [("score", "linear"), ("switch", "logistic"), ("liking", "ordinal")]
)
def test_coefficients_and_errors_equal_those_of_r(
    people: pd.DataFrame, question: str, kind: str, weight: str | None
) -> None:
    made = vp.regress(people, question, ON, weight=weight, reference={"gender": "male"})
    held = EXPECTED[f"{kind}_{'weighted' if weight else 'plain'}"]
    long = made.long()
    assert made.kind == kind
    assert long.df.tolist() == held["df"] * len(long)
    for ours, theirs in {"estimate": "estimate", "se": "se", "statistic": "t", "p": "p"}.items():
        if theirs in held:
            np.testing.assert_allclose(long[ours], held[theirs], rtol=1e-7)
    if kind == "ordinal":
        return
    np.testing.assert_allclose(long[["ci_low", "ci_high"]].T, [held["low"], held["high"]], rtol=1e-7)
    assert made.explained == pytest.approx(held["explained"][0], rel=1e-9)
    test = made.tests_of_terms().set_index("term").loc["region"]
    assert [test.F, test.p] == pytest.approx([held["wald_f"][0], held["wald_p"][0]], rel=1e-7)


def test_grouped_rows_a_relation_and_arrow_give_the_same_figures(people: pd.DataFrame) -> None:
    people["income"] = people.income.round(-1)  # few values: equal rows are grouped and counted
    once = vp.regress(people, "switch", ["gender", "income"], weight="weight").long()
    shuffled = people.sample(frac=1, random_state=1)
    again = vp.regress(pa.Table.from_pandas(shuffled), "switch", ["gender", "income"], weight="weight").long()
    pd.testing.assert_frame_equal(once, again, check_exact=True)


def test_a_million_different_rows_are_read_one_by_one(people: pd.DataFrame) -> None:
    draw = np.random.default_rng(3)
    many = pd.DataFrame({"x": draw.normal(size=21_000), "arm": draw.choice(["a", "b"], 21_000)})
    many["y"] = 2 + 3 * many.x + (many.arm == "b") + draw.normal(size=21_000)
    design = np.column_stack([np.ones(21_000), many.x, many.arm == "b"]).astype(float)
    expected = np.linalg.lstsq(design, many.y, rcond=None)[0]
    np.testing.assert_allclose(vp.regress(many, "y", ["x", "arm"]).long().estimate, expected, rtol=1e-9)


def test_the_table_names_references_odds_and_gaps(people: pd.DataFrame) -> None:
    made = vp.regress(people, "switch", [*ON[:2], vp.bands("age", [18, 45]), "income"], weight="weight")
    text = repr(made)
    assert "logistic regression of switch = yes" in made.caption()
    assert "Base: 394 with all answers · weighted by weight, effective base 316" in made.caption()
    assert "6 left out for a missing answer: switch 2, income 4." in made.notes()
    assert "male (reference)" in text
    assert "18-44 (reference)" in text
    assert "odds ratio" in text
    long = made.long().set_index(["term", "level"])
    assert long.loc[("age", "45+"), "odds_ratio"] == pytest.approx(
        np.exp(long.loc[("age", "45+"), "estimate"])
    )
    assert made.spec()["reference"] == {"gender": "male", "region": "east", "age": "18-44"}
    assert made.spec()["on"][2] == {"bands": "age", "starts": [18, 45]}
    assert "<table" in made.to_html()


def test_several_levels_against_the_rest(people: pd.DataFrame) -> None:
    top = vp.regress(people, "liking", "age", level=["high", "top"])
    people["like"] = people.liking.isin(["high", "top"])
    np.testing.assert_allclose(top.long().estimate, vp.regress(people, "like", "age").long().estimate)
    assert top.outcome == "liking = high or top"


def test_options_of_a_multi_response_question_are_variables(people: pd.DataFrame) -> None:
    people["brands"] = [["oat", "rye"] if n % 3 else ["rye"] if n % 2 else [] for n in range(len(people))]
    lines = vp.regress(people, "score", "brands").long()
    assert lines.level.tolist() == ["", "oat", "rye"]
    assert lines.reference.tolist() == ["", "", ""]


def test_answers_of_agents_are_told_to_be_no_evidence(people: pd.DataFrame) -> None:
    people.attrs["voxpop"] = {
        "columns": {
            "switch": {
                "text": "Would you switch?",
                "bases": [{"kind": "none", "answers": 400, "notes": ["-"]}],
            }
        }
    }
    made = vp.regress(vp.declare(people, "simulated"), "switch", "age")
    assert made.caption().startswith("Would you switch?\nPlaceholders: no figure is known for 'switch'")
    assert "not evidence about people" in made.notes()[-1]


def test_pictures_and_workbooks(people: pd.DataFrame, tmp_path: Path) -> None:
    made = vp.regress(people, "switch", ON)
    spec = json.dumps(made.plot().chart.to_dict())
    assert "Odds ratio of switch = yes, with 95 % interval" in spec
    assert '"log"' in spec
    frame = pd.read_excel(made.to_excel(tmp_path / "made.xlsx"), sheet_name="every figure")
    np.testing.assert_allclose(frame.estimate, made.long().estimate)


def test_refusals_name_the_variable_and_the_cure(people: pd.DataFrame) -> None:
    people["same"] = "x"
    people["twice"] = people.age * 2 + 1
    people["tells"] = np.where(people.switch == "yes", "a", np.where(people.age > 50, "b", "c"))
    people["flat"] = 3.0
    people["rare"] = ["a"] + ["b"] * 399
    wrong = {
        ("score", "same"): "'same' is 'x' for all respondents of the model",
        ("score", ("age", "twice")): "'twice' is made up by 'age' \\(collinear\\)",
        ("switch", "tells"): "All respondents with 'tells' 'b' give the same answer; combine it",
        ("flat", "age"): "'flat' is 3 for all respondents of the model, so there is nothing to explain",
        ("region", "age"): "'region' has levels without an order: .* level='east'",
        ("score", ("age", "score")): "'score' is the outcome",
        ("score", "gendr"): "no column 'gendr'; did you mean gender",
    }
    for (question, on), told in wrong.items():
        with pytest.raises(UsageError, match=told):
            vp.regress(people, question, list(on) if isinstance(on, tuple) else on)
    with pytest.raises(UsageError, match="'gender' has no respondents with 'mal'; did you mean male"):
        vp.regress(people, "score", "gender", reference={"gender": "mal"})
    with pytest.raises(UsageError, match="'region', which is not a variable"):
        vp.regress(people, "score", "gender", reference={"region": "east"})
    with pytest.raises(UsageError, match="'age' is a number and has no reference level; cut it into bands"):
        vp.regress(people, "score", "age", reference={"age": 18})
    with pytest.raises(UsageError, match="5 respondents are too few for 7 coefficients"):
        vp.regress(
            people[:5].assign(b=[1, 2, 3, 5, 8], c=[1, 0, 0, 1, 0]),
            "score",
            ["region", "age", "b", "c", "weight"],
        )
    with pytest.raises(UsageError, match="kind must be one of linear, logistic, ordinal"):
        vp.regress(people, "score", "age", kind="logistc")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="holds low, middle, high, top, not numbers; use kind='ordinal'"):
        vp.regress(people, "liking", "age", kind="linear")
    with pytest.raises(UsageError, match="'age' tells the two answers apart completely"):
        vp.regress(people.assign(old=people.age > 50), "old", "age")
