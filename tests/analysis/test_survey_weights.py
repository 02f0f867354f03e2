"""Every table of a survey uses its weight, and says what of its design it leaves out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import voxpop as vp

ROWS = 400
_DRAW = np.random.default_rng(7)
PEOPLE = pd.DataFrame(
    {
        "stratum": np.arange(ROWS) % 8,
        "block": np.arange(ROWS) // 10,
        "wt": _DRAW.choice([0.5, 1.0, 3.0], ROWS),
        "spend": _DRAW.normal(20, 5, ROWS).round(1),
        "score": _DRAW.integers(0, 11, ROWS),
        "gender": _DRAW.choice(["female", "male"], ROWS),
        **{item: _DRAW.choice(["a", "b", "c"], ROWS) for item in ("one", "two", "three")},
    }
)
TABLES: dict[str, Callable[..., Any]] = {
    "crosstab": lambda data, **more: vp.crosstab(data, "one", by="gender", **more),
    "banner": lambda data, **more: vp.banner(data, ["one", "two"], by="gender", **more)["two"],
    "cohorts": lambda data, **more: vp.cohorts(data, "one", {"women": vp.where(gender="female")}, **more),
    "means": lambda data, **more: vp.means(data, "spend", by="gender", **more),
    "nps": lambda data, **more: vp.nps(data, "score", **more),
    "proportions": lambda data, **more: vp.proportions(data, "one", "a", **more),
    "drivers": lambda data, **more: vp.drivers(data, "spend", by=["gender", "one"], resamples=20, **more),
    "segments": lambda data, **more: vp.segments(data, ["one", "two", "three"], k=2, **more),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_weight_of_a_survey_is_used_unless_it_is_declined(name: str) -> None:
    survey = vp.data(PEOPLE, weight="wt", strata="stratum", clusters="block")
    made = TABLES[name](survey)
    assert made.long().equals(TABLES[name](PEOPLE, weight="wt").long())
    plain = TABLES[name](survey, weight=False)
    assert plain.long().equals(TABLES[name](PEOPLE).long())
    assert not plain.long().equals(made.long())


@pytest.mark.parametrize("name", TABLES)
def test_what_of_the_design_is_left_out_is_said(name: str) -> None:
    designed = vp.data(PEOPLE, weight="wt", strata="stratum", clusters="block")
    note = "The strata and clusters of the survey's design are not used here"
    assert any(line.startswith(note) for line in TABLES[name](designed).notes())
    assert not any("design are" in line for line in TABLES[name](vp.data(PEOPLE, weight="wt")).notes())


def test_a_regression_uses_the_design_of_a_survey() -> None:
    designed = vp.data(PEOPLE, weight="wt", clusters="block")
    terms = ["gender", "one"]
    made = vp.regress(designed, "spend", on=terms)
    assert made.long().equals(
        vp.regress(PEOPLE, "spend", on=terms, design=vp.Design("wt", clusters="block")).long()
    )
    plain = vp.regress(PEOPLE, "spend", on=terms, weight="wt").long()
    assert vp.regress(vp.data(PEOPLE, weight="wt"), "spend", on=terms).long().equals(plain)
    assert np.allclose(made.long().estimate, plain.estimate, rtol=1e-12)
    assert not np.allclose(made.long().se, plain.se, rtol=1e-3)
    assert made.long().df.iloc[0] == PEOPLE.block.nunique() - 1 - 3
    assert any(
        "those of the sampling design: weighted by wt, clusters block" in line for line in made.notes()
    )
    with pytest.raises(vp.UsageError, match="weight belongs to the design"):
        vp.regress(PEOPLE, "spend", on=terms, weight="wt", design=vp.Design("wt"))
