"""Cohorts by health and other attributes: provenance, and figures that must not be mixed."""

from __future__ import annotations

import pandas as pd
import pytest

from voxpop.analysis import AnalysisWarning, bands, cohorts, crosstab, means
from voxpop.errors import UsageError
from voxpop.tables import Store
from voxpop.vocabulary import between, where


def people(versions: list[str | None]) -> pd.DataFrame:
    size = len(versions) * 40
    return pd.DataFrame(
        {
            "switch": ["yes", "no"] * (size // 2),
            "age": [20 + n % 60 for n in range(size)],
            "gender": ["male", "female", "female", "male"] * (size // 4),
            "bmi_class": [None if version is None else "normal" for version in versions for _ in range(40)],
            "health_source": [
                None if version is None else "NHANES" for version in versions for _ in range(40)
            ],
            "health_method_version": [version for version in versions for _ in range(40)],
        }
    )


def test_a_table_by_a_health_attribute_names_the_version_of_its_figures() -> None:
    table = crosstab(people(["m-2", None]), "switch", by="bmi_class")
    assert "Health attributes: NHANES m-2." in table.notes()
    assert table.wide()["bmi_class"].columns[-1] == "not assigned"
    assert "Health attributes" not in " ".join(crosstab(people(["m-2", None]), "switch", by="gender").notes())


def test_mixed_versions_are_warned_of_and_named_below() -> None:
    data = people(["m-1", "m-2", None])
    for work in (
        lambda: crosstab(data, "switch", by="bmi_class"),
        lambda: crosstab(data, "bmi_class", by="gender"),
        lambda: means(data, "age", by="bmi_class"),
        lambda: cohorts(data, "switch", {"normal": where(bmi_class="normal")}),
    ):
        with pytest.warns(
            AnalysisWarning, match="Health data of 2 versions are mixed: NHANES m-1; NHANES m-2"
        ):
            table = work()
        assert "Health data of 2 versions are mixed: NHANES m-1; NHANES m-2." in table.notes()


def test_no_health_attribute_no_warning_about_its_versions() -> None:
    assert crosstab(people(["m-1", "m-2"]), "switch", by=["gender", bands("age")]).remarks == ()


def test_answers_of_several_engines_are_warned_of() -> None:
    study = {"uuid": "s-1", "id": 1, "title": "Snacks"}
    question = {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?", "type": "yes_no"}
    agents = [{"id": n, "uuid": f"a-{n}", "name": "N", "age": 30, "gender": "male"} for n in range(4)]
    answers = [
        {"id": n, "question_id": 1, "agent_id": n, "value": n > 1, "engine": f"embedded-{n % 2}"}
        for n in range(4)
    ]
    with Store() as store:
        store.save_study(study, [question], answers, agents, {"population": "1-7-100"})
        with pytest.warns(
            AnalysisWarning, match="Answers of several engines are mixed: embedded-0, embedded-1"
        ):
            crosstab(store.respondents("Snacks"), "switch")


def test_cohorts_that_share_nobody_are_the_crosstab() -> None:
    data = people(["m-1"] * 4)
    named = {name: where(gender=name) for name in ("male", "female")}
    apart = cohorts(data, "switch", named, weight=None)
    table = crosstab(data, "switch", by="gender", sig=True).pairs().query("b == 'female'")
    own = apart.pairs()
    for column in ("diff", "statistic", "p"):
        assert own[column].tolist() == pytest.approx(table[column].tolist(), rel=1e-12)
    assert not [note for note in apart.notes() if "in two cohorts" in note]


def test_cohorts_take_any_filter_and_total_holds_everybody() -> None:
    data = people(["m-1", "m-1", None])
    table = cohorts(
        data,
        "switch",
        {
            "young": where(age=between(max=35)),
            "either": where(match="any", gender="male", bmi_class="normal"),
            "nobody": where(age=between(100)),
        },
        where=where(gender=["male", "female"]),
    )
    bases = table.wide().loc["Base (unweighted)"]
    expected = [120, (data.age <= 35).sum(), ((data.gender == "male") | data.bmi_class.notna()).sum(), 0]
    assert bases.tolist() == expected
    assert any(note.startswith("young: ") and "35" in note for note in table.notes())


@pytest.mark.parametrize("named", [{}, ["male"], {"men": "male"}, {"men": [True]}])
def test_cohorts_are_named_filters(named: object) -> None:
    with pytest.raises(UsageError, match=r"ohort.* filter"):
        cohorts(people(["m-1"]), "switch", named)  # type: ignore[arg-type]
