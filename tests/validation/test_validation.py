"""Validation: synthetic answers against human ones, and where the human figures come from."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.spatial.distance import jensenshannon

from voxpop.analysis import AnalysisWarning, bands
from voxpop.errors import UsageError
from voxpop.survey.declaring import declare
from voxpop.validation import benchmark, benchmarks, validate
from voxpop.vocabulary import FIELDS, where

STEPS = ["very", "somewhat", "hardly", "not"]
HUMAN = {"very": 44, "somewhat": 37, "hardly": 9, "not": 10}


def made(counts: dict[str, int], **columns: object) -> pd.DataFrame:
    answers = [level for level, many in counts.items() for _ in range(many)]
    return pd.DataFrame({"q": answers, **columns})


@pytest.fixture
def people() -> pd.DataFrame:
    return made({"very": 20, "somewhat": 60, "hardly": 15, "not": 5})


def test_every_measure_equals_that_of_scipy(people: pd.DataFrame) -> None:
    found = validate(people, "q", HUMAN, ordered=True).wide().iloc[0]
    synthetic, human = np.array([0.20, 0.60, 0.15, 0.05]), np.array([0.44, 0.37, 0.09, 0.10])
    assert found.total_variation == pytest.approx(np.abs(synthetic - human).sum() / 2, rel=1e-12)
    assert found.jensen_shannon == pytest.approx(jensenshannon(synthetic, human, base=2) ** 2, rel=1e-9)
    assert found.ks == pytest.approx(0.24, rel=1e-12)
    assert found.rank_correlation == pytest.approx(stats.spearmanr(synthetic, human).statistic, rel=1e-12)
    assert found.evenness == pytest.approx(stats.entropy(synthetic, base=4), rel=1e-12)
    points = np.arange(1, 5)
    sd = math.sqrt((human * (points - (human * points).sum()) ** 2).sum())
    assert found.human_sd == pytest.approx(sd, rel=1e-12)
    assert found.spread_ratio == pytest.approx(found.sd / sd, rel=1e-12)


def test_answers_that_collapse_are_called_narrower() -> None:
    collapsed = validate(
        made({"very": 2, "somewhat": 96, "hardly": 2, "not": 0}), "q", HUMAN, ordered=True, levels={}
    )
    assert collapsed.wide().collapse.tolist() == ["narrower"]
    assert "narrower" in repr(collapsed)
    wide = made({"very": 50, "somewhat": 0, "hardly": 0, "not": 50})
    assert validate(wide, "q", HUMAN, ordered=True).wide().collapse.tolist() == ["wider"]


def test_a_level_that_no_agent_chose_counts_as_none() -> None:
    found = validate(made({"very": 50, "somewhat": 50}), "q", HUMAN).long().set_index("level")
    assert found.synthetic.tolist() == [0.5, 0.5, 0, 0]
    assert found.loc["not", "difference"] == pytest.approx(-0.1)


@pytest.mark.parametrize(
    ("human", "told"),
    [
        ({"very": 53, "not": 41}, ["Figures that add up to 94 % are scaled to 100 %."]),
        ({"very": 0.53, "not": 0.49}, ["Figures that add up to 102 % are scaled to 100 %."]),
        ({"very": 53, "not": 46.9}, []),
        (pd.DataFrame({"level": ["very", "not"], "count": [53, 41]}), []),
    ],
)
def test_figures_that_are_scaled_are_told(human: object, told: list[str]) -> None:
    found = validate(made({"very": 50, "not": 50}), "q", human)
    assert [note for note in found.notes() if "scaled" in note] == told


def test_a_scale_has_its_order_whichever_way_its_figures_come() -> None:
    ratings = made({1: 20, 2: 20, 3: 20, 4: 20, 5: 20})  # type: ignore[dict-item]
    in_order = {1: 10, 2: 20, 3: 40, 4: 20, 5: 10}
    by_size = pd.DataFrame({"level": [3, 2, 4, 1, 5], "percent": [40, 20, 20, 10, 10]})
    found = [validate(ratings, "q", human) for human in (in_order, by_size)]
    assert found[1].long().level.tolist() == ["1", "2", "3", "4", "5"]
    assert found[0].wide()[["ks", "sd", "human_sd"]].round(3).values.tolist() == [[0.1, 1.414, 1.095]]
    assert found[1].wide().equals(found[0].wide())


def test_per_cohort_and_whether_differences_are_flattened() -> None:
    data = pd.DataFrame({"q": ["yes", "no"] * 100, "arm": ["a"] * 100 + ["b"] * 100})
    table = pd.DataFrame(
        {
            "level": ["yes", "no"] * 3,
            "percent": [50, 50, 80, 20, 20, 80],
            "arm": [None, None, "a", "a", "b", "b"],
        }
    )
    found = validate(declare(data, "simulated"), "q", table, by="arm")
    assert found.wide()[["column", "total_variation"]].round(3).values.tolist() == [
        ["Total", 0],
        ["a", 0.3],
        ["b", 0.3],
    ]
    assert found.between() == pytest.approx({"human": 0.3, "synthetic": 0.0, "ratio": 0.0})
    assert "agents 0.0 (0.0 times as far)" in " ".join(found.notes())


def test_cohorts_that_are_called_otherwise_are_named_and_no_others() -> None:
    data = pd.DataFrame({"q": ["yes", "no"] * 50, "gender": ["male"] * 40 + ["female"] * 60})
    table = pd.DataFrame(
        {"level": ["yes", "no"] * 2, "percent": [50, 50, 80, 20], "gender": ["m", "m", "w", "w"]}
    )
    for cohorts in ({"m": ["male"], "w": ["female"]}, {"m": "male", "w": "female"}):
        found = validate(data, "q", table, by="gender", cohorts=cohorts)
        assert found.wide().base.tolist() == [40, 60]
        assert found.spec()["cohorts"] == {"m": ["male"], "w": ["female"]}
    with pytest.raises(UsageError, match="has no cohort 'men'; it has m, w"):
        validate(data, "q", table, by="gender", cohorts={"men": ["male"], "w": ["female"]})


def test_microdata_are_read_with_their_weights(people: pd.DataFrame) -> None:
    human = made({"very": 44, "somewhat": 37, "hardly": 9, "not": 10})
    plain = validate(people, "q", human, ordered=True).wide().iloc[0]
    assert plain.total_variation == pytest.approx(validate(people, "q", HUMAN).wide().total_variation.iloc[0])
    assert plain.human_n == 100
    human["w"] = np.where(human.q == "very", 2.0, 1.0)
    told = validate(people, "q", human, human_weight="w").long().set_index("level").human
    assert told["very"] == pytest.approx(88 / 144)


def test_agents_and_microdata_are_cut_into_the_same_bands() -> None:
    ages = np.arange(18, 90)
    data = pd.DataFrame({"q": np.where(ages < 50, "yes", "no"), "age": ages, "w": 1.0})
    found = validate(data, "q", data, by=bands("age", [18, 50, 65]), human_weight="w")
    assert found.wide().column.tolist() == ["Total", "18-49", "50-64", "65+"]
    assert found.wide().total_variation.tolist() == [0, 0, 0, 0]
    assert found.spec()["by"] == {"bands": "age", "starts": [18, 50, 65]}
    assert found.spec()["human_weight"] == "w"
    with pytest.raises(UsageError, match="has no cohorts by 'age'; it has them by no attribute"):
        validate(data, "q", {"yes": 40, "no": 60}, by=bands("age", [18, 50]))


def test_agents_can_be_weighted_and_chosen(people: pd.DataFrame) -> None:
    data = people.assign(w=np.where(people.q == "very", 3.0, 1.0), gender=["male", "female"] * 50)
    told = validate(data, "q", HUMAN, weight="w").long().set_index("level").synthetic
    assert told["very"] == pytest.approx(60 / 140)
    own = validate(data, "q", HUMAN, where=where(gender="male"))
    assert own.wide().base.tolist() == [50]
    assert "filter: men" in own.caption()


def test_several_answers_are_taken_as_one_level(people: pd.DataFrame) -> None:
    both = {"satisfied": 81, "not": 19}
    levels = {"very": "satisfied", "somewhat": "satisfied", "hardly": "not", "not": "not"}
    found = validate(people, "q", both, levels=levels).long()
    assert found.synthetic.tolist() == pytest.approx([0.8, 0.2])
    out = validate(people, "q", both, levels={**levels, "hardly": None})
    assert out.wide().base.tolist() == [85]
    assert "Left out: hardly." in out.notes()


def test_the_distance_that_chance_alone_makes_stands_beside(people: pd.DataFrame) -> None:
    found = validate(people, "q", HUMAN).wide().iloc[0]
    draws = np.random.default_rng(1).multinomial(100, np.array(list(HUMAN.values())) / 100, size=4000) / 100
    seen = np.abs(draws - np.array(list(HUMAN.values())) / 100).sum(axis=1).mean() / 2
    assert found.expected_by_chance == pytest.approx(seen, rel=0.05)


@pytest.mark.parametrize(
    ("human", "changes", "told"),
    [
        ("smartfone_2021", {}, "no benchmark 'smartfone_2021'; did you mean smartphone_2021"),
        ({"very": 44, "somewhat": 37, "hardly": 9}, {}, "adds up to 90, neither 1 nor 100"),
        ({"very": -1, "somewhat": 101}, {}, "figures of 0 or more"),
        ({"very": 90, "somewhat": None}, {}, "figures of 0 or more"),
        ({"very": 50, "not": 40, "Not": 10}, {}, "has a level twice; its levels are very, not, Not"),
        ({"very": "90%", "somewhat": "10%"}, {}, "figures of 0 or more"),
        (pd.DataFrame({"level": ["very", "not"], "count": pd.array([9, None])}), {}, "figures of 0 or more"),
        (
            {"verry": 50, "not": 50},
            {},
            "'hardly' to 'q' is not a level of the benchmark, which has verry, not",
        ),
        (pd.DataFrame({"level": ["very"], "share": [1.0]}), {"by": ["gender"]}, "one attribute at a time"),
        ({"very": 10**400}, {}, "figures of 0 or more"),
        (HUMAN, {"human_weight": "w"}, "human_weight='w' needs microdata"),
        (pd.Series(HUMAN), {}, "The benchmark, read as one row per person: .* not Series"),
        (pd.DataFrame({"Level": ["very"], "share": [1.0]}), {}, "The benchmark, read as .* no column 'q'"),
        (pd.DataFrame({"level": ["very", None], "count": [9, 1]}), {}, "a row without a level"),
        (HUMAN, {"by": "gender"}, "has no cohorts by 'gender'; it has them by no attribute"),
        (HUMAN, {"levels": {"vry": None}}, "has no answer 'vry'; did you mean very"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    people: pd.DataFrame, human: object, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        validate(people, "q", human, **changes)  # type: ignore[arg-type]


def test_several_answers_per_agent_are_refused() -> None:
    with pytest.raises(UsageError, match="several answers per agent"):
        validate(pd.DataFrame({"q": [["very"], ["not"]]}), "q", HUMAN)


def test_every_shipped_benchmark_names_its_source_and_adds_up() -> None:
    told = benchmarks()
    assert (told.seen == "publisher").sum() >= 6
    for line in told.itertuples():
        held = benchmark(line.name)
        assert all(part.strip() for part in (held.question, held.source, held.fielded, held.population))
        assert held.url.startswith("https://")
        assert all(math.isclose(sum(own.shares), 1) for own in held.cohorts.values())
        assert all(share >= 0 for own in held.cohorts.values() for share in own.shares)
        if held.seen == "secondary":
            assert any("Not verified" in note for note in held.cited())


@pytest.mark.parametrize("name", benchmarks().name)
def test_cohorts_of_a_shipped_benchmark_exist_in_the_vocabulary(name: str) -> None:
    held = benchmark(name)
    for (by, cohort), own in held.cohorts.items():
        if by in ("Total", "age"):
            continue
        known = FIELDS[by].levels
        assert set(own.holds or (cohort,)) <= set(known), (by, cohort)


def test_a_shipped_benchmark_as_its_publisher_printed_it() -> None:
    # Pew Research Center, Mobile Fact Sheet, survey of Jan. 25-Feb. 8, 2021
    phone = benchmark("smartphone_2021")
    assert [phone.cohorts["age", age].shares[0] for age in ("18-29", "30-49", "50-64", "65+")] == [
        0.96,
        0.95,
        0.83,
        0.61,
    ]
    # Gallup, Nov. 3-16, 2021, by college degree; the page's shares add up to 99
    hardship = benchmark("price_hardship_2021")
    assert hardship.cohorts["education", "No college degree"].shares == pytest.approx(
        (13 / 99, 40 / 99, 46 / 99)
    )


def test_a_shipped_benchmark_cuts_ages_and_joins_levels_by_itself() -> None:
    ages = np.arange(18, 90)
    education = np.resize(FIELDS["education"].levels, ages.size)
    data = pd.DataFrame({"q": np.where(ages < 65, "yes", "no"), "age": ages, "education": education})
    found = validate(data, "q", "smartphone_2021", by="age").wide()
    assert found.column.tolist() == ["Total", "18-29", "30-49", "50-64", "65+"]
    assert found.base.tolist() == [72, 12, 20, 15, 25]
    joined = validate(data, "q", "smartphone_2021", by="education").wide()
    assert joined.column.tolist() == ["Total", "High school or less", "Some college", "College graduate"]
    assert joined.base.sum() == 144


def test_what_is_mixed_in_the_answers_stands_below() -> None:
    data = made({"very": 60, "not": 60}, bmi_class="normal", health_source="NHANES")
    data["health_method_version"] = ["m-1", "m-2"] * 60
    human = pd.DataFrame({"level": ["very", "not"], "percent": [50, 50], "bmi_class": ["normal"] * 2})
    with pytest.warns(AnalysisWarning, match="Health data of 2 versions are mixed"):
        found = validate(data, "q", human, by="bmi_class")
    assert "Health data of 2 versions are mixed: NHANES m-1; NHANES m-2." in found.notes()


def test_notes_say_what_the_comparison_cannot(people: pd.DataFrame) -> None:
    found = validate(declare(people, "simulated"), "q", HUMAN)
    shown = repr(found)
    for told in (
        "says nothing about the next one",
        "not evidence about people",
        "a distance far above it is",
    ):
        assert told in " ".join(shown.split())
    assert "<caption" in found.to_html()
    assert found.spec()["question"] == "q"


def test_what_the_answers_rest_on_is_told_if_the_data_know_it(people: pd.DataFrame) -> None:
    assert "rest on" not in repr(validate(people, "q", HUMAN))
    bases = [{"kind": "published", "answers": 60, "notes": []}, {"kind": "none", "answers": 40, "notes": []}]
    people.attrs["voxpop"] = {"columns": {"q": {"bases": bases}}}
    found = validate(people, "q", HUMAN)
    told = "What the answers rest on: published 60, none 40. Answers that rest on none are placeholders"
    assert any(note.startswith(told) for note in found.notes())
