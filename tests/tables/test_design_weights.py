"""Design weights in the store: beside the answers, in tables, and in files of earlier versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import voxpop as vp
from voxpop.tables import Store

PEOPLE = [
    {
        "id": number,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "name": f"Agent {number}",
        "age": 30 + number,
        "gender": "female" if number < 3 else "male",
        "country": "USA",
        "inclusion_probability": 0.5 if number < 3 else 0.1,
        "design_weight": 2.0 if number < 3 else 10.0,
    }
    for number in range(1, 5)
]
QUESTION: dict[str, Any] = {"id": 1, "uuid": "q", "key": "car", "question": "A car?", "type": "yes_no"}


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as made:
        answers = [
            {"id": one["id"], "question_id": 1, "agent_id": one["id"], "value": one["id"] < 4}
            for one in PEOPLE
        ]
        study = {"id": 1, "uuid": "s", "title": "Cars", "agent_count": 4}
        made.save_study(study, [QUESTION], answers, PEOPLE)
        yield made


def test_respondents_have_their_weights(store: Store) -> None:
    people = store.respondents("s").df()
    assert people["design_weight"].tolist() == [2, 2, 10, 10]
    assert people["inclusion_probability"].tolist() == [0.5, 0.5, 0.1, 0.1]


def test_a_table_uses_them_when_asked_and_says_so(store: Store) -> None:
    table = vp.crosstab(store.respondents("s"), "car", weight="design_weight", sig=False)
    assert "weighted by design_weight" in str(table)
    assert float(table.wide().loc["Base (weighted)"].iloc[0]) == 24
    long = table.long().set_index("row")
    assert long.loc["yes", "percent"] == pytest.approx(100 * 14 / 24)


def test_missing_weights_are_refused_with_their_number() -> None:
    without = [{**PEOPLE[0], "design_weight": None}, *PEOPLE[1:]]
    with Store() as made:
        answers = [{"id": n, "question_id": 1, "agent_id": n, "value": True} for n in range(1, 5)]
        made.save_study({"id": 1, "uuid": "s", "title": "Cars"}, [QUESTION], answers, without)
        with pytest.raises(vp.UsageError, match="1 of 4 weights in 'design_weight' are missing"):
            vp.crosstab(made.respondents("s"), "car", weight="design_weight")


def test_members_of_a_group_keep_their_weights_and_whom_they_replace(store: Store) -> None:
    group = {"id": 3, "uuid": "g", "name": "g", "agent_count": 4, "sampling": {"population": 24}}
    weights = [{"agent_id": one["id"], "design_weight": one["design_weight"]} for one in PEOPLE]
    weights[3]["replaces"] = 17
    store.save_group(group, PEOPLE, None, weights)
    held = store.sql("SELECT design_weight, replaces FROM group_members ORDER BY position").fetchall()
    assert held == [(2, None), (2, None), (10, None), (10, 17)]
    assert store.sql("SELECT sampling FROM groups").fetchall() == [('{"population": 24}',)]
    store.save_group(group, None, None, [weights[0] | {"design_weight": None}])
    assert store.sql("SELECT count(design_weight) FROM group_members").fetchall() == [(3,)]
