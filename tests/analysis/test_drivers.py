"""Drivers: importance equal to refits in R, with bootstrap intervals that repeat and told errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import voxpop as vp
from voxpop.errors import UsageError
from voxpop.stats.pseudo_r2 import Subsets
from voxpop.stats.regression import likelihood, logistic_slopes

HERE = Path(__file__).parents[1] / "reference" / "models"
EXPECTED: dict[str, Any] = json.loads((HERE / "models_r.json").read_text())["importance"]
BY = ["gender", "region", "age", "income"]


@pytest.fixture
def people() -> pd.DataFrame:
    return pd.read_csv(HERE / "people.csv").dropna()


@pytest.mark.parametrize(
    ("question", "measure"), [("score", "r2"), ("switch", "mcfadden"), ("switch", "nagelkerke")]
)
def test_importance_equals_the_average_over_all_refits_in_r(
    people: pd.DataFrame, question: str, measure: Any
) -> None:
    options = {} if measure == "r2" else {"measure": measure}
    made = vp.drivers(people, question, BY, weight="weight", resamples=5, **options)
    lines = made.long().set_index("driver").loc[EXPECTED["names"]]
    np.testing.assert_allclose(lines.importance / 100, EXPECTED[measure], rtol=1e-9)
    assert lines.share.sum() == pytest.approx(100)
    assert made.explained[0] == pytest.approx(sum(EXPECTED[measure]))


def test_intervals_equal_those_of_refits_of_each_resample(people: pd.DataFrame) -> None:
    rng = np.random.default_rng(0)  # as stats.importance.resampled draws respondents
    ordered = people.sort_values(["age", "score"], kind="stable")
    y = ordered.score.to_numpy()
    x = ordered.age.to_numpy(dtype=float)
    rows = [rng.integers(len(ordered), size=len(ordered)) for _ in range(40)]
    r2 = [np.corrcoef(x[own], y[own])[0, 1] ** 2 for own in rows]
    line = vp.drivers(people, "score", "age", resamples=40).long().iloc[0]
    # equal ages and scores of one weight are drawn as one row, in the same order
    np.testing.assert_allclose([line.ci_low, line.ci_high], 100 * np.quantile(r2, [0.025, 0.975]), rtol=1e-9)


def test_one_newton_step_is_close_to_a_refit() -> None:
    draw = np.random.default_rng(5)
    x = draw.normal(size=(2000, 3))
    y = (x @ [1.0, 0.5, 0.0] + draw.logistic(size=2000) > 0).astype(float)
    ones = np.ones(2000)
    subsets = Subsets(x, y, ones, ones, [slice(0, 1), slice(1, 3)])
    counts = draw.multinomial(2000, ones / 2000, size=3).astype(float)
    wide = np.column_stack([ones, x])
    found = subsets.reached(3, counts)
    refit = [likelihood(y, wide @ logistic_slopes(wide, y, own)[0], own) / 2000 for own in counts]
    np.testing.assert_allclose(found, refit, atol=2e-5)


def test_rows_in_another_order_give_the_same_draws(people: pd.DataFrame) -> None:
    once = vp.drivers(people, "score", BY, weight="weight", resamples=20).long()
    again = vp.drivers(people[::-1], "score", BY, weight="weight", resamples=20).long()
    pd.testing.assert_frame_equal(once, again, check_exact=True)
    other = vp.drivers(people, "score", BY, weight="weight", resamples=20, seed=1).long()
    assert (other.ci_low != once.ci_low).all()


def test_many_drivers_are_sampled_and_the_error_is_told() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=(500, 12)) + draw.normal(size=(500, 1))
    people = pd.DataFrame(x, columns=[f"x{n}" for n in range(12)])
    people["y"] = x[:, 0] + 0.5 * x[:, 1] + draw.normal(size=500)
    made = vp.drivers(people, "y", list(people.columns[:12]), resamples=10)
    long = made.long()
    assert long.driver[0] == "x0"
    assert (long.error > 0).all()
    assert "200 of the 12! orders were drawn" in " ".join(made.notes())
    exact = vp.drivers(people, "y", list(people.columns[:10]), resamples=2)
    fitted = vp.regress(people, "y", list(people.columns[:10]))
    assert exact.explained[0] == pytest.approx(fitted.explained)
    logistic = vp.drivers(people.assign(z=people.y > 0), "z", list(people.columns[:11]), resamples=2)
    assert logistic.explained[0] == pytest.approx(
        vp.regress(people.assign(z=people.y > 0), "z", list(people.columns[:11])).explained
    )


def test_the_caption_warns_of_causes_and_of_agents(people: pd.DataFrame, tmp_path: Path) -> None:
    made = vp.drivers(vp.declare(people, "simulated"), "switch", [*BY[:2], vp.bands("age", [18, 45])])
    assert "drivers of switch = yes, together McFadden's R²" in made.caption()
    assert "It is not causation." in " ".join(made.notes())
    assert "not evidence about people" in made.notes()[-1]
    assert made.spec()["by"][2] == {"bands": "age", "starts": [18, 45]}
    assert "Points of McFadden's R²" in json.dumps(made.plot().chart.to_dict(), ensure_ascii=False)
    frame = pd.read_excel(made.to_excel(tmp_path / "made.xlsx"), sheet_name="every figure")
    np.testing.assert_allclose(frame.importance, made.long().importance)


def test_refusals(people: pd.DataFrame) -> None:
    people["liking"] = pd.Categorical(people.liking, ["low", "middle", "high", "top"], ordered=True)
    with pytest.raises(UsageError, match="'liking' has ordered levels; name those to explain with level="):
        vp.drivers(people, "liking", BY)
    with pytest.raises(UsageError, match="measure must be one of mcfadden, nagelkerke"):
        vp.drivers(people, "switch", BY, measure="mcfaden")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="resamples must be"):
        vp.drivers(people, "switch", BY, resamples=0)
    with pytest.raises(UsageError, match="'switch' is the outcome"):
        vp.drivers(people, "switch", [*BY, "switch"])
    with pytest.raises(UsageError, match="All respondents with 'same' 'yes' give the same answer"):
        vp.drivers(people.assign(same=people.switch), "switch", ["age", "same"])
