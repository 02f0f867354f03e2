"""Everything that takes people gives the same for a frame, a relation, Arrow, Polars and a survey."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import voxpop as vp

KINDS = ("arrow", "relation", "polars", "survey", "survey of a relation")
UUID = "00000000-0000-0000-0000-000000000001"
OPINIONS = {"too_cheap": "p1", "cheap": "p2", "expensive": "p3", "too_expensive": "p4"}
REASONS = (
    "The price is too high for a box of snacks that is gone in one evening at home.",
    "I like the taste of what I buy now, and I see no reason to look for another.",
    "Less sugar would be good for my children, who eat too much of it already.",
    "A coupon or a lower price would be enough to make me try it once or twice.",
)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(7)
    size = 240
    base = random.uniform(1, 3, size).round(2)
    return pd.DataFrame(
        {
            "id": range(size),
            "switch": random.choice(["yes", "no"], size),
            "gender": random.choice(["female", "male"], size),
            "score": random.integers(0, 11, size),
            "age": random.integers(18, 80, size),
            "shops": [list(one) for one in random.choice(["A", "B", "C"], (size, 2))],
            "why": random.choice(REASONS, size),
            "price": random.uniform(1, 9, size).round(2),
            "w": random.uniform(0.5, 2, size).round(3),
            **{name: (base + place).round(2) for place, name in enumerate(OPINIONS.values())},
        }
    )


@pytest.fixture(scope="module")
def forms(frame: pd.DataFrame) -> dict[str, Any]:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    relation = duckdb.connect().from_arrow(table)
    return {
        "pandas": frame,
        "arrow": table,
        "relation": relation,
        "polars": pl.from_arrow(table),
        "survey": vp.data(frame),
        "survey of a relation": vp.data(relation),
    }


WOMEN = {"gender": "female"}
CALLS: dict[str, Callable[[Any], Any]] = {
    "crosstab": lambda people: vp.crosstab(
        people, "switch", by=["gender", vp.bands("age")], weight="w", sig=True
    ),
    "crosstab of a selection": lambda people: vp.crosstab(
        people, "switch", by="gender", where={"age": {"min": 40}}
    ),
    "banner": lambda people: vp.banner(people, ["switch", "score"], by="gender", where=WOMEN),
    "means": lambda people: vp.means(people, "price", by="gender", sig=True),
    "nps": lambda people: vp.nps(people, "score", by="gender", weight="w"),
    "box": lambda people: vp.box(people, "score", top=2, scale=(0, 10), by="gender"),
    "proportions": lambda people: vp.proportions(people, "switch", "yes", by="gender"),
    "multi": lambda people: vp.multi(people, "shops", by="gender"),
    "cohorts": lambda people: vp.cohorts(people, "switch", {"women": WOMEN, "old": {"age": {"min": 60}}}),
    "price_ladder": lambda people: vp.price_ladder(people, "price"),
    "price_range": lambda people: vp.price_range(people, OPINIONS, resamples=5),
    "keywords": lambda people: vp.keywords(people, "why", "gender", ids="id"),
    "quotes": lambda people: vp.quotes(people, "why", n=3, by="gender", ids="id"),
    "themes": lambda people: vp.themes(people, "why", k=2, ids="id"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_every_kind_of_data_gives_the_same_table(call: str, kind: str, forms: dict[str, Any]) -> None:
    made, same = CALLS[call](forms["pandas"]), CALLS[call](forms[kind])
    assert repr(same) == repr(made)
    assert same._repr_html_() == made._repr_html_()


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_raked_and_added_to_every_kind_of_data(kind: str, forms: dict[str, Any]) -> None:
    target = {"gender": {"female": 0.5, "male": 0.5}}
    weights = vp.rake(forms[kind], target)
    np.testing.assert_array_equal(weights.weights, vp.rake(forms["pandas"], target).weights)
    added = weights.add_to(forms[kind], "raked")
    table = vp.crosstab(added, "switch", weight="raked")
    assert repr(table) == repr(
        vp.crosstab(weights.add_to(forms["pandas"], "raked"), "switch", weight="raked")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_masks_choose_the_same_rows(kind: str, forms: dict[str, Any]) -> None:
    mask = forms["pandas"]["age"] > 40
    whole = vp.crosstab(forms["pandas"], "switch", where=mask)
    assert repr(vp.crosstab(forms[kind], "switch", where=mask)) == repr(whole)


@pytest.mark.parametrize("kind", KINDS)
def test_declared_provenance_is_that_of_every_table(kind: str, forms: dict[str, Any]) -> None:
    people = vp.declare(forms[kind], "human")
    assert vp.crosstab(people, "switch").provenance == "human"


def test_the_weight_of_a_design_is_used_unless_it_is_declined(forms: dict[str, Any]) -> None:
    frame, people = forms["pandas"], vp.data(forms["pandas"], weight="w")
    for call in (
        lambda data, **more: vp.crosstab(data, "switch", **more),
        lambda data, **more: vp.banner(data, "switch", by="gender", **more),
        lambda data, **more: vp.means(data, "price", **more),
        lambda data, **more: vp.nps(data, "score", **more),
        lambda data, **more: vp.multi(data, "shops", **more),
        lambda data, **more: vp.price_ladder(data, "price", **more),
        lambda data, **more: vp.cohorts(data, "switch", {"women": WOMEN}, **more),
    ):
        assert repr(call(people)) == repr(call(frame, weight="w"))
        assert repr(call(people, weight=False)) == repr(call(frame))


def test_a_survey_is_a_table_to_other_libraries(forms: dict[str, Any]) -> None:
    people = vp.data(forms["pandas"])
    assert duckdb.sql("SELECT count(*) FROM people WHERE gender = 'female'").fetchall() == [
        (int((forms["pandas"]["gender"] == "female").sum()),)
    ]
    assert pa.table(people).num_rows == len(people) == 240
    assert people.pl().shape == (240, len(people.columns))
    assert people.head(3)["id"].tolist() == [0, 1, 2]
    assert people.order("age DESC").limit(1).fetchall()[0][4] == forms["pandas"]["age"].max()
    assert people["score"].sum() == forms["pandas"]["score"].sum()
    assert [one.name for one in people.search("SWI").values()] == ["switch"]
    with pytest.raises(AttributeError, match="no 'swich'"):
        people.swich  # noqa: B018


def test_knowledge_takes_a_survey_and_its_weight(frame: pd.DataFrame) -> None:
    people = vp.data(frame, weight="w", labels={"switch": "Would you switch to a lower-sugar snack?"})
    same = vp.knowledge(
        frame, weights="w", questions={"switch": "Would you switch to a lower-sugar snack?"}, name="survey"
    )
    assert str(vp.knowledge(people)) == str(same)


def test_agents_of_a_store_keep_who_was_asked_and_the_ids_of_answers() -> None:
    questions = [
        {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?", "type": "yes_no"},
        {"id": 2, "uuid": "q-2", "key": "why", "question": "Why?", "type": "open"},
    ]
    agents = [{"id": n, "uuid": f"a-{n}", "name": "N", "age": 20 + n, "gender": "female"} for n in range(8)]
    answers = [{"id": n, "question_id": 1, "agent_id": n, "value": n > 1, "engine": "e-1"} for n in range(4)]
    answers += [
        {"id": 50 + n, "question_id": 2, "agent_id": n, "response_text": REASONS[n % 4], "engine": "e-1"}
        for n in range(8)
    ]
    with vp.Store() as store:
        store.save_study({"uuid": UUID, "id": 1, "title": "Snacks"}, questions, answers, agents)
        people = store.respondents()
        assert people.name == "Snacks"
        assert repr(vp.crosstab(people, "switch")) == repr(vp.crosstab(people.relation, "switch"))
        older = people.filter("age > 22")
        assert repr(vp.crosstab(older, "switch")) == repr(vp.crosstab(older.relation, "switch"))
        assert vp.quotes(people, "why", n=2).of.id_name == "answer_id"
    assert "closed" in repr(people)
    assert "closed" in people._repr_html_()
