"""Nested filters slice tables as they choose agents; a row without a value is in the complement."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import voxpop as vp
from voxpop.vocabulary import Filter

PEOPLE = pd.DataFrame(
    {
        "switch": ["yes", "no", "yes", "yes", None, "no"],
        "gender": ["female", "male", "female", "male", "male", None],
        "age": [20, 30, 40, 50, 60, 70],
        "brands": [["Oat"], ["Oat", "Rye"], [], None, ["Rye", "Corn", "Oat"], ["Corn"]],
    }
)


def base(where: Filter) -> int:
    counted = PEOPLE.assign(one="x")
    return int(vp.crosstab(counted, "one", where=where, sig=False).wide().loc["Base (unweighted)"].iloc[0])


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        (~vp.where(gender="female"), 4),  # the row without a gender too
        (vp.where(gender="women") & ~vp.where(switch="no"), 2),
        (vp.where(switch="no") | vp.where(age=vp.between(50)), 4),
        (~(vp.where(switch="yes") | vp.where(gender="male")), 1),
        (vp.where(brands=vp.at_least(2)), 2),
        (vp.where(brands=vp.at_most(0)), 1),  # not the row without a list
        (~vp.where(brands=vp.at_most(1)) & vp.where(age=vp.between(max=60)), 3),
    ],
)
def test_the_rows_are_those_of_a_plain_reading(where: Filter, rows: int) -> None:
    assert base(where) == rows
    assert base(vp.where()) == 6


def test_the_caption_and_the_data_say_the_filter() -> None:
    where = vp.where(gender="male") & ~vp.where(switch="no")
    table = vp.crosstab(PEOPLE, "switch", where=where, sig=False)
    assert "men, but not respondents whose switch is no" in " ".join(str(table).split())
    again: dict[str, Any] = table.spec()
    assert again["where"] == where.to_given()


def test_columns_and_values_inside_a_group_are_checked() -> None:
    with pytest.raises(vp.UsageError, match="The data have no column 'swich'; did you mean switch"):
        vp.crosstab(PEOPLE, "switch", where=~vp.where(swich="no"))
    with pytest.raises(vp.UsageError, match="has no value 'noo'; did you mean no"):
        vp.crosstab(PEOPLE, "switch", where=~vp.where(switch="noo"))
    with pytest.raises(vp.UsageError, match="'switch' has one value per row, so its values cannot be"):
        vp.crosstab(PEOPLE, "switch", where=vp.where(switch=vp.at_least(2)))
