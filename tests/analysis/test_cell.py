"""The respondents behind a figure of a table."""

from __future__ import annotations

import pickle
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp
from voxpop.analysis import cell as cell_module

ROWS = 90


def _people(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    several = [
        None if rng.random() < 0.2 else list(rng.permutation(["x", "y", "z"])[:2]) for _ in range(ROWS)
    ]
    return pd.DataFrame(
        {
            "id": range(ROWS),
            "choice": rng.choice(["yes", "no", "maybe", None], ROWS),
            "several": several,
            "rating": rng.integers(1, 6, ROWS),
            "arm": rng.choice(["a", "b", None], ROWS),
            "age": rng.choice([*range(18, 80), np.nan], ROWS),
            "why": [
                f"because of reason number {number}, which is long enough to quote" for number in range(ROWS)
            ],
        }
    )


def _as(kind: str, people: pd.DataFrame) -> Any:
    table = pa.Table.from_pandas(people)
    if kind == "survey":
        return vp.data(people)
    return {"frame": people, "arrow": table, "relation": duckdb.connect().from_arrow(table)}[kind]


def _ids(found: Any) -> list[int]:
    return list(found["id"].to_pylist() if isinstance(found, pa.Table) else found["id"])


def _truth(people: pd.DataFrame, row: str, group: str, column: str) -> list[int]:
    """Return the ids of a cell of the table below, by the plain words of its labels."""
    answered = people.choice.isna() if row == "no answer" else people.choice.isin(NETS.get(row, [row]))
    bounds = {"18-29": (18, 30), "30-64": (30, 65), "65+": (65, 200)}
    if group == "Total":
        inside = people.arm.notna() | people.age.notna()
    elif group == "arm":
        inside = people.arm == column
    else:
        inside = (people.age >= bounds[column][0]) & (people.age < bounds[column][1])
    return list(people.id[answered & inside])


NETS = {"not no": ["yes", "maybe"]}


@pytest.mark.parametrize("kind", ["frame", "arrow", "relation", "survey"])
def test_every_cell_returns_exactly_the_rows_that_pandas_finds(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_module, "_BATCH", 25)  # a relation is read in parts
    people = _people(1)
    table = vp.crosstab(
        _as(kind, people), "choice", by=["arm", vp.bands("age", [18, 30, 65])], nets=NETS, min_base=0
    )
    shown = table.long()
    for line in shown[shown.row_kind.isin(["code", "net", "missing"])].to_dict("records"):
        cell = table.at(line["row"], line["column"], line["column_group"])
        expected = _truth(people, line["row"], line["column_group"], line["column"])
        assert _ids(cell.people()) == expected
        assert cell.count == line["count"] == len(expected)


@pytest.mark.parametrize("kind", ["frame", "arrow", "relation", "survey"])
@pytest.mark.parametrize("mask", [False, True])
def test_a_cell_keeps_the_filter_of_its_table(kind: str, mask: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_module, "_BATCH", 25)
    people = _people(2)
    kept = people.age.between(30, 60)
    where = kept.to_numpy() if mask else vp.where(age=vp.between(30, 60))
    cell = vp.crosstab(_as(kind, people), "choice", by="arm", where=where).at("yes", "a")
    assert _ids(cell.people()) == list(people.id[kept & (people.choice == "yes") & (people.arm == "a")])


def test_cells_of_multiple_responses_cohorts_and_ratings() -> None:
    people = _people(3)
    ticked = people.several.map(lambda held: held is not None and "x" in held)
    assert _ids(vp.multi(people, "several", by="arm").at("x", "b").people()) == list(
        people.id[ticked & (people.arm == "b")]
    )
    named = {"older": vp.where(age=vp.between(50)), "arm a": vp.where(arm="a")}
    found = vp.cohorts(people, "choice", named).at("no", "older").people()
    assert _ids(found) == list(people.id[(people.choice == "no") & (people.age >= 50)])
    scale = pd.CategoricalDtype([1, 2, 3, 4, 5], ordered=True)
    top = vp.crosstab(people.astype({"rating": scale}), "rating", boxes=2)
    label = next(label for kind, label in top.rows if kind == "box")
    assert len(top.at(label).people()) == top.at(label).count


def test_items_of_a_battery() -> None:
    people = pd.DataFrame({"oat": ["yes", "no", "yes"], "rye": ["yes", "no", "no"], "id": [7, 8, 9]})
    assert _ids(vp.multi(people, ["oat", "rye"]).at("rye").people()) == [7]


def test_quotes_come_from_the_respondents_of_the_cell() -> None:
    people = _people(4)
    cell = vp.crosstab(people, "choice", by="arm").at("no", "b")
    said = vp.quotes(cell, "why", n=3, ids="id")
    assert set(said.ids) <= set(_ids(cell.people()))
    assert "choice no, arm b" in repr(said)


def test_a_cell_shows_its_figure() -> None:
    people = pd.DataFrame({"switch": ["yes", "no", "yes", None], "arm": ["a", "a", "b", "a"]})
    table = vp.crosstab(people, "switch", by="arm")
    assert repr(table.at("yes", "a")) == "switch yes, arm a: 1 of 2 (50.0 %)"
    assert repr(table.at("yes")) == "switch yes: 2 of 3 (66.7 %)"
    assert len(table.at("no answer", "a").people()) == 1


def test_unknown_and_ambiguous_labels_are_refused_with_the_nearest() -> None:
    people = pd.DataFrame({"q": ["yes", "no"], "arm": ["a", "b"], "site": ["a", "c"]})
    table = vp.crosstab(people, "q", by=["arm", "site"])
    with pytest.raises(vp.UsageError, match="no row 'yess'; did you mean yes"):
        table.at("yess")
    with pytest.raises(vp.UsageError, match="no column 'd'"):
        table.at("yes", "d")
    with pytest.raises(vp.UsageError, match=r"Several columns are named 'a'.*'arm', 'site'"):
        table.at("yes", "a")
    assert table.at("yes", "a", "site").count == 1


def test_a_pickled_table_leaves_its_data_behind() -> None:
    table = vp.crosstab(_as("relation", _people(5)), "choice")
    copied = pickle.loads(pickle.dumps(table))
    assert copied.long().equals(table.long())
    with pytest.raises(vp.UsageError, match="without its data"):
        copied.at("yes")
