"""People and agents in one estimate: pairs, cells, refusals, and the printed table."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp
from voxpop.stats.predictions import Sides, combined_mean, combined_share

AGES = vp.bands("age", [18, 35, 50, 65])


def drawn(size: int, seed: int) -> pd.DataFrame:
    """Return answers that depend on gender, age and education."""
    draw = np.random.default_rng(seed)
    made = pd.DataFrame(
        {
            "gender": draw.choice(["female", "male"], size),
            "age": draw.integers(18, 80, size),
            "education": draw.choice(["low", "middle", "high"], size),
        }
    )
    score = (
        0.04 * (made["age"] - 50) + 1.2 * (made["gender"] == "female") + 0.9 * (made["education"] == "high")
    )
    made["switch"] = np.where(draw.random(size) < 1 / (1 + np.exp(1 - score)), "yes", "no")
    made["price"] = (8 + score + draw.normal(0, 1.5, size)).round(1)
    made["w"] = np.exp(draw.normal(0, 0.3, size))
    return made


PEOPLE, AGENTS = drawn(250, 1), drawn(3_000, 2)
PEOPLE["id"] = [f"p{number}" for number in range(250)]
TWINS = PEOPLE.assign(switch=np.where(np.arange(250) % 6 == 0, "no", PEOPLE["switch"]))
PAIRED = pd.concat([AGENTS, TWINS], ignore_index=True)


def combined(**options: Any) -> Any:
    return vp.combine(
        PEOPLE, AGENTS, "switch", **{"level": "yes", "on": [AGES, "gender", "education"], **options}
    )


def test_twins_predict_and_all_other_agents_are_the_population() -> None:
    found = vp.combine(PEOPLE, PAIRED, "switch", "yes", twins="id").long().iloc[0]
    by_hand = combined_share(
        Sides(*((frame["switch"] == "yes").to_numpy() * 1.0 for frame in (PEOPLE, TWINS, AGENTS)))
    )
    assert found["estimate"] == pytest.approx(100 * by_hand.estimate)
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((100 * by_hand.low, 100 * by_hand.high))
    assert found["agents_n"] == 3_000
    assert found["worth"] > 200


def test_without_twins_the_mean_of_the_cell_predicts() -> None:
    found = vp.combine(PEOPLE, AGENTS, "price", on="education").long().iloc[0]
    cells = AGENTS.groupby("education")["price"].mean()
    sides = (PEOPLE["price"], PEOPLE["education"].map(cells), AGENTS["education"].map(cells))
    by_hand = combined_mean(Sides(*(one.to_numpy() for one in sides)))
    assert found["estimate"] == pytest.approx(by_hand.estimate)
    assert found["lambda"] == pytest.approx(by_hand.lam)
    assert found["agents"] == pytest.approx(AGENTS["price"].mean())


def test_small_cells_are_merged_over_the_last_column() -> None:
    few = pd.concat([AGENTS, AGENTS.head(2).assign(education="none")], ignore_index=True)
    alike = PEOPLE.assign(education=np.where(np.arange(250) == 0, "none", PEOPLE["education"]))
    whole = vp.combine(alike, few, "price", on=["gender", "education"]).long().iloc[0]
    assert whole["n"] == 250


def test_the_peoples_own_figure_is_that_of_proportions() -> None:
    plain = vp.proportions(PEOPLE, "switch", "yes", by="gender").long()
    found = combined(by="gender").long()
    held, other = found.set_index("group"), plain.query("n > 0").set_index("group")
    for mine, theirs in (("people", "percent"), ("people_low", "ci_low"), ("people_high", "ci_high")):
        assert held[mine].to_dict() == pytest.approx(other[theirs].to_dict())


def test_the_shares_of_all_levels_add_up() -> None:
    found = combined(level=None).long()
    assert found["estimate"].sum() == pytest.approx(100)
    assert found["lambda"].nunique() == 1


def test_agents_without_knowledge_change_nothing() -> None:
    blind = AGENTS.assign(switch=np.random.default_rng(3).permutation(AGENTS["switch"]))
    wrong = AGENTS.assign(switch=np.where(AGENTS["switch"] == "yes", "no", "yes"))
    found = vp.combine(PEOPLE, wrong, "switch", "yes", on=["gender", "education"])
    line = found.long().iloc[0]
    assert (line["lambda"], line["worth"]) == (0, 0)
    assert (line["estimate"], line["ci_low"], line["ci_high"]) == (
        line["people"],
        line["people_low"],
        line["people_high"],
    )
    assert "Agents did not help here" in repr(found)
    assert vp.combine(PEOPLE, blind, "switch", "yes", on=["gender", "education"]).long()["worth"][0] < 10


def test_every_kind_of_data_gives_the_same_figures() -> None:
    tables = [pa.Table.from_pandas(frame) for frame in (PEOPLE, AGENTS)]
    relations = [duckdb.connect().from_arrow(table) for table in tables]
    plain = combined(by="gender", weight="w").long()
    for one in (tables, relations):
        found = vp.combine(*one, "switch", "yes", by="gender", on=[AGES, "gender", "education"], weight="w")
        pd.testing.assert_frame_equal(
            found.long().set_index("group").sort_index(), plain.set_index("group").sort_index()
        )


def test_a_filter_applies_to_both() -> None:
    found = combined(where=vp.where(gender="female"))
    line = found.long().iloc[0]
    assert (line["n"], line["agents_n"]) == tuple(
        int((frame["gender"] == "female").sum()) for frame in (PEOPLE, AGENTS)
    )
    assert "filter: women" in found.caption()


def test_strata_allow_another_mix_of_agents() -> None:
    uneven = pd.concat([AGENTS, AGENTS[AGENTS["gender"] == "female"]], ignore_index=True)
    with pytest.raises(vp.UsageError, match=r"gender: .* % of the people are .* but .* % of the agents"):
        vp.combine(PEOPLE, uneven, "switch", "yes", on=["gender", "education"])
    found = vp.combine(PEOPLE, uneven, "switch", "yes", on=[AGES, "gender"], strata="gender")
    assert found.long()["worth"][0] > 0
    assert "within each of gender" in found.notes()[2]


def test_quantiles_and_coefficients_are_lines_of_the_same_table() -> None:
    median = vp.combine(PEOPLE, AGENTS, "price", on=[AGES, "gender"], quantile=0.5).long().iloc[0]
    assert median["ci_low"] <= median["estimate"] <= median["ci_high"]
    assert median["people"] == pytest.approx(PEOPLE["price"].median(), abs=0.1)
    linear = vp.combine(
        PEOPLE, AGENTS, "price", on=[AGES, "gender"], model="linear", terms=["age", "gender"]
    ).long()
    levels = [linear["level"].iloc[place] for place in (0, 1)]
    assert levels == ["intercept", "age"]
    logistic = combined(model="logistic", terms=["gender"]).long()
    assert logistic["people"].abs().max() < 5


def test_numbers_of_people_needed_are_smaller_with_agents() -> None:
    needed = combined().humans_needed(3).iloc[0]
    assert needed["without_agents"] > needed["with_agents"] > 250
    assert needed["saved"] == needed["without_agents"] - needed["with_agents"]
    with pytest.raises(vp.UsageError, match="margin must be above 0"):
        combined().humans_needed(0)


def test_the_table_tells_bases_method_assumption_and_provenance() -> None:
    found = combined(by="gender", weight="w")
    told = " ".join(repr(found).split())
    assert "Base: 250 people who answered switch and 3,000 agents · weighted by w" in told
    assert "predictions: mean answers of agents of the same age, gender and education" in told
    assert "prediction-powered share (PPI++), Wilson" in told
    assert "Assumption: people, as weighted, and agents stand for the same population." in told
    assert "Human and simulated" in told
    assert "<caption>" in found.to_html()
    assert found.spec()["provenance"] == "human and simulated"
    assert found.plot().chart.to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on": None}, "combine needs a prediction for each person"),
        ({"level": "yess"}, "did you mean yes"),
        ({"quantile": 2, "level": None}, "quantile must lie between 0 and 1"),
        ({"model": "linear"}, "needs both model"),
        ({"model": "logit", "terms": "age"}, "model must be one of linear, logistic"),
        ({"twins": "id"}, "agents: The data have no column 'id'"),
        ({"weight": "ww"}, "no column 'ww'"),
        ({"where": np.ones(250, dtype=bool)}, "must be a filter"),
        ({"on": "age", "where": vp.where(gender="female"), "strata": "switched"}, "no column 'switched'"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(vp.UsageError, match=message):
        combined(**options)


def test_twins_are_refused_unless_they_are_pairs() -> None:
    with pytest.raises(vp.UsageError, match="agents have 'p0' 2 times"):
        vp.combine(PEOPLE, pd.concat([PAIRED, TWINS.head(1)]), "switch", "yes", twins="id")
    with pytest.raises(vp.UsageError, match="all agents are twins"):
        vp.combine(PEOPLE, TWINS, "switch", "yes", twins="id")
    with pytest.raises(vp.UsageError, match="no person who answered has an agent"):
        vp.combine(PEOPLE, PAIRED.assign(id=PAIRED["id"] + "x"), "switch", "yes", twins="id")


def test_twins_that_answer_unlike_other_agents_are_refused() -> None:
    unlike = pd.concat([AGENTS, TWINS.assign(switch="no")], ignore_index=True)
    with pytest.raises(vp.UsageError, match="standard errors"):
        vp.combine(PEOPLE, unlike, "switch", "yes", twins="id")


def test_people_who_were_not_asked_lend_their_twins_to_the_population() -> None:
    silent = drawn(400, 5).assign(id=[f"q{number}" for number in range(400)])
    people = pd.concat([PEOPLE, silent.assign(switch=None)], ignore_index=True)
    found = vp.combine(people, pd.concat([TWINS, silent], ignore_index=True), "switch", "yes", twins="id")
    assert found.long()["agents_n"][0] == 400
    assert any("400 people without an answer" in note for note in found.notes())


def test_labels_that_agents_do_not_have_are_refused() -> None:
    other = PEOPLE.assign(switch=PEOPLE["switch"].str.title())
    with pytest.raises(vp.UsageError, match="did you mean no"):
        vp.combine(other, AGENTS, "switch", on="gender")
    with pytest.raises(vp.UsageError, match="no level in common"):
        vp.combine(PEOPLE.assign(gender="f"), AGENTS, "switch", on="gender")


def test_agents_weighted_to_the_sample_itself_are_refused() -> None:
    margins = {"gender": PEOPLE["gender"].value_counts(normalize=True).to_dict()}
    fitted = vp.rake(AGENTS, margins).add_to(AGENTS, "own")
    with pytest.raises(vp.UsageError, match="exactly the profile of these people"):
        vp.combine(PEOPLE, fitted, "switch", "yes", on="gender", agent_weight="own")


def test_people_and_agents_stay_in_their_places() -> None:
    with pytest.raises(vp.UsageError, match="must hold answers of people"):
        vp.combine(vp.declare(AGENTS, "simulated"), AGENTS, "switch", on="gender")
    with pytest.raises(vp.UsageError, match="must hold answers of agents"):
        vp.combine(PEOPLE, vp.declare(AGENTS, "human"), "switch", on="gender")


@pytest.mark.slow
@pytest.mark.parametrize("flip", [0.0, 0.3, 1.0])
def test_intervals_of_groups_hold(flip: float) -> None:
    truth = (drawn(400_000, 9)["switch"] == "yes").mean() * 100
    hits = 0
    for seed in range(300):
        draw, people, agents = np.random.default_rng(seed), drawn(120, 100 + seed), drawn(1_000, 1_000 + seed)
        other = np.where(agents["switch"] == "yes", "no", "yes")
        agents["switch"] = np.where(draw.random(1_000) < flip, other, agents["switch"])
        line = vp.combine(people, agents, "switch", "yes", on=["gender", "education"]).long().iloc[0]
        hits += line["ci_low"] <= truth <= line["ci_high"]
    assert 0.92 <= hits / 300 <= 0.985


def test_predictions_that_are_the_same_for_a_whole_cohort_are_no_shift() -> None:
    draw = np.random.default_rng(0)
    people = pd.DataFrame({"g": draw.choice(["m", "f"], 2_000), "q": draw.choice(["yes", "no"], 2_000)})
    people["w"] = draw.random(2_000) + 0.5
    agents = pd.DataFrame({"g": draw.choice(["m", "f"], 5_000), "q": draw.choice(["yes", "no"], 5_000)})
    survey = vp.data(people, weight="w", provenance="human")
    made = vp.combine(survey, agents, "q", "yes", by="g").long()
    plain = vp.combine(people, agents, "q", "yes", by="g", weight="w").long()
    assert made.equals(plain)
    assert (made["lambda"].iloc[1:] == 0).all()
