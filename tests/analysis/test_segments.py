"""Segments: the likelihood of an independent implementation, known classes found again, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp
from voxpop.errors import UsageError

HERE = Path(__file__).parents[1] / "reference" / "models"
EXPECTED = json.loads((HERE / "items_stepmix.json").read_text())["log_likelihood"]


@pytest.fixture(scope="module")
def answers() -> pd.DataFrame:
    """Three classes of 600 respondents, six items of three levels, one answer in twenty missing."""
    made = pd.read_csv(HERE / "items.csv", header=None, names=[f"q{n}" for n in range(1, 7)])
    return made.replace(-1, np.nan)


@pytest.fixture
def clear() -> tuple[pd.DataFrame, np.ndarray]:
    """Two classes that answer very differently."""
    draw = np.random.default_rng(6)
    truth = draw.random(400) < 0.3
    odds = np.where(truth[:, None], 0.9, 0.1)
    yes = draw.random((400, 5)) < odds
    return pd.DataFrame(np.where(yes, "yes", "no"), columns=list("abcde")), truth


def test_the_likelihood_equals_that_of_stepmix(answers: pd.DataFrame) -> None:
    choice = vp.segments(answers, list(answers.columns)).choice().set_index("segments")
    for classes, expected in EXPECTED.items():
        assert choice.log_likelihood[int(classes)] == pytest.approx(expected, abs=1e-6)
    assert choice.index.tolist() == [1, 2, 3, 4, 5, 6]
    assert choice.bic.idxmin() == 3
    assert choice.index[choice.chosen].tolist() == [3]
    assert choice.bic[2] == pytest.approx(-2 * EXPECTED["2"] + 25 * np.log(600))


def test_known_classes_are_found_again(clear: tuple[pd.DataFrame, np.ndarray]) -> None:
    people, truth = clear
    made = vp.segments(people, list("abcde"))
    assert len(made.labels) == 2
    assert made.sizes[1] == pytest.approx(0.3, abs=0.05)
    found = made.assign()
    assert (found.eq("Segment 2").to_numpy() == truth).mean() > 0.97
    profile = made.wide().loc[("a", "yes")]
    assert profile["Segment 1"] == pytest.approx(10, abs=5)
    assert profile["Segment 2"] == pytest.approx(90, abs=7)
    assert made.entropy > 0.9


def test_rows_in_another_order_have_the_same_segments(answers: pd.DataFrame) -> None:
    once = vp.segments(answers, list(answers.columns), k=3)
    again = vp.segments(pa.Table.from_pandas(answers[::-1]), list(answers.columns), k=3)
    pd.testing.assert_frame_equal(once.long(), again.long(), check_exact=True)
    assert once.assign().tolist() == again.assign().tolist()[::-1]


def test_segments_are_aligned_with_the_data(answers: pd.DataFrame) -> None:
    people = answers.set_index(pd.Index([f"p{n}" for n in range(600)]))
    people.loc["p7"] = np.nan
    made = vp.segments(people, list(answers.columns), k=2)
    assert made.assign().index.equals(people.index)
    assert pd.isna(made.assign()["p7"])
    sure = made.probabilities().drop("p7")
    np.testing.assert_allclose(sure.sum(axis=1), 1)
    assert "1 left out, without an answer to any item." in made.notes()
    table = vp.crosstab(people.assign(segment=made.assign()), "q1", by="segment")
    assert table.wide().loc["Base (unweighted)", "Total"].item() == people.q1.notna().sum()


def test_weights_count_as_repeated_rows_with_the_information_of_their_effective_base(
    clear: tuple[pd.DataFrame, np.ndarray],
) -> None:
    people, _ = clear
    twice = people.assign(w=np.where(people.a == "yes", 2.0, 1.0))
    weighted = vp.segments(twice, list("abcde"), k=2, weight="w")
    repeated = vp.segments(pd.concat([people, people[people.a == "yes"]]), list("abcde"), k=2)
    np.testing.assert_allclose(weighted.long().share, repeated.long().share, atol=1e-4)
    effective = weighted.base.effective
    assert effective == pytest.approx(twice.w.sum() ** 2 / (twice.w**2).sum())
    ratio = weighted.fits[0]["log_likelihood"] / repeated.fits[0]["log_likelihood"]
    assert ratio == pytest.approx(effective / twice.w.sum())


def test_caption_picture_and_workbook(clear: tuple[pd.DataFrame, np.ndarray], tmp_path: Path) -> None:
    made = vp.segments(vp.declare(clear[0], "simulated"), list("abcde"), k=2)
    assert "2 segments (latent classes), certainty 0.9" in made.caption()
    assert "Base: 400 with an answer to any item" in made.caption()
    assert "not evidence about people" in made.notes()[-1]
    assert made.spec()["items"] == list("abcde")
    assert made.plot().save(tmp_path / "made.svg").stat().st_size > 1000
    frame = pd.read_excel(made.to_excel(tmp_path / "made.xlsx"), sheet_name="every figure")
    np.testing.assert_allclose(frame.share, made.long().share)


def test_refusals(clear: tuple[pd.DataFrame, np.ndarray]) -> None:
    people = clear[0].assign(same="x", age=range(400))
    with pytest.raises(UsageError, match="'same' is 'x' for everybody"):
        vp.segments(people, ["a", "b", "same"])
    with pytest.raises(
        UsageError, match="4 combinations of answers, which tell 1 segments apart at most, not 2"
    ):
        vp.segments(people, ["a", "b"], k=2)
    with pytest.raises(UsageError, match="5 respondents are too few for the 11 parameters of 2 segments"):
        vp.segments(people.groupby(["a", "b"]).head(2)[:5], list("abcde"), k=2)
    with pytest.raises(UsageError, match="'age' has 400 different numbers"):
        vp.segments(people, ["a", "b", "age"])
    with pytest.raises(UsageError, match="two or more items"):
        vp.segments(people, "a")
    with pytest.raises(UsageError, match="k must be a whole number"):
        vp.segments(people, ["a", "b"], k=0)
